import { inArray } from "drizzle-orm";
import type { Connection } from "../../../store/store.ts";
import { holders } from "../../leases/held.ts";
import { unmetGates } from "../gates.ts";
import { type Action, actionRecord } from "../record.ts";
import { actions } from "../tables.ts";

export interface FrontierView {
  /** Actions of these projects; of all without it. */
  readonly projectKeys?: readonly string[] | undefined;
  /** Who asks: what others hold is left out. */
  readonly agentId?: string | undefined;
  readonly limit: number;
}

export interface Frontier {
  readonly frontier: { action: Action; score: number; blockers: []; leased: boolean }[];
  /** Neither done nor cancelled. */
  readonly totalActions: number;
  /** What can be done now, before the limit. */
  readonly totalUnblocked: number;
}

const ofProjects = "(?2 IS NULL OR a.project_key IN (SELECT value FROM json_each(?2)))";

/* Priority counts most; what waits long, makes others possible, came out of other work or is begun comes sooner. */
const candidates = `
  SELECT a.id,
    10.0 * a.priority
    + min(max(0.5 * (?1 - a.created_at) / 3600000.0, 0), 20)
    + 5 * (SELECT count(*) FROM action_edges e JOIN actions t ON t.id = e.target_action_id
           WHERE e.source_action_id = a.id AND e.type = 'unlocks' AND t.status NOT IN ('done', 'cancelled'))
    + 3 * EXISTS (SELECT 1 FROM action_edges e WHERE e.source_action_id = a.id AND e.type = 'spawned_by')
    + 15 * (a.status = 'active') AS score
  FROM actions a
  WHERE a.status IN ('pending', 'active') AND a.sketch_id IS NULL AND ${ofProjects}
    AND NOT EXISTS (SELECT 1 FROM action_edges e JOIN actions t ON t.id = e.target_action_id
      WHERE e.source_action_id = a.id AND e.type = 'conflicts_with' AND t.status = 'active')
    AND NOT EXISTS (SELECT 1 FROM action_edges e JOIN actions t ON t.id = e.source_action_id
      WHERE e.target_action_id = a.id AND e.type = 'conflicts_with' AND t.status = 'active')
  ORDER BY score DESC, a.created_at, a.id`;

const unfinished = `SELECT count(*) AS total FROM actions a
  WHERE ?1 >= 0 AND a.status NOT IN ('done', 'cancelled') AND a.sketch_id IS NULL AND ${ofProjects}`;

/** What can be worked on now, best first. */
export async function readFrontier(
  connection: Connection,
  { projectKeys, agentId, limit }: FrontierView,
  now: number,
): Promise<Frontier> {
  const { sql, orm } = connection;
  const args = [now, projectKeys === undefined ? null : JSON.stringify(projectKeys)];
  const found = await sql.all<{ id: string; score: number }>(candidates, args);
  const unmet = await unmetGates(
    sql,
    found.map(({ id }) => id),
  );
  const held = await holders(connection);
  const free = found.filter(({ id }) => {
    const holder = held.get(id);
    return !unmet.has(id) && (holder === undefined || holder === agentId);
  });
  const shown = free.slice(0, limit);
  const rows = await orm
    .select()
    .from(actions)
    .where(
      inArray(
        actions.id,
        shown.map(({ id }) => id),
      ),
    );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const [count] = await sql.all<{ total: number }>(unfinished, args);
  return {
    frontier: shown.flatMap(({ id, score }) => {
      const row = byId.get(id);
      if (row === undefined) return [];
      return [{ action: actionRecord(row), score: rounded(score), blockers: [], leased: held.has(id) }];
    }),
    totalActions: count?.total ?? 0,
    totalUnblocked: free.length,
  };
}

/** To four decimals: the age of an action in milliseconds is nobody's business. */
function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
