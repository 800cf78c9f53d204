import { join } from "node:path";
import { repositoryTop } from "../../paths/repository-top.ts";
import { homeOfUser } from "../../system/home-of-user.ts";

/** Where agents look for their settings; handed over, so that a test can be anywhere. */
export interface Places {
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  /** Top folder of the project that the command is run in. */
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Where a command that runs in a folder looks for settings. */
export function placesOf({ cwd }: { readonly cwd: string }): Places {
  return {
    platform: process.platform,
    home: homeOfUser(),
    project: repositoryTop(cwd) ?? cwd,
    env: process.env,
  };
}

type OfUser = Pick<Places, "env" | "home">;

/** A folder that an environment variable may move. */
export function folderFrom({ env, home }: OfUser, name: string, ...usual: readonly string[]): string {
  const named = env[name]?.trim();
  return named ? named : join(home, ...usual);
}

/** `~/.config` of programs that keep to it on every platform. */
export function xdgConfig(places: OfUser): string {
  return folderFrom(places, "XDG_CONFIG_HOME", ".config");
}

/** Where desktop applications keep their settings. */
export function applicationData(places: Places): string {
  const { platform, home } = places;
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return folderFrom(places, "APPDATA", "AppData", "Roaming");
  return xdgConfig(places);
}
