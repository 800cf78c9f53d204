import type { Sql } from "../../store/sql.ts";

/** Key of a node or an edge, and the id of what it was found in. */
export type Link = readonly [key: number, ref: string];

interface Linking {
  readonly now: number;
  /** Keys of rows that were inserted with the links: what these say of themselves holds as it is. */
  readonly fresh: ReadonlySet<number>;
}

const chunkSize = 2_000;

/** Links nodes or edges each with sources of its own, as far as these are stored. Returns which of them gained one. */
export async function linkEach(
  sql: Sql,
  what: "node" | "edge",
  links: Iterable<Link>,
  { now, fresh }: Linking,
): Promise<Set<number>> {
  const gained = new Set<number>();
  for (const chunk of chunksOf(links)) {
    const sources = await sourceKeysOf(
      sql,
      chunk.map(([, ref]) => ref),
    );
    const pairs = chunk.flatMap(([key, ref]) => {
      const source = sources.get(ref);
      return source === undefined ? [] : [[key, source]];
    });
    for (const [key] of await sql.values(insertLinks[what], [JSON.stringify(pairs)])) gained.add(Number(key));
  }
  if (gained.size === 0) return gained;
  const known = [...gained].filter((key) => !fresh.has(key));
  await sql.run(recount[what], [JSON.stringify([...gained])]);
  await sql.run(foundAgain[what], [JSON.stringify(known), now]);
  return gained;
}

const insertLinksOf = (what: "node" | "edge") => `INSERT INTO graph_${what}_links (${what}, source)
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?) WHERE true
  ON CONFLICT DO NOTHING RETURNING ${what}`;
const insertLinks = { node: insertLinksOf("node"), edge: insertLinksOf("edge") } as const;

const recountOf = (what: "node" | "edge") => `UPDATE graph_${what}s
  SET source_count = (SELECT count(*) FROM graph_${what}_links WHERE ${what} = graph_${what}s.key)
  WHERE key IN (SELECT value FROM json_each(?))`;
const recount = { node: recountOf("node"), edge: recountOf("edge") } as const;

const foundAgainOf = (what: "node" | "edge") => `UPDATE graph_${what}s SET updated_at = ?2, stale = 0
  WHERE key IN (SELECT value FROM json_each(?1))`;
const foundAgain = { node: foundAgainOf("node"), edge: foundAgainOf("edge") } as const;

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
export async function sourceKeysOf(sql: Sql, refs: readonly string[]): Promise<Map<string, number>> {
  const list = JSON.stringify([...new Set(refs)]);
  await sql.run(announceStored, [list]);
  const rows = await sql.all<{ ref: string; key: number }>(
    "SELECT ref, key FROM graph_sources WHERE ref IN (SELECT value FROM json_each(?)) ORDER BY kind",
    [list],
  );
  return new Map(rows.map(({ ref, key }) => [ref, key]));
}

/** Marks sources as those that a model was asked about. */
export async function markExtracted(sql: Sql, keys: readonly number[]): Promise<void> {
  if (keys.length === 0) return;
  await sql.run("UPDATE graph_sources SET extracted = 1 WHERE key IN (SELECT value FROM json_each(?))", [
    JSON.stringify(keys),
  ]);
}

const unknownRefs = `SELECT value FROM json_each(?1)
  WHERE NOT EXISTS (SELECT 1 FROM graph_sources WHERE ref = value)`;
const announceStored = `INSERT INTO graph_sources (kind, ref, agent_id, structural, extracted)
  SELECT 'observation', id, agent_id, 0, 0 FROM observations WHERE id IN (${unknownRefs})
  UNION ALL SELECT 'memory', id, agent_id, 0, 0 FROM memories WHERE id IN (${unknownRefs})`;
