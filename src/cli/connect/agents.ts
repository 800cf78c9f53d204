import type { Agent } from "./agent.ts";
import { hookedAgents } from "./hooked-agents.ts";
import { mcpOnlyAgents } from "./mcp-only-agents.ts";

/** Every agent that memsvc connects to: where its settings are, in which format, and what goes in. */
export const agents: readonly Agent[] = [...hookedAgents, ...mcpOnlyAgents];
