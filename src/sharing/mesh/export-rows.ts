import type { Projects } from "../../capture/projects/projects.ts";
import { tombstoneLifeMs } from "../../governance/retention/tombstones.ts";
import { graphSettled } from "../../graph/structural/settled.ts";
import type { Ground } from "../../ground.ts";
import { timeText } from "../../operation/fields.ts";
import type { SqlValue } from "../../store/sql.ts";
import type { RowCondition } from "../../store/table-rows.ts";
import { version } from "../../version.ts";
import { arrivedSince, newSince } from "./arrivals.ts";
import type { Cursor } from "./cursor.ts";
import { edgesWithEnds } from "./edges-with-ends.ts";
import { aliasOf, type ExchangedTable, exchangedTables, inProject } from "./exchanged-tables.ts";
import { type Part, partOf } from "./part.ts";
import { type MeshArray, type MeshScope, meshArrays } from "./scope-names.ts";
import { tombstonePages } from "./tombstone-pages.ts";

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

/** Arrays whose rows refer only to rows of arrays before them, by ids that are the same in every store. */
const standAlone: ReadonlySet<MeshArray> = new Set([
  "memories",
  "semantic",
  "procedural",
  "relations",
  "graphNodes",
]);

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
      for await (const page of one.collection.pages({ ...reading, only }))
        yield partOf(view.sql, one, page, standAlone.has(array));
    }
    yield { array: "tombstones" };
    const buried = { wanted, args, notBefore: exportedAt - tombstoneLifeMs, after: lastOf("tombstones") };
    for await (const rows of tombstonePages(view.sql, buried)) yield { array: "tombstones", rows };
  } finally {
    await view.close();
  }
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
