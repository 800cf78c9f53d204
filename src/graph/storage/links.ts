import { firstNumber, listedColumns, type Sql } from "../../store/sql.ts";
import type { LayerDraft } from "./draft.ts";
import { type Link, linkFresh } from "./link-each.ts";
import { ofBothKinds, type ThingKind } from "./thing-kind.ts";

/*
 * Which observation or memory a node or an edge was found in: one row for each, so that no list grows. Counts go
 * with the rows.
 */

export interface NewSource {
  readonly kind: "observation" | "memory";
  readonly ref: string;
  readonly agentId: string | null;
}

type Mark = "structural" | "extracted";

/** A source that something was found in. */
export interface Source {
  readonly key: number;
  /** It is new: nothing is linked to it yet. */
  readonly fresh: boolean;
  /** The layer that is being made was made of it before. */
  readonly marked: boolean;
}

/** The keys of sources, made when they are new, and marked with the layer that is being made of them. */
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

/** A node or an edge with the layers that it is in. */
interface LayeredRow {
  readonly key: number;
  readonly layers: ReadonlySet<LayerDraft>;
}

/** How many sources a row has by its layers. */
export function sourceCount({ layers }: Pick<LayeredRow, "layers">): number {
  return new Set([...layers].flatMap(({ sources }) => sources)).size;
}

/** Links rows that were just made with their sources, which they count already. */
export async function linkNewRows(sql: Sql, what: ThingKind, rows: readonly LayeredRow[]): Promise<void> {
  await linkFresh(
    sql,
    what,
    pairsOf(rows, () => true),
  );
}

/** Links rows that were there with the sources of their layers. Returns how many each one gained. */
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
