import { writeTombstones } from "../../governance/retention/tombstones.ts";
import type { Ground } from "../../ground.ts";
import type { Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { cycleClosing } from "./cycle-closing.ts";
import { deleteEdges } from "./edges.ts";

/*
 * No request may make actions wait for each other, but two stores may each have taken one of the edges that do so
 * together. The one that was made last goes, so that all stores that have both come to keep the same.
 */

/** That an action requires another. */
interface Requirement {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly createdAt: number;
  readonly projectKey: string | null;
}

/**
 * Drops what closes a cycle of requirements, in cycles through these actions or in all. Returns the actions that
 * required something so; their gates are the caller's to re-evaluate.
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

/** What these actions require, and what that requires in turn; of all actions without ids. In the order of their making. */
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
