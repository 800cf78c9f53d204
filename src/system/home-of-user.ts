import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { MemsvcError } from "../operation/errors.ts";

/**
 * The user's home folder. An empty or relative HOME is ignored: it would mean a different folder in every working
 * directory. Error: invalid_setting if the system does not know a home either, as for a container's user without an
 * entry in /etc/passwd.
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
