import { and, eq, inArray } from "drizzle-orm";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AskedBy, Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { newestFirst, type Paged, type Paging, pageOf } from "../../store/page.ts";
import type { DryRun, Transaction } from "../../store/store.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { createAction } from "../actions/create-action.ts";
import { type Action, type ActionEdge, actionRecord, edgeRecord } from "../actions/record.ts";
import { leaveSketch, notInSketch } from "../actions/sketch-actions.ts";
import type { Clockwork } from "../clockwork.ts";
import { discardExpired, discardSketch } from "./discard.ts";
import { type Sketch, type SketchRow, type SketchStatus, sketchRecord } from "./record.ts";
import { sketches } from "./tables.ts";

interface NewSketch {
  readonly title: string;
  readonly description: string;
  readonly expiresInMs: number;
  readonly project?: string | undefined;
}

interface AddInput {
  readonly sketchId: string;
  readonly title: string;
  readonly description: string;
  readonly priority: number;
  readonly dependsOn: readonly string[];
  readonly tags: readonly string[];
}

interface ListInput extends Paging {
  readonly status?: SketchStatus | undefined;
  readonly project?: string | undefined;
}

interface Services {
  readonly audit: Audit;
  readonly projects: Projects;
  readonly clockwork: Clockwork;
}

/** Sketches: draft plans whose actions nobody else sees until the sketch is promoted or discarded. */
export class Sketches {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  async create({ title, description, expiresInMs, project }: NewSketch, by: AskedBy): Promise<Sketch> {
    return this.#services.clockwork.write(async (tx) => {
      const now = this.#ground.now();
      const row: SketchRow = {
        id: this.#ground.newId("sketch"),
        title: redactText(title),
        description: redactText(description),
        status: "active",
        actionIds: [],
        ...(await this.#services.projects.fieldsOf(tx.sql, project)),
        createdAt: now,
        expiresAt: now + expiresInMs,
        promotedAt: null,
        discardedAt: null,
      };
      await tx.orm.insert(sketches).values(row);
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: "sketch_create",
        functionId: "sketch.create",
        targetIds: [row.id],
      });
      return sketchRecord(row);
    });
  }

  /** Adds an action. Errors: not_found, with `notFound` for actions that are not in the sketch; conflict. */
  async add(
    { sketchId, dependsOn, ...given }: AddInput,
    by: AskedBy,
  ): Promise<{ action: Action; edges: ActionEdge[] }> {
    return this.#services.clockwork.write(async (tx) => {
      const sketch = await this.#active(tx, sketchId);
      const notFound = await notInSketch(tx, sketchId, dependsOn);
      if (notFound.length > 0) throw actionsElsewhere(sketchId, notFound);
      const { action, edges } = await createAction(tx, this.#ground, this.#services.projects, {
        ...given,
        sketchId,
        project: await this.#services.projects.nameOfRow(tx.sql, sketch),
        edges: dependsOn.map((targetActionId) => ({ type: "requires", targetActionId })),
      });
      const actionIds = [...sketch.actionIds, action.id];
      await tx.orm.update(sketches).set({ actionIds }).where(eq(sketches.id, sketchId));
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: "action_create",
        functionId: "action.create",
        targetIds: [action.id, ...edges.map(({ id }) => id), sketchId],
      });
      return { action: actionRecord(action), edges: edges.map(edgeRecord) };
    });
  }

  /** Turns the sketch's actions into ordinary actions. Errors: not_found, conflict. */
  async promote(
    {
      sketchId,
      project,
    }: {
      readonly sketchId: string;
      readonly project?: string | undefined;
    },
    by: AskedBy,
  ): Promise<{ promotedIds: string[]; sketch: Sketch }> {
    return this.#services.clockwork.write(async (tx) => {
      const sketch = await this.#active(tx, sketchId);
      const fields =
        project === undefined ? undefined : await this.#services.projects.fieldsOf(tx.sql, project);
      const promotedIds = await leaveSketch(tx, this.#ground, sketchId, fields);
      const row: SketchRow = { ...sketch, ...fields, status: "promoted", promotedAt: this.#ground.now() };
      await tx.orm.update(sketches).set(row).where(eq(sketches.id, sketchId));
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: "sketch_promote",
        functionId: "sketch.promote",
        targetIds: [sketchId, ...promotedIds],
      });
      return { promotedIds, sketch: sketchRecord(row) };
    });
  }

  /** Errors: not_found, conflict. */
  async discard(
    { sketchId, dryRun }: DryRun & { readonly sketchId: string },
    by: AskedBy,
  ): Promise<{ discardedCount: number; sketch: Sketch }> {
    const work = async (tx: Transaction) => {
      const found = await this.#active(tx, sketchId);
      const { sketch, actionIds } = await discardSketch(tx, this.#ground, found);
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: "sketch_discard",
        functionId: "sketch.discard",
        targetIds: [sketchId, ...actionIds],
        details: { actions: actionIds.length },
      });
      return { discardedCount: actionIds.length, sketch: sketchRecord(sketch) };
    };
    return this.#services.clockwork.write(work, { dryRun });
  }

  /** Discards the sketches that have expired, with an audit entry. Returns how many. */
  async collect({ dryRun }: DryRun, by: AskedBy): Promise<number> {
    const work = async (tx: Transaction) => {
      const { sketchIds, actionIds } = await discardExpired(tx, this.#ground);
      if (sketchIds.length > 0) {
        await this.#services.audit.recordUnscoped(tx, by, {
          operation: "sketch_discard",
          functionId: "sketch.gc",
          targetIds: [...sketchIds, ...actionIds],
          details: { reason: "expired", sketches: sketchIds.length, actions: actionIds.length },
        });
      }
      return sketchIds.length;
    };
    return this.#ground.store.write(work, { dryRun });
  }

  /** Newest first. */
  async list(input: ListInput): Promise<{ sketches: (Sketch & { actionCount: number })[] } & Paged> {
    await this.#services.clockwork.beforeRead();
    const { read } = this.#ground.store;
    const keys = await this.#services.projects.readKeys(read.sql, input.project);
    const where = and(
      input.status === undefined ? undefined : eq(sketches.status, input.status),
      keys === undefined ? undefined : inArray(sketches.projectKey, keys),
    );
    const { rows, ...page } = await pageOf(read, sketches, { where, order: newestFirst(sketches) }, input);
    return {
      sketches: rows.map((row) => ({ ...sketchRecord(row), actionCount: row.actionIds.length })),
      ...page,
    };
  }

  async #active({ orm }: Transaction, sketchId: string): Promise<SketchRow> {
    const [row] = await orm.select().from(sketches).where(eq(sketches.id, sketchId));
    if (row === undefined) {
      throw new MemsvcError("not_found", `sketch ${sketchId} is not known`, {
        hint: "list the sketches: memsvc sketch list",
        extra: { notFound: [sketchId] },
      });
    }
    if (row.status === "active") return row;
    throw new MemsvcError("conflict", `sketch ${sketchId} is ${row.status}, no longer active`, {
      hint: "make another one: memsvc sketch create <title>",
      extra: { status: row.status },
    });
  }
}

/**
 * The hint lists the sketch's actions, not all: the given ids may well exist, in another sketch or in none.
 */
function actionsElsewhere(sketchId: string, ids: readonly string[]): MemsvcError {
  const [named, verb] =
    ids.length === 1 ? [`action ${ids[0]}`, "is"] : [`actions ${ids.slice(0, 3).join(", ")}`, "are"];
  return new MemsvcError("not_found", `${named} ${verb} not of sketch ${sketchId}`, {
    hint: `see what it holds: memsvc action list --sketch-id ${sketchId}`,
    extra: { notFound: ids },
  });
}
