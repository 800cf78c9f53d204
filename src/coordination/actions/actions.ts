import { and, eq, inArray, or, type SQL } from "drizzle-orm";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AskedBy, Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { listContains } from "../../store/list-contains.ts";
import { lastChangedFirst, type Paged, type Paging, pageOf } from "../../store/page.ts";
import type { Clockwork } from "../clockwork.ts";
import { leaseOn } from "../leases/lease-holders.ts";
import { type Lease, leaseRecord } from "../leases/record.ts";
import { createAction, type NewAction, refuseUnknown } from "./create-action.ts";
import { addEdges, cycleThrough, edgesOf, type NewEdge } from "./edges.ts";
import { actionById, inNoSketch } from "./find-actions.ts";
import type { Frontier, Suggestion } from "./frontier/answers.ts";
import { readFrontier } from "./frontier/frontier.ts";
import { suggestionFrom } from "./frontier/next.ts";
import { reevaluate, unmetGates } from "./gates.ts";
import {
  type Action,
  type ActionEdge,
  type ActionStatus,
  actionRecord,
  type Blocker,
  edgeRecord,
  isFinished,
} from "./record.ts";
import { actions } from "./tables.ts";
import { type ActionUpdate, updateAction } from "./update.ts";

interface ListInput extends Paging {
  readonly status?: ActionStatus | undefined;
  readonly project?: string | undefined;
  readonly parentId?: string | undefined;
  readonly assignedTo?: string | undefined;
  readonly tag?: string | undefined;
  readonly sketchId?: string | undefined;
}

interface FrontierInput {
  readonly project?: string | undefined;
  readonly agentId?: string | undefined;
  readonly limit: number;
}

interface ActionDetails {
  readonly action: Action;
  readonly edges: ActionEdge[];
  readonly children: Action[];
  readonly blockers: Blocker[];
  readonly lease: Lease | null;
}

interface Services {
  readonly audit: Audit;
  readonly projects: Projects;
  readonly clockwork: Clockwork;
}

