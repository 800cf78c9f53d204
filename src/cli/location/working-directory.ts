import { homeOfUser } from "../../system/home-of-user.ts";

/** The folder that the program was started in; a worktree that was removed meanwhile keeps the name it had. */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? homeOfUser();
  }
}
