import { type ConfigurationSources, readConfiguration } from "./config/configuration.ts";
import { Core, type CoreOptions } from "./core.ts";

/** All of them may be left out: then the home is MEMSVC_HOME or `~/.memsvc`. */
export type OpenOptions = ConfigurationSources & Partial<Omit<CoreOptions, "settings" | "home">>;

/**
 * Opens the core of a home in this process: a folder, its settings from flags, environment and config file, and the
 * store in it, which is made or brought up to date where it has to be. Operations are carried out with `core.call`.
 * Close it when done; several processes may have one open.
 * Errors (MemsvcError, by code): invalid_setting; store_damaged, store_newer and disk_full.
 */
export async function openCore(options: OpenOptions = {}): Promise<Core> {
  const { home, settings } = readConfiguration(options);
  return Core.open({ ...options, home, settings });
}
