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
  /** Milliseconds since 1970: rows that have not changed since are left out. */
  readonly since: number | undefined;
  readonly project: string | undefined;
  /** The peer that it is for: what came from there is not sent back. */
  readonly peerId?: string;
  /** Who sends, for the receiver to note. */
  readonly from?: string;
  /** Only what comes behind. */
  readonly after?: Cursor | undefined;
  /** Whether it goes in several bodies, so that edges of the graph need their ends beside them. */
  readonly isDivided?: true;
}

/** That an array begins, or rows of it: JSON with commas between them. */
export interface Part {
  readonly array: MeshArray;
  readonly rows?: {
    readonly page: ExportPage;
    /** Where they end; to be asked for before the next part. */
    readonly end: () => Promise<Cursor>;
    /** Whether nothing that follows has to be in the same body. */
    readonly mayBeLast: boolean;
  };
}

/** Arrays whose rows name others only of arrays before their own, by ids that are the same everywhere. */
const standAlone: ReadonlySet<MeshArray> = new Set([
  "memories",
  "semantic",
  "procedural",
  "relations",
  "graphNodes",
  "tombstones",
]);

/** About how much of a graph's edges goes with its ends. */
export const enoughBytes = 2 * 1024 * 1024;

/** The rows that a peer is to have, from one view of the store. */
export interface Rows {
  /** What stands before them, as a JSON object without its closing brace. */
  readonly head: string;
  readonly parts: AsyncGenerator<Part>;
}

/** The head's `exportedAt` is a time from which on every change is in a later export. */
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
  // Whoever has taken an earlier time for a row has written it once this is through.
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

/** Edges of the graph, so many at a time, behind the nodes that they lead from and to where nodes are exchanged. */
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
  // Records of an export were made of rows a moment ago.
  return JSON.parse(`[${text}]`) as readonly Row[];
}

/** Its arguments are the time, the keys of the project, and the peer, null where there is none, and the last key given. */
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

/** The position behind the last row of a page. */
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

function asTold({ kind, id, deletedAt }: StoredTombstone) {
  const isFaded = kind === fadedMemory;
  const told = { kind: isFaded ? "memory" : kind, id, deletedAt: timeText(deletedAt) };
  return isFaded ? { ...told, faded: true } : told;
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
      page: rows.map((row) => JSON.stringify(asTold(row))).join(","),
      end: async () => ({ array: "tombstones", key }),
      mayBeLast: true,
    };
  }
}
