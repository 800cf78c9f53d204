import { breakCycles } from "../../coordination/actions/break-cycles.ts";
import { dependentsOf, reevaluate } from "../../coordination/actions/gates.ts";
import { dropLooseLinks } from "../../coordination/actions/transfer.ts";
import { closeFinished } from "../../coordination/leases/transfer.ts";
import type { Writing } from "../../governance/transfer/collection.ts";
import { relinkRelated } from "../../knowledge/memories/relations/relink.ts";
import { settleMemories } from "../../knowledge/memories/transfer.ts";
import { linkVersions } from "../../knowledge/memories/versions/version-links.ts";
import { profileCollection } from "../../knowledge/profiles/transfer.ts";

/** The fields of a row that refer to other rows. */
export interface ArrivedRow {
  readonly id: string;
  /** Of a relation: the two memories that it connects. */
  readonly sourceId?: string;
  readonly targetId?: string;
  /** Of an edge between actions: the action that depends on the other. */
  readonly sourceActionId?: string;
}

/**
 * Repairs what depends on rows that arrived, and nothing else: the store may hold far more rows than arrive.
 */
export class Settling {
  readonly #memories = new Set<string>();
  /** Memories whose list of related memories may have to be rebuilt. */
  readonly #related = new Set<string>();
  readonly #actions = new Set<string>();
  readonly #dependents = new Set<string>();

  add(array: string, rows: readonly ArrivedRow[]): void {
    for (const { id, sourceId, targetId, sourceActionId } of rows) {
      if (array === "memories") this.#memories.add(id);
      if (array === "actions") this.#actions.add(id);
      for (const tied of [sourceId, targetId]) if (tied !== undefined) this.#related.add(tied);
      if (sourceActionId !== undefined) this.#dependents.add(sourceActionId);
    }
  }

  async settle(writing: Writing): Promise<void> {
    const { tx, ground } = writing;
    const [memories, actions] = [[...this.#memories], [...this.#actions]];
    if (memories.length > 0) {
      await settleMemories(writing, memories);
      await linkVersions(tx, ground, memories);
    }
    await relinkRelated(tx.sql, [...memories, ...this.#related]);
    if (actions.length > 0) {
      await dropLooseLinks(writing, actions);
      await closeFinished(writing, actions);
    }
    const freed = await breakCycles(tx, ground, [...this.#dependents]);
    const waiting = [...actions, ...this.#dependents, ...freed, ...(await dependentsOf(tx.sql, actions))];
    await reevaluate(tx, ground, [...new Set(waiting)]);
    await profileCollection.settle?.(writing);
  }
}
