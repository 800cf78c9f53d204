import { isText } from "../../../json/is-text.ts";
import { recordIn } from "../../observations/calls/json-text.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";
import { blocksOf } from "./blocks.ts";
import { isoTime } from "./iso-time.ts";
import { callLine, resultLine, sessionLine, textLine } from "./lines.ts";
import type { TranscriptFormat } from "./transcript-format.ts";
import { chatTool, shownCall } from "./vscode-tool.ts";

/*
 * The chats of VS Code, as `sources/chat-session.ts` gives their lines. Copilot keeps what its model said and called in
 * rounds, and what tools answered beside them; chats without rounds only have what the user was shown. Times are
 * milliseconds since 1970.
 */

export const vscodeChat: TranscriptFormat = {
  agent: "vscode",
  recognises: ({ type }) => type === "vscode-chat.session",
  translator: () => (line) => {
    if (line.type === "vscode-chat.session") {
      const { sessionId, cwd, creationDate } = line;
      return [sessionLine({ sessionId, cwd, timestamp: isoTime(creationDate) })];
    }
    const { requestId, timestamp, prompt, isEnded } = line;
    const facts = { timestamp: isoTime(timestamp), uuid: `${requestId}` };
    const asked = textLine("user", prompt, facts);
    // An answer that goes on is told in another form than when it has ended.
    return isEnded === true ? [...asked, ...answerLines(line, facts)] : asked;
  },
};

function answerLines(request: Fields, facts: Fields): readonly Fields[] {
  const rounds = blocksOf(request.rounds);
  const isTold = rounds.some(({ response, calls }) => isText(response) || blocksOf(calls).length > 0);
  return isTold ? roundLines(rounds, request, facts) : shownLines(request, facts);
}

function roundLines(rounds: readonly Fields[], request: Fields, facts: Fields): Fields[] {
  const commands = blocksOf(request.parts).filter(({ kind }) => kind === "call");
  const results = objectOf(request.results);
  return rounds.flatMap(({ response, calls, timestamp }, at) => {
    const isLast = at === rounds.length - 1;
    const time = isoTime(timestamp) ?? (isLast ? isoTime(request.endedAt) : undefined);
    const own = { ...facts, uuid: `${facts.uuid}:${at}`, ...(time === undefined ? {} : { timestamp: time }) };
    return [
      ...textLine("assistant", response, own),
      ...blocksOf(calls).flatMap((call) => calledLines(call, { results, commands, facts: own })),
    ];
  });
}

interface Around {
  readonly results: Fields;
  /** The calls as the user was shown them. */
  readonly commands: Fields[];
  readonly facts: Fields;
}

function calledLines({ id, name, arguments: args }: Fields, { results, commands, facts }: Around): Fields[] {
  const input = recordIn(textOf(args)) ?? args;
  const own = { ...facts, uuid: `${facts.uuid}:${id}` };
  const call = callLine({ id, ...chatTool(textOf(name), input) }, own);
  const result = results[textOf(id)];
  if (typeof result !== "string") return [call];
  return [
    call,
    resultLine(id, outcomeOf(result, takeShown(commands, id, input)), { ...own, uuid: `${own.uuid}:end` }),
  ];
}

/** How the user was shown a call: by its id, or, in other versions, by its command. */
function takeShown(commands: Fields[], id: unknown, input: unknown): Fields {
  const { command } = objectOf(input);
  const byId = commands.findIndex(({ toolCallId }) => toolCallId === id);
  const isOf = ({ data }: Fields) => command !== undefined && objectOf(data).asked === command;
  const at = byId >= 0 ? byId : commands.findIndex(isOf);
  return (at < 0 ? undefined : commands.splice(at, 1)[0]) ?? {};
}

const failed = /^ERROR while calling tool: ([\s\S]*)$/;
const exited = /(?:^|\n)Command exited with code (-?\d{1,10})\s*$/;

function outcomeOf(result: string, { isError, data }: Fields): Fields {
  const error = failed.exec(result)?.[1] ?? (isError === true ? result : undefined);
  if (error !== undefined) return { error };
  const told = exited.exec(result);
  const exitCode = objectOf(data).exitCode ?? (told === null ? undefined : Number(told[1]));
  return {
    tool_response: told === null ? result : result.slice(0, told.index),
    ...(typeof exitCode === "number" ? { exitCode } : {}),
  };
}

/** What the user was shown, in its order; the texts between two calls are one. */
function shownLines({ parts, endedAt }: Fields, facts: Fields): Fields[] {
  const lines: Fields[] = [];
  let said = "";
  const shown = blocksOf(parts);
  const own = (at: number) => ({ ...facts, uuid: `${facts.uuid}:shown:${at}` });
  for (const [at, part] of shown.entries()) {
    if (part.kind === "text") said += textOf(part.text);
    else {
      lines.push(...textLine("assistant", said.trim(), { ...own(at), uuid: `${own(at).uuid}:text` }));
      said = "";
      const { outcome, ...call } = shownCall(part, `${facts.uuid}:${at}`);
      lines.push(
        callLine(call, own(at)),
        resultLine(call.id, outcome, { ...own(at), uuid: `${own(at).uuid}:end` }),
      );
    }
  }
  const timestamp = isoTime(endedAt) ?? facts.timestamp;
  return [...lines, ...textLine("assistant", said.trim(), { ...own(shown.length), timestamp })];
}
