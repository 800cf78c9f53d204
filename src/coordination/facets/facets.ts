import type { AskedBy, Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { groupPairs } from "../../group-by.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { Paged } from "../../store/page.ts";
import type { DryRun, Transaction } from "../../store/store.ts";
import { quoteWord } from "../../text/quote-word.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { type FacetMatch, type FacetQuery, queryFacets } from "./query.ts";
import { type Facet, type FacetRow, type FacetTarget, facetRecord, type Label } from "./record.ts";
import { facets } from "./tables.ts";
import { targetTypeOf } from "./targets.ts";

interface TagInput extends Label {
  readonly targetId: string;
  readonly targetType?: FacetTarget | undefined;
}

interface RemoveInput extends DryRun {
  readonly targetId: string;
  readonly dimension: string;
  readonly value?: string | undefined;
}

interface Changed {
  readonly targetId: string;
  readonly dimension: string;
  readonly count: number;
}

interface Dimension<Value> {
  readonly dimension: string;
  readonly values: Value[];
}

/** Facets: labels on actions, memories and observations, each with a dimension and a value. */
export class Facets {
  readonly #ground: Ground;
  readonly #audit: Audit;

  constructor(ground: Ground, services: { readonly audit: Audit }) {
    this.#ground = ground;
    this.#audit = services.audit;
  }

  /** Labels a record; a label that it has already is skipped. Error: not_found. */
  async tag(input: TagInput, by: AskedBy): Promise<{ facet: Facet; skipped?: true }> {
    const { targetId } = input;
    const label = redactedLabel(input);
    return this.#ground.store.write(async (tx) => {
      const targetType = await targetTypeOf(tx.sql, targetId, input.targetType);
      if (targetType === undefined) throw unknownTarget(targetId, input.targetType);
      const row: FacetRow = {
        id: this.#ground.newId("facet"),
        targetId,
        targetType,
        ...label,
        createdAt: this.#ground.now(),
      };
      const known = await knownFacet(tx, row);
      if (known !== undefined) return { facet: known, skipped: true };
      await tx.orm.insert(facets).values(row);
      await this.#note(tx, by, "tag", { ...row, count: 1 });
      return { facet: facetRecord(row) };
    });
  }

  /**
   * Removes a label from a record, or without `value` all labels of the dimension. Error: not_found when
   * there was none.
   */
  async remove({ targetId, dimension, value, dryRun }: RemoveInput, by: AskedBy): Promise<number> {
    const work = async (tx: Transaction) => {
      const { changes } = await tx.sql.run(
        "DELETE FROM facets WHERE target_id = ?1 AND dimension = ?2 AND (?3 IS NULL OR value = ?3)",
        [targetId, redactText(dimension), value === undefined ? null : redactText(value)],
      );
      if (changes === 0) {
        const label = value === undefined ? dimension : `${dimension}:${value}`;
        throw new MemsvcError("not_found", `${targetId} has no facet ${label}`, {
          hint: `see which it has: memsvc facet list ${quoteWord(targetId)}`,
        });
      }
      await this.#note(tx, by, "remove", { targetId, dimension: redactText(dimension), count: changes });
      return changes;
    };
    return this.#ground.store.write(work, { dryRun });
  }

  async query(input: FacetQuery): Promise<{ results: FacetMatch[] } & Paged> {
    const { sql } = this.#ground.store.read;
    const asked = {
      ...input,
      matchAll: input.matchAll.map(redactedLabel),
      matchAny: input.matchAny.map(redactedLabel),
    };
    return { ...(await queryFacets(sql, asked)), offset: input.offset, limit: input.limit };
  }

  /** The labels of a record, grouped by dimension. */
  async of(targetId: string): Promise<Dimension<string>[]> {
    const rows = await this.#ground.store.read.sql.all<Label>(
      "SELECT DISTINCT dimension, value FROM facets WHERE target_id = ? ORDER BY dimension, value",
      [targetId],
    );
    return byDimension(rows, ({ value }) => value);
  }

  /** How often each label is used, by dimension, the most used first. */
  async stats(targetType: FacetTarget | undefined): Promise<{
    dimensions: Dimension<{ value: string; count: number }>[];
    totalFacets: number;
  }> {
    const rows = await this.#ground.store.read.sql.all<Label & { count: number }>(
      `SELECT dimension, value, count(*) AS count FROM facets WHERE ?1 IS NULL OR target_type = ?1
       GROUP BY dimension, value ORDER BY dimension, count DESC, value`,
      [targetType ?? null],
    );
    return {
      dimensions: byDimension(rows, ({ value, count }) => ({ value, count })),
      totalFacets: rows.reduce((sum, { count }) => sum + count, 0),
    };
  }

  async #note(
    tx: Transaction,
    by: AskedBy,
    how: "tag" | "remove",
    { targetId, dimension, count }: Changed,
  ): Promise<void> {
    await this.#audit.recordUnscoped(tx, by, {
      operation: `facet_${how}`,
      functionId: `facet.${how}`,
      targetIds: [targetId],
      details: { dimension, count },
    });
  }
}

/** A label in the form that is stored and searched for: redacted. */
function redactedLabel({ dimension, value }: Label): Label {
  return { dimension: redactText(dimension), value: redactText(value) };
}

async function knownFacet({ sql }: Transaction, row: FacetRow): Promise<Facet | undefined> {
  const [known] = await sql.all<{ id: string; createdAt: number }>(
    `SELECT id, created_at AS createdAt FROM facets
     WHERE target_id = ? AND target_type = ? AND dimension = ? AND value = ?`,
    [row.targetId, row.targetType, row.dimension, row.value],
  );
  return known === undefined ? undefined : facetRecord({ ...row, ...known });
}

function byDimension<Row extends Label, Value>(
  rows: readonly Row[],
  pick: (row: Row) => Value,
): Dimension<Value>[] {
  const dimensions = groupPairs(rows.map((row) => [row.dimension, pick(row)]));
  return [...dimensions].map(([dimension, values]) => ({ dimension, values }));
}

function unknownTarget(id: string, type: FacetTarget | undefined): MemsvcError {
  const what = type === undefined ? "action, memory or observation" : type;
  return new MemsvcError("not_found", `there is no ${what} ${id} that could have a facet`, {
    hint: "find the record first: memsvc search <query>, memsvc action list",
  });
}
