import { and, desc, eq } from "drizzle-orm";
import type { Projects } from "../../capture/projects/projects.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { timeAfter } from "../../operation/fields.ts";
import type { Metrics } from "../../operation/metrics.ts";
import { type Paged, pageOf } from "../../store/page.ts";
import type { Transaction } from "../../store/store.ts";
import { redactText, redactValue } from "../../text/redaction/redact.ts";
import { gateActions } from "../actions/gates.ts";
import type { Clockwork } from "../clockwork.ts";
import { endGate } from "../gate-ends.ts";
import { lookAtConditions } from "./conditions.ts";
import { PatternConfig } from "./config.ts";
import { dueAt } from "./expiry.ts";
import { sentinelFamily } from "./gate.ts";
import { matcherOf } from "./pattern.ts";
import {
  type Sentinel,
  type SentinelRow,
  type SentinelStatus,
  type SentinelType,
  sentinelRecord,
} from "./record.ts";
import { sentinels } from "./tables.ts";
import { newestSeq, storeLook } from "./watching.ts";

interface CreateInput {
  readonly name: string;
  readonly type: SentinelType;
  readonly config: Readonly<Record<string, unknown>>;
  readonly linkedActionIds: readonly string[];
  readonly expiresInMs?: number | undefined;
}

interface ListInput {
  readonly status?: SentinelStatus | undefined;
  readonly type?: SentinelType | undefined;
  readonly limit: number;
  readonly offset: number;
}

interface Services {
  readonly audit: Audit;
  readonly clockwork: Clockwork;
  readonly metrics: Metrics;
  readonly projects: Projects;
}

type Ended = { readonly sentinel: Sentinel; readonly unblocked: string[] };
type Note = Pick<Parameters<Audit["record"]>[1], "operation" | "functionId" | "targetIds" | "details">;

