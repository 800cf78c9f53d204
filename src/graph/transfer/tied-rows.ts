import type { Sql } from "../../store/sql.ts";
import type { NodeType } from "../record.ts";
import { undirected } from "../storage/draft.ts";
import { cleanName, identityOf } from "../storage/names.ts";
import type { AttachedRow } from "../structural/attach.ts";
import { structuralLayer } from "../structural/extract.ts";

/*
 * A file that an export made brings the graph of its rows with it: then the rules say nothing new, and to find that
 * out for a hundred rows takes two statements, where tying each of them takes a dozen.
 */

export interface AnnouncedRow extends AttachedRow {
  /** Its key among the sources of the graph. */
  readonly source: number;
}

/** What is linked with a source. */
export interface Linked {
  /**
   * The project under which the graph has it, by the oldest node that rules made of it. The row itself may name
   * another: an event of another project than its session's, or a memory that was given its project later.
   */
  readonly place: Pick<AttachedRow, "project" | "projectKey"> | undefined;
  /** Keys of nodes by what they are told apart by. */
  readonly nodes: ReadonlyMap<string, number>;
  /** Edges by their ends and type. */
  readonly edges: ReadonlySet<string>;
}

/** Whether the graph links a row with all that rules make of it, by the things' own names. */
export function isTied(row: AnnouncedRow, linked: Linked | undefined): boolean {
  const { nodes, edges } = structuralLayer(row);
  if (nodes.length === 0) return true;
  if (linked === undefined) return false;
  const keys = nodes.map(({ type, name }) =>
    linked.nodes.get(nodeIdentity(row.projectKey ?? "", type, cleanName(name))),
  );
  if (keys.includes(undefined)) return false;
  return edges.every(({ source, target, type }) => {
    const [from = 0, to = 0] = [keys[source], keys[target]];
    return from === to || linked.edges.has(edgeIdentity(from, to, type));
  });
}

function nodeIdentity(projectKey: string, type: NodeType, name: string): string {
  return `${type} ${identityOf(type, name)}\n${projectKey}`;
}

function edgeIdentity(from: number, to: number, type: string): string {
  return type === undirected && from > to ? `${to} ${from} ${type}` : `${from} ${to} ${type}`;
}

/** A node: key, key of its project, type, name; with the project as given where rules made it, else 0. */
type NodeText = readonly [number, string, NodeType, string, string | null | 0];
type EdgeText = readonly [from: number, to: number, type: string];

/** What is linked with each of some sources. */
export async function linkedWith(sql: Sql, sources: readonly number[]): Promise<Map<number, Linked>> {
  const found = await sql.values(linkedTexts, [JSON.stringify(sources)]);
  return new Map(
    found.map(([source, nodeTexts, edgeTexts]) => {
      // Made by the statement.
      const nodes = JSON.parse(String(nodeTexts)) as NodeText[];
      const edges = JSON.parse(String(edgeTexts)) as EdgeText[];
      return [
        Number(source),
        {
          place: placeOf(nodes),
          nodes: new Map(nodes.map(([key, project, type, name]) => [nodeIdentity(project, type, name), key])),
          edges: new Set(edges.map(([from, to, type]) => edgeIdentity(from, to, type))),
        },
      ];
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
