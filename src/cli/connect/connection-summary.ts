import { isInstalled } from "./agent.ts";
import { agents } from "./agents.ts";
import { connectedScopes } from "./connection-state.ts";
import type { Places } from "./places.ts";

/** Which agents are here, by title or name, for the state at a glance. */
export interface ConnectionSummary {
  readonly connected: readonly string[];
  /** Installed and not connected, as `memsvc connect` names them. */
  readonly unconnected: readonly string[];
}

export function summarizeConnections(places: Places): ConnectionSummary {
  const connected = agents.filter((agent) => connectedScopes(agent, places).length > 0);
  const others = agents.filter((agent) => !connected.includes(agent) && isInstalled(agent, places));
  return { connected: connected.map(({ title }) => title), unconnected: others.map(({ name }) => name) };
}
