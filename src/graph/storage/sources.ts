import { chunksOf } from "../../store/chunks.ts";
import { firstNumber, listedColumns, type Sql } from "../../store/sql.ts";

/* Sources: the observations and memories that nodes and edges were found in. The graph keeps a row for each. */

const refsAtOnce = 2_000;

export type SourceKind = "observation" | "memory";

export interface NewSource {
  readonly kind: SourceKind;
  readonly ref: string;
  readonly agentId: string | null;
}

type Mark = "structural" | "extracted";

/** A source, as it was before it was marked. */
interface Source {
  readonly key: number;
  /** Whether the source is new, so that nothing is linked to it yet. */
  readonly fresh: boolean;
  /** Whether the layer (structural or extracted) had been made of it before. */
  readonly marked: boolean;
}

/** Finds sources, or makes them when they are new, and marks them with the layer that is being made of them. */
export async function sourceKeys(sql: Sql, sources: readonly NewSource[], mark: Mark): Promise<Source[]> {
  const list = JSON.stringify(sources.map(({ ref, kind }) => [ref, kind]));
  const known = await sql.values(knownSources, [list]);
  const knownAt = new Map(
    known.map(([at, key, structural, extracted]) => [Number(at), { key, structural, extracted }]),
  );
  const last = await firstNumber(sql, "SELECT max(key) FROM graph_sources");
  const fresh = new Map<string, readonly [key: number, source: NewSource]>();
  const found = sources.map((source, at): Source => {
    const row = knownAt.get(at);
    if (row !== undefined) return { key: Number(row.key), fresh: false, marked: row[mark] === 1 };
    const name = `${source.kind}\n${source.ref}`;
    const [key] = fresh.get(name) ?? [last + fresh.size + 1];
    fresh.set(name, [key, source]);
    return { key, fresh: true, marked: false };
  });
  const marks = [mark === "structural" ? 1 : 0, mark === "extracted" ? 1 : 0];
  const rows = Array.from(fresh.values(), ([key, { kind, ref, agentId }]) => [key, kind, ref, agentId]);
  if (rows.length > 0) await sql.run(insertSources, [JSON.stringify(rows), ...marks]);
  const unmarked = found.filter((source) => !source.fresh && !source.marked).map(({ key }) => key);
  await markSources(sql, unmarked, mark);
  return found;
}

/** Marks sources, by key, with a layer that was made of them. */
export async function markSources(sql: Sql, keys: readonly number[], mark: Mark): Promise<void> {
  if (keys.length > 0) await sql.run(markOf[mark], [JSON.stringify(keys)]);
}

const knownSources = `SELECT j.key, s.key, s.structural, s.extracted FROM json_each(?) AS j
  CROSS JOIN graph_sources AS s ON s.ref = json_extract(j.value, '$[0]') AND s.kind = json_extract(j.value, '$[1]')`;
const insertSources = `INSERT OR FAIL INTO graph_sources (key, kind, ref, agent_id, structural, extracted)
  SELECT ${listedColumns(4)}, ?2, ?3 FROM json_each(?1)`;
const markOf: Readonly<Record<Mark, string>> = {
  structural: "UPDATE graph_sources SET structural = 1 WHERE key IN (SELECT value FROM json_each(?))",
  extracted: "UPDATE graph_sources SET extracted = 1 WHERE key IN (SELECT value FROM json_each(?))",
};

/**
 * Keys of sources by observation or memory id. Missing sources are made for ids whose observation or memory is stored.
 */
export async function sourceKeysOf(sql: Sql, refs: ReadonlySet<string>): Promise<Map<string, number>> {
  const keys = new Map<string, number>();
  for (const chunk of chunksOf([...refs], refsAtOnce)) {
    await findKeys(sql, chunk, keys);
    const unknown = chunk.filter((ref) => !keys.has(ref));
    if (unknown.length === 0) continue;
    await sql.run(announceStored, [JSON.stringify(unknown)]);
    await findKeys(sql, unknown, keys);
  }
  return keys;
}

async function findKeys(sql: Sql, refs: readonly string[], keys: Map<string, number>): Promise<void> {
  const rows = await sql.values(
    "SELECT ref, key FROM graph_sources WHERE ref IN (SELECT value FROM json_each(?)) ORDER BY kind",
    [JSON.stringify(refs)],
  );
  for (const [ref, key] of rows) keys.set(String(ref), Number(key));
}

const announceStored = `INSERT INTO graph_sources (kind, ref, agent_id, structural, extracted)
  SELECT 'observation', id, agent_id, 0, 0 FROM observations WHERE id IN (SELECT value FROM json_each(?1))
  UNION ALL SELECT 'memory', id, agent_id, 0, 0 FROM memories WHERE id IN (SELECT value FROM json_each(?1))`;
