import type { Sql } from "../../store/sql.ts";
import { turnGiver } from "../../store/turns.ts";
import type { PatternConfig } from "./config.ts";
import { type Matcher, type SearchedObservation, searchedText } from "./pattern.ts";

/** A pattern that a sentinel watches for. */
export interface PatternWatch {
  readonly id: string;
  readonly matches: Matcher;
  readonly field: PatternConfig["field"];
  /** Only observations of these projects; if undefined, of all. */
  readonly projectKeys: readonly string[] | undefined;
  /** The `seq` of the last observation that the pattern was matched against. */
  readonly lookedAtSeq: number;
  /**
   * When the watch began, in milliseconds since 1970; null when that lies in the future because the clock was
   * set back.
   */
  readonly since: number | null;
  /** When the watch ends, in milliseconds since 1970; null for never. */
  readonly until: number | null;
}

interface Watched {
  /** The first observation that matched, by the id of the watch. */
  readonly found: ReadonlyMap<string, string>;
  /**
   * The `seq` of the last observation that all watches were matched against; undefined when there was no new
   * one.
   */
  readonly lookedAtSeq: number | undefined;
}

interface Arrived extends SearchedObservation {
  readonly seq: number;
  readonly id: string;
  readonly projectKey: string;
  readonly receivedAt: number;
}

const readAtOnce = 200;

/** Matches patterns against the observations that are new to them, yielding to other work in between. */
export async function watchPatterns(sql: Sql, watches: readonly PatternWatch[]): Promise<Watched> {
  const found = new Map<string, string>();
  const start = Math.min(...watches.map(({ lookedAtSeq }) => lookedAtSeq));
  let reached = start;
  let page: Arrived[] = [];
  const giveTurn = turnGiver();
  do {
    page = await sql.all<Arrived>(
      `SELECT seq, id, project_key AS projectKey, received_at AS receivedAt, title, subtitle, narrative, facts FROM observations
       WHERE seq > ? ORDER BY seq LIMIT ${readAtOnce}`,
      [reached],
    );
    for (const observation of page) {
      for (const watch of watches) {
        if (!found.has(watch.id) && isMatch(watch, observation)) found.set(watch.id, observation.id);
        // Patterns and texts may be long, so a single match may take long.
        await giveTurn();
      }
    }
    reached = page.at(-1)?.seq ?? reached;
  } while (page.length === readAtOnce);
  return { found, lookedAtSeq: reached === start ? undefined : reached };
}

function isMatch(
  { lookedAtSeq, since, until, projectKeys, matches, field }: PatternWatch,
  observation: Arrived,
): boolean {
  if (observation.seq <= lookedAtSeq || (until !== null && observation.receivedAt > until)) return false;
  // An import appends observations with their original time, which may lie before the watch began.
  if (since !== null && observation.receivedAt < since) return false;
  if (projectKeys?.includes(observation.projectKey) === false) return false;
  return matches(searchedText(field, observation));
}