/** What watches for something to happen, and holds actions up until it has. */
export class Sentinels {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Errors: not_found, with the ids of linked actions that nobody knows; invalid_input for an expression that is none. */
  async create(input: CreateInput): Promise<{ sentinel: Sentinel; blocked: string[] }> {
    // Redaction keeps the shape of what it is given.
    const config = redactValue(input.config) as Readonly<Record<string, unknown>>;
    if (input.type === "pattern") await matcherOf(PatternConfig.parse(config).pattern);
    return this.#services.clockwork.write(async (tx) => {
      const now = this.#ground.now();
      const expiresAt = input.expiresInMs === undefined ? null : timeAfter(now, input.expiresInMs);
      const row: SentinelRow = {
        id: this.#ground.newId("sentinel"),
        name: redactText(input.name),
        type: input.type,
        status: "watching",
        config,
        result: null,
        linkedActionIds: [...new Set(input.linkedActionIds)],
        createdAt: now,
        updatedAt: now,
        triggeredAt: null,
        expiresAt,
        escalatedAt: null,
        dueAt: dueAt({ type: input.type, config, createdAt: now, expiresAt }),
        lookedAtSeq: await newestSeq(tx.sql),
      };
      await tx.orm.insert(sentinels).values(row);
      const blocked = await gateActions(tx, this.#ground, row.id, row.linkedActionIds);
      await this.#note(tx, {
        operation: "sentinel_create",
        functionId: "sentinel.create",
        targetIds: [row.id, ...row.linkedActionIds],
        details: { type: row.type, blocked: blocked.length },
      });
      return { sentinel: sentinelRecord(row), blocked };
    });
  }

  /** Says that what is watched for has happened. Errors: not_found; conflict when it does not watch. */
  async trigger(input: { readonly sentinelId: string; readonly result?: unknown }): Promise<Ended> {
    return this.#end(input.sentinelId, ["watching"], "trigger", (now) => ({
      status: "triggered",
      triggeredAt: now,
      result: redactValue(input.result) ?? null,
    }));
  }

  /** Watches no longer, and holds nothing up. Errors: not_found; conflict when it was triggered or cancelled. */
  async cancel(input: { readonly sentinelId: string }): Promise<Ended> {
    return this.#end(input.sentinelId, ["watching", "expired"], "cancel", () => ({ status: "cancelled" }));
  }

  /** Looks now whether something that is watched for has happened, timers included. */
  async check(): Promise<{ triggered: string[]; checkedCount: number }> {
    const before = await this.#watching();
    await this.#services.clockwork.beforeRead();
    const watching = await this.#watching();
    const still = new Set(watching.map(({ id }) => id));
    const ended = before.filter(({ id, type }) => type === "timer" && !still.has(id)).map(({ id }) => id);
    const wentOff = await this.#triggeredOf(ended);
    const triggered = await this.#look(watching, (ids) => ({
      operation: "sentinel_trigger",
      functionId: "sentinel.check",
      targetIds: ids,
      details: { triggered: ids.length },
    }));
    return { triggered: [...wentOff, ...triggered], checkedCount: before.length };
  }

  /** The same for thresholds and patterns without being asked. Returns how many were triggered. */
  async sweep(): Promise<number> {
    const triggered = await this.#look(await this.#watching(), (ids) => ({
      operation: "sweep",
      functionId: "sweep.expire",
      targetIds: ids,
      details: { sentinels: ids.length },
    }));
    return triggered.length;
  }

  /** Newest first. */
  async list({ status, type, limit, offset }: ListInput): Promise<{ sentinels: Sentinel[] } & Paged> {
    await this.#services.clockwork.beforeRead();
    const { orm } = this.#ground.store.read;
    const where = and(
      status === undefined ? undefined : eq(sentinels.status, status),
      type === undefined ? undefined : eq(sentinels.type, type),
    );
    const { rows, ...page } = await pageOf(
      orm,
      sentinels,
      { where, order: [desc(sentinels.createdAt), desc(sentinels.id)] },
      { limit, offset },
    );
    return { sentinels: rows.map(sentinelRecord), ...page };
  }

  async #end(
    id: string,
    from: readonly SentinelStatus[],
    how: "trigger" | "cancel",
    change: (now: number) => Partial<SentinelRow>,
  ): Promise<Ended> {
    return this.#services.clockwork.write(async (tx) => {
      const now = this.#ground.now();
      const { ended, unblocked } = await endGate(tx, this.#ground, sentinelFamily, id, (before) => {
        if (!from.includes(before.status)) throw endedBefore(before, how);
        return { ...before, ...change(now), updatedAt: now };
      });
      await this.#note(tx, {
        operation: `sentinel_${how}`,
        functionId: `sentinel.${how}`,
        targetIds: [id, ...unblocked],
        details: { unblocked: unblocked.length },
      });
      return { sentinel: sentinelRecord(ended), unblocked };
    });
  }

  /** Looks outside of any transaction, then stores in a short one what came of it. */
  async #look(watching: readonly SentinelRow[], noteOf: (ids: readonly string[]) => Note): Promise<string[]> {
    const { store, now } = this.#ground;
    const look = await lookAtConditions(store.read, this.#services, watching, now());
    if (look.met.size === 0 && look.lookedAtSeq === undefined) return [];
    return this.#services.clockwork.write(async (tx) => {
      const triggered = await storeLook(tx, this.#ground, look);
      if (triggered.length > 0) await this.#note(tx, noteOf(triggered));
      return triggered;
    });
  }

  async #watching(): Promise<SentinelRow[]> {
    const { orm } = this.#ground.store.read;
    return orm
      .select()
      .from(sentinels)
      .where(eq(sentinels.status, "watching"))
      .orderBy(sentinels.createdAt, sentinels.id);
  }

  async #triggeredOf(ids: readonly string[]): Promise<string[]> {
    const rows = await this.#ground.store.read.sql.values(
      "SELECT id FROM sentinels WHERE status = 'triggered' AND id IN (SELECT value FROM json_each(?)) ORDER BY id",
      [JSON.stringify(ids)],
    );
    return rows.map(([id]) => String(id));
  }

  async #note(tx: Transaction, note: Note): Promise<void> {
    await this.#services.audit.record(tx, { ...note, agentId: this.#ground.settings.agentId });
  }
}

function endedBefore({ id, status }: SentinelRow, how: "trigger" | "cancel"): MemsvcError {
  const hint =
    status === "expired"
      ? `open its gate by cancelling it: memsvc sentinel cancel ${id}`
      : "make another one to watch again: memsvc sentinel create <name>";
  const past = how === "trigger" ? "triggered" : "cancelled";
  return new MemsvcError("conflict", `sentinel ${id} cannot be ${past}: it is ${status}`, {
    hint,
    extra: { status },
  });
}
