import { type Collection, collection, type Writing } from "../../governance/transfer/collection.ts";
import { bulkInsert } from "../../store/bulk-insert.ts";
import { changedAtSql } from "../../store/changed-at.ts";
import { EdgeType, surestOrigin } from "../record.ts";
import { countIn, degreesOf, raiseDegrees } from "../storage/counts.ts";
import { undirected } from "../storage/draft.ts";
import { enrichEdges } from "../storage/enrich.ts";
import { type Link, linkFresh } from "../storage/links.ts";
import { findEdges, lastKeys } from "../storage/put-layer.ts";
import { changeTimes } from "./change-times.ts";
import { CountedRows } from "./counted-rows.ts";
import { type End, endsOf } from "./ends.ts";
import { EdgeInFile, edgeFieldNames } from "./file-rows.ts";
import { freeIds } from "./free-ids.ts";
import { linkNamed } from "./link-named.ts";
import { edgePages } from "./pages.ts";
import { type KnownSources, knownSources } from "./sources.ts";

/** Edges of the graph. A stored edge keeps its id and gains what the file says of it. */
export const graphEdgeCollection: Collection = collection<EdgeInFile>({
  name: "graphEdges",
  schema: EdgeInFile,
  fields: edgeFieldNames,
  pages: edgePages,
  rowsAtOnce: 1_000,
  put: putEdges,
  clear: async ({ tx }) => {
    await tx.sql.run("DELETE FROM graph_edge_links");
    return (await tx.sql.run("DELETE FROM graph_edges")).changes;
  },
});

/** An edge between stored nodes, with the rows of the file that describe it. */
interface Line {
  key: number;
  readonly identity: string;
  readonly source: number;
  readonly target: number;
  readonly type: EdgeType;
  readonly projectKey: string;
  /** The type of both ends when it is the same, else empty. */
  readonly ends: string;
  readonly between: readonly [End, End];
  readonly rows: EdgeInFile[];
}

async function putEdges(writing: Writing, given: readonly EdgeInFile[]): Promise<number> {
  const { sql } = writing.tx;
  const lines = await linesOf(writing, given);
  const sources = await knownSources(writing, "graphEdges", given);
  const stored = await findEdges(
    sql,
    lines.filter(({ between: [from, to] }) => from.hasEdges && to.hasEdges),
  );
  const known: Line[] = [];
  const fresh: Line[] = [];
  for (const line of lines) {
    const key = stored.get(line.identity);
    if (key !== undefined) {
      line.key = key;
      known.push(line);
    } else if (sources.speakFor(line.rows)) fresh.push(line);
  }
  const changed = await insertLines(writing, fresh, sources);
  if (writing.strategy !== "skip")
    for (const line of known) if (await enrich(writing, line)) changed.add(line.key);
  const named = known.map(({ key, rows }) => ({ key, sources: sources.keysOf(rows) }));
  for (const key of await linkNamed(writing, "edge", named)) changed.add(key);
  return lines.filter(({ key }) => changed.has(key)).reduce((sum, { rows }) => sum + rows.length, 0);
}

async function linesOf(writing: Writing, given: readonly EdgeInFile[]): Promise<Line[]> {
  const ids = new Set<string>();
  for (const { sourceNodeId, targetNodeId } of given) ids.add(sourceNodeId).add(targetNodeId);
  const ends = await endsOf(writing, ids);
  const lines = new Map<string, Line>();
  for (const row of given) {
    const [from, to] = [ends.get(row.sourceNodeId), ends.get(row.targetNodeId)];
    if (from === undefined || to === undefined) {
      writing.warn("graphEdges: edges with a node that is not stored were left out");
      continue;
    }
    if (from.key === to.key) continue;
    const type = typeOf(row, writing);
    const [source, target] = type === undirected && from.key > to.key ? [to, from] : [from, to];
    const identity = `${source.key} ${target.key} ${type}`;
    const known = lines.get(identity);
    if (known !== undefined) {
      known.rows.push(row);
      continue;
    }
    lines.set(identity, {
      key: 0,
      identity,
      source: source.key,
      target: target.key,
      type,
      projectKey: source.projectKey,
      ends: source.type === target.type ? source.type : "",
      between: [source, target],
      rows: [row],
    });
  }
  return [...lines.values()];
}

