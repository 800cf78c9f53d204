import type { Repetitions } from "../../capture/observations/repetitions.ts";
import { groupBy } from "../../group-by.ts";
import type { SearchHit } from "../../index/hits.ts";
import { isStrongCoverage } from "../../index/keyword/coverage.ts";
import { roundTo } from "../../round-to.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { dayMs } from "../../time/durations.ts";
import { matchOf } from "./match.ts";
import type { Explanation, Match } from "./record.ts";

/*
 * Reciprocal rank fusion: score = Σ over streams w / (60 + rank), then small bonuses, which are smaller the less of the
 * query a record covers. Walking down the ranking, at most three results of a session are taken.
 */

const rankConstant = 60;
export const maxPerSession = 3;

const bonusSizes = { session: 0.003, folder: 0.003, quality: 0.0005, recency: 0.0005 } as const;
const recencyHalfLifeMs = 30 * dayMs;

/** A hit of one stream. Only the order of scores counts. */
export type StreamHit = Omit<SearchHit, "importance">;

export interface Stream {
  readonly name: "keyword" | "vector" | "graph" | "lessons";
  readonly weight: number;
  /** Best first. */
  readonly hits: readonly StreamHit[];
  /** From this score on, a hit is a strong match. */
  readonly strongFrom?: number;
}

export interface Biases extends Repetitions {
  readonly now: number;
  /** 0 to 1: importance of an observation, strength of a memory, confidence of a lesson. */
  readonly qualityOf: (hit: StreamHit) => number;
  readonly isOfSession: (hit: StreamHit) => boolean;
  readonly isUnderFolder: (hit: StreamHit) => boolean;
  /** Whether a hit only follows what was asked for: without bonuses it never overtakes that. */
  readonly isAside: (hit: StreamHit) => boolean;
}

export interface FusedHit extends StreamHit {
  /** Combined score with bonuses, six decimals. */
  readonly fused: number;
  readonly match?: Match | undefined;
  readonly explanation: Explanation;
  /** How many repeated runs of the same command were found besides it. */
  readonly moreRuns?: number;
}

/** A hit with its places in the streams. */
interface FoundHit {
  readonly hit: StreamHit;
  readonly streams: Explanation["streams"];
  isStrong: boolean;
}

/** Fuses the streams and diversifies; best first, ties by time then id, newest first. */
export function fuse(streams: readonly Stream[], biases: Biases): FusedHit[] {
  const found = new Map<string, FoundHit>();
  for (const { name, weight, hits, strongFrom = Number.POSITIVE_INFINITY } of streams) {
    hits.forEach((hit, position) => {
      const key = `${hit.kind}:${hit.ref}`;
      const entry = found.get(key) ?? { hit, streams: {}, isStrong: isStrongCoverage(hit.coverage) };
      entry.isStrong ||= hit.score >= strongFrom;
      entry.streams[name] = {
        rank: position + 1,
        score: hit.score,
        contribution: weight / (rankConstant + position + 1),
      };
      found.set(key, entry);
    });
  }
  const mostCovered = Math.max(0, ...[...found.values()].map(({ hit }) => hit.coverage ?? 0));
  const ranked = [...found.values()].map((one) =>
    scored(one, biases, biases.isAside(one.hit) ? 0 : fitOf(one.hit, mostCovered)),
  );
  const calls = withoutTwins(ranked, biases.callEndIds).sort(byScore);
  return diversified(withoutRepeats(calls, biases.runKeys));
}

/**
 * Merges the two observations of a tool call, from before and after it ran: only the end, which tells all, stays, at
 * the better rank.
 */
function withoutTwins(ranked: readonly FusedHit[], ends: ReadonlyMap<string, string>): FusedHit[] {
  const found = new Set(ranked.map(({ ref }) => ref));
  const starts = new Map(
    ranked.flatMap((hit) => {
      const end = ends.get(hit.ref);
      return end === undefined || !found.has(end) ? [] : [[end, hit] as const];
    }),
  );
  const dropped = new Set([...starts.values()].map(({ ref }) => ref));
  return ranked
    .filter(({ ref }) => !dropped.has(ref))
    .map((hit) => {
      const start = starts.get(hit.ref);
      if (start === undefined || start.fused <= hit.fused) return hit;
      return { ...hit, fused: start.fused, match: start.match, explanation: start.explanation };
    });
}

/** Of the runs of a command that are repeated, only the best stays: what another one wrote may not fit the query. */
function withoutRepeats(ranked: readonly FusedHit[], keys: ReadonlyMap<string, string>): FusedHit[] {
  const runs = groupBy(
    ranked,
    ({ kind, ref }) => (kind === "observation" ? keys.get(ref) : undefined) ?? `${kind} ${ref}`,
  );
  return [...runs.values()].map(([best, ...others]) =>
    others.length === 0 ? best : { ...best, moreRuns: others.length },
  );
}

/**
 * The share of the bonuses that a hit gets. Ranks do not show how far apart two hits are: with full bonuses, a new
 * record that shares one word with the query would overtake an old one that covers all of it.
 */
function fitOf({ coverage }: StreamHit, mostCovered: number): number {
  return coverage === undefined || mostCovered === 0 ? 1 : (coverage / mostCovered) ** 3;
}

function scored({ hit, streams, isStrong }: FoundHit, biases: Biases, fit: number): FusedHit {
  const ageMs = Math.max(0, biases.now - hit.createdAt);
  const bonuses: Record<keyof typeof bonusSizes, number> = {
    session: biases.isOfSession(hit) ? fit * bonusSizes.session : 0,
    folder: biases.isUnderFolder(hit) ? fit * bonusSizes.folder : 0,
    quality: fit * bonusSizes.quality * biases.qualityOf(hit),
    recency: fit * bonusSizes.recency * 2 ** (-ageMs / recencyHalfLifeMs),
  };
  const sum =
    Object.values(streams).reduce((total, { contribution }) => total + contribution, 0) +
    Object.values(bonuses).reduce((total, bonus) => total + bonus, 0);
  const { id, kind, ref, sessionId, createdAt, score, coverage } = hit;
  // Written out, because spreading gives objects of many hidden classes in V8, which makes all code that reads them
  // slow.
  return {
    id,
    kind,
    ref,
    sessionId,
    createdAt,
    score,
    fused: roundTo(sum, 6),
    match: matchOf(streams, isStrong),
    explanation: { streams, bonuses, ...(coverage === undefined ? {} : { coverage }) },
  };
}

function byScore(a: FusedHit, b: FusedHit): number {
  return b.fused - a.fused || b.createdAt - a.createdAt || compareTexts(b.ref, a.ref);
}

function diversified(ranked: readonly FusedHit[]): FusedHit[] {
  const taken = new Map<string, number>();
  return ranked.filter(({ sessionId }) => {
    if (sessionId === null) return true;
    const count = (taken.get(sessionId) ?? 0) + 1;
    taken.set(sessionId, count);
    return count <= maxPerSession;
  });
}
