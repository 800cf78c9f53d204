import { isInstalled } from "./connect/agent.ts";
import { agents } from "./connect/agents.ts";
import type { Places } from "./connect/places.ts";
import { connectedScopes } from "./connect/state.ts";

/** Which agents are here, by title or name, for the state at a glance. */
export interface AgentsAtAGlance {
  readonly connected: readonly string[];
  /** Installed and not connected, as `memsvc connect` names them. */
  readonly unconnected: readonly string[];
}

export function agentsAtAGlance(places: Places): AgentsAtAGlance {
  const connected = agents.filter((agent) => connectedScopes(agent, places).length > 0);
  const others = agents.filter((agent) => !connected.includes(agent) && isInstalled(agent, places));
  return { connected: connected.map(({ title }) => title), unconnected: others.map(({ name }) => name) };
}

interface State extends AgentsAtAGlance {
  readonly isCritical: boolean;
  readonly hasDaemon: boolean;
  readonly memories: number;
}

/** The next sensible command: what is wrong first, then what is missing, then what there is to use. */
export function nextCommand({ isCritical, hasDaemon, memories, connected, unconnected }: State): string {
  const [first] = unconnected;
  if (isCritical) return "memsvc doctor";
  if (connected.length === 0 && first !== undefined) return `memsvc connect ${first}`;
  if (connected.length > 0 && !hasDaemon) return "memsvc daemon start";
  return memories === 0 ? 'memsvc remember "…"' : 'memsvc search "…"';
}
