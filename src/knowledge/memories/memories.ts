import { and, eq, inArray, type SQL } from "drizzle-orm";
import type { Observations } from "../../capture/observations/observations.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import type { ProjectShare } from "../../capture/projects/record.ts";
import {
  type AgentFilter,
  type AgentScopes,
  agentClause,
  isVisible,
  type ScopeRequest,
} from "../../capture/sessions/agent-scope.ts";
import { requestedView, type ViewRequest, viewCondition } from "../../capture/sessions/view.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { longPageOf } from "../../store/long-page.ts";
import { newestFirst, type Paged, type Paging } from "../../store/page.ts";
import { firstColumn } from "../../store/sql.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import { mapInTurns } from "../../store/turns.ts";
import { type Memory, type MemoryRow, type MemoryType, memoryRecord } from "./record.ts";
import { recordRecalls } from "./strength/access-log.ts";
import { type StrengthCurve, strengthAt } from "./strength/strength.ts";
import { memories } from "./tables.ts";
import { addPresentTitles } from "./titles/present-titles.ts";
import { withVersionNotes } from "./versions/newest-version.ts";

interface MemoryQuery extends ViewRequest {
  readonly latest?: boolean | undefined;
  readonly type?: MemoryType | undefined;
}

export interface MemoryServices {
  readonly observations: Observations;
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly audit: Audit;
}

/** Reads memories: lists, single memories, recalls. */
export class Memories {
  readonly #ground: Ground;
  readonly #services: MemoryServices;

  constructor(ground: Ground, services: MemoryServices) {
    this.#ground = ground;
    this.#services = services;
  }

  async list(input: MemoryQuery & Paging): Promise<{ memories: Memory[] } & Paged> {
    const { read } = this.#ground.store;
    const where = await this.#matching(read, input);
    const selection = { where, order: newestFirst(memories) };
    const { rows, ...page } = await longPageOf(this.#ground.store, memories, selection, input);
    const now = this.#ground.now();
    const records = await mapInTurns(rows, (row) => memoryRecord(row, now));
    return { memories: await addPresentTitles(read.sql, records), ...page };
  }

  /** The number of latest memories by project, as far as the filter allows. */
  byProject(filter: AgentFilter): Promise<ProjectShare[]> {
    const agent = agentClause(filter, "agent_id");
    return this.#ground.store.read.sql.all<ProjectShare>(
      `SELECT project_key AS key, count(*) AS count, max(created_at) AS lastAt FROM memories
       WHERE project_key IS NOT NULL AND is_latest = 1${agent.text} GROUP BY project_key`,
      agent.args,
    );
  }

  /** How many memories match, and how many of them are latest versions. */
  async count(input: MemoryQuery): Promise<{ total: number; latestCount: number }> {
    const { read } = this.#ground.store;
    const where = await this.#matching(read, input);
    return {
      total: await read.orm.$count(memories, where),
      latestCount: await read.orm.$count(memories, and(where, eq(memories.isLatest, true))),
    };
  }

  /** One memory. With `counts`, reading it is a recall. Error: not_found. */
  async get(input: ScopeRequest & { readonly id: string }, counts: boolean): Promise<Memory> {
    const { store, now } = this.#ground;
    const filter = await this.#services.agents.reader(store.read.sql, input);
    const before = await this.visible(store.read, input.id, filter);
    const counted = !counts || store.isReadOnly ? undefined : await this.#recalled(input.id, filter);
    return withVersionNotes(store.read.sql, counted ?? memoryRecord(before, now()), filter);
  }

  /**
   * Records a recall and returns the memory after it; undefined when another process keeps the store locked.
   */
  async #recalled(id: string, filter: AgentFilter): Promise<Memory | undefined> {
    const { store, now, log } = this.#ground;
    const note = async (tx: Transaction) => {
      await recordRecalls(tx, [id], now());
      return memoryRecord(await this.visible(tx, id, filter), now());
    };
    try {
      return await store.write(note, { dispensable: true });
    } catch (error) {
      if (!isMemsvcError(error, "unavailable")) throw error;
      log("warn", "recall was not recorded", { error: String(error) });
      return undefined;
    }
  }

  /** A row that the filter allows. Error: not_found. */
  async visible(connection: Connection, id: string, filter: AgentFilter): Promise<MemoryRow> {
    const [row] = await connection.orm.select().from(memories).where(eq(memories.id, id)).limit(1);
    if (row === undefined || !isVisible(filter, row.agentId)) throw unknownMemory(id);
    return row;
  }

  /** Rows by id. The caller decides whether this is a recall. */
  async byIds(
    ids: readonly string[],
    { orm }: Pick<Connection, "orm"> = this.#ground.store.read,
  ): Promise<MemoryRow[]> {
    if (ids.length === 0) return [];
    return orm
      .select()
      .from(memories)
      .where(inArray(memories.id, [...ids]));
  }

  /** The strength of each existing memory at a time, by id. */
  async strengths(ids: readonly string[], now: number): Promise<Map<string, number>> {
    const rows = await this.#ground.store.read.sql.all<StrengthCurve & { readonly id: string }>(
      `SELECT memories.id, strength_anchor AS strengthAnchor, strength_anchor_at AS strengthAnchorAt,
         stability_days AS stabilityDays
       FROM json_each(?) AS asked CROSS JOIN memories ON memories.id = asked.value`,
      [JSON.stringify([...new Set(ids)])],
    );
    return new Map(rows.map((row) => [row.id, strengthAt(row, now)]));
  }

  /** Every observation that a stored memory has as a source. */
  async citedObservations({ sql }: Connection): Promise<string[]> {
    return firstColumn(
      sql,
      "SELECT DISTINCT value FROM memories, json_each(source_observation_ids) WHERE source_observation_ids <> '[]'",
    );
  }

  /**
   * The ids of versions, latest or not, that have an observation as a source, as far as the filter allows.
   */
  async citing(connection: Connection, observationId: string, filter: AgentFilter): Promise<string[]> {
    const agent = agentClause(filter, "agent_id");
    return firstColumn(
      connection.sql,
      `SELECT id FROM memories WHERE instr(source_observation_ids, ?1) > 0
         AND EXISTS (SELECT 1 FROM json_each(source_observation_ids) WHERE value = ?1)${agent.text.replace("?", "?2")}
       ORDER BY id`,
      [observationId, ...agent.args],
    );
  }

  async recalled(tx: Transaction, ids: readonly string[]): Promise<void> {
    await recordRecalls(tx, ids, this.#ground.now());
  }

  async #matching({ sql }: Connection, input: MemoryQuery): Promise<SQL | undefined> {
    return and(
      viewCondition(await requestedView(sql, this.#services, input), memories),
      input.type === undefined ? undefined : eq(memories.type, input.type),
      input.latest === true ? eq(memories.isLatest, true) : undefined,
    );
  }
}

/** Other kinds of ids in search results, which are easily taken for memories, by prefix. */
const otherHits = new Map([
  ["obs", "an observation's"],
  ["lsn", "a lesson's"],
]);

export function unknownMemory(id: string): MemsvcError {
  const whose = otherHits.get(/^([a-z]+)_\S+$/u.exec(id)?.[1] ?? "");
  return new MemsvcError("not_found", `memory ${id} is not known`, {
    hint:
      whose === undefined
        ? "search for it: memsvc search <query>"
        : `such an id is ${whose}, which this shows: memsvc show ${id}`,
  });
}
