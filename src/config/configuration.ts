import { existsSync, statSync } from "node:fs";
import { MemsvcError } from "../operation/errors.ts";
import { homeOfUser } from "../system/home-of-user.ts";
import { readConfigFile } from "./config-file.ts";
import { environmentBeside, homeFolder } from "./home.ts";
import { type LoadedSettings, loadSettings, type OptionalSettings } from "./load.ts";

export interface ConfigurationSources {
  /** Folder of the store; by default MEMSVC_HOME or `~/.memsvc`. */
  readonly home?: string | undefined;
  /** Settings given by flags, by their names (`MEMSVC_PORT`). */
  readonly flags?: Readonly<Partial<Record<string, string>>>;
  readonly env?: NodeJS.ProcessEnv;
  /** Settings whose invalid values count as unset instead of being errors. */
  readonly optional?: OptionalSettings;
}

export interface Configuration extends LoadedSettings {
  readonly home: string;
}

/** Determines the home folder and the settings, from flags, environment and config file. Error: invalid_setting. */
export function readConfiguration(sources: ConfigurationSources = {}): Configuration {
  const env = sources.env ?? process.env;
  const home = homeFolder({ flag: sources.home, env, userHome: homeOfUser() });
  if (existsSync(home) && !statSync(home).isDirectory()) {
    throw new MemsvcError("invalid_setting", `the home ${home} is a file, and should be a folder`, {
      hint: "name another folder with --home or MEMSVC_HOME, or move the file away",
    });
  }
  return {
    home,
    ...loadSettings({
      home,
      env: environmentBeside(sources.home, env),
      fileText: readConfigFile(home),
      optional: sources.optional,
      ...(sources.flags === undefined ? {} : { flags: sources.flags }),
    }),
  };
}
