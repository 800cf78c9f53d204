import { type ConfigurationSources, readConfiguration } from "./config/configuration.ts";
import { Core, type CoreOptions } from "./core.ts";

export type OpenOptions = ConfigurationSources & Partial<Omit<CoreOptions, "settings" | "home">>;

/** Opens the core of a home in this process. Close it when done; several processes may have one open. */
export async function openCore(options: OpenOptions = {}): Promise<Core> {
  const { home, settings } = readConfiguration(options);
  return Core.open({ ...options, home, settings });
}
