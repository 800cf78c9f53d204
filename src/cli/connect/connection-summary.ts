import { isInstalled } from "./agent.ts";
import { agents } from "./agents.ts";
import { connectedScopes } from "./connection-state.ts";
import type { Places } from "./places.ts";

/** The agents on this machine: titles of the connected ones, names of the others. */
export interface ConnectionSummary {
  readonly connected: readonly string[];
  /** Installed but not connected, by the names that `memsvc connect` takes. */
  readonly unconnected: readonly string[];
}

export function summarizeConnections(places: Places): ConnectionSummary {
  const connected = agents.filter((agent) => connectedScopes(agent, places).length > 0);
  const others = agents.filter((agent) => !connected.includes(agent) && isInstalled(agent, places));
  return { connected: connected.map(({ title }) => title), unconnected: others.map(({ name }) => name) };
}
