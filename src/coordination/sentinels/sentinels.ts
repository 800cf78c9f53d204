import { and, eq } from "drizzle-orm";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AskedBy, Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { Caller } from "../../operation/define.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { timeAfter } from "../../operation/fields.ts";
import type { Metrics } from "../../operation/metrics.ts";
import { newestFirst, type Paged, type Paging, pageOf } from "../../store/page.ts";
import { redactObject, redactText, redactValue } from "../../text/redaction/redact.ts";
import { gateActions, withActionCounts } from "../actions/gates.ts";
import type { Clockwork, ConditionLook, Conditions } from "../clockwork.ts";
import { endGate } from "../end-gate.ts";
import { fulfilledThresholds, lookForPatterns } from "./conditions.ts";
import { PatternConfig, refuseFaults, ThresholdConfig } from "./config.ts";
import { dueAt, triggerTimers } from "./expiry.ts";
import { sentinelFamily } from "./gate.ts";
import { refuseUnknownMetric } from "./metrics.ts";
import { matcherOf } from "./pattern.ts";
import {
  type ListedSentinel,
  type Sentinel,
  type SentinelRow,
  type SentinelStatus,
  type SentinelType,
  sentinelRecord,
} from "./record.ts";
import { sentinels } from "./tables.ts";
import { newestSeq, triggerFulfilled, triggerInTime, watchingSentinels } from "./watching.ts";

interface CreateInput {
  readonly name: string;
  readonly type: SentinelType;
  readonly config: Readonly<Record<string, unknown>>;
  readonly linkedActionIds: readonly string[];
  readonly expiresInMs?: number | undefined;
}

interface ListInput extends Paging {
  readonly status?: SentinelStatus | undefined;
  readonly type?: SentinelType | undefined;
}

interface Services {
  readonly audit: Audit;
  readonly clockwork: Clockwork;
  readonly metrics: Metrics;
  readonly projects: Projects;
}

type Ended = { readonly sentinel: Sentinel; readonly unblocked: string[] };

/** Sentinels watch for an event and block actions until it has happened. */
export class Sentinels implements Conditions {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * `by.cwd` decides which of several projects with the same name is meant. Errors: not_found, with the unknown ids of
   * linked actions; invalid_input for a sentinel that could never be triggered.
   */
  async create(
    input: CreateInput,
    by: AskedBy & Pick<Caller, "cwd">,
  ): Promise<{ sentinel: Sentinel; blocked: string[] }> {
    // Checked after redaction, which may make texts longer.
    const config = await this.#inFolder(input.type, redactObject(input.config), by.cwd);
    refuseFaults(input.type, config);
    if (input.type === "pattern") await matcherOf(PatternConfig.parse(config).pattern);
    if (input.type === "threshold")
      await refuseUnknownMetric(ThresholdConfig.parse(config).metric, this.#services.metrics);
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
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: "sentinel_create",
        functionId: "sentinel.create",
        targetIds: [row.id, ...row.linkedActionIds],
        details: { type: row.type, blocked: blocked.length },
      });
      return { sentinel: sentinelRecord(row), blocked };
    });
  }

  /** A pattern's project by its folder, if several have its name. */
  async #inFolder(
    type: SentinelType,
    config: SentinelRow["config"],
    cwd: string | undefined,
  ): Promise<SentinelRow["config"]> {
    const { project } = config;
    if (type !== "pattern" || typeof project !== "string") return config;
    const { store } = this.#ground;
    const folder = await this.#services.projects.folderMeant(store.read.sql, project, cwd);
    return folder === undefined ? config : { ...config, project: folder };
  }

  /**
   * Reports that the watched event has happened. Errors: not_found; conflict when the sentinel is not
   * watching.
   */
  async trigger(
    input: { readonly sentinelId: string; readonly result?: unknown },
    by: AskedBy,
  ): Promise<Ended> {
    return this.#end(input.sentinelId, ["watching"], "trigger", by, (now) => ({
      status: "triggered",
      triggeredAt: now,
      result: redactValue(input.result) ?? null,
    }));
  }

  /**
   * Ends the watch and opens the gate. Errors: not_found; conflict when it was triggered or cancelled before.
   */
  async cancel(input: { readonly sentinelId: string }, by: AskedBy): Promise<Ended> {
    return this.#end(input.sentinelId, ["watching", "expired"], "cancel", by, () => ({
      status: "cancelled",
    }));
  }

  /** Checks now whether watched events have happened, including timers. */
  async check(by: AskedBy): Promise<{ triggered: string[]; checkedCount: number }> {
    const { store, now } = this.#ground;
    const { projects, clockwork, metrics } = this.#services;
    const { sql } = store.read;
    const look = await lookForPatterns(sql, projects, await watchingSentinels(sql), now());
    return store.write(async (tx) => {
      const timers = await triggerTimers(tx, this.#ground);
      const inTime = await triggerInTime(tx, this.#ground, look);
      await clockwork.beforeWrite(tx);
      const { triggered: others, watching } = await triggerFulfilled(tx, this.#ground, metrics, look);
      const triggered = [...timers, ...inTime, ...others];
      if (triggered.length > 0) {
        await this.#services.audit.recordUnscoped(tx, by, {
          operation: "sentinel_trigger",
          functionId: "sentinel.check",
          targetIds: triggered,
          details: { triggered: triggered.length },
        });
      }
      return { triggered, checkedCount: timers.length + inTime.length + watching };
    });
  }

  /** For the sweep: evaluates thresholds and patterns. */
  async look(): Promise<ConditionLook> {
    const { store, now } = this.#ground;
    const { projects, metrics } = this.#services;
    const { sql } = store.read;
    const watching = await watchingSentinels(sql);
    const look = await lookForPatterns(sql, projects, watching, now());
    const fulfilled = await fulfilledThresholds(sql, metrics, watching, now());
    return {
      hasChanges: look.lookedAtSeq !== undefined || fulfilled.size > 0,
      beforeTime: (tx) => triggerInTime(tx, this.#ground, look),
      carryOut: async (tx) => (await triggerFulfilled(tx, this.#ground, metrics, look)).triggered,
    };
  }

  /** Newest first. */
  async list({ status, type, ...paging }: ListInput): Promise<{ sentinels: ListedSentinel[] } & Paged> {
    await this.#services.clockwork.beforeRead();
    const { read } = this.#ground.store;
    const where = and(
      status === undefined ? undefined : eq(sentinels.status, status),
      type === undefined ? undefined : eq(sentinels.type, type),
    );
    const { rows, ...page } = await pageOf(read, sentinels, { where, order: newestFirst(sentinels) }, paging);
    return { sentinels: await withActionCounts(read.sql, rows.map(sentinelRecord)), ...page };
  }

  async #end(
    id: string,
    from: readonly SentinelStatus[],
    how: "trigger" | "cancel",
    by: AskedBy,
    change: (now: number) => Partial<SentinelRow>,
  ): Promise<Ended> {
    return this.#services.clockwork.write(async (tx) => {
      const now = this.#ground.now();
      const { ended, unblocked } = await endGate(tx, this.#ground, sentinelFamily, id, (before) => {
        if (!from.includes(before.status)) throw endedBefore(before, how);
        return { ...before, ...change(now), updatedAt: now };
      });
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: `sentinel_${how}`,
        functionId: `sentinel.${how}`,
        targetIds: [id, ...unblocked],
        details: { unblocked: unblocked.length },
      });
      return { sentinel: sentinelRecord(ended), unblocked };
    });
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
