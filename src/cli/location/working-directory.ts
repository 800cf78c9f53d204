import { homeOfUser } from "../../system/home-of-user.ts";

/** The working folder; if it was deleted (as a removed git worktree), its former path. */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? homeOfUser();
  }
}
