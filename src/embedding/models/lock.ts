import { join } from "node:path";
import { MemsvcError } from "../../operation/errors.ts";
import { whileLocked } from "../../paths/while-locked.ts";
import { modelsFolder } from "./folder.ts";

/** Runs the work while no other process installs the same model. Errors: conflict. */
export async function withModelLock<T>(home: string, name: string, work: () => Promise<T>): Promise<T> {
  const outcome = await whileLocked(join(modelsFolder(home), `.${name}.lock`), work);
  if (outcome.kind === "done") return outcome.result;
  throw new MemsvcError("conflict", `another process is installing ${name} at this moment`, {
    hint: "wait for it to end: memsvc models list",
  });
}
