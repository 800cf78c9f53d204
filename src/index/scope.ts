import { termHash } from "./forward.ts";

/** What a search is confined to. A part that is left out confines nothing. */
export interface SearchScope {
  readonly projectKeys?: readonly string[];
  /** With `projectKeys`: documents without a project pass too when they are of one of `kindsBeyondProjects`. */
  readonly includeWithoutProject?: boolean;
  /** Documents of that agent, and of none with `includeOrphans`; no `agentId`: of no agent. */
  readonly agent?: { readonly agentId?: string; readonly includeOrphans: boolean };
  readonly kinds?: readonly string[];
  /** Milliseconds; documents whose `hiddenAfter` is not later are left out. */
  readonly now: number;
}

/** What a document shows of itself to a scope. */
export interface Scoped {
  readonly kind: string;
  readonly projectKey: string | null;
  readonly agentId: string | null;
}

/** Kinds that hold beyond one project, so that a document of theirs without a project is everybody's. */
export const kindsBeyondProjects: readonly string[] = ["memory", "lesson"];

/**
 * Words of the `scope` column. They begin with a dot, as no prepared token does, and hash what they stand for,
 * so several values may share one: a search checks the rows it gets with `isInScope`.
 */
export function scopeTokens({ kind, projectKey, agentId }: Scoped): string[] {
  const beyond = projectKey === null && kindsBeyondProjects.includes(kind);
  return [
    hashed("k", kind),
    agentId === null ? withoutAgent : hashed("a", agentId),
    ...(projectKey === null ? [] : [hashed("p", projectKey)]),
    ...(beyond ? [withoutProject] : []),
  ];
}

/** What a scope asks of the `scope` column: of each group, any word. No groups: it confines nothing. */
export function scopeGroups(scope: SearchScope): string[][] {
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
  return groups.map((words) => (words.length > 0 ? words : [nothing]));
}

export function isInScope(
  scope: SearchScope,
  document: Scoped & { readonly hiddenAfter: number | null },
): boolean {
  const { kind, projectKey, agentId, hiddenAfter } = document;
  if (hiddenAfter !== null && hiddenAfter <= scope.now) return false;
  if (scope.kinds !== undefined && !scope.kinds.includes(kind)) return false;
  if (scope.agent !== undefined) {
    if (agentId === null ? !scope.agent.includeOrphans : agentId !== scope.agent.agentId) return false;
  }
  if (scope.projectKeys === undefined) return true;
  if (projectKey !== null) return scope.projectKeys.includes(projectKey);
  return scope.includeWithoutProject === true && kindsBeyondProjects.includes(kind);
}

const withoutProject = ".np";
const withoutAgent = ".na";
/** A word that no document has: an empty list of projects or kinds lets nothing through. */
const nothing = ".nothing";

function hashed(letter: "p" | "a" | "k", value: string): string {
  return `.${letter}${termHash(value).toString(36)}`;
}
