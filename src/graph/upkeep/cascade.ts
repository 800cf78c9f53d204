import { changedAtSql } from "../../store/changed-at.ts";
import { firstKeys, type Sql } from "../../store/sql.ts";
import type { ThingKind } from "../storage/thing-kind.ts";

interface Cascade {
  readonly nodes: string[];
  readonly edges: string[];
}

/**
 * Marks nodes and edges as stale that models made and that have no other sources than those in `refs`: a superseded
 * memory and the observations that it was derived from. Returns the ids of those that were not stale before.
 */
export async function markStale(sql: Sql, refs: readonly string[], now: number): Promise<Cascade> {
  const keys = await firstKeys(
    sql,
    "SELECT key FROM graph_sources WHERE ref IN (SELECT value FROM json_each(?))",
    [JSON.stringify(refs)],
  );
  if (keys.length === 0) return { nodes: [], edges: [] };
  const sources = JSON.stringify(keys);
  const mark = async (what: ThingKind): Promise<string[]> => {
    const rows = await sql.all<{ key: number; id: string }>(onlySpokenForBy(what), [sources]);
    if (rows.length === 0) return [];
    await sql.run(
      `UPDATE graph_${what}s SET stale = 1, updated_at = ${changedAtSql("?1")}
       WHERE key IN (SELECT value FROM json_each(?2))`,
      [now, JSON.stringify(rows.map(({ key }) => key))],
    );
    return rows.map(({ id }) => id);
  };
  const edges = await mark("edge");
  return { nodes: await mark("node"), edges };
}

const onlySpokenForBy = (what: ThingKind): string => `SELECT r.key, r.id
  FROM (SELECT ${what}, count(*) AS n FROM graph_${what}_links
    WHERE source IN (SELECT value FROM json_each(?)) GROUP BY ${what}) AS l
  CROSS JOIN graph_${what}s AS r ON r.key = l.${what}
  WHERE r.origin = 'llm' AND r.stale = 0 AND r.source_count = l.n ORDER BY r.key`;
