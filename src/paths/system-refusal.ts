import { MemsvcError } from "../operation/errors.ts";
import { errorCode } from "../system/error-code.ts";
import { isSystemError } from "../system/is-system-error.ts";

/**
 * Does something with a file or folder of the user's; what the system refuses is told with its code and the way out.
 * Error: forbidden.
 */
export async function unlessRefused<Result>(
  path: string,
  hint: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error, `${path} could not be read or written`, hint);
  }
}

/** What the system refused, told with its code. A full disk is everybody's fault and stays as it is, as do our own errors. */
export function refusalOf(error: unknown, problem: string, hint: string): unknown {
  const code = isSystemError(error) ? errorCode(error) : undefined;
  if (code === undefined || code === "ENOSPC" || code === "EDQUOT") return error;
  return new MemsvcError("forbidden", `${problem} (${code})`, { hint, cause: error });
}
