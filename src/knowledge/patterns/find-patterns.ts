import { groupPairs } from "../../group-by.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import type { Pattern } from "./record.ts";
import { arrow, type SessionDigest } from "./session-digest.ts";

const fewestSessions = 3;
const fewestErrors = 2;
const mostSessionsShown = 20;
/** Further ones would tell nothing new, and there may be tens of thousands of pairs. */
const mostOfAKind = 100;

export interface DigestedSession {
  readonly id: string;
  readonly digest: SessionDigest;
}

/** Recurring patterns of these sessions (given newest first), most frequent first, at most 100 of a kind. */
export function findPatterns(sessions: readonly DigestedSession[]): Pattern[] {
  return [...coChanges(sessions), ...repeatedErrors(sessions), ...workflows(sessions)].sort(
    (a, b) => b.frequency - a.frequency || compareTexts(a.description, b.description),
  );
}

/**
 * Pairs of files that were changed in the same sessions. A pair can only be frequent if both files are, so
 * infrequent files are left out first. Pairs are counted by number, which is cheaper than by text.
 */
function coChanges(sessions: readonly DigestedSession[]): Pattern[] {
  const files = frequent(sessions, ({ files: own }) => own);
  const names = [...files.keys()].sort();
  const numbers = new Map(names.map((name, at) => [name, at]));
  const pairs = new Map<number, number>();
  for (const { digest } of sessions) {
    const own = digest.files.flatMap((file) => numbers.get(file) ?? []).sort((a, b) => a - b);
    own.forEach((first, at) => {
      for (let next = at + 1; next < own.length; next += 1) {
        const pair = first * names.length + (own[next] ?? 0);
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
    });
  }
  return [...pairs]
    .filter(([, count]) => count >= fewestSessions)
    .sort(([a, count], [b, other]) => other - count || a - b)
    .slice(0, mostOfAKind)
    .map(([pair, frequency]): Pattern => {
      const ends = [Math.floor(pair / names.length), pair % names.length].map((at) => names[at] ?? "");
      const [first = [], second = []] = ends.map((file) => files.get(file));
      const others = new Set(second);
      return {
        type: "co_change",
        description: `${ends.join(" and ")} are changed together`,
        files: ends,
        frequency,
        sessions: shownIds(first.filter((session) => others.has(session))),
      };
    });
}

function repeatedErrors(sessions: readonly DigestedSession[]): Pattern[] {
  const found = new Map<
    string,
    { title: string; count: number; files: Set<string>; in: DigestedSession[] }
  >();
  for (const session of sessions) {
    for (const { key, title, count, files } of session.digest.errors) {
      const known = found.get(key) ?? { title, count: 0, files: new Set<string>(), in: [] };
      known.count += count;
      for (const file of files) known.files.add(file);
      known.in.push(session);
      found.set(key, known);
    }
  }
  return [...found.values()]
    .filter(({ count }) => count >= fewestErrors)
    .sort((a, b) => b.count - a.count)
    .slice(0, mostOfAKind)
    .map(({ title, count, files, in: where }) => ({
      type: "error_repeat",
      description: title,
      files: [...files],
      frequency: count,
      sessions: shownIds(where),
    }));
}

function workflows(sessions: readonly DigestedSession[]): Pattern[] {
  return [...frequent(sessions, ({ workflows: own }) => own)]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, mostOfAKind)
    .map(([steps, where]) => ({
      type: "workflow",
      description: steps,
      files: [],
      frequency: where.length,
      sessions: shownIds(where),
    }));
}

/** The steps of a workflow pattern, in order. */
export function workflowSteps({ description }: Pattern): string[] {
  return description.split(arrow);
}

/** The items that occur in enough sessions, with these sessions. */
function frequent(
  sessions: readonly DigestedSession[],
  itemsOf: (digest: SessionDigest) => readonly string[],
): Map<string, DigestedSession[]> {
  const where = groupPairs(
    sessions.flatMap((session) => itemsOf(session.digest).map((item) => [item, session] as const)),
  );
  return new Map([...where].filter(([, found]) => found.length >= fewestSessions));
}

function shownIds(sessions: readonly DigestedSession[]): string[] {
  return sessions.slice(0, mostSessionsShown).map(({ id }) => id);
}
