import { writeTombstones } from "../../governance/retention/tombstones.ts";
import type { Ground } from "../../ground.ts";
import type { Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { cycleClosing } from "./cycle-closing.ts";
import { deleteEdges } from "./edges.ts";

/*
 * A request that would close a cycle of requirements is refused, but two stores may each have accepted one of
 * the edges of a cycle. When the stores meet, the edge that was made last is deleted, so that all of them end
 * with the same edges.
 */

/** An edge of the type `requires`. */
interface Requirement {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly createdAt: number;
  readonly projectKey: string | null;
}

/**
 * Deletes the requirements that close a cycle: those reachable from `actionIds`, or without it all. Returns
 * the source actions of the deleted edges; the caller has to re-evaluate their gates.
 */
export async function breakCycles(
  tx: Transaction,
  { now }: Pick<Ground, "now">,
  actionIds?: readonly string[],
): Promise<string[]> {
  const closing = cycleClosing(await requirementsFrom(tx.sql, actionIds));
  if (closing.length === 0) return [];
  await deleteEdges(
    tx,
    closing.map(({ id }) => id),
  );
  const buried = closing.map(({ id, createdAt, projectKey }) => ({ id, updatedAt: createdAt, projectKey }));
  await writeTombstones(tx.sql, "actionEdge", buried, now());
  return closing.map(({ source }) => source);
}

/**
 * The requirements of these actions and, transitively, of the actions they require; without ids those of all
 * actions. Ordered by creation.
 */
function requirementsFrom(sql: Sql, actionIds: readonly string[] | undefined): Promise<Requirement[]> {
  const among = actionIds === undefined ? "" : "AND e.source_action_id IN (SELECT id FROM reached)";
  return sql.all<Requirement>(
    `WITH RECURSIVE reached (id) AS (SELECT value FROM json_each(?1)
       UNION SELECT target_action_id FROM action_edges JOIN reached ON source_action_id = reached.id AND type = 'requires')
     SELECT e.id, e.source_action_id AS source, e.target_action_id AS target, e.created_at AS createdAt,
       (SELECT project_key FROM actions WHERE id = e.source_action_id) AS projectKey
     FROM action_edges AS e WHERE e.type = 'requires' ${among} ORDER BY e.created_at, e.id`,
    [JSON.stringify(actionIds ?? [])],
  );
}
