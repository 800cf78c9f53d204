import { desc, eq } from "drizzle-orm";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { timeText } from "../../operation/fields.ts";
import type { Transaction } from "../../store/store.ts";
import { quoteWord } from "../../text/quote-word.ts";
import { actionById } from "../actions/find-actions.ts";
import { unmetGates } from "../actions/gates.ts";
import { type Action, type ActionRow, actionRecord, isFinished } from "../actions/record.ts";
import { waitsFor } from "../actions/update.ts";
import { completeWork, releaseWork, startWork } from "../actions/working-state.ts";
import type { Clockwork } from "../clockwork.ts";
import { endLease, heldByAnother, leaseOn, releaseAsHolder } from "./lease-holders.ts";
import { type Lease, type LeaseRow, leaseRecord, longestLeaseMs } from "./record.ts";
import { leases } from "./tables.ts";

interface Claim {
  readonly actionId: string;
  readonly agentId: string;
}

interface TimedClaim extends Claim {
  /** At most an hour. */
  readonly ttlMs: number;
}

interface Acquired {
  readonly lease: Lease;
  readonly renewed: false;
  readonly message?: string;
}

interface Released {
  readonly released: true;
  readonly action: Action;
  readonly unblocked: string[];
}

interface Services {
  readonly audit: Audit;
  readonly clockwork: Clockwork;
}

/** Leases: the right of one agent at a time to work on an action, for a limited time. */
export class Leases {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * Takes a lease on an action. Errors: not_found; conflict, with `heldBy` and `expiresAt`, with `status`,
   * with `blockers`, or with `sketchId`.
   */
  async acquire({ actionId, agentId, ttlMs }: TimedClaim): Promise<Acquired> {
    return this.#services.clockwork.write(async (tx) => {
      const action = await actionById(tx, actionId);
      const held = await leaseOn(tx, actionId);
      if (held !== undefined && held.agentId !== agentId) throw heldByAnother(held, takeAnother(agentId));
      if (held !== undefined) return this.#again(tx, action, held);
      await refuseUnfit(tx, action);
      await startWork(tx, this.#ground, actionId, agentId);
      const now = this.#ground.now();
      const lease: LeaseRow = {
        id: this.#ground.newId("lease"),
        actionId,
        agentId,
        acquiredAt: now,
        expiresAt: now + ttlMs,
        renewedAt: null,
        status: "active",
      };
      await tx.orm.insert(leases).values(lease);
      await this.#note(tx, "acquire", lease, { ttlMs });
      return { lease: leaseRecord(lease), renewed: false };
    });
  }

  /**
   * The lease of an agent that holds the action already stays as it is; an action that an update had set back
   * to pending becomes active again.
   */
  async #again(tx: Transaction, { id, status }: ActionRow, held: LeaseRow): Promise<Acquired> {
    if (status === "pending") {
      await startWork(tx, this.#ground, id, held.agentId);
      await this.#note(tx, "acquire", held, { again: true });
    }
    const until = timeText(held.expiresAt);
    const message = `${held.agentId} holds it already, until ${until}; renew it to keep it longer`;
    return { lease: leaseRecord(held), renewed: false, message };
  }

  /**
   * Gives an action back: done if there is a result, else free for the next agent. Errors: not_found;
   * conflict, with `heldBy` and `expiresAt`.
   */
  async release({
    actionId,
    agentId,
    result,
  }: Claim & { readonly result?: string | undefined }): Promise<Released> {
    return this.#services.clockwork.write(async (tx) => {
      const held = await leaseOn(tx, actionId);
      if (held === undefined) throw notHeld(await actionById(tx, actionId));
      if (held.agentId !== agentId) throw heldByAnother(held, releaseAsHolder(held));
      await endLease(tx, actionId);
      let unblocked: string[] = [];
      // Programs that fill in every field send an empty text for what they do not have.
      const finished = result !== undefined && result.trim() !== "";
      if (finished) unblocked = await completeWork(tx, this.#ground, actionId, result);
      else await releaseWork(tx, this.#ground, [actionId]);
      await this.#note(tx, "release", held, { finished, unblocked });
      return { released: true, action: actionRecord(await actionById(tx, actionId)), unblocked };
    });
  }

  /**
   * Extends a lease. Errors: not_found; conflict, with `heldBy` and `expiresAt`, also when the lease has
   * expired.
   */
  async renew({ actionId, agentId, ttlMs }: TimedClaim): Promise<{ lease: Lease; renewed: true }> {
    return this.#services.clockwork.write(async (tx) => {
      const held = (await leaseOn(tx, actionId)) ?? (await this.#expired(tx, actionId));
      if (held === undefined) throw notHeld(await actionById(tx, actionId));
      if (held.status === "expired") throw hasExpired(held, agentId);
      if (held.agentId !== agentId) throw heldByAnother(held, takeAnother(agentId));
      const now = this.#ground.now();
      const expiresAt = Math.min(held.expiresAt + ttlMs, now + longestLeaseMs);
      const lease = { ...held, expiresAt, renewedAt: now };
      await tx.orm.update(leases).set(lease).where(eq(leases.id, held.id));
      await this.#note(tx, "renew", lease, { ttlMs });
      return { lease: leaseRecord(lease), renewed: true };
    });
  }

  /** The last lease on an action that nobody holds, if that lease expired rather than being released. */
  async #expired({ orm }: Transaction, actionId: string): Promise<LeaseRow | undefined> {
    const [row] = await orm
      .select()
      .from(leases)
      .where(eq(leases.actionId, actionId))
      .orderBy(desc(leases.acquiredAt), desc(leases.id))
      .limit(1);
    return row?.status === "expired" ? row : undefined;
  }

  async #note(
    tx: Transaction,
    deed: "acquire" | "release" | "renew",
    { id, actionId, agentId }: LeaseRow,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.#services.audit.record(tx, {
      operation: `lease_${deed}`,
      functionId: `lease.${deed}`,
      targetIds: [id, actionId],
      details: { agentId, ...details },
      agentId,
    });
  }
}

