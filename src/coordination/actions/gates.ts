import type { Ground } from "../../ground.ts";
import { groupPairs } from "../../group-by.ts";
import { changedAtSql } from "../../store/changed-at.ts";
import { isIdOf } from "../../store/ids.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { addEdges } from "./edges.ts";
import { gateFamilies } from "./gate-families.ts";
import { knownActions, unknownActions } from "./known-actions.ts";
import type { Blocker } from "./record.ts";

/*
 * Gates are what must be met before an action may begin: the actions it requires are finished, and the
 * checkpoints and sentinels that gate it are open. An action with unmet gates is blocked. That status is
 * stored, so whoever opens or shuts a gate re-evaluates the actions in the same transaction.
 *
 * An edge that a peer sent may lead to a gate that only the peer knows: a checkpoint, or an action that is
 * not exchanged. Such a gate keeps an action blocked that arrived as blocked, until the peer says otherwise;
 * it does not hold up an action that is pending or active.
 */

/** A checkpoint or sentinel: the target of `gated_by` edges. */
interface Gate extends Blocker {
  readonly isOpen: boolean;
}

/** The actions whose status was changed by a re-evaluation. */
interface Reevaluated {
  readonly unblocked: string[];
  readonly blocked: string[];
}

/** The status of a gate that only a peer knows. */
const unknownStatus = "unknown";

/**
 * SQL condition: the action `a` is neither pending nor active, so a gate that only a peer knows counts as
 * unmet.
 */
const isHeldUpElsewhere = "a.status NOT IN ('pending', 'active')";

/** The unmet gates of actions, by action id; actions without any are left out. */
export async function unmetGates(sql: Sql, actionIds: readonly string[]): Promise<Map<string, Blocker[]>> {
  const ids = JSON.stringify(actionIds);
  const required = await sql.all<{ source: string; id: string; title: string; status: string }>(
    `SELECT a.id AS source, e.target_action_id AS id, coalesce(t.title, e.target_action_id) AS title,
       coalesce(t.status, '${unknownStatus}') AS status
     FROM action_edges e JOIN actions a ON a.id = e.source_action_id
       LEFT JOIN actions t ON t.id = e.target_action_id
     WHERE e.type = 'requires' AND e.source_action_id IN (SELECT value FROM json_each(?))
       AND CASE WHEN t.id IS NULL THEN ${isHeldUpElsewhere} ELSE t.status NOT IN ('done', 'cancelled') END
     ORDER BY e.created_at, e.id`,
    [ids],
  );
  const gated = await sql.all<{ source: string; gateId: string; holdsUnknown: 0 | 1 }>(
    `SELECT a.id AS source, e.target_action_id AS gateId, ${isHeldUpElsewhere} AS holdsUnknown
     FROM action_edges e JOIN actions a ON a.id = e.source_action_id
     WHERE e.type = 'gated_by' AND e.source_action_id IN (SELECT value FROM json_each(?))
     ORDER BY e.created_at, e.id`,
    [ids],
  );
  const gates = await knownGates(
    sql,
    gated.map(({ gateId }) => gateId),
  );
  const unmet = required.map(({ source, ...action }): [string, Blocker] => [
    source,
    { kind: "action", ...action },
  ]);
  for (const { source, gateId, holdsUnknown } of gated) {
    const gate = gates.get(gateId);
    if (gate === undefined ? holdsUnknown === 0 : gate.isOpen) continue;
    const { kind, title, status } = gate ?? unknownGate(gateId);
    unmet.push([source, { kind, id: gateId, title, status }]);
  }
  return groupPairs(unmet);
}

function unknownGate(id: string): Omit<Blocker, "id"> {
  return {
    kind: isIdOf("sentinel", id) ? "sentinel" : "checkpoint",
    title: id,
    status: unknownStatus,
  };
}

