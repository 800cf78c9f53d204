import { MemsvcError } from "./errors.ts";

/** The error when the mesh is off: it is switched on by setting a secret, not by a feature flag. */
export function meshOff(): MemsvcError {
  // The contract fixes this sentence.
  return new MemsvcError("feature_off", "mesh requires MEMSVC_SECRET", {
    hint: "set the same one on all machines, then restart the daemon: memsvc config set MEMSVC_SECRET",
  });
}
