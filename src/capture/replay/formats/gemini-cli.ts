import { basename, dirname, join } from "node:path";
import { isText } from "../../../json/is-text.ts";
import { geminiCli as hooks } from "../../observations/hooks/gemini-hooks.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";
import { blocksOf, textOfBlocks } from "./blocks.ts";
import { callLine, resultLine, sessionLine, textLine } from "./lines.ts";
import { normalised, normalisedOutcome } from "./normalised.ts";
import { textBeside } from "./text-beside.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/*
 * The transcripts of Gemini CLI: a message is written again, with the same id, when its tool calls have ended; the
 * results are in it, and once more in a line of the user's, which is left out here. Other lines change what the
 * program keeps of the conversation.
 */

export const geminiCli: TranscriptFormat = {
  agent: "gemini-cli",
  recognises: ({ sessionId, projectHash }) => isText(sessionId) && isText(projectHash),
  translator: (path) => {
    const told = new Set<string>();
    let agent: Fields = {};
    return (line) => {
      const { sessionId, kind, startTime, type, id, timestamp, content, toolCalls } = line;
      if (isText(sessionId)) {
        if (kind === "subagent") agent = { isSidechain: true, agentId: sessionId };
        return [sessionLine({ ...placeOf(path, line), timestamp: startTime })];
      }
      const facts = { timestamp, uuid: id, ...agent };
      // A sub-agent's task is in the call that started it.
      if (type === "user") return agent.isSidechain === true ? [] : promptLines(content, facts);
      if (type !== "gemini" || !isText(id)) return [];
      const lines = [
        { key: id, lines: textLine("assistant", content, facts) },
        ...blocksOf(toolCalls).map((call) => ({ key: textOf(call.id), lines: callLines(call, facts) })),
      ];
      const fresh = lines.filter(({ key, lines: { length } }) => length > 0 && !told.has(key));
      for (const { key } of fresh) told.add(key);
      return fresh.flatMap((one) => one.lines);
    };
  },
};

/** The transcript of a sub-agent is in a folder that is named after its session. */
function placeOf(path: string, { sessionId, kind, directories }: Fields): Fields {
  const [cwd = folderOfProject(path)] = Array.isArray(directories) ? directories : [];
  return { sessionId: kind === "subagent" ? basename(dirname(path)) : sessionId, cwd };
}

function promptLines(content: unknown, facts: Fields): readonly Fields[] {
  const isAnswer = blocksOf(content).some(({ functionResponse }) => functionResponse !== undefined);
  const { prompt } = normalised(hooks, "BeforeAgent", { prompt: textOfBlocks(content) });
  return isAnswer ? [] : textLine("user", prompt, facts);
}

function callLines(call: Fields, said: Fields): readonly Fields[] {
  const { id, name, args, timestamp = said.timestamp } = call;
  const facts = { ...said, timestamp, uuid: id };
  return [callLine({ id, name, input: args }, facts), ...resultLines(call, facts)];
}

function resultLines({ id, name, status, result, resultDisplay }: Fields, facts: Fields): readonly Fields[] {
  const [answer] = blocksOf(result);
  if (answer === undefined) return [];
  const { output, error } = objectOf(objectOf(answer.functionResponse).response);
  const outcome = normalisedOutcome(hooks, "AfterTool", name, {
    tool_response: {
      llmContent: output,
      returnDisplay: resultDisplay,
      ...(status === "error" || status === "cancelled" ? { error: { message: error ?? output } } : {}),
    },
  });
  return [resultLine(id, outcome, facts)];
}

const longestPath = 4_096;

/** The folder of the project is the text of a file beside the folder of its transcripts. */
function folderOfProject(path: string): string | undefined {
  const text = textBeside(join(dirname(dirname(path)), ".project_root"), longestPath).trim();
  return text === "" ? undefined : text;
}