/** Checkpoints and sentinels by id; unknown ids are left out. */
export async function knownGates(sql: Sql, ids: readonly string[]): Promise<Map<string, Gate>> {
  const gates = new Map<string, Gate>();
  if (ids.length === 0) return gates;
  for (const { kind, openWhen } of gateFamilies) {
    const rows = await sql.all<Pick<Gate, "id" | "title" | "status">>(
      `SELECT id, name AS title, status FROM ${kind}s WHERE id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify([...new Set(ids)])],
    );
    for (const row of rows) gates.set(row.id, { ...row, kind, isOpen: openWhen.includes(row.status) });
  }
  return gates;
}

/**
 * Blocks the pending actions that have unmet gates, and frees the actions that were blocked only by gates
 * that are met now.
 */
export async function reevaluate(
  tx: Transaction,
  { now }: Pick<Ground, "now">,
  actionIds: readonly string[],
): Promise<Reevaluated> {
  const candidates = await tx.sql.all<{ id: string; status: string }>(
    `SELECT id, status FROM actions WHERE id IN (SELECT value FROM json_each(?))
       AND (status = 'pending' OR (status = 'blocked' AND block_reason = 'edges')) ORDER BY id`,
    [JSON.stringify(actionIds)],
  );
  const unmet = await unmetGates(
    tx.sql,
    candidates.map(({ id }) => id),
  );
  const waiting = (status: string) => candidates.filter((one) => one.status === status).map(({ id }) => id);
  const blocked = waiting("pending").filter((id) => unmet.has(id));
  const unblocked = waiting("blocked").filter((id) => !unmet.has(id));
  await setStatus(tx, blocked, "blocked", now());
  await setStatus(tx, unblocked, "pending", now());
  return { blocked, unblocked };
}

/**
 * Says of the actions that are blocked for no stated reason whether their gates block them. Those without an
 * unmet gate stay blocked until an update.
 */
export async function tellBlockReasons({ sql }: Transaction): Promise<void> {
  const untold = "status = 'blocked' AND block_reason IS NULL";
  const unmet = await unmetGates(sql, await firstColumn(sql, `SELECT id FROM actions WHERE ${untold}`));
  await sql.run(
    `UPDATE actions SET block_reason =
       CASE WHEN id IN (SELECT value FROM json_each(?)) THEN 'edges' ELSE 'manual' END WHERE ${untold}`,
    [JSON.stringify([...unmet.keys()])],
  );
}

/**
 * Re-evaluates the actions that depend on these actions, checkpoints or sentinels. Has to be called in the
 * transaction that changed their status or deleted them.
 */
export async function reevaluateDependents(
  tx: Transaction,
  ground: Pick<Ground, "now">,
  targetIds: readonly string[],
): Promise<Reevaluated> {
  return reevaluate(tx, ground, await dependentsOf(tx.sql, targetIds));
}

/** The actions that have one of these ids as a gate. */
export async function dependentsOf(sql: Sql, targetIds: readonly string[]): Promise<string[]> {
  if (targetIds.length === 0) return [];
  return firstColumn(
    sql,
    `SELECT DISTINCT source_action_id AS id FROM action_edges
     WHERE target_action_id IN (SELECT value FROM json_each(?)) AND type IN ('requires', 'gated_by')`,
    [JSON.stringify(targetIds)],
  );
}

/** Gates, each with the number of actions that it gates. */
export async function withActionCounts<Gate extends { readonly id: string }>(
  sql: Sql,
  gates: readonly Gate[],
): Promise<(Gate & { readonly actionCount: number })[]> {
  const rows = await sql.all<{ id: string; actions: number }>(
    `SELECT target_action_id AS id, count(*) AS actions FROM action_edges
     WHERE target_action_id IN (SELECT value FROM json_each(?)) AND type = 'gated_by' GROUP BY target_action_id`,
    [JSON.stringify(gates.map(({ id }) => id))],
  );
  const counts = new Map(rows.map(({ id, actions }) => [id, actions]));
  return gates.map((gate) => ({ ...gate, actionCount: counts.get(gate.id) ?? 0 }));
}

/**
 * Gates actions by a checkpoint or a sentinel. Returns the actions that this blocked. Error: not_found, with
 * the unknown ids.
 */
export async function gateActions(
  tx: Transaction,
  ground: Pick<Ground, "now" | "newId">,
  gateId: string,
  actionIds: readonly string[],
): Promise<string[]> {
  if (actionIds.length === 0) return [];
  const known = await knownActions(tx.sql, actionIds);
  const notFound = [...new Set(actionIds)].filter((id) => !known.has(id));
  if (notFound.length > 0) throw unknownActions(notFound);
  const edges = actionIds.map((id) => ({
    type: "gated_by" as const,
    sourceActionId: id,
    targetActionId: gateId,
  }));
  await addEdges(tx, ground, edges);
  return (await reevaluate(tx, ground, actionIds)).blocked;
}

async function setStatus(
  tx: Transaction,
  ids: readonly string[],
  status: "pending" | "blocked",
  now: number,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.sql.run(
    `UPDATE actions SET status = ?1, block_reason = ?2, updated_at = ${changedAtSql("?3")}
     WHERE id IN (SELECT value FROM json_each(?4))`,
    [status, status === "blocked" ? "edges" : null, now, JSON.stringify(ids)],
  );
}
