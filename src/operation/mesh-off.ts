import { MemsvcError } from "./errors.ts";

/** The contract fixes this sentence. */
export const meshOffMessage = "mesh requires MEMSVC_SECRET";

/** The error when the mesh is off: it is switched on by setting a secret, not by a feature flag. */
export function meshOff(): MemsvcError {
  return new MemsvcError("feature_off", meshOffMessage, {
    hint: "set the same one on all machines, then restart the daemon: memsvc config set MEMSVC_SECRET",
  });
}
