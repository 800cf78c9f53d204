import type { Caller } from "./define.ts";
import { AgentId } from "./fields.ts";

/** The caller, working for that agent where one is named, as any input names it. */
export function forAgent(caller: Caller, named: string | undefined): Caller {
  return named === undefined ? caller : { ...caller, agentId: AgentId.safeParse(named).data };
}

/** The caller, whose request asks for that agent where it names one, as a scoped input does. */
export function askedFor(caller: Caller, named: string | undefined): Caller {
  return named === undefined ? caller : { ...forAgent(caller, named), isAgentAsked: true };
}

/** Whose rows a request is about by what is known of its caller. */
export function scopeOfCaller({ agentId, isAgentAsked }: Caller): {
  readonly agentId?: string;
  readonly defaultAgentId?: string;
} {
  if (agentId === undefined) return {};
  return isAgentAsked === true ? { agentId } : { defaultAgentId: agentId };
}
