import { and, eq, inArray, or, type SQL } from "drizzle-orm";
import {
  type AgentFilter,
  agentCondition,
  type ScopeRequest,
} from "../../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../../ground.ts";
import { roundTo } from "../../../round-to.ts";
import { changedAt } from "../../../store/changed-at.ts";
import { newestFirst, type Paged, type Paging, pageOf } from "../../../store/page.ts";
import type { Connection, Transaction } from "../../../store/store.ts";
import type { Memories, MemoryServices } from "../memories.ts";
import { type Memory, type MemoryRow, memoryRecord } from "../record.ts";
import { memories, memoryRelations } from "../tables.ts";
import { addPresentTitles, fullTitles } from "../titles/present-titles.ts";
import { defaultConfidence } from "./default-confidence.ts";
import { type MemoryRelation, type RelationRow, type RelationType, relationRecord } from "./record.ts";
import { mostRelated } from "./relink.ts";
import { walkRelations } from "./walk.ts";

interface ListInput extends ScopeRequest, Paging {
  readonly memoryId?: string | undefined;
  readonly type?: RelationType | undefined;
  readonly maxHops: number;
  readonly minConfidence: number;
}

interface RelateInput extends ScopeRequest {
  readonly sourceId: string;
  readonly targetId: string;
  readonly type: RelationType;
  readonly confidence?: number | undefined;
}

type TitledRelation = MemoryRelation & { readonly sourceTitle: string; readonly targetTitle: string };

interface RelationList extends Paged {
  readonly relations: TitledRelation[];
  /** The memories reached from the requested one. */
  readonly memories?: { readonly memory: Memory; readonly hop: number; readonly confidence: number }[];
}

interface Related {
  readonly relationId: string;
  readonly relation: MemoryRelation;
  /** False when the relation existed before. */
  readonly created: boolean;
}

type Services = MemoryServices & { readonly memories: Memories };

/** Relations between memories, other than being versions of each other. */
export class Relations {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Newest first; with `memoryId` only its relations, and the memories around it. Error: not_found. */
  async list(input: ListInput): Promise<RelationList> {
    const { read } = this.#ground.store;
    const filter = await this.#services.agents.reader(read.sql, input);
    const { memoryId, type } = input;
    if (memoryId !== undefined) await this.#services.memories.visible(read, memoryId, filter);
    const where = and(
      memoryId === undefined
        ? undefined
        : or(eq(memoryRelations.sourceId, memoryId), eq(memoryRelations.targetId, memoryId)),
      type === undefined ? undefined : eq(memoryRelations.type, type),
      bothVisible(read, filter),
    );
    const selection = { where, order: newestFirst(memoryRelations) };
    const { rows, ...page } = await pageOf(read, memoryRelations, selection, input);
    return {
      relations: await this.#titled(rows.map(relationRecord)),
      ...page,
      ...(memoryId === undefined ? {} : { memories: await this.#around(memoryId, input, filter) }),
    };
  }

  /** Relates two memories, or returns the existing relation. Error: not_found. */
  async relate(input: RelateInput): Promise<Related> {
    return this.#ground.store.write(async (tx) => {
      const filter = await this.#services.agents.reader(tx.sql, input);
      const source = await this.#services.memories.visible(tx, input.sourceId, filter);
      const target = await this.#services.memories.visible(tx, input.targetId, filter);
      const known = await this.#known(tx, input);
      const isUnchanged = known !== undefined && [undefined, known.confidence].includes(input.confidence);
      if (isUnchanged) return { relationId: known.id, relation: relationRecord(known), created: false };
      const row = known === undefined ? this.#newRow(source, target, input) : again(known, input);
      await tx.orm
        .insert(memoryRelations)
        .values(row)
        .onConflictDoUpdate({ target: memoryRelations.id, set: { confidence: row.confidence } });
      if (known === undefined) {
        await this.#link(tx, source, target.id);
        await this.#link(tx, target, source.id);
      }
      await this.#services.audit.record(tx, {
        operation: "relation_create",
        functionId: "memory.relate",
        targetIds: [row.id, source.id, target.id],
        details: { type: row.type, created: known === undefined },
        agentId: await this.#services.agents.writer(tx.sql, input),
      });
      return { relationId: row.id, relation: relationRecord(row), created: known === undefined };
    });
  }

  async #titled(relations: readonly MemoryRelation[]): Promise<TitledRelation[]> {
    const ids = relations.flatMap(({ sourceId, targetId }) => [sourceId, targetId]);
    const titles = await fullTitles(this.#ground.store.read.sql, [...new Set(ids)]);
    return relations.map((relation) => ({
      ...relation,
      sourceTitle: titles.get(relation.sourceId) ?? "",
      targetTitle: titles.get(relation.targetId) ?? "",
    }));
  }

  async #around(
    memoryId: string,
    input: ListInput,
    filter: AgentFilter,
  ): Promise<NonNullable<RelationList["memories"]>> {
    const { type, maxHops, minConfidence } = input;
    const { sql } = this.#ground.store.read;
    const reached = await walkRelations(sql, memoryId, { type, maxHops, minConfidence, filter });
    const rows = await this.#services.memories.byIds(reached.map(({ id }) => id));
    const now = this.#ground.now();
    const records = await addPresentTitles(
      sql,
      rows.map((row) => memoryRecord(row, now)),
    );
    const byId = new Map(records.map((memory) => [memory.id, memory]));
    return reached.flatMap(({ id, hop, confidence }) => {
      const memory = byId.get(id);
      return memory === undefined ? [] : [{ memory, hop, confidence: roundTo(confidence, 6) }];
    });
  }

  async #known(
    { orm }: Transaction,
    { sourceId, targetId, type }: RelateInput,
  ): Promise<RelationRow | undefined> {
    const [row] = await orm
      .select()
      .from(memoryRelations)
      .where(
        and(
          eq(memoryRelations.sourceId, sourceId),
          eq(memoryRelations.targetId, targetId),
          eq(memoryRelations.type, type),
        ),
      )
      .limit(1);
    return row;
  }

  #newRow(source: MemoryRow, target: MemoryRow, { type, confidence }: RelateInput): RelationRow {
    const now = this.#ground.now();
    return {
      id: this.#ground.newId("relation"),
      type,
      sourceId: source.id,
      targetId: target.id,
      confidence: confidence ?? defaultConfidence(source, target, type, now),
      createdAt: now,
    };
  }

  async #link(tx: Transaction, memory: MemoryRow, otherId: string): Promise<void> {
    if (memory.relatedIds.includes(otherId)) return;
    const relatedIds = [otherId, ...memory.relatedIds].slice(0, mostRelated);
    await tx.orm
      .update(memories)
      .set({ relatedIds, updatedAt: changedAt(this.#ground.now(), memory.updatedAt) })
      .where(eq(memories.id, memory.id));
  }
}

function again(known: RelationRow, { confidence }: RelateInput): RelationRow {
  return { ...known, confidence: confidence ?? known.confidence };
}

/** SQL condition for relations of which the filter allows both memories. */
function bothVisible({ orm }: Connection, filter: AgentFilter): SQL | undefined {
  const visible = agentCondition(filter, memories.agentId);
  if (visible === undefined) return undefined;
  const seen = orm.select({ id: memories.id }).from(memories).where(visible);
  return and(inArray(memoryRelations.sourceId, seen), inArray(memoryRelations.targetId, seen));
}
