import { MemsvcError } from "./errors.ts";

/** The sentence that the contract fixes. */
export const meshOffMessage = "mesh requires MEMSVC_SECRET";

/** The mesh is switched on by the secret, which is no flag. */
export function meshOff(): MemsvcError {
  return new MemsvcError("feature_off", meshOffMessage, {
    hint: "set the same one on all machines, then restart the daemon: memsvc config set MEMSVC_SECRET",
  });
}
