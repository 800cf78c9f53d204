import type { Observation } from "../../capture/observations/record.ts";

const ends: ReadonlySet<string> = new Set(["post_tool_use", "post_tool_failure"]);

/**
 * Hooks tell a tool call twice, before and after it ran. Of observations in the order of time: those that tell the start of
 * a call whose end is among them too.
 */
export function startsOfEndedCalls(observations: readonly Observation[]): Set<string> {
  const open = new Map<string, number>();
  const starts = new Set<string>();
  for (const { id, sessionId, toolName, subtitle, hookType } of observations.toReversed()) {
    const call = JSON.stringify([sessionId, toolName, subtitle]);
    const count = open.get(call) ?? 0;
    if (ends.has(hookType)) open.set(call, count + 1);
    else if (hookType === "pre_tool_use" && count > 0) {
      open.set(call, count - 1);
      starts.add(id);
    }
  }
  return starts;
}
