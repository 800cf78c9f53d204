import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";

/** Does something with each value; returns one error for all of them that were not found. */
export async function tryAll<Value>(
  values: readonly Value[],
  run: (value: Value) => Promise<void>,
): Promise<MemsvcError | undefined> {
  const unknown: MemsvcError[] = [];
  for (const value of values) {
    try {
      await run(value);
    } catch (error) {
      if (!isMemsvcError(error, "not_found")) throw error;
      unknown.push(error);
    }
  }
  const [first] = unknown;
  if (first === undefined) return undefined;
  const message = unknown.map((error) => error.message).join("\n");
  return new MemsvcError("not_found", message, { hint: first.hint, cause: first, extra: first.extra });
}
