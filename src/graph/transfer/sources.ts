import { setImmediate as nextTurn } from "node:timers/promises";
import type { Writing } from "../../governance/transfer/collection.ts";
import { bulkInsert } from "../../store/bulk-insert.ts";
import { chunksOf } from "../../store/chunks.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";
import type { LayerOrigin } from "../record.ts";
import { detachRows } from "../storage/detach.ts";
import { deleteAllPending } from "../storage/pending-rows.ts";
import { markSources, type NewSource, type SourceKind, sourceKeysOf } from "../storage/sources.ts";
import { type AttachedRow, attachRows } from "../structural/attach.ts";
import { type AnnouncedRow, isTied, linkedWith } from "./tied-rows.ts";

/*
 * Rows that an import stores become sources of the graph at once, so that the nodes and edges of the file can refer to
 * them. Their structural layer is made last, on top of what the file brought.
 */

const pageSize = 200;
/** Rows whose layers are put in together; each may bring dozens of nodes and edges. */
const rowsAtOnce = 50;

/**
 * Makes rows that were just stored sources of the graph, without their structural layer yet. When a row belonged to
 * another agent before, what was found in it then is taken out of the graph.
 */
export async function announceSources(
  sql: Sql,
  kind: SourceKind,
  rows: readonly Pick<NewSource, "ref" | "agentId">[],
): Promise<void> {
  if (rows.length === 0) return;
  const agentOf = new Map(rows.map(({ ref, agentId }) => [ref, agentId]));
  const known = await sql.all<{ ref: string; agentId: string | null }>(
    `SELECT ref, agent_id AS agentId FROM graph_sources
     WHERE ref IN (SELECT value FROM json_each(?)) AND kind = ?`,
    [JSON.stringify([...agentOf.keys()]), kind],
  );
  if (known.length > 0) {
    const kept = known.filter(({ ref, agentId }) => agentOf.get(ref) === agentId).map(({ ref }) => ref);
    for (const ref of kept) agentOf.delete(ref);
    await sql.run(
      "UPDATE graph_sources SET structural = 0 WHERE ref IN (SELECT value FROM json_each(?)) AND kind = ?",
      [JSON.stringify(kept), kind],
    );
    await detachRows(
      sql,
      kind,
      known.map(({ ref }) => ref).filter((ref) => agentOf.has(ref)),
    );
  }
  await insertSources(
    sql,
    Array.from(agentOf, ([ref, agentId]) => [kind, ref, agentId]),
  );
}

const insertSources = bulkInsert(
  "INSERT OR FAIL INTO graph_sources (kind, ref, agent_id, structural, extracted)",
  "(?, ?, ?, 0, 0)",
);

/** Makes the structural layer of announced rows, except for those whose layer came with the file. */
export async function attachAnnounced(
  { tx, ground }: Pick<Writing, "tx" | "ground">,
  kind: SourceKind,
  rowsOf: (sql: Sql, refs: readonly string[]) => Promise<AttachedRow[]>,
): Promise<void> {
  const { sql } = tx;
  for (let last = 0; ; ) {
    const page = await sql.all<{ key: number; ref: string }>(
      "SELECT key, ref FROM graph_sources WHERE kind = ? AND structural = 0 AND key > ? ORDER BY key LIMIT ?",
      [kind, last, pageSize],
    );
    const end = page.at(-1);
    if (end === undefined) return;
    last = end.key;
    const keys = new Map(page.map(({ key, ref }) => [ref, key]));
    const linked = await linkedWith(sql, [...keys.values()]);
    const untied: AnnouncedRow[] = [];
    const tied: number[] = [];
    for (const row of await rowsOf(sql, [...keys.keys()])) {
      const source = keys.get(row.ref);
      if (source === undefined) continue;
      const placed: AnnouncedRow = Object.assign(row, { source }, linked.get(source)?.place);
      if (isTied(placed, linked.get(source))) tied.push(source);
      else untied.push(placed);
    }
    await markSources(sql, tied, "structural");
    for (const rows of chunksOf(untied, rowsAtOnce)) await attachRows(sql, ground, rows);
  }
}

/** Takes all rows of a kind out of the graph: they are about to be deleted. */
export async function detachAll(sql: Sql, kind: SourceKind): Promise<void> {
  await deleteAllPending(sql, kind);
  for (;;) {
    const refs = await firstColumn(sql, "SELECT ref FROM graph_sources WHERE kind = ? LIMIT ?", [
      kind,
      pageSize,
    ]);
    if (refs.length === 0) return;
    await detachRows(sql, kind, refs);
    await nextTurn();
  }
}

interface NamingSources {
  readonly sourceObservationIds: readonly string[];
  readonly origin: LayerOrigin;
}

/** The sources that rows of a file name, as far as these are stored. */
export interface KnownSources {
  /** Whether a thing may be stored: what rules or models made needs at least one source. */
  speakFor(rows: readonly NamingSources[]): boolean;
  /** Keys of the sources of a thing, each once. */
  keysOf(rows: readonly NamingSources[]): Set<number>;
}

/** Looks up the sources that rows of a file name. */
export async function knownSources(
  { tx, warn, sourceKeys }: Writing,
  collection: string,
  rows: readonly NamingSources[],
): Promise<KnownSources> {
  const keys = new Map<string, number>();
  const unknown = new Set<string>();
  for (const { sourceObservationIds } of rows) {
    for (const ref of sourceObservationIds) {
      const key = sourceKeys.get(ref);
      if (key === undefined) unknown.add(ref);
      else keys.set(ref, key);
    }
  }
  const stored = await sourceKeysOf(tx.sql, unknown);
  for (const [ref, key] of stored) {
    keys.set(ref, key);
    sourceKeys.set(ref, key);
  }
  if (stored.size < unknown.size)
    warn(`${collection}: links with observations and memories that are not stored were dropped`);
  const keysOf = (all: readonly NamingSources[]) => {
    const found = new Set<number>();
    for (const { sourceObservationIds } of all) {
      for (const ref of sourceObservationIds) {
        const key = keys.get(ref);
        if (key !== undefined) found.add(key);
      }
    }
    return found;
  };
  await markSources(tx.sql, [...keysOf(rows.filter(({ origin }) => origin === "llm"))], "extracted");
  return {
    keysOf,
    speakFor: (all) =>
      all.some(({ origin }) => origin === "import" || origin === "mesh") || keysOf(all).size > 0,
  };
}
