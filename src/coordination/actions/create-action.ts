import type { Projects } from "../../capture/projects/projects.ts";
import type { Ground } from "../../ground.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import { redactObject, redactTags, redactText } from "../../text/redaction/redact.ts";
import { addEdges, type NewEdge } from "./edges.ts";
import { actionById } from "./find-actions.ts";
import { knownGates, reevaluate } from "./gates.ts";
import { knownActions, unknownActions } from "./known-actions.ts";
import { type ActionRow, type EdgeRow, usualPriority } from "./record.ts";
import { actions } from "./tables.ts";

/** An action to be created, by a request or by another family in its own transaction. */
export interface NewAction {
  readonly title: string;
  readonly description?: string | undefined;
  /** 1 to 10; the default is 5. */
  readonly priority?: number | undefined;
  readonly createdBy?: string | undefined;
  readonly assignedTo?: string | undefined;
  readonly project?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly parentId?: string | undefined;
  readonly sketchId?: string | undefined;
  /** Edges from the new action to these targets. */
  readonly edges?: readonly Omit<NewEdge, "sourceActionId">[] | undefined;
  readonly sourceObservationIds?: readonly string[] | undefined;
  readonly sourceMemoryIds?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Creates an action with its edges inside the caller's transaction, which also writes the audit entry. The
 * action starts as blocked if one of its gates is unmet. Error: not_found, with the unknown ids of the parent
 * or of targets.
 */
export async function createAction(
  tx: Transaction,
  ground: Ground,
  projects: Projects,
  given: NewAction,
): Promise<{ action: ActionRow; edges: EdgeRow[] }> {
  const { parentId, metadata, edges = [] } = given;
  await refuseUnknown(tx, { actionIds: parentId === undefined ? [] : [parentId], edges });
  const now = ground.now();
  const row: ActionRow = {
    id: ground.newId("action"),
    title: redactText(given.title),
    description: redactText(given.description ?? ""),
    status: "pending",
    blockReason: null,
    priority: given.priority ?? usualPriority,
    createdBy: given.createdBy ?? null,
    assignedTo: given.assignedTo ?? null,
    ...(await projects.fieldsOf(tx.sql, given.project)),
    tags: redactTags(given.tags ?? []),
    sourceObservationIds: [...new Set(given.sourceObservationIds)],
    sourceMemoryIds: [...new Set(given.sourceMemoryIds)],
    result: null,
    parentId: parentId ?? null,
    metadata: metadata === undefined ? null : redactObject(metadata),
    sketchId: given.sketchId ?? null,
    crystallizedInto: null,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
  };
  await tx.orm.insert(actions).values(row);
  if (edges.length === 0) return { action: row, edges: [] };
  const added = await addEdges(
    tx,
    ground,
    edges.map((edge) => ({ ...edge, sourceActionId: row.id })),
  );
  await reevaluate(tx, ground, [row.id]);
  return { action: await actionById(tx, row.id), edges: added.map(({ isNew: _isNew, ...edge }) => edge) };
}

/**
 * Error: not_found, with the ids that are neither actions nor (for `gated_by` edges) checkpoints or
 * sentinels.
 */
export async function refuseUnknown(
  { sql }: Pick<Connection, "sql">,
  {
    actionIds,
    edges,
  }: {
    readonly actionIds: readonly string[];
    readonly edges: readonly Pick<NewEdge, "type" | "targetActionId">[];
  },
): Promise<void> {
  const targets = (isGate: boolean) =>
    edges.filter(({ type }) => (type === "gated_by") === isGate).map(({ targetActionId }) => targetActionId);
  const asked = [...new Set([...actionIds, ...targets(false)])];
  const gateIds = [...new Set(targets(true))];
  const actions = await knownActions(sql, asked);
  const gates = await knownGates(sql, gateIds);
  const unknown = asked.filter((id) => !actions.has(id));
  const unknownGates = gateIds.filter((id) => !gates.has(id));
  if (unknown.length + unknownGates.length > 0) throw unknownActions(unknown, unknownGates);
}
