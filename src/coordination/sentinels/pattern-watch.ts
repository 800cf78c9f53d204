import type { Sql } from "../../store/sql.ts";
import { turnGiver } from "../../store/turns.ts";
import type { PatternConfig } from "./config.ts";
import { type Matcher, type SearchedObservation, searchedText } from "./pattern.ts";

/** A pattern that is watched for. */
export interface PatternWatch {
  readonly id: string;
  readonly matches: Matcher;
  readonly field: PatternConfig["field"];
  /** Only observations of these projects. */
  readonly projectKeys: readonly string[] | undefined;
  /** The last observation, by its order of arrival, that was looked at. */
  readonly lookedAtSeq: number;
  /** When the watch began; null: a time to come, as the clock was set back, which tells nothing. */
  readonly since: number | null;
  /** When the watch ends; null: never. */
  readonly until: number | null;
}

interface Watched {
  /** The observation that matched first, by the watch. */
  readonly found: ReadonlyMap<string, string>;
  /** The last observation that all of the watches have been held against; undefined when there was no new one. */
  readonly lookedAtSeq: number | undefined;
}

interface Arrived extends SearchedObservation {
  readonly seq: number;
  readonly id: string;
  readonly projectKey: string;
  readonly receivedAt: number;
}

const readAtOnce = 200;

/** Holds patterns against what has arrived since they were last looked at. Others get their turns meanwhile. */
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
        // Patterns may be long, and so may texts.
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
  // An import brings what arrived at its time, long ago perhaps, and is last in the order of arrival.
  if (since !== null && observation.receivedAt < since) return false;
  if (projectKeys?.includes(observation.projectKey) === false) return false;
  return matches(searchedText(field, observation));
}