function typeOf({ type }: EdgeInFile, { warn }: Writing): EdgeType {
  const known = EdgeType.options.find((one) => one === type);
  if (known === undefined) warn("graphEdges: an unknown type became related_to");
  return known ?? undirected;
}

async function insertLines(
  writing: Writing,
  fresh: readonly Line[],
  sources: KnownSources,
): Promise<Set<number>> {
  if (fresh.length === 0) return new Set();
  const { sql } = writing.tx;
  const now = writing.ground.now();
  const last = (await lastKeys(sql)).edge;
  const ids = await freeIds(
    writing,
    "edge",
    fresh.map(({ rows }) => rows[0]?.id ?? ""),
  );
  const changed = await changeTimes(writing, "graphEdge", ids, fresh);
  const values: (string | number | null)[][] = [];
  const links: Link[] = [];
  const counted = new CountedRows<Line>();
  for (const [at, line] of fresh.entries()) {
    const { rows, source, target, type } = line;
    line.key = last + 1 + at;
    const stale = rows.every((row) => row.stale);
    const origin = surestOrigin(rows);
    const properties = rows.find((row) => row.properties !== undefined)?.properties;
    const found = sources.keysOf(rows);
    for (const key of found) links.push([line.key, key]);
    values.push([
      line.key,
      ids[at] ?? "",
      source,
      target,
      type,
      weightOf(rows) ?? null,
      rows.some(({ structural }) => structural) ? 1 : 0,
      properties === undefined ? null : JSON.stringify(properties),
      origin,
      stale ? 1 : 0,
      found.size,
      Math.min(...rows.map(({ createdAt }) => createdAt ?? now)),
      changed[at] ?? 0,
    ]);
    counted.add({ origin, stale }, line);
    for (const end of line.between) end.hasEdges = true;
    if (rows.some(({ divided }) => divided === true)) writing.begun.edge.add(line.key);
  }
  await insertRows(sql, values);
  for (const [kind, lines] of counted) await countIn(sql, kind, [], lines);
  await raiseDegrees(sql, degreesOf(fresh));
  await linkFresh(sql, "edge", links);
  return new Set(fresh.map(({ key }) => key));
}

const insertRows = bulkInsert(
  `INSERT OR FAIL INTO graph_edges (key, id, source, target, type, given_weight, structural, properties, origin, stale,
    source_count, created_at, updated_at)`,
  `(${Array.from({ length: 13 }, () => "?").join(", ")})`,
);

function weightOf(rows: readonly EdgeInFile[]): number | undefined {
  const weights = rows.flatMap(({ givenWeight }) => givenWeight ?? []);
  return weights.length === 0 ? undefined : Math.max(...weights);
}

/** Enriches an edge by its rows in the file, except stale ones. Returns whether anything changed. */
async function enrich({ tx, ground }: Writing, line: Line): Promise<boolean> {
  const current = line.rows.filter(({ stale }) => !stale);
  if (current.length === 0) return false;
  const properties = current.find((row) => row.properties !== undefined)?.properties;
  const told = { key: line.key, weight: weightOf(current), properties };
  const changed = await enrichEdges(tx.sql, ground.now(), surestOrigin(current), [told]);
  if (!current.some(({ structural }) => structural)) return changed.size > 0;
  const raised = await tx.sql.run(
    `UPDATE graph_edges SET structural = 1, updated_at = ${changedAtSql("?1")} WHERE key = ?2 AND structural = 0`,
    [ground.now(), line.key],
  );
  return changed.size > 0 || raised.changes > 0;
}
