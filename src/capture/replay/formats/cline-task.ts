import { isText } from "../../../json/is-text.ts";
import { type Fields, textOf } from "../transcript-line.ts";
import { blocksOf, textOfBlocks } from "./blocks.ts";
import { isoTime } from "./iso-time.ts";
import { callLine, resultLine, sessionLine, summaryLine, textLine } from "./lines.ts";
import { OpenTaskCalls } from "./task-calls.ts";
import { answerParts, reportParts, type TaskPart } from "./task-message.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/*
 * The tasks of Cline's extension, Roo Code and Kilo Code, as `sources/task-conversation.ts` gives their lines. Times
 * are milliseconds since 1970.
 */

export const clineTask: TranscriptFormat = {
  agent: "cline",
  recognises: ({ type }) => type === "cline-task.task",
  translator: () => {
    const calls = new OpenTaskCalls();
    let own: Fields = {};
    let isAsked = false;
    return ({ type, sessionId, cwd, startedAt, agentId, role, content, isSummary, ts, key }) => {
      if (type === "cline-task.task") {
        own = agentId === undefined ? {} : { isSidechain: true, agentId };
        return [sessionLine({ sessionId, cwd, timestamp: isoTime(startedAt) })];
      }
      const uuid = `${textOf(own.agentId)}${key}`;
      const facts = { ...own, timestamp: isoTime(ts), uuid };
      const blocks = isText(content) ? [{ type: "text", text: content }] : blocksOf(content);
      if (isSummary === true) return summaryLine(textOfBlocks(blocks), facts);
      if (role === "assistant") return linesOf(answerParts(blocks, calls, uuid), facts, facts);
      // A task that another one started is asked by it, and may then be corrected by the user.
      const ofUser = isAsked ? { ...facts, isSidechain: false } : facts;
      isAsked = true;
      return linesOf(reportParts(blocks, calls), facts, ofUser);
    };
  },
};

function linesOf(parts: readonly TaskPart[], facts: Fields, ofUser: Fields): Fields[] {
  return parts.flatMap((part, at) => {
    const uuid = `${facts.uuid}:${at}`;
    return partLines(part, { ...facts, uuid }, { ...ofUser, uuid });
  });
}

function partLines(part: TaskPart, facts: Fields, ofUser: Fields): Fields[] {
  switch (part.kind) {
    case "answer":
      return textLine("assistant", part.text, facts);
    case "prompt":
      return textLine("user", part.text, ofUser, part.images);
    case "call":
      return [callLine(part.call, facts)];
    case "result":
      return [resultLine(part.id, part.outcome, facts)];
  }
}
