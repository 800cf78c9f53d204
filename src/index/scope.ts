import { firstColumn, type Sql } from "../store/sql.ts";
import { termHash } from "./words/forward.ts";

/** What a search is confined to. A part that is left out confines nothing. */
export interface SearchScope {
  readonly projectKeys?: readonly string[];
  /** With `projectKeys`: documents without a project pass too when they are of one of `kindsBeyondProjects`. */
  readonly includeWithoutProject?: boolean;
  /** Documents of that agent, and of none with `includeOrphans`; no `agentId`: of no agent. */
  readonly agent?: { readonly agentId?: string; readonly includeOrphans: boolean };
  readonly kinds?: readonly string[];
  /** Milliseconds; only documents created at or after it. */
  readonly since?: number;
  /** Milliseconds; only documents created at or before it. */
  readonly until?: number;
  /**
   * A span of time, in milliseconds, that the search leans to: what was created in it ranks higher. `isAll`: nothing else
   * is asked for.
   */
  readonly leansTo?: TimeSpan & { readonly isAll?: boolean };
  /** Milliseconds; documents whose `hiddenAfter` is not later are left out. */
  readonly now: number;
}

/** What a document shows of itself to a scope. */
export interface Scoped {
  readonly kind: string;
  readonly projectKey: string | null;
  readonly agentId: string | null;
  /** Milliseconds. */
  readonly createdAt: number;
  /** Milliseconds; from then on no search returns it. */
  readonly hiddenAfter: number | null;
}

/** Kinds that hold beyond one project, so that a document of theirs without a project is everybody's. */
export const kindsBeyondProjects: readonly string[] = ["memory", "lesson"];

/**
 * Words of the `scope` column. They begin with a dot, as no prepared token does, and hash what they stand for,
 * so several values may share one: a search checks the rows it gets with `isInScope`.
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

/** What a scope asks of the `scope` column: of each group, any word. No groups: it confines nothing. */
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
 * Whose documents a scope lets through, as values for a statement: 1 for everybody's, else the agent's id, and 1 where
 * documents of no agent pass too.
 */
export function agentValues({
  agent,
}: SearchScope): [everybody: number, agentId: string | null, orphans: number] {
  return [agent === undefined ? 1 : 0, agent?.agentId ?? null, agent?.includeOrphans === true ? 1 : 0];
}

/** The part of a scope that lies in the time it leans to; undefined where there is none. */
export function leaningPart(scope: SearchScope): SearchScope | undefined {
  const { leansTo, ...rest } = scope;
  if (leansTo === undefined) return undefined;
  const since = Math.max(leansTo.since, scope.since ?? -Infinity);
  const until = Math.min(leansTo.until, scope.until ?? Infinity);
  return since > until ? undefined : { ...rest, since, until };
}

/** A span of time; milliseconds, both ends belong to it. */
export interface TimeSpan {
  readonly since: number;
  readonly until: number;
}

/** The span that documents of a scope are created in; undefined where the scope has neither end. */
export function timeOf({ since, until }: SearchScope): TimeSpan | undefined {
  if (since === undefined && until === undefined) return undefined;
  return { since: since ?? Number.MIN_SAFE_INTEGER, until: until ?? Number.MAX_SAFE_INTEGER };
}

/** A search without `until` asks for so many months after now by their words; later ones are looked up in the index. */
const monthsAhead = 12;
/** Every month is a word that FTS5 looks up; more than a lifetime of them confines nothing. */
const mostMonths = 1_200;

/** The months that a search in time touches; undefined where they would be too many. Rows tell days apart. */
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

/** Months since January 1970, UTC; times before it count as that month. */
function monthOf(time: number): number {
  const date = new Date(time);
  return Math.max(0, (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth());
}

/** From 1973 on in the order of time. */
function monthWord(month: number): string {
  const word = month.toString(36);
  return word.length <= 2 ? `.t${word}` : `.tzz${word.padStart(6, "0")}`;
}

const afterAllMonths = ".u";

const withoutProject = ".np";
const withoutAgent = ".na";
/** A word that no document has: an empty list of projects or kinds lets nothing through. */
const nothing = ".nothing";

function hashed(letter: "p" | "a" | "k", value: string): string {
  return `.${letter}${termHash(value).toString(36)}`;
}
