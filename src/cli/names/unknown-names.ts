import { findKnownProject } from "../../capture/projects/known-project.ts";
import { isContainer } from "../../json/is-object.ts";
import { type NameReader, similarValueHints } from "../../operation/similar-values.ts";
import { foundOnlyWeak, unsearchedLessons } from "../../operation/unsearched-lessons.ts";
import { quoteWord } from "../../text/quote-word.ts";
import type { EntryCall } from "../callers/caller.ts";
import type { CommandContext } from "../command.ts";
import type { OperationEntry } from "../operations/operation-entry.ts";
import { operations } from "../operations/operations.ts";
import { isReadOnlyOperation } from "../operations/read-only.ts";
import type { Answer } from "../render/render-answer.ts";
import { printable } from "../render/text.ts";
import { moveHint, moveTo } from "./moved-projects.ts";
import { hasProjectRows } from "./project-rows.ts";
import { type Source, storedNames } from "./stored-names.ts";
import { visibleProjects } from "./visible-projects.ts";
import { type View, visibleRows } from "./visible-rows.ts";

/*
 * A filter that names something unknown leaves an answer empty (or a context with general contents only), which looks
 * the same as having nothing stored. So the user is told when a given project or agent is not known, and which one may
 * be meant.
 */

/** Says which names in the input are unknown to the store, if the answer is empty. */
export async function hintAtUnknownNames(
  { terminal, globals, configuration }: Pick<CommandContext, "terminal" | "globals" | "configuration">,
  entry: OperationEntry,
  named: Readonly<Record<string, unknown>>,
  answer: Answer,
  call: EntryCall,
): Promise<void> {
  if (globals.json || globals.quiet) return;
  const { id, command } = entry;
  const goesByFilters = isReadOnlyOperation(entry) || command?.bulk === true;
  const isWeak = foundOnlyWeak(answer);
  if (!goesByFilters || !(isWeak || isEmpty(id, answer))) return;
  const passedOver = allPassedOver(answer);
  if (passedOver !== undefined) {
    terminal.say(`hint: ${passedOver}`);
    return;
  }
  const { project, agentId } = named;
  const { settings } = configuration();
  const visible = visibleRows(settings);
  // An isolated agent must not learn what others work on.
  const view = settings.agentScope === "isolated" && typeof agentId === "string" ? { agentId } : visible;
  const hints = [
    await lessonHint(id, named, { call, view }, answer),
    typeof project === "string" && !isWeak && !(await hasProjectRows(id, project, { call, view }))
      ? await unknownProject(project, call, view)
      : undefined,
    ...(isWeak ? [] : await similarValueHints(id, named, namesSeen(call, view, visible))),
  ];
  for (const hint of hints) if (hint !== undefined) terminal.say(`hint: ${printable(hint)}`);
}

function isEmpty(
  id: string,
  { context, suggestion, streams: _searched, leftOut: _unsearched, ...others }: Answer,
): boolean {
  // Always checked, because memories without a project are in every block.
  if (id === "context.build") return true;
  if (typeof context === "string") return context === "";
  const lists = Object.values(others).filter((value) => Array.isArray(value));
  if (suggestion === null) return true;
  return lists.length > 0 ? lists.every((list) => list.length === 0) : countsNothing(others);
}

/** The hint for a list that is empty because its offset is beyond its end. */
function allPassedOver(answer: Answer): string | undefined {
  const { total, offset } = answer;
  if (typeof total !== "number" || typeof offset !== "number" || total === 0 || offset < total)
    return undefined;
  return `--offset ${offset} skips everything: there are only ${total}`;
}

/** Whether an answer consists of counts that are all zero. Numbers about the whole store do not count. */
function countsNothing({ snapshot: _, ...counts }: Answer): boolean {
  const numbers = numbersIn(counts);
  return numbers.length > 0 && numbers.every((number) => number === 0);
}

function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return isContainer(value) ? Object.values(value).flatMap(numbersIn) : [];
}

async function lessonHint(
  operationId: string,
  input: Readonly<Record<string, unknown>>,
  { call, view }: Source,
  answer: Answer,
): Promise<string | undefined> {
  const found = await unsearchedLessons(
    operationId,
    input,
    (question) => call(operations.searchLessons, { ...view, ...question }),
    answer,
  );
  if (found === undefined) return undefined;
  const { query, count, told } = found;
  return `${told}; memsvc lesson search ${quoteWord(query)} shows ${count === 1 ? "it" : "them"}`;
}

async function unknownProject(named: string, call: EntryCall, view: View): Promise<string | undefined> {
  const projects = await visibleProjects(call, view);
  const { isKnown, meant = "memsvc project list shows the known ones" } = findKnownProject(named, projects);
  if (isKnown) return undefined;
  const move = moveTo(named, projects);
  const way = move === undefined ? meant : `the folder ${move.from} is gone; ${moveHint(move)}`;
  return `no session or memory belongs to a project ${named}; ${way}`;
}

/**
 * Reads names in the view of the command; those of agents in that of the user. There is no list of all agents, only of
 * recent ones, so the one that is asked for is looked up first.
 */
function namesSeen(call: EntryCall, view: View, visible: View): NameReader {
  return async (names, asked) => {
    if (names !== "agents") return storedNames[names]({ call, view });
    const own = await call(operations.listSessions, { limit: 1, agentId: asked });
    const isKnown = own.sessions.some(({ agentId }) => agentId === asked);
    return isKnown ? [asked] : storedNames.agents({ call, view: visible });
  };
}
