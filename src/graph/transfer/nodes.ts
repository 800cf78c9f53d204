import { type Collection, collection, type Writing } from "../../governance/transfer/collection.ts";
import { projectFields } from "../../governance/transfer/project-fields.ts";
import { groupBy } from "../../group-by.ts";
import { enqueue } from "../../jobs/jobs.ts";
import { bulkInsert } from "../../store/bulk-insert.ts";
import type { Sql } from "../../store/sql.ts";
import { NodeType, surestOrigin } from "../record.ts";
import { countIn } from "../storage/counts.ts";
import type { LayerDraft } from "../storage/draft.ts";
import { enrichNodes } from "../storage/enrich.ts";
import { groupNodes, type NodeGroup } from "../storage/group-nodes.ts";
import { type Link, linkFresh } from "../storage/links.ts";
import { mergeNodes } from "../storage/merge-nodes.ts";
import { insertNewNames } from "../storage/name-index.ts";
import { lastKeys } from "../storage/put-layer.ts";
import { backfillJobKind } from "../structural/backfill.ts";
import { clearGraph } from "../upkeep/clear.ts";
import { changeTimes } from "./change-times.ts";
import { CountedRows } from "./counted-rows.ts";
import { NodeInFile, nodeFieldNames } from "./file-rows.ts";
import { freeIds } from "./free-ids.ts";
import { linkNamed } from "./link-named.ts";
import { nodePages } from "./pages.ts";
import { type KnownSources, knownSources } from "./sources.ts";

type Node = Omit<NodeInFile, "type"> & { readonly type: NodeType };

/** Nodes of the graph. A stored node that has one of the names keeps its id and gains what the file says of it. */
export const graphNodeCollection: Collection = collection<NodeInFile>({
  name: "graphNodes",
  schema: NodeInFile,
  fields: nodeFieldNames,
  pages: nodePages,
  rowsAtOnce: 1_000,
  put: async (writing, given) => {
    const typed = given.map((one): Node => Object.assign(one, { type: typeOf(one, writing) }));
    return putNodes(writing, typed, await layersOf(writing, typed));
  },
  clear: async ({ tx, ground }) => {
    const { nodes } = await clearGraph(tx.sql);
    // The whole graph is cleared; rows of the store that are not in the file get their structural layer back by a job.
    await enqueue(tx, ground, { kind: backfillJobKind, key: "graph" });
    return nodes;
  },
});

function typeOf({ type }: NodeInFile, { warn }: Writing): NodeType {
  const known = NodeType.options.find((one) => one === type);
  if (known === undefined) warn("graphNodes: an unknown type became concept");
  return known ?? "concept";
}

/** The nodes of a file that are of one project. */
interface FileLayer extends LayerDraft {
  readonly nodes: Node[];
}

async function layersOf(writing: Writing, nodes: readonly Node[]): Promise<FileLayer[]> {
  const layers: FileLayer[] = [];
  const byPlace = groupBy(nodes, ({ project, projectKey }) => JSON.stringify([project, projectKey]));
  for (const group of byPlace.values()) {
    const { project, projectKey } = await projectFields(writing, group[0].project, group[0].projectKey);
    layers.push({ origin: "import", project, projectKey, nodes: group, edges: [], sources: [], fresh: true });
  }
  return layers;
}

/** A node to be stored, with the rows of the file that describe it. */
interface Thing {
  readonly group: NodeGroup;
  readonly rows: readonly Node[];
}

async function putNodes(
  writing: Writing,
  nodes: readonly Node[],
  layers: readonly FileLayer[],
): Promise<number> {
  const { sql } = writing.tx;
  const sources = await knownSources(writing, "graphNodes", nodes);
  const { groupOf } = await groupNodes(sql, layers);
  const rowsOf = new Map<NodeGroup, Node[]>();
  for (const layer of layers) {
    layer.nodes.forEach((row, at) => {
      const group = groupOf(layer, at);
      if (group === undefined) return;
      const rows = rowsOf.get(group);
      if (rows === undefined) rowsOf.set(group, [row]);
      else rows.push(row);
    });
  }
  const things = inOrder([...rowsOf], nodes).map(([group, rows]): Thing => ({ group, rows }));
  const known = things.filter(({ group }) => group.stored.length > 0);
  const fresh = things.filter(({ group, rows }) => group.stored.length === 0 && sources.speakFor(rows));
  const changed = await insertThings(writing, fresh, sources);
  for (const { group } of known) {
    const [first = 0, ...others] = group.stored;
    group.key = first;
    if (writing.strategy === "skip") continue;
    for (const other of others) {
      await unite(writing, first, other);
      changed.add(first);
    }
  }
  await rememberKeys(writing, known);
  if (writing.strategy !== "skip")
    for (const thing of known) for (const key of await enrich(writing, thing)) changed.add(key);
  const named = known.map(({ group, rows }) => ({ key: group.key, sources: sources.keysOf(rows) }));
  for (const key of await linkNamed(writing, "node", named)) changed.add(key);
  const written = things.filter(({ group }) => changed.has(group.key));
  return written.reduce((sum, { rows }) => sum + rows.length, 0);
}

