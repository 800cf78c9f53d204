import type { Dialect } from "../../observations/hooks/hook-dialect.ts";
import type { Fields } from "../transcript-line.ts";

/** The data of an event as the agent's hook would have reported it. */
export function normalised(dialect: Dialect, event: string, data: Fields): Fields {
  return dialect.normalise?.[event]?.({ ...data }) ?? data;
}

/** The outcome of a call as the agent's hook would have reported it; some read it by the tool's name. */
export function normalisedOutcome(dialect: Dialect, event: string, tool: unknown, told: Fields): Fields {
  const { tool_name: _tool, ...outcome } = normalised(dialect, event, { tool_name: tool, ...told });
  return outcome;
}
