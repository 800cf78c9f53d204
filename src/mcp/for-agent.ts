import type { Caller } from "../operation/define.ts";
import { AgentId } from "../operation/fields.ts";

/** The caller, working for that agent where one is named, as any input names it. */
export function forAgent(caller: Caller, named: string | undefined): Caller {
  return named === undefined ? caller : { ...caller, agentId: AgentId.safeParse(named).data };
}
