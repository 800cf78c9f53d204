import { MemsvcError } from "../operation/errors.ts";
import { errorCode } from "../system/error-code.ts";
import { isSystemError } from "../system/is-system-error.ts";

/**
 * Works with a file or folder of the user; a system error becomes an error with the system's code and a hint. Error:
 * forbidden.
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

/** The same for a file that is only read. */
export function unlessUnreadable<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  return unlessRefused(path, "let memsvc read it", read);
}

/**
 * A system error as `forbidden` with its code. Other errors are returned unchanged, and so is a full disk, which has
 * its own error.
 */
export function refusalOf(error: unknown, problem: string, hint: string): unknown {
  const code = isSystemError(error) ? errorCode(error) : undefined;
  if (code === undefined || code === "ENOSPC" || code === "EDQUOT") return error;
  return new MemsvcError("forbidden", `${problem} (${code})`, { hint, cause: error });
}
