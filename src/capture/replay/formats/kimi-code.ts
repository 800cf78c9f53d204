import { basename, dirname, join } from "node:path";
import { isText } from "../../../json/is-text.ts";
import { recordIn } from "../../observations/calls/json-text.ts";
import { kimiCode as hooks } from "../../observations/hooks/kimi-hooks.ts";
import { type Fields, objectOf } from "../transcript-line.ts";
import { textOfBlocks } from "./blocks.ts";
import { isoTime } from "./iso-time.ts";
import { callLine, resultLine, sessionLine, textLine } from "./lines.ts";
import { normalised } from "./normalised.ts";
import { textBeside } from "./text-beside.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/*
 * The transcripts of Kimi Code: `<session>/agents/<agent>/wire.jsonl`, with a file for each sub-agent. The session's
 * folder is in `<session>/state.json`. Times are milliseconds since 1970.
 */

export const kimiCode: TranscriptFormat = {
  agent: "kimi-code",
  recognises: ({ type, protocol_version: version }) => type === "metadata" && isText(version),
  translator: (path) => (line) => lines(line, path),
};

function lines(line: Fields, path: string): readonly Fields[] {
  const { type, time, created_at: createdAt, agentId, origin, input, event } = line;
  if (type === "metadata") return [sessionLine({ ...sessionOf(path), timestamp: isoTime(createdAt) })];
  const timestamp = isoTime(time);
  const facts = { timestamp, ...(agentId === "main" ? {} : { isSidechain: true, agentId }) };
  if (type === "turn.prompt") {
    const isUsers = objectOf(origin).kind === "user";
    return textLine("user", textOfBlocks(input), { ...facts, isMeta: !isUsers && agentId === "main" });
  }
  return type === "context.append_loop_event" ? eventLines(objectOf(event), facts) : [];
}

function eventLines(
  { type, part, toolCallId: id, name, args, result }: Fields,
  facts: Fields,
): readonly Fields[] {
  switch (type) {
    case "content.part": {
      const { type: kind, text } = objectOf(part);
      return kind === "text" ? textLine("assistant", text, facts) : [];
    }
    case "tool.call":
      return [callLine({ id, name, input: args }, facts)];
    case "tool.result":
      return [resultLine(id, outcomeOf(objectOf(result)), facts)];
    default:
      return [];
  }
}

function outcomeOf({ output, isError }: Fields): Fields {
  return isError === true
    ? normalised(hooks, "PostToolUseFailure", { error: output })
    : { tool_response: output };
}

const longestState = 1_048_576;

function sessionOf(path: string): Fields {
  const folder = dirname(dirname(dirname(path)));
  const { id = basename(folder), cwd } = recordIn(textBeside(join(folder, "state.json"), longestState)) ?? {};
  return { sessionId: id, cwd };
}
