import { homeFolder } from "../../config/home.ts";
import { homeOfUser } from "../../system/home-of-user.ts";

/**
 * The folder of the store that a command works with, found without reading its settings: one that stops everything
 * else can still be looked at and mended. Error: invalid_setting for a relative MEMSVC_HOME.
 */
export function storeHome(globals: { readonly home?: string | undefined } = {}): string {
  return homeFolder({ flag: globals.home, env: process.env, userHome: homeOfUser() });
}

/** The same where the environment says nothing. */
export function homeWithoutEnvironment(flag?: string): string {
  return homeFolder({ flag, env: {}, userHome: homeOfUser() });
}