/** Things in the order of their first rows in the file, so that another export has the same order. */
function inOrder<Rowed extends readonly [unknown, readonly Node[]]>(
  things: readonly Rowed[],
  nodes: readonly Node[],
): Rowed[] {
  const places = new Map(nodes.map((node, at) => [node, at]));
  const placeOf = ([, [first]]: Rowed) => (first === undefined ? 0 : (places.get(first) ?? 0));
  return things.toSorted((one, other) => placeOf(one) - placeOf(other));
}

async function insertThings(
  writing: Writing,
  fresh: readonly Thing[],
  sources: KnownSources,
): Promise<Set<number>> {
  if (fresh.length === 0) return new Set();
  const { sql } = writing.tx;
  const last = (await lastKeys(sql)).node;
  const ids = await freeIds(
    writing,
    "node",
    fresh.map(({ rows }) => rows[0]?.id ?? ""),
  );
  const changed = await changeTimes(writing, "graphNode", ids, fresh);
  const values: (string | number | null)[][] = [];
  const links: Link[] = [];
  const counted = new CountedRows<NodeGroup>();
  for (const [at, { group, rows }] of fresh.entries()) {
    group.key = last + 1 + at;
    const id = ids[at] ?? "";
    const stale = rows.every((row) => row.stale);
    const origin = surestOrigin(rows);
    const found = sources.keysOf(rows);
    for (const source of found) links.push([group.key, source]);
    values.push([
      group.key,
      id,
      group.projectKey ?? "",
      group.project,
      group.type,
      group.names[0] ?? "",
      JSON.stringify(group.names.slice(1)),
      JSON.stringify(group.properties),
      origin,
      stale ? 1 : 0,
      found.size,
      Math.min(...rows.map(({ createdAt }) => createdAt)),
      changed[at] ?? 0,
    ]);
    counted.add({ origin, stale }, group);
    rememberKey(writing, group.key, id, rows);
    if (rows.some(({ divided }) => divided === true)) writing.begun.node.add(group.key);
  }
  await insertRows(sql, values);
  for (const [kind, groups] of counted) await countIn(sql, kind, groups, []);
  await insertNewNames(
    sql,
    fresh.flatMap(({ group }) => group.names.map((name) => ({ ...group, node: group.key, name }))),
  );
  await linkFresh(sql, "node", links);
  return new Set(fresh.map(({ group }) => group.key));
}

const insertRows = bulkInsert(
  `INSERT OR FAIL INTO graph_nodes (key, id, project_key, project, type, name, aliases, properties, origin, stale, degree,
    source_count, created_at, updated_at)`,
  `(${Array.from({ length: 10 }, () => "?").join(", ")}, 0, ?, ?, ?)`,
);

/** Enriches a stored node by its rows in the file, except stale ones. Returns the keys of those that changed. */
async function enrich({ tx, ground }: Writing, { group, rows }: Thing): Promise<Set<number>> {
  const current = rows.filter(({ stale }) => !stale);
  if (current.length === 0) return new Set();
  return enrichNodes(tx.sql, ground.now(), surestOrigin(current), [group]);
}

async function rememberKeys(writing: Writing, known: readonly Thing[]): Promise<void> {
  if (known.length === 0) return;
  const rows = await writing.tx.sql.values(
    "SELECT key, id FROM graph_nodes WHERE key IN (SELECT value FROM json_each(?))",
    [JSON.stringify(known.map(({ group }) => group.key))],
  );
  const ids = new Map(rows.map(([key, id]) => [Number(key), String(id)]));
  for (const { group, rows: given } of known)
    rememberKey(writing, group.key, ids.get(group.key) ?? "", given);
}

/** Remembers under which key a node of the file is stored, because the file's edges refer to its id in the file. */
function rememberKey({ nodeKeys }: Writing, key: number, id: string, rows: readonly Node[]): void {
  for (const row of rows) if (row.id !== id) nodeKeys.set(row.id, key);
}

/** Merges two stored nodes that names in the file show to be the same, and redirects ids of the file to `kept`. */
async function unite({ tx, ground, nodeKeys }: Writing, kept: number, gone: number): Promise<void> {
  const id = await idOf(tx.sql, gone);
  await mergeNodes(tx.sql, ground.now(), kept, gone);
  for (const [named, key] of nodeKeys) if (key === gone) nodeKeys.set(named, kept);
  nodeKeys.set(id, kept);
}

async function idOf(sql: Sql, key: number): Promise<string> {
  const [[id = ""] = []] = await sql.values("SELECT id FROM graph_nodes WHERE key = ?", [key]);
  return String(id);
}
