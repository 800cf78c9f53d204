import { isAbsolute, join, resolve } from "node:path";
import { MemsvcError } from "../operation/errors.ts";
import { expandHome } from "../paths/expand-home.ts";

interface HomeOptions {
  /** The value of `--home`; relative to the working directory. */
  readonly flag?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** The user's home folder, as `homeOfUser()` says. */
  readonly userHome: string;
}

/**
 * The folder that holds everything memsvc stores, as an absolute path: `--home`, else MEMSVC_HOME, else `~/.memsvc`.
 * Throws `invalid_setting` for a blank flag, and for a relative MEMSVC_HOME, which would mean a different store in every
 * working directory.
 */
export function homeFolder(options: HomeOptions): string {
  const flag = options.flag?.trim();
  if (flag === "")
    throw new MemsvcError("invalid_setting", "the name of the home folder is blank", {
      hint: "name one, or none for ~/.memsvc",
    });
  if (flag !== undefined) return resolve(expandHome(flag, options.userHome));
  const configured = options.env.MEMSVC_HOME?.trim();
  if (!configured) return resolve(options.userHome, ".memsvc");
  const expanded = expandHome(configured, options.userHome);
  if (isAbsolute(expanded)) return resolve(expanded);
  throw new MemsvcError("invalid_setting", "MEMSVC_HOME must be an absolute path (from the environment)", {
    hint: "Give the whole path, or one that begins with ~/.",
  });
}

/**
 * The environment to use together with `--home`, without MEMSVC_URL: flags win over the environment, and the daemon at
 * that address may belong to another home.
 */
export function environmentBeside(homeFlag: string | undefined, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (homeFlag === undefined) return env;
  const { MEMSVC_URL: _, ...others } = env;
  return others;
}

/** The path of the config file below a home folder. */
export function configFile(home: string): string {
  return join(home, ".env");
}

/** The path of the database below a home folder. */
export function databaseFile(home: string): string {
  return join(home, "memsvc.db");
}

/** The path of the daemon's current log; rotated ones are beside it. */
export function daemonLog(home: string): string {
  return join(home, "logs", "memsvc.log");
}
