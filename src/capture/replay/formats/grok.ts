import { dirname, join } from "node:path";
import { isText } from "../../../json/is-text.ts";
import { recordIn } from "../../observations/calls/json-text.ts";
import { grok as hooks } from "../../observations/hooks/grok-hooks.ts";
import { type Fields, objectOf } from "../transcript-line.ts";
import { textOfBlocks } from "./blocks.ts";
import { isoTime } from "./iso-time.ts";
import { callLine, resultLine, sessionLine, textLine } from "./lines.ts";
import { normalised } from "./normalised.ts";
import { textBeside } from "./text-beside.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/*
 * The transcripts of Grok Build, one folder a session: what it told its terminal, as messages of the Agent Client
 * Protocol. Its folder and what kind of session it is stand in a file beside it.
 */

const mostSummaryBytes = 1_048_576;

export const grok: TranscriptFormat = {
  agent: "grok",
  recognises: ({ method, params }) =>
    (method === "session/update" || method === "_x.ai/session/update") && isText(objectOf(params).sessionId),
  translator: (path) => {
    let agent: Fields | undefined;
    return ({ params, timestamp }) => {
      const { sessionId, update, _meta: meta } = objectOf(params);
      const { agentTimestampMs: told, eventId } = objectOf(meta);
      const facts = { timestamp: timeOf(told, timestamp), uuid: eventId };
      const lines: Fields[] = [];
      if (agent === undefined) {
        const { info, session_kind: kind } = summaryBeside(path);
        lines.push(sessionLine({ ...facts, sessionId, cwd: objectOf(info).cwd }));
        agent = kind === "subagent" ? { isSidechain: true, agentId: sessionId } : {};
      }
      return [...lines, ...updateLines(objectOf(update), { ...facts, ...agent })];
    };
  },
};

function summaryBeside(path: string): Fields {
  return recordIn(textBeside(join(dirname(path), "summary.json"), mostSummaryBytes)) ?? {};
}

/** Milliseconds, or else whole seconds, as ISO text. */
function timeOf(milliseconds: unknown, seconds: unknown): string | undefined {
  return isoTime(typeof milliseconds === "number" ? milliseconds : Number(seconds) * 1_000);
}

function updateLines(update: Fields, facts: Fields): readonly Fields[] {
  const { sessionUpdate: kind, content, toolCallId: id, rawInput: input, status } = update;
  if (kind === "user_message_chunk") return textLine("user", objectOf(content).text, facts);
  if (kind === "agent_message_chunk") return textLine("assistant", objectOf(content).text, facts);
  if (kind === "tool_call") {
    const { tool_name: name } = normalised(hooks, "PreToolUse", { toolName: toolOf(update) });
    return [callLine({ id, name, input }, facts)];
  }
  if (kind !== "tool_call_update" || (status !== "completed" && status !== "failed")) return [];
  return [resultLine(id, outcomeOf(update), facts)];
}

function toolOf({ title, _meta: meta }: Fields): unknown {
  return objectOf(objectOf(meta)["x.ai/tool"]).name ?? title;
}

function outcomeOf({ rawOutput: result, content, status }: Fields): Fields {
  if (result !== undefined) return normalised(hooks, "PostToolUse", { toolResult: result });
  const blocks = Array.isArray(content) ? content.map((part) => objectOf(objectOf(part).content)) : [];
  return { [status === "failed" ? "error" : "tool_response"]: textOfBlocks(blocks) };
}
