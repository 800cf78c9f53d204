import { toldDecisions } from "../knowledge/decisions/told-decisions.ts";
import { fromTodoCue } from "../knowledge/open-work/todo-cues.ts";
import { commitsAndCommands, narrativeParts } from "../knowledge/summaries/narrative-parts.ts";
import { safeLines, shortened } from "../recall/context/safe-text.ts";
import type { Handoff } from "../recall/handoff/handoff.ts";
import { beginsWith } from "../text/cut.ts";
import { fenced, listed, section } from "./fenced-list.ts";

const longestPrompt = 400;
/** Of more prompts, the first and the last ones are shown: these say what was wanted in the end. */
const mostPrompts = 10;
const longestAnswer = 1_000;
const mostFailures = 5;

/** The message with which another agent goes on with a session. */
export function handoffText(handoff: Handoff): string {
  const { session, keyDecisions, filesModified, openItems, failuresLeft } = handoff;
  const lastAnswer = shortened(handoff.lastAnswer, longestAnswer);
  const state = handoff.isBrokenOff
    ? `${session.status}, broke off without an answer to the last prompt`
    : session.status;
  const sections = [
    ...section("Session", listed([session.id, `${state}, in ${session.cwd}`])),
    ...section("Asked by the user", listed(promptsShown(handoff.prompts))),
    ...section("Summary", quoted(summaryOf(handoff))),
    ...section("Decisions", listed(toldDecisions(keyDecisions).filter((text) => !lastAnswer.includes(text)))),
    ...section("Changed files", listed(filesModified)),
    ...section("Still failing", listed(failuresLeft.slice(0, mostFailures))),
    ...section("Last answer", quoted([lastAnswer])),
    ...section("Open items", listed(openItems.map(fromTodoCue))),
  ];
  const ask = "Go on with the work of this session: look at where it stands, then at what is open.";
  return `${ask}\n\n${fenced(session.project, [sections.join("\n\n")])}`;
}

function promptsShown(prompts: readonly string[]): string[] {
  const left = prompts.length - mostPrompts;
  const shown = prompts.map((prompt) => shortened(prompt, longestPrompt));
  return left <= 0 ? shown : [...shown.slice(0, 1), `(${left} more)`, ...shown.slice(1 - mostPrompts)];
}

/** Of a summary by rules, only what no other section tells. */
function summaryOf({ title, narrative, prompts }: Handoff): string[] {
  const parts = narrativeParts(narrative);
  if (parts.size === 0) return [title, narrative];
  const { commits, commands } = commitsAndCommands(parts.get("ran"));
  const told = [
    ["Committed", commits.join("; ")],
    ["Ran", commands.join("; ")],
    ["Errors", parts.get("errors") ?? ""],
  ].flatMap(([label, text]) => (text === "" ? [] : [`${label}: ${text}`]));
  const isAsked = prompts.some((prompt) => beginsWith(prompt.replace(/\s+/gu, " "), title));
  return isAsked && told.length > 0 ? told : [title, ...told];
}

function quoted(texts: readonly string[]): string[] {
  return texts.flatMap(safeLines).map((line) => `> ${line}`);
}
