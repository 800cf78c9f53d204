import { callBegin, reportsCallEnd } from "./tool-hooks.ts";

interface ToldCall {
  readonly hookType: string;
  readonly toolName?: string | null | undefined;
  readonly subtitle?: string | null | undefined;
  readonly sessionId?: string;
}

/**
 * Hooks report a tool call twice, before and after it. Returns the starts of calls whose end is among the
 * observations, too. The observations must be in the order of time.
 */
export function startsOfEndedCalls<One extends ToldCall>(observations: readonly One[]): Set<One> {
  const open = new Map<string, number>();
  const starts = new Set<One>();
  for (const one of observations.toReversed()) {
    const call = JSON.stringify([one.sessionId, one.toolName, one.subtitle]);
    const count = open.get(call) ?? 0;
    if (reportsCallEnd(one.hookType)) open.set(call, count + 1);
    else if (one.hookType === callBegin && count > 0) {
      open.set(call, count - 1);
      starts.add(one);
    }
  }
  return starts;
}
