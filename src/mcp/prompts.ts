import type { GetPromptResult } from "@modelcontextprotocol/sdk/types.js";
import type { Core } from "../core.ts";
import { findPatterns } from "../knowledge/patterns/operations.ts";
import type { Caller } from "../operation/define.ts";
import { MemsvcError } from "../operation/errors.ts";
import { scopeOfCaller } from "../operation/for-agent.ts";
import { fence } from "../recall/context/block.ts";
import { safeLine, safeLines } from "../recall/context/safe-text.ts";
import type { Handoff } from "../recall/handoff/handoff.ts";
import { maxQuery, smartSearch } from "../recall/search/operations.ts";
import { cutCodePoints } from "../text/code-points.ts";
import { beginsWith } from "../text/cut.ts";
import { listPrompts, type PromptName } from "./prompt-list.ts";

const bestHits = 10;

/** Writes the single message of a prompt, from its checked arguments. */
type Writing = (core: Core, given: Readonly<Record<string, string>>, caller: Caller) => Promise<string>;

const writings: Readonly<Record<PromptName, Writing>> = {
  recall_context: async (core, { task_description: description = "" }, caller) => {
    // A task may be a whole issue with its logs; its beginning says what it is about.
    const query = cutCodePoints(description.trimStart(), maxQuery);
    const { results } = await core.call(smartSearch, { query, limit: bestHits }, caller);
    const task = `Task: ${description}`;
    if (results.length === 0) return `${task}\n\nNothing is stored that has to do with it.`;
    const lines = results.map(({ type, ...told }) => `[${type}] ${titled(told)}`);
    return `${task}\n\nThis is what is known from earlier work. Use what bears on the task, and say where it contradicts what you find.\n\n${fenced(undefined, listed(lines))}`;
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

function handoffText({ session, title, narrative, keyDecisions, filesModified, openItems }: Handoff): string {
  const parts = [
    ["Session", listed([session.id, `${session.status}, in ${session.cwd}`])],
    ["Summary", [title, narrative].flatMap(safeLines).map((line) => `> ${line}`)],
    ["Decisions", listed(keyDecisions)],
    ["Changed files", listed(filesModified)],
    ["Open items", listed(openItems)],
  ] as const;
  const body = parts
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => `## ${heading}\n${lines.join("\n")}`);
  const ask = "Go on with the work of this session: look at where it stands, then at what is open.";
  return `${ask}\n\n${fenced(session.project, [body.join("\n\n")])}`;
}

/** A title that is just the beginning of the text is left out. */
function titled({ title, narrative }: { readonly title: string; readonly narrative: string }): string {
  return beginsWith(narrative, title) ? narrative : `${title}: ${narrative}`;
}

function listed(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${safeLine(line)}`);
}

/**
 * Stored text is data: its lines were made safe (`safeLine`), so that they can neither close the fence nor open a
 * section.
 */
function fenced(project: string | undefined, lines: readonly string[]): string {
  const { open, close } = fence("memsvc-context", project);
  return `${open}\n${lines.join("\n")}\n${close}`;
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
