import type { Writing } from "../../governance/transfer/collection.ts";
import { packed, packedRows } from "../../store/packed-rows.ts";
import type { Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";

/** A stored node at which an edge of a file begins or ends. Different ids of the file for it give the same object. */
export interface End {
  readonly key: number;
  readonly projectKey: string;
  readonly type: string;
  /** While false, no edge at it can be stored yet, which saves looking for one. */
  hasEdges: boolean;
}

const rememberedIds = 50_000;

/** Remembers nodes that were looked up lately: edges near each other in a file share ends. */
class RecentEnds {
  readonly #byId = new Map<string, End>();
  readonly #byKey = new Map<number, End>();

  /**
   * Finds the stored nodes for ids of the file. The next call may forget them, and then makes other objects for them.
   */
  async find({ tx, nodeKeys }: Writing, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, End>> {
    if (this.#byId.size > rememberedIds) {
      this.#byId.clear();
      this.#byKey.clear();
    }
    const unknown = [...ids].filter((id) => !this.#byId.has(id));
    const isRenamed = (id: string) => nodeKeys.has(id);
    const renamed = unknown.filter(isRenamed);
    const named = renamed.length === 0 ? unknown : unknown.filter((id) => !isRenamed(id));
    await this.#look(tx.sql, byId, named, named);
    await this.#look(
      tx.sql,
      byKey,
      renamed,
      renamed.map((id) => nodeKeys.get(id) ?? 0),
    );
    return this.#byId;
  }

  async #look(
    sql: Sql,
    statement: string,
    ids: readonly string[],
    asked: readonly (string | number)[],
  ): Promise<void> {
    if (ids.length === 0) return;
    for (const [at, key, projectKey, type, degree] of await packedRows<StoredEnd>(sql, statement, [
      JSON.stringify(asked),
    ])) {
      const end = this.#byKey.get(key) ?? { key, projectKey, type, hasEdges: degree > 0 };
      this.#byKey.set(key, end);
      this.#byId.set(ids[at] ?? "", end);
    }
  }
}

type StoredEnd = readonly [at: number, key: number, projectKey: string, type: string, degree: number];

const lookup = (column: "id" | "key") =>
  packed(
    ["at", "key", "project_key", "type", "degree"],
    `SELECT j.key AS at, n.key, n.project_key, n.type, n.degree FROM json_each(?) AS j
     CROSS JOIN graph_nodes AS n ON n.${column} = j.value`,
  );
const byId = lookup("id");
const byKey = lookup("key");

const recentOf = new WeakMap<Transaction, RecentEnds>();

/** Stored nodes by their ids in the file. */
export function endsOf(writing: Writing, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, End>> {
  const recent = recentOf.get(writing.tx) ?? new RecentEnds();
  recentOf.set(writing.tx, recent);
  return recent.find(writing, ids);
}
