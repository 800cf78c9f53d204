import { firstColumn, type Sql } from "../store/sql.ts";
import { termHash } from "./words/forward.ts";

/** Restricts a search. A property that is left out restricts nothing. */
export interface SearchScope {
  readonly projectKeys?: readonly string[];
  /** With `projectKeys`: also admits documents without a project whose kind is one of `kindsBeyondProjects`. */
  readonly includeWithoutProject?: boolean;
  /**
   * Documents of that agent; with `includeOrphans` also those of no agent. Without `agentId`: only those of no agent.
   */
  readonly agent?: { readonly agentId?: string; readonly includeOrphans: boolean };
  readonly kinds?: readonly string[];
  /** Milliseconds; only documents created at or after it. */
  readonly since?: number;
  /** Milliseconds; only documents created at or before it. */
  readonly until?: number;
  /**
   * A preferred span of time, in milliseconds: documents created in it rank higher. `isAll`: the query names this time
   * and nothing else.
   */
  readonly leansTo?: TimeSpan & { readonly isAll?: boolean };
  /** Milliseconds; documents whose `hiddenAfter` is not later are left out. */
  readonly now: number;
}

/** The fields of a document that a scope tests. */
export interface Scoped {
  readonly kind: string;
  readonly projectKey: string | null;
  readonly agentId: string | null;
  /** Milliseconds. */
  readonly createdAt: number;
  /** Milliseconds; from then on no search returns it. */
  readonly hiddenAfter: number | null;
}

/** Kinds that are useful beyond one project: a document of such a kind without a project belongs to all projects. */
export const kindsBeyondProjects: readonly string[] = ["memory", "lesson"];

/**
 * The words that stand for a document's scope in the `scope` column. They begin with a dot, as no index token does.
 * Projects, agents and kinds are hashed, so two values may share a word: a search has to check the rows that it gets
 * with `isInScope`.
 */
export function scopeTokens({ kind, projectKey, agentId, createdAt }: Omit<Scoped, "hiddenAfter">): string[] {
  const beyond = projectKey === null && kindsBeyondProjects.includes(kind);
  return [
    hashed("k", kind),
    monthWord(monthOf(createdAt)),
    agentId === null ? withoutAgent : hashed("a", agentId),
    ...(projectKey === null ? [] : [hashed("p", projectKey)]),
    ...(beyond ? [withoutProject] : []),
  ];
}

/** The condition of a scope on the `scope` column: any word of each group. No groups: no condition. */
export async function scopeGroups(sql: Sql, scope: SearchScope): Promise<string[][]> {
  const groups: string[][] = [];
  if (scope.projectKeys !== undefined) {
    const beyond = scope.includeWithoutProject === true ? [withoutProject] : [];
    groups.push([...scope.projectKeys.map((key) => hashed("p", key)), ...beyond]);
  }
  if (scope.agent !== undefined) {
    const { agentId, includeOrphans } = scope.agent;
    const own = agentId === undefined ? [] : [hashed("a", agentId)];
    groups.push([...own, ...(includeOrphans ? [withoutAgent] : [])]);
  }
  if (scope.kinds !== undefined) groups.push(scope.kinds.map((kind) => hashed("k", kind)));
  const months = await monthsOf(sql, scope);
  if (months !== undefined) groups.push(months);
  return groups.map((words) => (words.length > 0 ? words : [nothing]));
}

export function isInScope(scope: SearchScope, document: Scoped): boolean {
  const { kind, projectKey, agentId, hiddenAfter, createdAt } = document;
  if (hiddenAfter !== null && hiddenAfter <= scope.now) return false;
  if (createdAt < (scope.since ?? -Infinity) || createdAt > (scope.until ?? Infinity)) return false;
  if (scope.kinds !== undefined && !scope.kinds.includes(kind)) return false;
  if (scope.agent !== undefined) {
    if (agentId === null ? !scope.agent.includeOrphans : agentId !== scope.agent.agentId) return false;
  }
  if (scope.projectKeys === undefined) return true;
  if (projectKey !== null) return scope.projectKeys.includes(projectKey);
  return scope.includeWithoutProject === true && kindsBeyondProjects.includes(kind);
}

/**
 * The agent condition of a scope as values for a statement: whether documents of all agents pass (1 or 0), the agent's
 * id, and whether documents of no agent pass (1 or 0).
 */
export function agentValues({
  agent,
}: SearchScope): [everybody: number, agentId: string | null, orphans: number] {
  return [agent === undefined ? 1 : 0, agent?.agentId ?? null, agent?.includeOrphans === true ? 1 : 0];
}

/** The scope restricted to its preferred time; undefined if it prefers none, or none of it is within the scope. */
export function leaningPart(scope: SearchScope): SearchScope | undefined {
  const { leansTo, ...rest } = scope;
  if (leansTo === undefined) return undefined;
  const since = Math.max(leansTo.since, scope.since ?? -Infinity);
  const until = Math.min(leansTo.until, scope.until ?? Infinity);
  return since > until ? undefined : { ...rest, since, until };
}

/** A span of time in milliseconds; both ends are included. */
export interface TimeSpan {
  readonly since: number;
  readonly until: number;
}

/** The span in which documents of a scope were created; undefined if the scope has neither end. */
export function timeOf({ since, until }: SearchScope): TimeSpan | undefined {
  if (since === undefined && until === undefined) return undefined;
  return { since: since ?? Number.MIN_SAFE_INTEGER, until: until ?? Number.MAX_SAFE_INTEGER };
}

/**
 * Without `until`, a search names the month words up to this far after now; later months are looked up in the index.
 */
const monthsAhead = 12;
/** FTS5 looks up a word for each month. For a longer span (a hundred years) the index is not restricted by month. */
const mostMonths = 1_200;

/**
 * The words of the months that a scope touches; undefined if it has no time or there are too many months. The exact
 * time has to be checked row by row.
 */
async function monthsOf(sql: Sql, { since, until, now }: SearchScope): Promise<string[] | undefined> {
  if (since === undefined && until === undefined) return undefined;
  const first = monthOf(since ?? 0);
  const last = until === undefined ? Math.max(monthOf(now), first) + monthsAhead : monthOf(until);
  if (last - first >= mostMonths) return undefined;
  const months = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => monthWord(first + at));
  if (until !== undefined) return months;
  const later = await firstColumn(
    sql,
    "SELECT term FROM documents_terms WHERE term > ? AND term < ? LIMIT ?",
    [monthWord(last), afterAllMonths, mostMonths],
  );
  return later.length === mostMonths ? undefined : [...months, ...later];
}

/** Months since January 1970, UTC; 0 for earlier times. */
function monthOf(time: number): number {
  const date = new Date(time);
  return Math.max(0, (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth());
}

/** The words sort in the order of time from 1973 on. */
function monthWord(month: number): string {
  const word = month.toString(36);
  return word.length <= 2 ? `.t${word}` : `.tzz${word.padStart(6, "0")}`;
}

const afterAllMonths = ".u";

const withoutProject = ".np";
const withoutAgent = ".na";
/** A word that no document has, for an empty list of projects or kinds, which admits nothing. */
const nothing = ".nothing";

function hashed(letter: "p" | "a" | "k", value: string): string {
  return `.${letter}${termHash(value).toString(36)}`;
}
