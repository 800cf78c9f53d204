import { isText } from "../../../json/is-text.ts";
import { qwenCode as hooks } from "../../observations/hooks/qwen-hooks.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";
import { blocksOf } from "./blocks.ts";
import { callLine, resultLine, sessionLine, textLine } from "./lines.ts";
import { normalised, normalisedOutcome } from "./normalised.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/* The transcripts of Qwen Code: Claude Code's lines, with the parts of Gemini's messages as content. */

export const qwenCode: TranscriptFormat = {
  agent: "qwen-code",
  recognises: ({ sessionId, message, subtype, systemPayload }) =>
    isText(sessionId) &&
    (Array.isArray(objectOf(message).parts) || (isText(subtype) && systemPayload !== undefined)),
  translator: () => lines,
};

function lines(line: Fields): readonly Fields[] {
  const { message, uuid, sessionId, cwd, timestamp, isSidechain, agentId, provenance, subtype } = line;
  const isMeta = provenance === "system" || subtype === "notification";
  const facts = { sessionId, cwd, timestamp, isSidechain, agentId, isMeta };
  const parts = blocksOf(objectOf(message).parts);
  return [
    sessionLine(facts),
    ...parts.flatMap((part, at) => partLines(line, part, { ...facts, uuid: `${textOf(uuid)}:${at}` })),
  ];
}

function partLines({ type, toolCallResult }: Fields, part: Fields, facts: Fields): readonly Fields[] {
  const { text, thought, functionCall: call, functionResponse: response } = part;
  if (call !== undefined) {
    const { id, name, args } = objectOf(call);
    return [callLine({ id, name, input: args }, facts)];
  }
  if (response !== undefined) {
    const { id, name, response: answer } = objectOf(response);
    return [resultLine(id, outcomeOf(name, objectOf(answer), objectOf(toolCallResult)), facts)];
  }
  if (thought === true) return [];
  if (type === "assistant") return textLine("assistant", text, facts);
  return type === "user"
    ? textLine("user", normalised(hooks, "UserPromptSubmit", { prompt: text }).prompt, facts)
    : [];
}

function outcomeOf(tool: unknown, answer: Fields, { status, resultDisplay }: Fields): Fields {
  return status === "error" || status === "cancelled"
    ? normalisedOutcome(hooks, "PostToolUseFailure", tool, { error: answer.error ?? answer.output })
    : normalisedOutcome(hooks, "PostToolUse", tool, {
        tool_response: { llmContent: answer.output, returnDisplay: resultDisplay },
      });
}
