import { join } from "node:path";
import { repositoryTop } from "../../paths/repository-top.ts";
import { homeOfUser } from "../../system/home-of-user.ts";

/** Where agents keep their settings; a parameter, so that tests can use any place. */
export interface Places {
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  /** Top folder of the project in which the command was run. */
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
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

type OfUser = Pick<Places, "env" | "home">;

/** A folder that an environment variable may override. */
export function folderFrom({ env, home }: OfUser, name: string, ...usual: readonly string[]): string {
  const named = env[name]?.trim();
  return named ? named : join(home, ...usual);
}

/** `~/.config`, for programs that use it on every platform. */
export function xdgConfig(places: OfUser): string {
  return folderFrom(places, "XDG_CONFIG_HOME", ".config");
}

/** The folder for settings of desktop applications. */
export function applicationData(places: Places): string {
  const { platform, home } = places;
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return folderFrom(places, "APPDATA", "AppData", "Roaming");
  return xdgConfig(places);
}

/** The user's settings of VS Code, where its extensions also keep theirs. */
export function codeFolder(places: Places): string {
  return join(applicationData(places), "Code", "User");
}
