import type { Projects } from "../../capture/projects/projects.ts";
import { fadedMemory, tombstoneKinds, tombstoneLifeMs } from "../../governance/retention/tombstones.ts";
import type { ExportPage, Reading } from "../../governance/transfer/collection.ts";
import { graphSettled } from "../../graph/structural/settled.ts";
import type { Ground } from "../../ground.ts";
import { timeText } from "../../operation/fields.ts";
import type { Sql, SqlValue } from "../../store/sql.ts";
import type { RowCondition } from "../../store/table-rows.ts";
import { version } from "../../version.ts";
import { arrivedSince, newSince } from "./arrivals.ts";
import type { Cursor } from "./cursor.ts";
import {
  aliasOf,
  collectionOf,
  type ExchangedTable,
  exchangedTables,
  inProject,
} from "./exchanged-tables.ts";
import { type MeshArray, type MeshScope, meshArrays } from "./scope-names.ts";

const tombstonesPerPage = 1_000;

export interface Extent {
  readonly scopes: readonly MeshScope[];
  /** Milliseconds since 1970: rows that were not changed since then are left out. */
  readonly since: number | undefined;
  readonly project: string | undefined;
  /** The peer that the rows go to: rows that came from it are not sent back. */
  readonly peerId?: string;
  /** Who sends, for the receiver to record. */
  readonly from?: string;
  /** Only rows after this position. */
  readonly after?: Cursor | undefined;
  /** Whether the rows go in several bodies. Then edges of the graph need their nodes in the same body. */
  readonly isDivided?: true;
}

/** The beginning of an array or, with `rows`, some of its rows: JSON records with commas between them. */
export interface Part {
  readonly array: MeshArray;
  readonly rows?: {
    readonly page: ExportPage;
    /** The position after these rows; has to be asked for before the next part is read. */
    readonly end: () => Promise<Cursor>;
    /** Whether a body may end here; false when later parts have to be in the same body. */
    readonly mayBeLast: boolean;
  };
}

/** Arrays whose rows refer only to rows of arrays before them, by ids that are the same in every store. */
const standAlone: ReadonlySet<MeshArray> = new Set([
  "memories",
  "semantic",
  "procedural",
  "relations",
  "graphNodes",
  "tombstones",
]);

/** About how many bytes of edges go together with their nodes. */
export const enoughBytes = 2 * 1024 * 1024;

/** The rows that a peer is to be given, read from one snapshot of the store. */
export interface Rows {
  /** The JSON object that precedes the arrays, without its closing brace. */
  readonly head: string;
  readonly parts: AsyncGenerator<Part>;
}

/** The head's `exportedAt` is the `since` for the next export: every later change will be in it. */
export function rowsFor(ground: Ground, projects: Projects, extent: Extent): Rows {
  const exportedAt = ground.now();
  const head = { version, exportedAt: timeText(exportedAt), ...(extent.from && { from: extent.from }) };
  return {
    head: JSON.stringify(head).slice(0, -1),
    parts: partsOf(ground, projects, extent, exportedAt),
  };
}

async function* partsOf(
  ground: Ground,
  projects: Projects,
  extent: Extent,
  exportedAt: number,
): AsyncGenerator<Part> {
  // This empty write waits for the writes before it, so that a row with a time before `exportedAt` is
  // committed by now.
  await ground.store.write(async () => undefined);
  await graphSettled(ground);
  const view = await ground.store.openView();
  try {
    const since = await newSince(view.sql, extent.since);
    const keys = await projects.readKeys(view.sql, extent.project);
    const args = [since ?? null, keys === undefined ? null : JSON.stringify(keys), extent.peerId ?? null];
    const wanted = exchangedTables.filter(({ scope }) => extent.scopes.includes(scope));
    const isGiven = (array: MeshArray) =>
      extent.after !== undefined && meshArrays.indexOf(array) < meshArrays.indexOf(extent.after.array);
    const lastOf = (array: MeshArray) => (extent.after?.array === array ? extent.after.key : undefined);
    const reading = {
      connection: view,
      now: exportedAt,
      includeImages: false,
      home: ground.home,
      settings: ground.settings,
    };
    for (const one of wanted) {
      const { array } = one;
      if (isGiven(array)) continue;
      const only = condition(one, args, lastOf(array));
      if (array === "graphEdges" && extent.isDivided === true) {
        const ends = wanted.filter((other) => other.array === "graphNodes");
        yield* edgesWithEnds(view.sql, one, ends, { ...reading, only });
        continue;
      }
      yield { array };
      for await (const page of collectionOf(one).pages({ ...reading, only }))
        yield partOf(view.sql, one, page, standAlone.has(array));
    }
    yield { array: "tombstones" };
    const buried = { wanted, args, notBefore: exportedAt - tombstoneLifeMs, after: lastOf("tombstones") };
    for await (const rows of tombstonePages(view.sql, buried)) yield { array: "tombstones", rows };
  } finally {
    await view.close();
  }
}

function partOf(sql: Sql, one: ExchangedTable, page: ExportPage, mayBeLast: boolean): Part {
  return { array: one.array, rows: { page, end: () => endOf(sql, one, page), mayBeLast } };
}

/**
 * Edges of the graph in batches of about `enoughBytes`, each after the nodes at its ends if nodes are
 * exchanged.
 */
