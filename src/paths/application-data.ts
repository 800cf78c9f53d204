import { join } from "node:path";

/** Where a user's programs keep their files; a parameter, so that tests can use any place. */
export interface UserPlace {
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

type OfUser = Pick<UserPlace, "env" | "home">;

/** A folder that an environment variable may override. */
export function folderFrom({ env, home }: OfUser, name: string, ...usual: readonly string[]): string {
  const named = env[name]?.trim();
  return named ? named : join(home, ...usual);
}

/** `~/.config`, for programs that use it on every platform. */
export function xdgConfig(place: OfUser): string {
  return folderFrom(place, "XDG_CONFIG_HOME", ".config");
}

/** The folder for settings of desktop applications. */
export function applicationData(place: UserPlace): string {
  const { platform, home } = place;
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return folderFrom(place, "APPDATA", "AppData", "Roaming");
  return xdgConfig(place);
}
