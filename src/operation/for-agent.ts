import type { Caller } from "./define.ts";
import { AgentId } from "./fields.ts";

/** The caller with `agentId` set to a named agent, read like any input; unchanged if none is named. */
export function forAgent(caller: Caller, named: string | undefined): Caller {
  return named === undefined ? caller : { ...caller, agentId: AgentId.safeParse(named).data };
}

/** Like forAgent, but as if the input of the request named the agent: it also filters what is read. */
export function askedFor(caller: Caller, named: string | undefined): Caller {
  return named === undefined ? caller : { ...forAgent(caller, named), isAgentAsked: true };
}

/**
 * The scope that the caller's agent gives a request: a filter if the request asked for that agent, otherwise a default.
 */
export function scopeOfCaller({ agentId, isAgentAsked }: Caller): {
  readonly agentId?: string;
  readonly defaultAgentId?: string;
} {
  if (agentId === undefined) return {};
  return isAgentAsked === true ? { agentId } : { defaultAgentId: agentId };
}
