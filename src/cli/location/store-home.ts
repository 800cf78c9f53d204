import { homeFolder } from "../../config/home.ts";
import { homeOfUser } from "../../system/home-of-user.ts";

/**
 * The home folder of a command, found without reading its settings, so that invalid settings can still be viewed and
 * corrected. Error: invalid_setting for a relative MEMSVC_HOME.
 */
export function storeHome(globals: { readonly home?: string | undefined } = {}): string {
  return homeFolder({ flag: globals.home, env: process.env, userHome: homeOfUser() });
}

/** The home folder if the environment is ignored. */
export function homeWithoutEnvironment(flag?: string): string {
  return homeFolder({ flag, env: {}, userHome: homeOfUser() });
}
