import type { Settings } from "../../config/load.ts";

/** An agent whose rows are looked at, or `*` for all; without one those that the command's agent sees. */
export interface View {
  readonly agentId?: string;
}

/** Whose rows a command looks at by itself: its agent's where agents are isolated, all where it works for none. */
export function visibleRows({ agentId }: Pick<Settings, "agentId">): View {
  return agentId === undefined ? { agentId: "*" } : {};
}
