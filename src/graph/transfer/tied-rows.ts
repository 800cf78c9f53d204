import type { Sql } from "../../store/sql.ts";
import type { NodeType } from "../record.ts";
import { undirected } from "../storage/draft.ts";
import { cleanName, identityOf } from "../storage/names.ts";
import type { AttachedRow } from "../structural/attach.ts";
import { structuralLayer } from "../structural/extract.ts";

/*
 * An exported file usually contains the graph of its rows too, so the rules would find nothing new. Checking that for
 * a hundred rows takes two statements; making the layer of each of them would take a dozen.
 */

export interface AnnouncedRow extends AttachedRow {
  /** Its key among the sources of the graph. */
  readonly source: number;
}

/** What is linked with a source. It is usually so little that a linear search beats building a map. */
interface Linked {
  /**
   * The project of the oldest node that rules made of the source. The row itself may name another project: an event of
   * another project than its session's, or a memory that was given its project later.
   */
  readonly place: Pick<AttachedRow, "project" | "projectKey"> | undefined;
  readonly nodes: readonly NodeText[];
  readonly edges: readonly EdgeText[];
}

/** A node: key, key of its project, type, name, and the project's name as given if rules made it, else 0. */
type NodeText = readonly [number, string, NodeType, string, string | null | 0];
type EdgeText = readonly [from: number, to: number, type: string];

/** Whether the graph links a row with all nodes and edges that rules make of it, compared by name. */
export function isTied(row: AnnouncedRow, linked: Linked | undefined): boolean {
  const { nodes, edges } = structuralLayer(row);
  if (nodes.length === 0) return true;
  if (linked === undefined) return false;
  const keys: number[] = [];
  for (const { type, name } of nodes) {
    const key = keyOf(linked.nodes, row.projectKey ?? "", type, cleanName(name));
    if (key === undefined) return false;
    keys.push(key);
  }
  return edges.every(({ source, target, type }) => {
    const [a = 0, b = 0] = [keys[source], keys[target]];
    if (a === b) return true;
    const [from, to] = type === undirected && a > b ? [b, a] : [a, b];
    return linked.edges.some((edge) => edge[0] === from && edge[1] === to && edge[2] === type);
  });
}

function keyOf(
  nodes: readonly NodeText[],
  projectKey: string,
  type: NodeType,
  name: string,
): number | undefined {
  const identity = identityOf(type, name);
  const found = nodes.find(
    (node) =>
      node[2] === type &&
      (node[3] === name || identityOf(type, node[3]) === identity) &&
      node[1] === projectKey,
  );
  return found?.[0];
}

/** The nodes and edges linked with each of the sources, by the source's key. */
export async function linkedWith(sql: Sql, sources: readonly number[]): Promise<Map<number, Linked>> {
  const found = await sql.values(linkedTexts, [JSON.stringify(sources)]);
  return new Map(
    found.map(([source, nodeTexts, edgeTexts]) => {
      // The casts are safe: the statement made these texts.
      const nodes = JSON.parse(String(nodeTexts)) as NodeText[];
      const edges = JSON.parse(String(edgeTexts)) as EdgeText[];
      return [Number(source), { place: placeOf(nodes), nodes, edges }];
    }),
  );
}

function placeOf(nodes: readonly NodeText[]): Linked["place"] {
  const made = nodes.filter(([, , , , project]) => project !== 0);
  const [first, ...others] = made;
  if (first === undefined) return undefined;
  const [, projectKey, , , project] = others.reduce((a, b) => (b[0] < a[0] ? b : a), first);
  return projectKey === ""
    ? { project: null, projectKey: null }
    : { project: project === 0 ? null : project, projectKey };
}

const linkedTexts = `SELECT value,
  (SELECT json_group_array(json_array(n.key, n.project_key, n.type, n.name,
       CASE n.origin WHEN 'structural' THEN n.project ELSE 0 END)) FROM graph_node_links AS l
     CROSS JOIN graph_nodes AS n ON n.key = l.node WHERE l.source = value),
  (SELECT json_group_array(json_array(e.source, e.target, e.type)) FROM graph_edge_links AS l
     CROSS JOIN graph_edges AS e ON e.key = l.edge WHERE l.source = value)
  FROM json_each(?)`;
