import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import type { Projects } from "../../capture/projects/projects.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { changedAt } from "../../store/changed-at.ts";
import type { Transaction } from "../../store/store.ts";
import { redactObject, redactTags, redactText } from "../../text/redaction/redact.ts";
import { endLease, heldByAnother, leaseOn, releaseAsHolder } from "../leases/lease-holders.ts";
import { actionById } from "./find-actions.ts";
import { reevaluateDependents, unmetGates } from "./gates.ts";
import { mergedMetadata } from "./metadata.ts";
import { type ActionRow, type ActionStatus, type Blocker, isFinished } from "./record.ts";
import { actions } from "./tables.ts";

export interface ActionUpdate {
  readonly actionId: string;
  readonly status?: ActionStatus | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly priority?: number | undefined;
  /** `null` removes the assignment. */
  readonly assignedTo?: string | null | undefined;
  readonly result?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Merged by key into the stored metadata. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly project?: string | undefined;
}

interface UpdatedAction {
  readonly action: ActionRow;
  /** Actions that waited for this one alone. */
  readonly unblocked: string[];
  readonly changed: boolean;
}

/**
 * Updates an action inside the caller's transaction, and accordingly its lease and the actions that depend on
 * it. Errors: not_found; conflict, with `blockers` or with `heldBy` and `expiresAt`; invalid_input.
 */
export async function updateAction(
  tx: Transaction,
  ground: Ground,
  projects: Projects,
  update: ActionUpdate,
): Promise<UpdatedAction> {
  const before = await actionById(tx, update.actionId);
  const after: ActionRow = {
    ...before,
    ...givenTexts(update),
    ...(update.priority === undefined ? {} : { priority: update.priority }),
    ...(update.assignedTo === undefined ? {} : { assignedTo: update.assignedTo }),
    ...(update.metadata === undefined
      ? {}
      : { metadata: mergedMetadata(before.metadata, redactObject(update.metadata)) }),
    ...(update.project === undefined ? {} : await projects.fieldsOf(tx.sql, update.project)),
  };
  if (update.status !== undefined)
    Object.assign(after, await statusFields(tx, after, update.status, ground.now()));
  if (update.status !== undefined || update.assignedTo !== undefined) await refuseHeld(tx, after);
  if (isDeepStrictEqual(after, before)) return { action: before, unblocked: [], changed: false };
  const action = { ...after, updatedAt: changedAt(ground.now(), before.updatedAt) };
  await tx.orm.update(actions).set(action).where(eq(actions.id, action.id));
  if (isFinished(action)) await endLease(tx, action.id);
  const { unblocked } =
    isFinished(action) === isFinished(before)
      ? { unblocked: [] }
      : await reevaluateDependents(tx, ground, [action.id]);
  return { action, unblocked, changed: true };
}

/**
 * Refuses an update after which the action would be active but assigned to another agent than the holder of
 * its lease.
 */
async function refuseHeld(
  tx: Transaction,
  { id, status, assignedTo }: Pick<ActionRow, "id" | "status" | "assignedTo">,
): Promise<void> {
  if (status !== "active") return;
  const lease = await leaseOn(tx, id);
  if (lease !== undefined && lease.agentId !== assignedTo) {
    throw heldByAnother(lease, releaseAsHolder(lease));
  }
}

export function waitsFor(actionId: string, blockers: readonly Blocker[]): MemsvcError {
  const names = blockers.slice(0, 3).map(({ kind, id }) => `${kind} ${id}`);
  return new MemsvcError("conflict", `action ${actionId} has to wait for ${names.join(", ")}`, {
    hint: `see what it waits for: memsvc action show ${actionId}`,
    extra: { blockers },
  });
}

function givenTexts({ title, description, result, tags }: ActionUpdate): Partial<ActionRow> {
  return {
    ...(title === undefined ? {} : { title: redactText(title) }),
    ...(description === undefined ? {} : { description: redactText(description) }),
    ...(result === undefined ? {} : { result: redactText(result) }),
    ...(tags === undefined ? {} : { tags: redactTags(tags) }),
  };
}

async function statusFields(
  tx: Transaction,
  action: ActionRow,
  status: ActionStatus,
  now: number,
): Promise<Partial<ActionRow>> {
  const unmet = (await unmetGates(tx.sql, [action.id])).get(action.id);
  switch (status) {
    case "active": {
      if (unmet !== undefined && action.status !== "active") throw waitsFor(action.id, unmet);
      return { status, blockReason: null, completedAt: null };
    }
    case "pending":
      return unmet === undefined
        ? { status, blockReason: null, completedAt: null }
        : { status: "blocked", blockReason: "edges", completedAt: null };
    case "blocked":
      return { status, blockReason: "manual", completedAt: null };
    default: {
      const isSo = action.status === status && action.completedAt !== null;
      return { status, blockReason: null, ...(isSo ? {} : { completedAt: now }) };
    }
  }
}