async function refuseUnfit(tx: Transaction, action: ActionRow): Promise<void> {
  const { id, status, sketchId } = action;
  if (sketchId !== null) {
    throw new MemsvcError("conflict", `action ${id} is part of sketch ${sketchId}, which is not promoted`, {
      hint: `promote the sketch first: memsvc sketch promote ${sketchId}`,
      extra: { sketchId },
    });
  }
  if (isFinished(action) || (status === "blocked" && action.blockReason === "manual")) {
    throw new MemsvcError("conflict", `action ${id} is ${status}, so nobody can take it`, {
      hint: `reopen it first: memsvc action update ${id} --status pending`,
      extra: { status },
    });
  }
  const blockers = (await unmetGates(tx.sql, [id])).get(id);
  if (blockers !== undefined) throw waitsFor(id, blockers);
}

function takeAnother(asking: string): string {
  return `take another one: memsvc next --agent-id ${quoteWord(asking)}`;
}

function notHeld(action: ActionRow): MemsvcError {
  const { id, status } = action;
  if (isFinished(action)) {
    return new MemsvcError("not_found", `nobody holds action ${id}: it is ${status}`, {
      hint: `see its result: memsvc action show ${id}`,
    });
  }
  return new MemsvcError("not_found", `nobody holds action ${id}`, {
    hint: `take it first: memsvc lease acquire ${id} --agent-id <who>`,
  });
}

function hasExpired({ actionId, agentId, expiresAt }: LeaseRow, asking: string): MemsvcError {
  return new MemsvcError("conflict", `the lease of ${agentId} on action ${actionId} has expired`, {
    hint: `take it${asking === agentId ? " again" : ""}: memsvc lease acquire ${actionId} --agent-id ${quoteWord(asking)}`,
    extra: { heldBy: agentId, expiresAt: timeText(expiresAt) },
  });
}