/** Actions (work to be done) and the edges between them. */
export class Actions {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Error: not_found, with the unknown ids of the parent or of edges' targets. */
  async create(input: NewAction, by: AskedBy): Promise<{ action: Action; edges: ActionEdge[] }> {
    return this.#services.clockwork.write(async (tx) => {
      const { action, edges } = await createAction(tx, this.#ground, this.#services.projects, input);
      await this.#services.audit.recordUnscoped(tx, by, {
        operation: "action_create",
        functionId: "action.create",
        targetIds: [action.id, ...edges.map(({ id }) => id)],
      });
      return { action: actionRecord(action), edges: edges.map(edgeRecord) };
    });
  }

  /** Errors: not_found; conflict, with `blockers` or with `heldBy` and `expiresAt`. */
  async update(input: ActionUpdate, by: AskedBy): Promise<{ action: Action; unblocked: string[] }> {
    return this.#services.clockwork.write(async (tx) => {
      const { action, unblocked, changed } = await updateAction(
        tx,
        this.#ground,
        this.#services.projects,
        input,
      );
      const { actionId, ...fields } = input;
      if (changed) {
        await this.#services.audit.recordUnscoped(tx, by, {
          operation: "action_update",
          functionId: "action.update",
          targetIds: [actionId, ...unblocked],
          details: { fields: namesOfGiven(fields), status: action.status },
        });
      }
      return { action: actionRecord(action), unblocked };
    });
  }

  /** The titles of actions, in the order of the ids; empty for unknown ones. */
  async titles(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.#ground.store.read.sql.all<{ id: string; title: string }>(
      "SELECT id, title FROM actions WHERE id IN (SELECT value FROM json_each(?))",
      [JSON.stringify(ids)],
    );
    const titles = new Map(rows.map(({ id, title }) => [id, title]));
    return ids.map((id) => titles.get(id) ?? "");
  }

  /** Errors: not_found; invalid_input, with `cycle` when the edge would close a cycle of requirements. */
  async addEdge(input: NewEdge, by: AskedBy): Promise<{ edge: ActionEdge; action: Action; isNew: boolean }> {
    const { type, sourceActionId, targetActionId } = input;
    return this.#services.clockwork.write(async (tx) => {
      await refuseUnknown(tx, { actionIds: [sourceActionId], edges: [input] });
      const cycle = type === "requires" ? await cycleThrough(tx.sql, input) : undefined;
      if (cycle !== undefined) {
        throw new MemsvcError(
          "invalid_input",
          `the actions would wait for each other: ${cycle.join(" → ")}`,
          {
            extra: { cycle },
          },
        );
      }
      const [edge] = await addEdges(tx, this.#ground, [input]);
      if (edge === undefined) throw new Error("the edge was not given back");
      if (edge.isNew) {
        await reevaluate(tx, this.#ground, [sourceActionId]);
        await this.#services.audit.recordUnscoped(tx, by, {
          operation: "action_edge",
          functionId: "action.edge",
          targetIds: [edge.id, sourceActionId, targetActionId],
          details: { type },
        });
      }
      const action = await actionById(tx, sourceActionId);
      return { edge: edgeRecord(edge), action: actionRecord(action), isNew: edge.isNew };
    });
  }

  /**
   * Last changed first; the actions of a sketch that was not promoted are listed only when that sketch is
   * named.
   */
  async list(input: ListInput): Promise<{ actions: Action[] } & Paged> {
    await this.#services.clockwork.beforeRead();
    const { read } = this.#ground.store;
    const where = await this.#matching(input);
    const { rows, ...page } = await pageOf(read, actions, { where, order: lastChangedFirst(actions) }, input);
    return { actions: rows.map(actionRecord), ...page };
  }

  /** An action with its edges, children, lease and everything else that concerns it. Error: not_found. */
  async get({ actionId }: { readonly actionId: string }): Promise<ActionDetails> {
    await this.#services.clockwork.beforeRead();
    const { read } = this.#ground.store;
    const row = await actionById(read, actionId);
    const edges = await edgesOf(read, actionId);
    const inSketch = row.sketchId === null ? undefined : eq(actions.sketchId, row.sketchId);
    const children = await read.orm
      .select()
      .from(actions)
      .where(and(eq(actions.parentId, actionId), or(inNoSketch, inSketch)))
      .orderBy(actions.createdAt, actions.id);
    const lease = await leaseOn(read, actionId);
    return {
      action: actionRecord(row),
      edges: edges.map(edgeRecord),
      children: children.map(actionRecord),
      blockers: isFinished(row)
        ? []
        : [
            ...((await unmetGates(read.sql, [actionId])).get(actionId) ?? []),
            ...(await this.#conflicts(edges, row.id)),
          ],
      lease: lease === undefined ? null : leaseRecord(lease),
    };
  }

  /** The actions that can be worked on now, best first. */
  async frontier({ project, agentId, limit }: FrontierInput): Promise<Frontier> {
    await this.#services.clockwork.beforeRead();
    const { read } = this.#ground.store;
    const projectKeys = await this.#services.projects.readKeys(read.sql, project);
    return readFrontier(read, { projectKeys, agentId, limit }, this.#ground.now());
  }

  /** The best action to work on now. */
  async next(input: Omit<FrontierInput, "limit">): Promise<Suggestion> {
    return suggestionFrom(await this.frontier({ ...input, limit: 1 }));
  }

  async #conflicts(
    edges: readonly { type: string; sourceActionId: string; targetActionId: string }[],
    ownId: string,
  ): Promise<Blocker[]> {
    const others = edges
      .filter(({ type }) => type === "conflicts_with")
      .map(({ sourceActionId, targetActionId }) =>
        sourceActionId === ownId ? targetActionId : sourceActionId,
      );
    const rows = await this.#ground.store.read.orm
      .select()
      .from(actions)
      .where(and(inArray(actions.id, others), eq(actions.status, "active")))
      .orderBy(actions.createdAt, actions.id);
    return rows.map(({ id, title, status }) => ({ kind: "conflict", id, title, status }));
  }

  async #matching(input: ListInput): Promise<SQL | undefined> {
    const keys = await this.#services.projects.readKeys(this.#ground.store.read.sql, input.project);
    return and(
      input.sketchId === undefined ? inNoSketch : eq(actions.sketchId, input.sketchId),
      input.status === undefined ? undefined : eq(actions.status, input.status),
      keys === undefined ? undefined : inArray(actions.projectKey, keys),
      input.parentId === undefined ? undefined : eq(actions.parentId, input.parentId),
      input.assignedTo === undefined ? undefined : eq(actions.assignedTo, input.assignedTo),
      input.tag === undefined ? undefined : listContains(actions.tags, input.tag),
    );
  }
}

/** Some callers pass fields that they leave out as `undefined`. */
function namesOfGiven(fields: object): string[] {
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
