import { and, eq } from "drizzle-orm";
import type { AskedBy, Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { timeAfter } from "../../operation/fields.ts";
import { newestFirst, type Paged, type Paging, pageOf } from "../../store/page.ts";
import { redactText, redactValue } from "../../text/redaction/redact.ts";
import { gateActions, withActionCounts } from "../actions/gates.ts";
import type { Clockwork } from "../clockwork.ts";
import { endGate } from "../end-gate.ts";
import { checkpointFamily } from "./gate.ts";
import {
  type Checkpoint,
  type CheckpointRow,
  type CheckpointStatus,
  type CheckpointType,
  checkpointRecord,
  type ListedCheckpoint,
} from "./record.ts";
import { checkpoints } from "./tables.ts";

interface CreateInput {
  readonly name: string;
  readonly description?: string | undefined;
  readonly type: CheckpointType;
  readonly linkedActionIds: readonly string[];
  readonly expiresInMs?: number | undefined;
}

interface ResolveInput {
  readonly checkpointId: string;
  readonly status: "passed" | "failed";
  readonly resolvedBy?: string | undefined;
  readonly result?: unknown;
}

interface ListInput extends Paging {
  readonly status?: CheckpointStatus | undefined;
  readonly type?: CheckpointType | undefined;
}

interface Services {
  readonly audit: Audit;
  readonly clockwork: Clockwork;
}

/**
 * Conditions that actions wait for and that are not actions themselves: a build, an approval, a deployment, a
 * time.
 */
export class Checkpoints {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Error: not_found, with the unknown ids of linked actions. */
  async create(input: CreateInput, by: AskedBy): Promise<{ checkpoint: Checkpoint; blocked: string[] }> {
    return this.#services.clockwork.write(async (tx) => {
      const now = this.#ground.now();
      const row: CheckpointRow = {
        id: this.#ground.newId("checkpoint"),
        name: redactText(input.name),
        description: redactText(input.description ?? ""),
        status: "pending",
        type: input.type,
        linkedActionIds: [...new Set(input.linkedActionIds)],
        createdAt: now,
        updatedAt: now,
        resolvedAt: null,
        resolvedBy: null,
        result: null,
        expiresAt: input.expiresInMs === undefined ? null : timeAfter(now, input.expiresInMs),
      };
      await tx.orm.insert(checkpoints).values(row);
      const blocked = await gateActions(tx, this.#ground, row.id, row.linkedActionIds);
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: "checkpoint_create",
        functionId: "checkpoint.create",
        targetIds: [row.id, ...row.linkedActionIds],
        details: { type: row.type, blocked: blocked.length },
      });
      return { checkpoint: checkpointRecord(row), blocked };
    });
  }

  /** Decides a checkpoint for good. Errors: not_found; conflict when it has been decided before. */
  async resolve(input: ResolveInput, by: AskedBy): Promise<{ checkpoint: Checkpoint; unblocked: string[] }> {
    return this.#services.clockwork.write(async (tx) => {
      const now = this.#ground.now();
      const { ended, unblocked } = await endGate(
        tx,
        this.#ground,
        checkpointFamily,
        input.checkpointId,
        (before) => {
          if (before.status === "passed" || before.status === "failed") throw resolvedBefore(before);
          return {
            ...before,
            status: input.status,
            updatedAt: now,
            resolvedAt: now,
            resolvedBy: input.resolvedBy ?? null,
            result: redactValue(input.result) ?? null,
          };
        },
      );
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: "checkpoint_resolve",
        functionId: "checkpoint.resolve",
        targetIds: [ended.id, ...unblocked],
        details: { status: ended.status, unblocked: unblocked.length },
      });
      return { checkpoint: checkpointRecord(ended), unblocked };
    });
  }

  /** Newest first. */
  async list({ status, type, ...paging }: ListInput): Promise<{ checkpoints: ListedCheckpoint[] } & Paged> {
    await this.#services.clockwork.beforeRead();
    const { read } = this.#ground.store;
    const where = and(
      status === undefined ? undefined : eq(checkpoints.status, status),
      type === undefined ? undefined : eq(checkpoints.type, type),
    );
    const selection = { where, order: newestFirst(checkpoints) };
    const { rows, ...page } = await pageOf(read, checkpoints, selection, paging);
    return { checkpoints: await withActionCounts(read.sql, rows.map(checkpointRecord)), ...page };
  }
}

function resolvedBefore({ id, status, resolvedBy }: CheckpointRow): MemsvcError {
  const who = resolvedBy === null ? "" : ` by ${resolvedBy}`;
  return new MemsvcError("conflict", `checkpoint ${id} ${status} already${who}, and that is final`, {
    hint: "create another checkpoint for another decision: memsvc checkpoint create <name>",
    extra: { status },
  });
}
