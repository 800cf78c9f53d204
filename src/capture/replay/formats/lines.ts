import { isText } from "../../../json/is-text.ts";
import type { Fields } from "../transcript-line.ts";

/* Makes lines in the form of Claude Code's transcripts, into which those of other agents are translated. */

type Role = "user" | "assistant";

/** What a line tells besides its content, such as its time (`timestamp`, ISO 8601) or a key of its own (`uuid`). */
type Facts = Fields;

/** A line that only tells facts, such as the session (`sessionId`) or its folder (`cwd`). */
export function sessionLine(facts: Facts): Fields {
  return { type: "system", ...facts };
}

/** A text of the user's or the model's, with the images that the user added to it; none if it is blank. */
export function textLine(role: Role, text: unknown, facts: Facts, images: readonly Fields[] = []): Fields[] {
  if (!isText(text)) return [];
  return [{ ...facts, type: role, message: { role, content: [{ type: "text", text }, ...images] } }];
}

/** The summary that replaces a conversation which has become too long. */
export function summaryLine(summary: unknown, facts: Facts): Fields[] {
  return textLine("user", summary, { ...facts, isCompactSummary: true });
}

interface ToolCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly input: unknown;
}

export function callLine({ id, name, input }: ToolCall, facts: Facts): Fields {
  return { ...facts, type: "assistant", message: { content: [{ type: "tool_use", id, name, input }] } };
}

/** The end of a call. `outcome`: the fields with which a hook reports it, such as `tool_response` or `error`. */
export function resultLine(id: unknown, outcome: Fields, facts: Facts): Fields {
  const result = { type: "tool_result", tool_use_id: id, is_error: "error" in outcome, outcome };
  return { ...facts, type: "user", message: { content: [result] } };
}
