import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { recordIn } from "../../observations/calls/json-text.ts";
import { type Fields, objectOf, textOf } from "../transcript-line.ts";
import { blocksOf, textOfBlocks } from "./blocks.ts";
import { isoTime } from "./iso-time.ts";
import { callLine, resultLine, sessionLine, textLine } from "./lines.ts";
import type { TranscriptFormat } from "./transcript-format.ts";

/*
 * The conversations of Cline, as `sources/cline-messages.ts` gives their lines. Prompts, calls and their ends are given
 * the form in which the plugin for Cline reports them. Times are milliseconds since 1970.
 */

export const cline: TranscriptFormat = {
  agent: "cline",
  recognises: ({ type }) => type === "cline.session",
  translator: () => {
    let own: Fields = {};
    /** The parts of calls without an end so far, by their id. */
    const calls = new Map<unknown, readonly unknown[]>();
    return ({ type, sessionId, cwd, timestamp, agentId, id, role, content, ts }) => {
      if (type === "cline.session") {
        own = agentId === undefined ? {} : { isSidechain: true, agentId };
        return [sessionLine({ sessionId, cwd, timestamp })];
      }
      const facts = { ...own, timestamp: isoTime(ts), uuid: id };
      const blocks = isText(content) ? [{ type: "text", text: content }] : blocksOf(content);
      if (role === "assistant")
        return blocks.flatMap((block, at) => answerLines(block, calls, { ...facts, uuid: `${id}:${at}` }));
      const asked = textOfBlocks(blocks.filter(({ type }) => type === "text"));
      const prompt = own.agentId === undefined ? ofUser.exec(asked)?.[2] : asked;
      const ends = blocks.filter(({ type }) => type === "tool_result");
      return [...textLine("user", prompt, facts), ...ends.flatMap((end) => endLines(end, calls, facts))];
    };
  },
};

/** What the user wrote: Cline puts it into a tag, and sends the model other things as messages of the user, too. */
const ofUser = /^<user_(input|command)\b[^>]*>([\s\S]*)<\/user_\1>\s*$/;

type OpenCalls = Map<unknown, readonly unknown[]>;

function answerLines({ type, text, id, name, input }: Fields, calls: OpenCalls, facts: Fields) {
  if (type === "text") return textLine("assistant", text, facts);
  if (type !== "tool_use") return [];
  const parts = partsOf(textOf(name), input);
  calls.set(id, parts);
  return parts.map((part, at) =>
    callLine({ id: idOf(id, parts, at), name, input: part }, uniqueTo(at, facts)),
  );
}

function endLines({ tool_use_id: id, is_error: isError, content }: Fields, calls: OpenCalls, facts: Fields) {
  const parts = calls.get(id) ?? [undefined];
  calls.delete(id);
  // A call with an invalid input fails as a whole.
  const isListed = Array.isArray(content) && content.length === parts.length;
  return parts.map((_, at) =>
    resultLine(
      idOf(id, parts, at),
      outcomeOf(isListed ? content[at] : content, isError === true),
      uniqueTo(at, { ...facts, uuid: `${facts.uuid}:${id}` }),
    ),
  );
}

function idOf(id: unknown, parts: readonly unknown[], at: number): unknown {
  return parts.length === 1 ? id : `${id}:${at}`;
}

function uniqueTo(at: number, facts: Fields): Fields {
  return at === 0 ? facts : { ...facts, uuid: `${facts.uuid}:${at}` };
}

/** Tools that do several things in one call: the name of a thing that is a text, and where their input lists them. */
const lists: Readonly<Record<string, readonly [string, ...string[]]>> = {
  run_commands: ["command", "commands"],
  read_files: ["path", "files", "file_paths", "paths"],
  search_codebase: ["pattern", "queries"],
  fetch_web_content: ["url", "requests"],
};

/** Fields of tools that have other names here. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  editor: { old_text: "oldText", new_text: "newText" },
  spawn_agent: { task: "prompt" },
};

/** Cline takes a list, or a single thing in its place. */
function partsOf(tool: string, input: unknown): readonly unknown[] {
  const [name, ...places] = lists[tool] ?? [];
  const fields = objectOf(input);
  const given = Array.isArray(input)
    ? input
    : places.map((place) => fields[place]).find((one) => one !== undefined);
  if (name !== undefined && given !== undefined) return [given].flat().map((one) => partOf(one, name));
  const names = renamed[tool] ?? {};
  return [
    isObject(input)
      ? Object.fromEntries(Object.entries(input).map(([key, value]) => [names[key] ?? key, value]))
      : input,
  ];
}

/** A command is one text, or a program and its arguments. */
function partOf(thing: unknown, name: string): unknown {
  if (isText(thing)) return { [name]: thing };
  const { command, args } = objectOf(thing);
  if (!Array.isArray(args)) return thing;
  const words = [command, ...args].map(String);
  return { command: words.map((word) => (/\s/.test(word) ? JSON.stringify(word) : word)).join(" ") };
}

const commandEnd = /^\[Command exited with code (-?\d{1,10})\]\n?/;

/** Tools of Cline say what they did in `result`, sub-agents in `text`, of an object that may be JSON text. */
function outcomeOf(done: unknown, isError: boolean): Fields {
  const { success, result, text, error } = isText(done) ? (recordIn(done) ?? {}) : objectOf(done);
  if (!isError && success !== false) return { tool_response: result ?? text ?? done };
  const end = isText(result) ? commandEnd.exec(result) : null;
  if (end === null) return { error: error ?? done };
  return { exitCode: Number(end[1]), error: textOf(result).slice(end[0].length) || `Exit code ${end[1]}` };
}
