import { existsSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { MemsvcError } from "../../operation/errors.ts";
import { errorCode } from "../../system/error-code.ts";
import { workingDirectory } from "../location/working-directory.ts";
import { deletedWorkingDirectory, describeSystemError } from "./describe-system-error.ts";

/** The error of a named file that could not be read or written, in the user's words; other errors stay as they are. */
export function fileFault(file: string, verb: "read" | "written", error: unknown): unknown {
  const code = errorCode(error);
  if (code === "ENOENT" && !isAbsolute(file) && !existsSync(workingDirectory())) {
    return new MemsvcError("not_found", deletedWorkingDirectory.problem, {
      hint: deletedWorkingDirectory.hint,
      cause: error,
    });
  }
  // As of a variable that is not set.
  if (file === "")
    return new MemsvcError("invalid_input", "the name of the file is empty", {
      hint: "name one",
      cause: error,
    });
  if (code === "ENOENT") {
    const missing = verb === "read" ? `there is no file ${file}` : `there is no folder ${dirname(file)}`;
    return new MemsvcError("not_found", missing, { hint: "check the path", cause: error });
  }
  const fault = describeSystemError(error, file);
  if (fault === undefined) return error;
  const isFull = code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
  return new MemsvcError(isFull ? "disk_full" : "invalid_input", fault.problem, {
    hint: fault.hint,
    cause: error,
  });
}
