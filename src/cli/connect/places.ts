import { join } from "node:path";
import { applicationData, type UserPlace } from "../../paths/application-data.ts";
import { repositoryTop } from "../../paths/repository-top.ts";
import { homeOfUser } from "../../system/home-of-user.ts";

/** Where agents keep their settings. */
export interface Places extends UserPlace {
  /** Top folder of the project in which the command was run. */
  readonly project: string;
}

/** The places for a command that is run in a folder. */
export function placesOf({ cwd }: { readonly cwd: string }): Places {
  return {
    platform: process.platform,
    home: homeOfUser(),
    project: repositoryTop(cwd) ?? cwd,
    env: process.env,
  };
}

/** The user's settings of VS Code, where its extensions also keep theirs. */
export function codeFolder(places: Places): string {
  return join(applicationData(places), "Code", "User");
}
