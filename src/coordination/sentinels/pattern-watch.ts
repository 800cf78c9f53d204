import { setImmediate } from "node:timers/promises";
import type { Sql } from "../../store/sql.ts";
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
}

export interface Watched {
  /** The observation that matched first, by the watch. */
  readonly found: ReadonlyMap<string, string>;
  /** The last observation that all of the watches have been held against; undefined when there was no new one. */
  readonly lookedAtSeq: number | undefined;
}

interface Arrived extends SearchedObservation {
  readonly seq: number;
  readonly id: string;
  readonly projectKey: string;
}

const readAtOnce = 200;

/** Holds patterns against what has arrived since they were last looked at. Between pages others get their turns. */
export async function watchPatterns(sql: Sql, watches: readonly PatternWatch[]): Promise<Watched> {
  const found = new Map<string, string>();
  const start = Math.min(...watches.map(({ lookedAtSeq }) => lookedAtSeq));
  let reached = start;
  let page: Arrived[] = [];
  do {
    page = await sql.all<Arrived>(
      `SELECT seq, id, project_key AS projectKey, title, subtitle, narrative, facts FROM observations
       WHERE seq > ? ORDER BY seq LIMIT ${readAtOnce}`,
      [reached],
    );
    for (const observation of page) {
      for (const watch of watches) {
        if (!found.has(watch.id) && isMatch(watch, observation)) found.set(watch.id, observation.id);
      }
    }
    reached = page.at(-1)?.seq ?? reached;
    await setImmediate();
  } while (page.length === readAtOnce);
  return { found, lookedAtSeq: reached === start ? undefined : reached };
}

function isMatch({ lookedAtSeq, projectKeys, matches, field }: PatternWatch, observation: Arrived): boolean {
  if (observation.seq <= lookedAtSeq) return false;
  if (projectKeys?.includes(observation.projectKey) === false) return false;
  return matches(searchedText(field, observation));
}
