import { type ConfigurationSources, readConfiguration } from "./config/configuration.ts";
import { Core, type CoreOptions } from "./core.ts";

/** All options are optional; the default home is MEMSVC_HOME or `~/.memsvc`. */
export type OpenOptions = ConfigurationSources & Partial<Omit<CoreOptions, "settings" | "home">>;

/**
 * Opens the core of a home in this process. Settings come from flags, environment and config file; the store in the
 * home is created or migrated if necessary. Run operations with `core.call`, and close the core when done. Several
 * processes may have the same home open. Errors (MemsvcError, by code): invalid_setting, store_damaged, store_newer,
 * disk_full.
 */
export async function openCore(options: OpenOptions = {}): Promise<Core> {
  const { home, settings } = readConfiguration(options);
  return Core.open({ ...options, home, settings });
}
