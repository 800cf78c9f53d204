import type { GetPromptResult } from "@modelcontextprotocol/sdk/types.js";
import type { Core } from "../core.ts";
import { searchLessons } from "../knowledge/lessons/operations.ts";
import { findPatterns } from "../knowledge/patterns/operations.ts";
import type { Caller, OutputOf } from "../operation/define.ts";
import { MemsvcError } from "../operation/errors.ts";
import { scopeOfCaller } from "../operation/for-agent.ts";
import { shortened } from "../recall/context/safe-text.ts";
import { leftOutNote } from "../recall/search/left-out-note.ts";
import { maxQuery, smartSearch } from "../recall/search/operations.ts";
import type { CompactSearchResult } from "../recall/search/record.ts";
import { readableText, snippetLength } from "../recall/search/snippet.ts";
import { cutCodePoints } from "../text/code-points.ts";
import { beginsWith } from "../text/cut.ts";
import { fenced, listed, section } from "./fenced-list.ts";
import { handoffText } from "./handoff-text.ts";
import { listPrompts, type PromptName } from "./prompt-list.ts";

const bestHits = 10;
const mostLessons = 2;

/** Writes the single message of a prompt, from its checked arguments. */
type Writing = (core: Core, given: Readonly<Record<string, string>>, caller: Caller) => Promise<string>;

const writings: Readonly<Record<PromptName, Writing>> = {
  recall_context: async (core, { task_description: description = "" }, caller) => {
    // A task may be a whole issue with its logs; its beginning says what it is about.
    const query = cutCodePoints(description.trimStart(), maxQuery);
    const answer = await core.call(smartSearch, { query, limit: bestHits }, caller);
    const { results } = answer;
    const note = leftOutNote(answer);
    const task = `Task: ${description}`;
    if (results.length === 0)
      return `${task}\n\n${note === undefined ? "Nothing is stored that has to do with it." : `Nothing was found, but ${note}.`}`;
    // Of the project that the task seems to belong to: searched with the rest, lessons would displace memories.
    const project = results[0]?.project;
    const { lessons } = await core.call(searchLessons, { query, project, limit: mostLessons }, caller);
    const known = fenced(undefined, [recalled(results.slice(0, bestHits - lessons.length), lessons)]);
    const incomplete = note === undefined ? "" : `\n\nThis may not be all: ${note}.`;
    return `${task}\n\nThis is what is known from earlier work. Use what bears on the task, and say where it contradicts what you find.\n\n${known}${incomplete}`;
  },
  session_handoff: async (core, { session_id: sessionId = "" }, caller) =>
    handoffText(await core.handoff({ sessionId, ...scopeOfCaller(caller) })),
  detect_patterns: async (core, { project }, caller) => {
    const { patterns } = await core.call(findPatterns, { project }, caller);
    const scope = project === undefined ? "all projects" : `the project ${project}`;
    if (patterns.length === 0) return `In the newest sessions of ${scope} nothing recurs yet.`;
    const lines = patterns.map(
      ({ type, description, frequency }) => `[${type}, ${frequency} times] ${description}`,
    );
    return `This recurs in the newest sessions of ${scope}. Judge it: which of these should become a rule or be automated, which point to a fault worth mending, and which mean nothing?\n\n${fenced(project, listed(lines))}`;
  },
};

/**
 * What was found: what was learned, then what happened. With days and projects, because later work may have undone
 * earlier work.
 */
function recalled(
  results: readonly CompactSearchResult[],
  lessons: OutputOf<typeof searchLessons>["lessons"],
): string {
  const learned = results.filter(({ kind }) => kind !== "observation");
  const seen = results.filter(({ kind }) => kind === "observation");
  return [
    ...section("Memories and lessons", listed([...learned.map(hitText), ...lessons.map(lessonText)])),
    ...section("What happened in earlier sessions", listed(seen.map(hitText))),
  ].join("\n\n");
}

/** A title that is just the beginning of the text is left out. */
function hitText({ type, timestamp, project, title, ...hit }: CompactSearchResult): string {
  const narrative = readableText(hit.narrative);
  const told = beginsWith(narrative, title) ? narrative : `${title}: ${narrative}`;
  const rest = hit.passage === undefined ? "" : ` ${hit.passage}`;
  return `${factsOf(type, timestamp, project)} ${told}${rest}`;
}

function lessonText({
  createdAt,
  project,
  content,
}: OutputOf<typeof searchLessons>["lessons"][number]): string {
  return `${factsOf("lesson", createdAt, project)} ${shortened(content, snippetLength)}`;
}

function factsOf(type: string, time: string, project: string | undefined): string {
  return `[${[type, time.slice(0, 10), ...(project === undefined ? [] : [project])].join(", ")}]`;
}

/** The message of a prompt. Errors: invalid_input for an unknown one or a missing argument; not_found. */
export async function getPrompt(
  core: Core,
  name: string,
  given: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<GetPromptResult> {
  const prompt = listPrompts().find((one) => one.name === name);
  if (prompt === undefined) {
    throw new MemsvcError("invalid_input", `there is no prompt ${name}`, {
      hint: "see the list of prompts",
      issues: [{ path: "name", message: `no such prompt: ${name}` }],
    });
  }
  const known = (prompt.arguments ?? []).flatMap((argument): [string, string][] => {
    const text = textOf(argument.name, given[argument.name]);
    if (text !== undefined) return [[argument.name, text]];
    if (argument.required === true) throw wrongArgument(argument.name, "required");
    return [];
  });
  const writing = writings[prompt.name as PromptName];
  const text = await writing(core, Object.fromEntries(known), { ...caller, face: "mcp" });
  return {
    description: prompt.description ?? "",
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}

/** The text of an argument; undefined if it is absent or blank. */
function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw wrongArgument(name, "must be a string");
  return value.trim() === "" ? undefined : value;
}

function wrongArgument(name: string, problem: string): MemsvcError {
  return new MemsvcError("invalid_input", `${name} ${problem}`, {
    issues: [{ path: `arguments.${name}`, message: `${name} ${problem}` }],
  });
}
