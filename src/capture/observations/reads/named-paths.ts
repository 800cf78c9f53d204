import type { Sql } from "../../../store/sql.ts";

/** A path as an observation has it, relative to its agent's folder. */
interface ToldPath {
  readonly id: string;
  readonly path: string;
}

/**
 * For observations whose event contains a longer path that ends with `path`: whether the event contains one
 * that ends with `wanted`, too. Observations whose events have no longer path are left out.
 */
export async function namedInFull(
  sql: Sql,
  told: readonly ToldPath[],
  wanted: string,
): Promise<ReadonlyMap<string, boolean>> {
  if (told.length === 0) return new Map();
  const rows = await sql.all<{ id: string; isWanted: number }>(
    `SELECT raw_events.observation_id AS id, instr(raw_events.event, ?) > 0 AS isWanted
     FROM json_each(?) AS asked CROSS JOIN raw_events
       ON raw_events.observation_id = json_extract(asked.value, '$.id')
     WHERE instr(raw_events.event, json_extract(asked.value, '$.ending')) > 0`,
    [asEnding(wanted), JSON.stringify(told.map(({ id, path }) => ({ id, ending: asEnding(path) })))],
  );
  return new Map(rows.map(({ id, isWanted }) => [id, isWanted > 0]));
}

/** The end of a longer path in the JSON of an event. */
function asEnding(path: string): string {
  return JSON.stringify(`/${path}`).slice(1);
}
