import type { Caller } from "./define.ts";
import { AgentId } from "./fields.ts";

/** The caller, working for that agent where one is named, as any input names it. */
export function forAgent(caller: Caller, named: string | undefined): Caller {
  return named === undefined ? caller : { ...caller, agentId: AgentId.safeParse(named).data };
}
