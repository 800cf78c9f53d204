import { and, eq, or, sql as text } from "drizzle-orm";
import type { DeletedRow } from "../../governance/retention/tombstones.ts";
import type { Ground } from "../../ground.ts";
import type { Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { redactObject } from "../../text/redaction/redact.ts";
import type { EdgeRow, EdgeType } from "./record.ts";
import { actionEdges } from "./tables.ts";

export interface NewEdge {
  readonly type: EdgeType;
  readonly sourceActionId: string;
  readonly targetActionId: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Stores edges between records that are known to exist. Returns all of them, `isNew` false for those that
 * existed before. The caller has to re-evaluate the gates of the source actions.
 */
export async function addEdges(
  tx: Transaction,
  { now, newId }: Pick<Ground, "now" | "newId">,
  edges: readonly NewEdge[],
): Promise<(EdgeRow & { isNew: boolean })[]> {
  const added: (EdgeRow & { isNew: boolean })[] = [];
  for (const { type, sourceActionId, targetActionId, metadata } of edges) {
    const known = await sameEdge(tx, { type, sourceActionId, targetActionId });
    if (known !== undefined) {
      if (!added.some(({ id }) => id === known.id)) added.push({ ...known, isNew: false });
      continue;
    }
    const row: EdgeRow = {
      id: newId("actionEdge"),
      type,
      sourceActionId,
      targetActionId,
      metadata: metadata === undefined ? null : redactObject(metadata),
      createdAt: now(),
    };
    await tx.orm.insert(actionEdges).values(row);
    added.push({ ...row, isNew: true });
  }
  return added;
}

/** Finds the stored edge that equals a new one. A conflict is symmetric, so either direction counts. */
async function sameEdge(
  { orm }: Transaction,
  { type, sourceActionId, targetActionId }: NewEdge,
): Promise<EdgeRow | undefined> {
  const between = (source: string, target: string) =>
    and(
      eq(actionEdges.sourceActionId, source),
      eq(actionEdges.type, type),
      eq(actionEdges.targetActionId, target),
    );
  const forth = between(sourceActionId, targetActionId);
  const where = type === "conflicts_with" ? or(forth, between(targetActionId, sourceActionId)) : forth;
  const [row] = await orm.select().from(actionEdges).where(where).limit(1);
  return row;
}

/** All edges from or to an action, oldest first. */
export async function edgesOf({ orm }: Pick<Transaction, "orm">, actionId: string): Promise<EdgeRow[]> {
  return orm
    .select()
    .from(actionEdges)
    .where(or(eq(actionEdges.sourceActionId, actionId), eq(actionEdges.targetActionId, actionId)))
    .orderBy(actionEdges.createdAt, actionEdges.id);
}

/**
 * The cycle that a `requires` edge would close: the ids from its source through its target back to the
 * source, which is not repeated. Undefined when it closes none.
 */
export async function cycleThrough(
  sql: Sql,
  { sourceActionId, targetActionId }: Pick<NewEdge, "sourceActionId" | "targetActionId">,
): Promise<string[] | undefined> {
  const cameFrom = new Map<string, string>([[targetActionId, sourceActionId]]);
  let reached = [targetActionId];
  while (reached.length > 0) {
    const steps = await sql.all<{ source: string; target: string }>(
      `SELECT source_action_id AS source, target_action_id AS target FROM action_edges
       WHERE type = 'requires' AND source_action_id IN (SELECT value FROM json_each(?)) ORDER BY created_at, id`,
      [JSON.stringify(reached)],
    );
    reached = [];
    for (const { source, target } of steps) {
      if (target === sourceActionId) return pathTo(source, sourceActionId, cameFrom);
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, source);
      reached.push(target);
    }
  }
  return undefined;
}

function pathTo(last: string, first: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path: string[] = [];
  for (let at: string | undefined = last; at !== undefined && at !== first; at = cameFrom.get(at))
    path.unshift(at);
  return [first, ...path];
}

export async function deleteEdges(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.sql.run("DELETE FROM action_edges WHERE id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(ids),
  ]);
}

/**
 * Deletes every edge from or to these actions, whose rows must still exist. Returns the edges with their
 * projects.
 */
export async function deleteEdgesOf(tx: Transaction, actionIds: readonly string[]): Promise<DeletedRow[]> {
  const among = text`(SELECT value FROM json_each(${JSON.stringify(actionIds)}))`;
  return tx.orm
    .delete(actionEdges)
    .where(text`${actionEdges.sourceActionId} IN ${among} OR ${actionEdges.targetActionId} IN ${among}`)
    .returning({
      id: actionEdges.id,
      updatedAt: actionEdges.createdAt,
      projectKey: text<
        string | null
      >`(SELECT project_key FROM actions WHERE id = ${actionEdges.sourceActionId})`,
    });
}
