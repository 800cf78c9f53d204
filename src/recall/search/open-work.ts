import { leftOfPlan } from "../../capture/observations/calls/plan.ts";
import { lastWorkIn } from "../../capture/observations/reads/history.ts";
import {
  lastAnswersOf,
  lastPlansOf,
  lastPromptsOf,
} from "../../capture/observations/reads/last-statements.ts";
import { activeProjects, newestSessions } from "../../capture/sessions/history.ts";
import type { ProjectView, View } from "../../capture/sessions/view.ts";
import { leftSince } from "../../knowledge/open-work/done-work.ts";
import { lastOpenItems } from "../../knowledge/open-work/last-open-items.ts";
import { startsWithTodo, withoutTodoCue } from "../../knowledge/open-work/todo-cues.ts";
import type { Sql } from "../../store/sql.ts";

/* What the newest sessions leave to do, by the rules of the context block. */

const sessionsLookedAt = 60;
const mostProjects = 10;
/** Older plans are mostly outdated. */
const mostPlans = 3;

/** An observation that names something to do. */
interface NamedWork {
  readonly id: string;
  /** Milliseconds. */
  readonly at: number;
  readonly items: readonly string[];
  readonly isPlan?: boolean;
}

export interface OpenWork {
  /** What is left of the items, by the id of the observation that names them; the newest first. */
  readonly open: ReadonlyMap<string, string>;
  /** Ids of the observations whose items were all done since. */
  readonly done: ReadonlySet<string>;
}

/** `keysOf`: all keys of the project with this one. */
export async function openWork(
  sql: Sql,
  view: View,
  keysOf: (key: string) => Promise<readonly string[]>,
): Promise<OpenWork> {
  const views = await viewsOfProjects(sql, view, keysOf);
  const most = Math.ceil(sessionsLookedAt / Math.max(1, views.length));
  const open: (readonly [at: number, id: string, text: string])[] = [];
  const done = new Set<string>();
  for (const one of views) {
    const named = await namedWork(sql, one, most);
    if (named.length === 0) continue;
    const leftOf = await leftSince(sql, one, Math.min(...named.map(({ at }) => at)));
    for (const { id, at, items, isPlan = false } of named) {
      const left = isPlan
        ? items.flatMap((plan) => leftOfPlan(plan, (step) => leftOf(step, at).length > 0) ?? [])
        : items.flatMap((item) => leftOf(item, at));
      if (left.length === 0) done.add(id);
      else open.push([at, id, left.join("\n")]);
    }
  }
  return {
    open: new Map(open.toSorted(([a], [b]) => b - a).map(([, id, text]) => [id, text] as const)),
    done,
  };
}

/** Work of one project is never taken for that of another. */
async function viewsOfProjects(
  sql: Sql,
  { keys, filter }: View,
  keysOf: (key: string) => Promise<readonly string[]>,
): Promise<ProjectView[]> {
  if (keys !== undefined) return [{ keys, filter }];
  const views: ProjectView[] = [];
  const seen = new Set<string>();
  for (const { projectKey } of await activeProjects(sql, { keys, filter, perAgent: false }, mostProjects)) {
    if (seen.has(projectKey)) continue;
    const own = [...new Set([projectKey, ...(await keysOf(projectKey))])].filter((key) => !seen.has(key));
    for (const key of own) seen.add(key);
    views.push({ keys: own, filter });
  }
  return views;
}

async function namedWork(sql: Sql, view: ProjectView, mostSessions: number): Promise<NamedWork[]> {
  const { filter } = view;
  const ids = (await newestSessions(sql, view, mostSessions, undefined)).map(({ id }) => id);
  const [lastWork, answers, prompts] = await Promise.all([
    lastWorkIn(sql, ids),
    lastAnswersOf(sql, ids, filter),
    lastPromptsOf(sql, ids, filter),
  ]);
  const newest = ids.toSorted((a, b) => (lastWork.get(b) ?? 0) - (lastWork.get(a) ?? 0)).slice(0, mostPlans);
  const plans = await lastPlansOf(sql, newest, filter);
  return [
    ...[...answers.values()].flatMap((said) => {
      const named = lastOpenItems(said);
      return named === undefined ? [] : [{ id: named.answer.id, at: named.answer.at, items: named.items }];
    }),
    ...[...plans.values()]
      .filter(({ text }) => leftOfPlan(text) !== undefined)
      .map(({ id, at, text }) => ({ id, at, items: [text], isPlan: true })),
    ...[...prompts.values()].flat().flatMap(({ id, at, narrative }) => {
      const items = narrative.split("\n").filter(notesTodo);
      return items.length === 0 ? [] : [{ id, at, items }];
    }),
  ];
}

/** Such as `TODO: rotate the key`. */
function notesTodo(line: string): boolean {
  return startsWithTodo(line) && withoutTodoCue(line) !== line;
}
