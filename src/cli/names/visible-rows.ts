import type { Settings } from "../../config/load.ts";

/** The agent whose rows are looked at, or `*` for all; undefined for what the command's agent may see. */
export interface View {
  readonly agentId?: string;
}

/** The rows that a command looks at by itself: those of its agent, or all if it has none. */
export function visibleRows({ agentId }: Pick<Settings, "agentId">): View {
  return agentId === undefined ? { agentId: "*" } : {};
}
