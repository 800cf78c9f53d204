import { bulkInsert } from "../../store/bulk-insert.ts";
import { changedAtSql } from "../../store/changed-at.ts";
import { chunksOf } from "../../store/chunks.ts";
import { listedColumns, type Sql } from "../../store/sql.ts";
import type { LayerDraft } from "./draft.ts";
import { ofBothKinds, type ThingKind } from "./thing-kind.ts";

/*
 * Links say in which observation or memory (source) a node or an edge was found: one row for each pair, instead of a
 * list that grows. Nodes and edges also store how many links they have.
 */

/** Rows per statement: a thing that is found everywhere may have a large part of the store as its sources. */
const linksAtOnce = 2_000;

/** Key of a node or an edge, and key of a source. */
export type Link = readonly [key: number, source: number];

export function linksOf(key: number, sources: Iterable<number>): Link[] {
  return Array.from(sources, (source) => [key, source]);
}

/** Inserts links none of which exists yet. The caller updates the counts in the nodes and edges. */
export async function linkFresh(sql: Sql, what: ThingKind, links: readonly Link[]): Promise<void> {
  await insertFresh[what](sql, links);
}

const insertFreshOf = (what: ThingKind) =>
  bulkInsert(`INSERT OR FAIL INTO graph_${what}_links (${what}, source)`, "(?, ?)");
const insertFresh = ofBothKinds(insertFreshOf);

/** Links stored nodes or edges, each with its own sources. Returns the keys of those that gained a link. */
export async function linkKnown(
  sql: Sql,
  what: ThingKind,
  links: readonly Link[],
  now: number,
): Promise<Set<number>> {
  const gained = await insertUnknown(sql, what, links);
  if (gained.size > 0) await sql.run(refresh[what], [JSON.stringify([...gained]), now]);
  return gained;
}

/** Like linkKnown, for nodes or edges whose links are still being completed: their time of change stays. */
export async function linkFurther(sql: Sql, what: ThingKind, links: readonly Link[]): Promise<Set<number>> {
  const gained = await insertUnknown(sql, what, links);
  if (gained.size > 0) await sql.run(recount[what], [JSON.stringify([...gained])]);
  return gained;
}

async function insertUnknown(sql: Sql, what: ThingKind, links: readonly Link[]): Promise<Set<number>> {
  const gained = new Set<number>();
  for (const chunk of chunksOf(links, linksAtOnce)) {
    for (const [key] of await sql.values(insertLinks[what], [JSON.stringify(chunk)])) gained.add(Number(key));
  }
  return gained;
}

const insertLinksOf = (what: ThingKind) => `INSERT INTO graph_${what}_links (${what}, source)
  SELECT ${listedColumns(2)} FROM json_each(?) WHERE true
  ON CONFLICT DO NOTHING RETURNING ${what}`;
const insertLinks = ofBothKinds(insertLinksOf);

const recountOf = (what: ThingKind, besides = "") => `UPDATE graph_${what}s
  SET source_count = (SELECT count(*) FROM graph_${what}_links WHERE ${what} = graph_${what}s.key)${besides}
  WHERE key IN (SELECT value FROM json_each(?1))`;
const recount = ofBothKinds((what) => recountOf(what));
const asNew = `, updated_at = ${changedAtSql("?2")}, stale = 0`;
const refresh = ofBothKinds((what) => recountOf(what, asNew));

/** A node or an edge with the layers that it is in. */
interface LayeredRow {
  readonly key: number;
  readonly layers: ReadonlySet<LayerDraft>;
}

/** How many distinct sources the layers of a row have. */
export function sourceCount({ layers }: Pick<LayeredRow, "layers">): number {
  return new Set([...layers].flatMap(({ sources }) => sources)).size;
}

/** Links new nodes or edges with their sources; their counts already include these. */
export async function linkNewRows(sql: Sql, what: ThingKind, rows: readonly LayeredRow[]): Promise<void> {
  await linkFresh(
    sql,
    what,
    pairsOf(rows, () => true),
  );
}

/** Links stored nodes or edges with the sources of their layers. Returns how many links each of them gained, by key. */
export async function linkKnownRows(
  sql: Sql,
  what: ThingKind,
  rows: readonly LayeredRow[],
): Promise<Map<number, number>> {
  const sure = pairsOf(rows, ({ fresh }) => fresh);
  const doubtful = pairsOf(rows, ({ fresh }) => !fresh);
  const pairs = doubtful.length === 0 ? sure : [...sure, ...(await unlinked(sql, what, doubtful))];
  await linkFresh(sql, what, pairs);
  const gained = new Map<number, number>();
  for (const [key] of pairs) gained.set(key, (gained.get(key) ?? 0) + 1);
  return gained;
}

function pairsOf(rows: readonly LayeredRow[], isMeant: (layer: LayerDraft) => boolean): Link[] {
  const pairs: Link[] = [];
  // In the order of the table, where neighbours share a page.
  for (const { key, layers } of [...rows].sort((a, b) => a.key - b.key)) {
    const sources = new Set([...layers].filter(isMeant).flatMap((layer) => layer.sources));
    for (const source of sources) pairs.push([key, source]);
  }
  return pairs;
}

async function unlinked(sql: Sql, what: ThingKind, pairs: readonly Link[]): Promise<Link[]> {
  const rows = await sql.values(missingLinks[what], [JSON.stringify(pairs)]);
  return rows.map(([key, source]) => [Number(key), Number(source)]);
}

const missingLinksOf = (
  what: ThingKind,
) => `SELECT ${listedColumns(2)} FROM json_each(?) AS j WHERE NOT EXISTS (SELECT 1 FROM graph_${what}_links
    WHERE ${what} = json_extract(j.value, '$[0]') AND source = json_extract(j.value, '$[1]'))`;
const missingLinks = ofBothKinds(missingLinksOf);
