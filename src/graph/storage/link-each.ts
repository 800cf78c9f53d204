import { bulkInsert } from "../../store/bulk-insert.ts";
import { listedColumns, type Sql } from "../../store/sql.ts";
import { ofBothKinds, type ThingKind } from "./thing-kind.ts";

/** Keys of a node or an edge, and of what it was found in. */
export type Link = readonly [key: number, source: number];

const chunkSize = 2_000;

export function linksOf(key: number, sources: Iterable<number>): Link[] {
  return Array.from(sources, (source) => [key, source]);
}

/** Makes links of which none is there yet; what the rows say of themselves is the caller's business. */
export async function linkFresh(sql: Sql, what: ThingKind, links: readonly Link[]): Promise<void> {
  await insertFresh[what](sql, links);
}

const insertFreshOf = (what: ThingKind) =>
  bulkInsert(`INSERT OR FAIL INTO graph_${what}_links (${what}, source)`, "(?, ?)");
const insertFresh = ofBothKinds(insertFreshOf);

/** Links known nodes or edges each with sources of its own. Returns which of them gained one. */
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

/** The same for what was known already to have more sources than it was given: it does not count as changed. */
export async function linkFurther(sql: Sql, what: ThingKind, links: readonly Link[]): Promise<Set<number>> {
  const gained = await insertUnknown(sql, what, links);
  if (gained.size > 0) await sql.run(recount[what], [JSON.stringify([...gained])]);
  return gained;
}

async function insertUnknown(sql: Sql, what: ThingKind, links: readonly Link[]): Promise<Set<number>> {
  const gained = new Set<number>();
  for (const chunk of chunksOf(links)) {
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
const asNew = ", updated_at = ?2, stale = 0";
const refresh = ofBothKinds((what) => recountOf(what, asNew));

/** Some at a time: a thing that is found everywhere names a large part of the store. */
export function* chunksOf<Item>(items: Iterable<Item>): Generator<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < chunkSize) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Keys of sources by the ids of what they stand for; those of stored rows that the graph did not know are made. */
export async function sourceKeysOf(sql: Sql, refs: ReadonlySet<string>): Promise<Map<string, number>> {
  const keys = new Map<string, number>();
  await findKeys(sql, refs, keys);
  const unknown = [...refs].filter((ref) => !keys.has(ref));
  if (unknown.length === 0) return keys;
  await sql.run(announceStored, [JSON.stringify(unknown)]);
  await findKeys(sql, unknown, keys);
  return keys;
}

async function findKeys(sql: Sql, refs: Iterable<string>, keys: Map<string, number>): Promise<void> {
  const rows = await sql.values(
    "SELECT ref, key FROM graph_sources WHERE ref IN (SELECT value FROM json_each(?)) ORDER BY kind",
    [JSON.stringify([...refs])],
  );
  for (const [ref, key] of rows) keys.set(String(ref), Number(key));
}

const announceStored = `INSERT INTO graph_sources (kind, ref, agent_id, structural, extracted)
  SELECT 'observation', id, agent_id, 0, 0 FROM observations WHERE id IN (SELECT value FROM json_each(?1))
  UNION ALL SELECT 'memory', id, agent_id, 0, 0 FROM memories WHERE id IN (SELECT value FROM json_each(?1))`;
