import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { MemsvcError } from "../operation/errors.ts";

/**
 * The user's home folder. HOME that is empty or relative is none: it would be another folder wherever a command runs.
 * Error: invalid_setting where the system knows none either, as for a user of a container that has a number alone.
 */
export function homeOfUser(): string {
  try {
    const named = homedir();
    return isAbsolute(named) ? named : userInfo().homedir;
  } catch (error) {
    throw new MemsvcError("invalid_setting", "this user has no home folder", {
      hint: "set HOME to a folder that this user may write to",
      cause: error,
    });
  }
}
