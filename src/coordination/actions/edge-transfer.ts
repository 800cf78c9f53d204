import * as z from "zod";
import type { Writing } from "../../governance/transfer/collection.ts";
import { FileId, FileTime, RedactedObject } from "../../governance/transfer/file-fields.ts";
import { tableCollection } from "../../governance/transfer/table-collection.ts";
import { firstColumn, firstNumber } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { TableRows } from "../../store/table-rows.ts";
import { breakCycles } from "./break-cycles.ts";
import { deleteEdges, type NewEdge } from "./edges.ts";
import { knownGates, reevaluate, tellBlockReasons } from "./gates.ts";
import { knownActions } from "./known-actions.ts";
import { EdgeType, edgeRecord } from "./record.ts";
import { actionEdges } from "./tables.ts";

/**
 * What the store knows about a batch of edges, read at once for all of them: there may be tens of thousands.
 */
interface Surroundings {
  readonly actionIds: ReadonlySet<string>;
  /** The actions among them that are blocked by unmet gates. */
  readonly waitingIds: ReadonlySet<string>;
  readonly gateIds: ReadonlySet<string>;
  /** The id of the known edge between the same ends, from the store or from earlier in the batch. */
  readonly idOfEnds: Map<string, string>;
}

const name = "actionEdges";

/** Stored after the actions, checkpoints and sentinels that edges refer to. */
export const actionEdgeCollection = tableCollection({
  name,
  rows: new TableRows(actionEdges, { key: ["id"] }),
  schema: z.object({
    id: FileId,
    type: EdgeType,
    sourceActionId: FileId,
    targetActionId: FileId,
    metadata: RedactedObject.optional(),
    createdAt: FileTime,
  }),
  record: edgeRecord,
  rowOfBatch: async (edges, writing) => {
    const around = await readSurroundings(writing.tx, edges);
    return (given) => {
      const { type, sourceActionId, targetActionId } = given;
      const targets = type === "gated_by" ? around.gateIds : around.actionIds;
      const isKnown =
        targets.has(targetActionId) || (isGate(type) && mayWaitForUnknown(writing, around, given));
      if (!around.actionIds.has(sourceActionId) || !isKnown)
        return "an edge of an action that does not exist was left out";
      if (sourceActionId === targetActionId) return "an edge of an action to itself was left out";
      const ends = textOf(given);
      const known = around.idOfEnds.get(ends) ?? given.id;
      if (known !== given.id) return "an edge that is there under another id was left out";
      around.idOfEnds.set(ends, given.id);
      return { ...given, metadata: given.metadata ?? null };
    };
  },
  changedAt: ({ createdAt }) => createdAt,
  tombstones: {
    kind: "actionEdge",
    changed: (row, createdAt) => ({ ...row, createdAt }),
  },
  onWritten: async (rows, { requirements }) => {
    for (const { id, type } of rows) if (type === "requires") requirements.add(id);
  },
  settle: async (writing) => {
    await dropDangling(writing);
    if ((await breakCycles(writing.tx, writing.ground)).length > 0)
      writing.warn("actionEdges: what made actions wait for each other was left out");
    await settleGates(writing);
  },
  takenOut: ({ tx, requirements }) =>
    firstNumber(
      tx.sql,
      `SELECT count(*) FROM json_each(?)
       WHERE NOT EXISTS (SELECT 1 FROM action_edges WHERE id = json_each.value)`,
      [JSON.stringify([...requirements])],
    ),
});

function isGate(type: EdgeType): boolean {
  return type === "requires" || type === "gated_by";
}

/**
 * Whether an edge may lead to a gate that is unknown here. A peer may send an action that waits for something
 * only the peer knows. A file may hold such an edge from an earlier exchange: it is accepted if the action
 * waits both in the file and here.
 */
function mayWaitForUnknown(
  writing: Writing,
  { waitingIds }: Surroundings,
  { sourceActionId }: Pick<Ends, "sourceActionId">,
): boolean {
  if (writing.strategy === "newest") return true;
  return waitingIds.has(sourceActionId) && writing.waitingActions.has(sourceActionId);
}

type Ends = Omit<NewEdge, "metadata">;

function textOf({ sourceActionId, type, targetActionId }: Ends): string {
  return JSON.stringify([sourceActionId, type, targetActionId]);
}

async function readSurroundings(tx: Transaction, edges: readonly Ends[]): Promise<Surroundings> {
  const ids = edges.flatMap(({ sourceActionId, targetActionId }) => [sourceActionId, targetActionId]);
  const gateIds = edges.flatMap(({ type, targetActionId }) => (type === "gated_by" ? [targetActionId] : []));
  const stored = await tx.sql.all<Ends & { readonly id: string }>(
    `SELECT id, type, source_action_id AS sourceActionId, target_action_id AS targetActionId FROM action_edges
     WHERE (source_action_id, type, target_action_id) IN
       (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?))`,
    [`[${edges.map(textOf).join(",")}]`],
  );
  const waiting = await firstColumn(
    tx.sql,
    `SELECT id FROM actions WHERE status = 'blocked' AND block_reason = 'edges'
       AND id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ids)],
  );
  return {
    actionIds: await knownActions(tx.sql, ids),
    waitingIds: new Set(waiting),
    gateIds: new Set((await knownGates(tx.sql, gateIds)).keys()),
    idOfEnds: new Map(stored.map((edge) => [textOf(edge), edge.id])),
  };
}

/** An import that replaces only the actions, or only their gates, may leave edges of deleted ones. */
async function dropDangling({ tx, warn, strategy, cleared }: Writing): Promise<void> {
  if (strategy !== "replace" || cleared.has(name)) return;
  const loose = await firstColumn(
    tx.sql,
    `SELECT id FROM action_edges AS e
     WHERE NOT EXISTS (SELECT 1 FROM actions WHERE id = e.source_action_id)
       OR (type <> 'gated_by' AND NOT EXISTS (SELECT 1 FROM actions WHERE id = e.target_action_id))`,
  );
  const gated = await tx.sql.all<{ id: string; gateId: string }>(
    "SELECT id, target_action_id AS gateId FROM action_edges WHERE type = 'gated_by'",
  );
  const gates = await knownGates(
    tx.sql,
    gated.map(({ gateId }) => gateId),
  );
  const gone = [...loose, ...gated.filter(({ gateId }) => !gates.has(gateId)).map(({ id }) => id)];
  if (gone.length === 0) return;
  await deleteEdges(tx, gone);
  warn("actionEdges: those of records that are gone were dropped");
}

/** Re-evaluates all open actions: their gates may have been added, removed or changed by the file. */
async function settleGates({ tx, ground }: Writing): Promise<void> {
  await tellBlockReasons(tx);
  const waiting = await firstColumn(tx.sql, "SELECT id FROM actions WHERE status IN ('pending', 'blocked')");
  await reevaluate(tx, ground, waiting);
}
