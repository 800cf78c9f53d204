import { isText } from "../../../json/is-text.ts";
import { droid as hooks } from "../../observations/hooks/droid-hooks.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";
import { blocksOf, textOfBlocks } from "./blocks.ts";
import { callLine, resultLine, sessionLine, summaryLine, textLine } from "./lines.ts";
import { normalised } from "./normalised.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/* The transcripts of Factory Droid: messages with Claude's blocks, in lines of their own form. */

export const droid: TranscriptFormat = {
  agent: "droid",
  recognises: ({ type, id, cwd }) => type === "session_start" && isText(id) && isText(cwd),
  translator: () => lines,
};

function lines({ type, id, cwd, timestamp, message, summaryText }: Fields): readonly Fields[] {
  if (type === "session_start") return [sessionLine({ sessionId: id, cwd, timestamp })];
  if (type === "compaction_state") return summaryLine(summaryText, { timestamp, uuid: id });
  const { role, content, visibility } = objectOf(message);
  // Only the user's and the model's own messages are visible to both.
  if (type !== "message" || visibility !== undefined) return [];
  return blocksOf(content).flatMap((block, at) =>
    blockLines(role === "assistant" ? role : "user", block, { timestamp, uuid: `${textOf(id)}:${at}` }),
  );
}

function blockLines(role: "user" | "assistant", block: Fields, facts: Fields): readonly Fields[] {
  switch (block.type) {
    case "text":
      return textLine(role, block.text, facts);
    case "tool_use": {
      const { tool_name: name, tool_input: input } = normalised(hooks, "PreToolUse", {
        tool_name: block.name,
        tool_input: block.input,
      });
      return [callLine({ id: block.id, name, input }, facts)];
    }
    case "tool_result": {
      const said = textOfBlocks(block.content);
      const outcome =
        block.is_error === true
          ? normalised(hooks, "PostToolUseFailure", { error: said })
          : normalised(hooks, "PostToolUse", { tool_response: said });
      return [resultLine(block.tool_use_id, outcome, facts)];
    }
    default:
      return [];
  }
}