async function* edgesWithEnds(
  sql: Sql,
  edges: ExchangedTable,
  nodes: readonly ExchangedTable[],
  reading: Reading,
): AsyncGenerator<Part> {
  let pages: ExportPage[] = [];
  let bytes = 0;
  for await (const page of collectionOf(edges).pages(reading)) {
    pages.push(page);
    bytes += page.length;
    if (bytes < enoughBytes) continue;
    yield* withEnds(sql, edges, nodes, reading, pages);
    pages = [];
    bytes = 0;
  }
  if (pages.length > 0) yield* withEnds(sql, edges, nodes, reading, pages);
}

async function* withEnds(
  sql: Sql,
  edges: ExchangedTable,
  nodes: readonly ExchangedTable[],
  reading: Reading,
  pages: readonly ExportPage[],
): AsyncGenerator<Part> {
  const ends = pages.flatMap((page) =>
    rowsIn<GraphEnds>(page).flatMap(({ sourceNodeId, targetNodeId }) => [sourceNodeId, targetNodeId]),
  );
  const args = [JSON.stringify([...new Set(ends)])];
  const only = { text: "r.id IN (SELECT value FROM json_each(?1))", args };
  for (const one of nodes) {
    for await (const page of collectionOf(one).pages({ ...reading, only }))
      yield partOf(sql, one, page, false);
  }
  yield { array: edges.array };
  for (const [at, page] of pages.entries()) yield partOf(sql, edges, page, at === pages.length - 1);
}

interface GraphEnds {
  readonly sourceNodeId: string;
  readonly targetNodeId: string;
}

/** The records of a page. */
export function rowsIn<Row>(page: ExportPage): readonly Row[] {
  const text = typeof page === "string" ? page : Buffer.from(page).toString();
  // The page is JSON that an export collection wrote, one record after another.
  return JSON.parse(`[${text}]`) as readonly Row[];
}

/**
 * Arguments: ?1 the time, ?2 the keys of the project, ?3 the peer (each null where there is none), ?4 the
 * last key of the previous page.
 */
function condition(one: ExchangedTable, args: readonly SqlValue[], after: Cursor["key"] = []): RowCondition {
  const alias = aliasOf(one);
  const news = [
    "?1 IS NULL",
    `${alias}${one.changedAt} >= ?1`,
    `${alias}id IN ${arrivedSince(one.kind)}`,
    ...(one.orSince === undefined ? [] : [one.orSince]),
  ];
  const parts = [`(${news.join(" OR ")})`, `(?2 IS NULL OR (${inProject(one)}))`, one.if ?? "true"];
  const [last] = after;
  if (last === undefined) return { text: `(${parts.join(" AND ")})`, args };
  parts.push(`${alias}${one.orderedBy} > ?4`);
  return { text: `(${parts.join(" AND ")})`, args: [...args, last] };
}

/** The position after the last row of a page. */
async function endOf(sql: Sql, one: ExchangedTable, page: ExportPage): Promise<Cursor> {
  const id = rowsIn<{ readonly id: string }>(page).at(-1)?.id ?? "";
  if (one.orderedBy === "id") return { array: one.array, key: [id] };
  const [[key = 0] = []] = await sql.values(`SELECT key FROM ${one.table} WHERE id = ?`, [id]);
  return { array: one.array, key: [Number(key)] };
}

interface StoredTombstone {
  readonly kind: string;
  readonly id: string;
  readonly deletedAt: number;
}

function tombstoneRecord({ kind, id, deletedAt }: StoredTombstone) {
  const isFaded = kind === fadedMemory;
  const record = { kind: isFaded ? "memory" : kind, id, deletedAt: timeText(deletedAt) };
  return isFaded ? { ...record, faded: true } : record;
}

async function* tombstonePages(
  sql: Sql,
  {
    wanted,
    args,
    notBefore,
    after: [lastKind = "", lastId = ""] = [],
  }: {
    readonly wanted: readonly ExchangedTable[];
    readonly args: readonly SqlValue[];
    readonly notBefore: number;
    readonly after: Cursor["key"] | undefined;
  },
): AsyncGenerator<NonNullable<Part["rows"]>> {
  const kinds = JSON.stringify(wanted.flatMap(({ kind }) => tombstoneKinds(kind)));
  let last = [lastKind, lastId];
  for (;;) {
    const rows = await sql.all<StoredTombstone>(
      `SELECT kind, id, deleted_at AS deletedAt FROM tombstones
       WHERE (kind, id) > (?5, ?6) AND kind IN (SELECT value FROM json_each(?4)) AND deleted_at >= ?7
         AND (?2 IS NULL OR project_key IN (SELECT value FROM json_each(?2)))
         AND (?1 IS NULL OR deleted_at >= ?1 OR kind || ' ' || id IN ${arrivedSince("tombstone")})
       ORDER BY kind, id LIMIT ${tombstonesPerPage}`,
      [...args, kinds, ...last, notBefore],
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    const key = [end.kind, end.id];
    last = key;
    yield {
      page: rows.map((row) => JSON.stringify(tombstoneRecord(row))).join(","),
      end: async () => ({ array: "tombstones", key }),
      mayBeLast: true,
    };
  }
}
