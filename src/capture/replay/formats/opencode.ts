import { type Fields, objectOf, textOf } from "../transcript-line.ts";
import { blocksOf, textOfBlocks } from "./blocks.ts";
import { isoTime } from "./iso-time.ts";
import { callLine, resultLine, sessionLine, summaryLine, textLine } from "./lines.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/*
 * The sessions of OpenCode and Kilo Code, as `sources/opencode-database.ts` gives their lines. Prompts, calls and their
 * ends are given the form in which the plugin for OpenCode reports them. Times are milliseconds since 1970.
 */

export const openCode: TranscriptFormat = {
  agent: "opencode",
  recognises: ({ type }) => type === "opencode.session",
  translator: () => {
    let own: Fields = {};
    return ({ type, sessionId, cwd, agentId, id, data, parts }) => {
      if (type === "opencode.session") {
        own = agentId === undefined ? {} : { isSidechain: true, agentId };
        return [sessionLine({ sessionId, cwd })];
      }
      const message = objectOf(data);
      const timestamp = isoTime(objectOf(message.time).created);
      const said = blocksOf(parts).map((part) => ({ ...objectOf(part.data), id: part.id }));
      const facts = { ...own, timestamp, uuid: id };
      return message.role === "assistant"
        ? said.flatMap((part) => partLines(part, message, facts))
        : textLine("user", promptIn(said), facts);
    };
  },
};

/** The text that the user wrote, without the contents of mentioned files, which OpenCode adds as synthetic parts. */
function promptIn(parts: readonly Fields[]): string {
  return textOfBlocks(
    parts.filter(({ type, synthetic, ignored }) => type === "text" && !synthetic && !ignored),
  );
}

function partLines(part: Fields, message: Fields, ofMessage: Fields): readonly Fields[] {
  const { type, id: uuid, text, time } = part;
  if (type === "tool") return callLines(part, { ...ofMessage, uuid });
  if (type !== "text" || part.synthetic === true) return [];
  const facts = { ...ofMessage, uuid, timestamp: isoTime(objectOf(time).end) ?? ofMessage.timestamp };
  return message.summary === true ? summaryLine(text, facts) : textLine("assistant", text, facts);
}

function callLines({ callID: id, tool: name, state }: Fields, facts: Fields): readonly Fields[] {
  const { status, input, time, ...ended } = objectOf(state);
  const { start, end } = objectOf(time);
  const call = callLine({ id, name, input }, { ...facts, timestamp: isoTime(start) ?? facts.timestamp });
  if (status !== "completed" && status !== "error") return [call];
  const outcome = status === "error" ? { error: ended.error } : successOf(name, ended);
  return [call, resultLine(id, outcome, { ...facts, timestamp: isoTime(end) ?? facts.timestamp })];
}

const subagentAnswer = /^<task [^>]*>\s*<task_result>\n?([\s\S]*?)\n?<\/task_result>\s*<\/task>\s*$/;

function successOf(tool: unknown, { output, title, metadata }: Fields): Fields {
  const { exit } = objectOf(metadata);
  const answer = tool === "task" ? subagentAnswer.exec(textOf(output))?.[1] : undefined;
  return { tool_response: answer ?? output, title, ...(typeof exit === "number" ? { exitCode: exit } : {}) };
}
