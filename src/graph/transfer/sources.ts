import { setImmediate as nextTurn } from "node:timers/promises";
import type { Writing } from "../../governance/transfer/collection.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import type { LayerOrigin } from "../record.ts";
import { detachRows } from "../storage/detach.ts";
import { chunksOf, type Link, markExtracted, sourceKeysOf } from "../storage/link-each.ts";
import type { NewSource } from "../storage/links.ts";
import { type AttachedRow, attachRows } from "../structural/attach.ts";

/*
 * Rows that an import stores become sources of the graph at once, so that the nodes and edges of the file can name
 * them. What the rules make of them comes last, onto what the file brought.
 */

const pageSize = 100;
const rowsAtOnce = 20;
/** How long attaching may keep the event loop from its other work. */
const sliceMs = 15;

/** Makes rows that were just stored known to the graph; their structural layer is still to come. */
export async function announceSources(
  sql: Sql,
  kind: NewSource["kind"],
  rows: readonly Pick<NewSource, "ref" | "agentId">[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql.run(
    `INSERT INTO graph_sources (kind, ref, agent_id, structural, extracted)
     SELECT ?2, json_extract(value, '$[0]'), json_extract(value, '$[1]'), 0, 0 FROM json_each(?1) WHERE true
     ON CONFLICT (ref, kind) DO NOTHING`,
    [JSON.stringify(rows.map(({ ref, agentId }) => [ref, agentId])), kind],
  );
}

/** Ties announced rows into the graph by rules. */
export async function attachAnnounced(
  { tx, ground }: Pick<Writing, "tx" | "ground">,
  kind: NewSource["kind"],
  rowsOf: (sql: Sql, refs: readonly string[]) => Promise<AttachedRow[]>,
): Promise<void> {
  let sliceEnd = performance.now() + sliceMs;
  for (let last = 0; ; ) {
    const page = await tx.sql.all<{ key: number; ref: string }>(
      "SELECT key, ref FROM graph_sources WHERE kind = ? AND structural = 0 AND key > ? ORDER BY key LIMIT ?",
      [kind, last, pageSize],
    );
    const end = page.at(-1);
    if (end === undefined) return;
    last = end.key;
    const rows = await rowsOf(
      tx.sql,
      page.map(({ ref }) => ref),
    );
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const placed: AttachedRow[] = [];
      for (const row of rows.slice(at, at + rowsAtOnce))
        placed.push({ ...row, ...(await placeInFile(tx.sql, kind, row.ref)) });
      await attachRows(tx.sql, ground, placed);
      if (performance.now() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = performance.now() + sliceMs;
    }
  }
}

/**
 * The project under which the file's graph has a row. The row itself may name another: an event of another project
 * than its session's, or a memory that was given its project later.
 */
async function placeInFile(
  sql: Sql,
  kind: NewSource["kind"],
  ref: string,
): Promise<Pick<AttachedRow, "project" | "projectKey"> | undefined> {
  const row = await firstRow<{ project: string | null; projectKey: string }>(
    sql,
    `SELECT n.project, n.project_key AS projectKey FROM graph_sources AS s
       CROSS JOIN graph_node_links AS l ON l.source = s.key CROSS JOIN graph_nodes AS n ON n.key = l.node
     WHERE s.ref = ? AND s.kind = ? AND n.origin = 'structural' ORDER BY n.key LIMIT 1`,
    [ref, kind],
  );
  if (row === undefined) return undefined;
  return row.projectKey === "" ? { project: null, projectKey: null } : row;
}

/** Takes all rows of a kind out of the graph: they are about to be deleted. */
export async function detachAll(tx: Pick<Transaction, "sql">, kind: NewSource["kind"]): Promise<void> {
  for (;;) {
    const page = await tx.sql.all<{ ref: string }>("SELECT ref FROM graph_sources WHERE kind = ? LIMIT ?", [
      kind,
      pageSize,
    ]);
    if (page.length === 0) return;
    await detachRows(
      tx,
      kind,
      page.map(({ ref }) => ref),
    );
  }
}

interface NamingSources {
  readonly sourceObservationIds: readonly string[];
  readonly origin: LayerOrigin;
}

/** Which rows of a file were found in something that is stored. */
export interface KnownSources {
  /** Whether something speaks for a thing: what rules and models make lives by its sources. */
  speakFor(rows: readonly NamingSources[]): boolean;
}

/** Looks up the sources of rows. */
export async function knownSources(
  { tx, warn }: Writing,
  collection: string,
  rows: readonly NamingSources[],
): Promise<KnownSources> {
  const found = new Set<NamingSources>();
  for (const chunk of chunksOf(named(rows))) {
    const keys = await sourceKeysOf(
      tx.sql,
      chunk.map(({ ref }) => ref),
    );
    for (const { row, ref } of chunk) if (keys.has(ref)) found.add(row);
    if (chunk.some(({ ref }) => !keys.has(ref)))
      warn(`${collection}: links with observations and memories that are not stored were dropped`);
    const extracted = chunk.filter(({ row }) => row.origin === "llm");
    await markExtracted(
      tx.sql,
      extracted.flatMap(({ ref }) => keys.get(ref) ?? []),
    );
  }
  return {
    speakFor: (all) => all.some((row) => found.has(row) || row.origin === "import" || row.origin === "mesh"),
  };
}

function* named(rows: readonly NamingSources[]): Generator<{ row: NamingSources; ref: string }> {
  for (const row of rows) for (const ref of row.sourceObservationIds) yield { row, ref };
}

/** The links of things with the sources that their rows name. */
export function* linksOf(
  things: Iterable<{ readonly key: number; readonly rows: readonly NamingSources[] }>,
): Generator<Link> {
  for (const { key, rows } of things) for (const { ref } of named(rows)) yield [key, ref];
}
