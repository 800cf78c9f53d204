import { errorCode } from "../error-code.ts";
import { MemsvcError } from "../operation/errors.ts";

/**
 * Does something with a file or folder of the user's; what the system refuses is told with its code and the way out. A
 * full disk is everybody's fault and stays as it is. Error: forbidden.
 */
export async function unlessRefused<Result>(
  path: string,
  hint: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && "syscall" in error ? errorCode(error) : undefined;
    if (code === undefined || code === "ENOSPC") throw error;
    throw new MemsvcError("forbidden", `${path} could not be read or written (${code})`, {
      hint,
      cause: error,
    });
  }
}
