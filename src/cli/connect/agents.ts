import type { Agent } from "./agent.ts";
import { hookedAgents } from "./hooked-agents.ts";
import { mcpOnlyAgents } from "./mcp-only-agents.ts";

/** Every agent that memsvc can connect to: where its settings are, their format, and what is written. */
export const agents: readonly Agent[] = [...hookedAgents, ...mcpOnlyAgents];
