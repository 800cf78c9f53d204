import { roundTo } from "../../../round-to.ts";
import { ofProjectsOrAll } from "../../../store/of-projects.ts";
import { firstColumn, type Sql } from "../../../store/sql.ts";
import type { Connection } from "../../../store/store.ts";
import { holders } from "../../leases/lease-holders.ts";
import { actionsByIds } from "../find-actions.ts";
import { unmetGates } from "../gates.ts";
import { actionRecord } from "../record.ts";
import type { Frontier } from "./answers.ts";

interface FrontierView {
  /** Only actions of these projects; if undefined, of all. */
  readonly projectKeys?: readonly string[] | undefined;
  /** The agent that asks: actions that others hold are left out. */
  readonly agentId?: string | undefined;
  readonly limit: number;
}

/* Few actions are active at a time, so the conflicts are looked up from the active ones. */
const inConflict = `
  SELECT e.target_action_id FROM actions t JOIN action_edges e ON e.source_action_id = t.id
    WHERE t.status = 'active' AND e.type = 'conflicts_with'
  UNION ALL SELECT e.source_action_id FROM actions t JOIN action_edges e ON e.target_action_id = t.id
    WHERE t.status = 'active' AND e.type = 'conflicts_with'`;

/*
 * The score: priority counts most; waiting long, unlocking other actions, having come out of other work, and
 * being begun already add to it.
 */
const candidates = `
  SELECT a.id, count(*) OVER () AS total,
    10.0 * a.priority
    + min(max(0.5 * (?2 - a.created_at) / 3600000.0, 0), 20)
    + 5 * (SELECT count(*) FROM action_edges e JOIN actions t ON t.id = e.target_action_id
           WHERE e.source_action_id = a.id AND e.type = 'unlocks' AND t.status NOT IN ('done', 'cancelled'))
    + 3 * EXISTS (SELECT 1 FROM action_edges e WHERE e.source_action_id = a.id AND e.type = 'spawned_by')
    + 15 * (a.status = 'active') AS score
  FROM actions a
  WHERE a.status IN ('pending', 'active') AND +a.sketch_id IS NULL AND ${ofProjectsOrAll}
    AND a.id NOT IN (${inConflict})
    AND a.id NOT IN (SELECT value FROM json_each(?3))
  ORDER BY score DESC, a.created_at, a.id LIMIT ?4`;

const unfinished = `SELECT count(*) AS total FROM actions a
  WHERE a.status IN ('pending', 'active', 'blocked') AND +a.sketch_id IS NULL AND ${ofProjectsOrAll}`;

/** The actions that can be worked on now, best first. */
export async function readFrontier(
  connection: Connection,
  { projectKeys, agentId, limit }: FrontierView,
  now: number,
): Promise<Frontier> {
  const { sql } = connection;
  const projects = projectKeys === undefined ? null : JSON.stringify(projectKeys);
  const held = await holders(connection);
  const heldByOthers = [...held].filter(([, holder]) => holder !== agentId).map(([id]) => id);
  const taken = [...heldByOthers, ...(await activeButWaiting(sql))];
  const found = await sql.all<{ id: string; score: number; total: number }>(candidates, [
    projects,
    now,
    JSON.stringify(taken),
    limit,
  ]);
  const rows = await actionsByIds(
    connection,
    found.map(({ id }) => id),
  );
  const scores = new Map(found.map(({ id, score }) => [id, score]));
  const [count] = await sql.all<{ total: number }>(unfinished, [projects]);
  return {
    frontier: rows.map((row) => ({
      action: actionRecord(row),
      // Rounded, so that the score does not change with every millisecond of age.
      score: roundTo(scores.get(row.id) ?? 0, 4),
      blockers: [],
      leased: held.has(row.id),
    })),
    totalActions: count?.total ?? 0,
    totalUnblocked: found[0]?.total ?? 0,
  };
}

/** Active actions with unmet gates, which were added after the work began. (Pending actions have none.) */
async function activeButWaiting(sql: Sql): Promise<string[]> {
  const active = await firstColumn(sql, "SELECT id FROM actions WHERE status = 'active'");
  const unmet = await unmetGates(sql, active);
  return [...unmet.keys()];
}
