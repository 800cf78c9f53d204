import type { Sql } from "../../store/sql.ts";
import type { EdgeType, NodeType } from "../record.ts";
import { type EdgeDraft, type LayerDraft, undirected } from "./draft.ts";
import { cleanName, foldedName, identityOf } from "./names.ts";

/** Drafts and stored nodes that are one thing, because a name of one is a name of the other. */
export interface NodeGroup {
  key: number;
  readonly type: NodeType;
  /** As given, the first one first. */
  readonly names: string[];
  readonly properties: Record<string, unknown>;
  /** Keys of stored nodes, the oldest first; more than one when the draft shows that they are the same. */
  readonly stored: number[];
}

/** An edge between two groups. */
export interface DraftedEdge {
  key: number;
  readonly identity: string;
  readonly source: number;
  readonly target: number;
  readonly type: EdgeType;
  /** The type of both ends where it is the same, else empty. */
  readonly ends: string;
  readonly weight: number | undefined;
  readonly properties: EdgeDraft["properties"];
}

interface Named {
  readonly identity: string;
  readonly folded: string;
  readonly type: NodeType;
}

/**
 * Sorts the nodes of a draft into things. Sharing a name is followed to its end, so it does not matter in which
 * order names become known. A draft whose name is blank belongs to no group.
 */
export async function groupNodes(
  sql: Sql,
  draft: LayerDraft,
): Promise<{ groups: NodeGroup[]; groupOf: ReadonlyMap<number, NodeGroup> }> {
  const byName = new Map<string, NodeGroup>();
  const namesOf = new Map<string, Named>();
  const places: NodeGroup[] = [];
  for (const { type, name, aliases = [], properties = {} } of draft.nodes) {
    const names = [...new Set([name, ...aliases].map(cleanName).filter((text) => text !== ""))];
    const group: NodeGroup = { key: 0, type, names: [], properties: {}, stored: [] };
    places.push(group);
    if (cleanName(name) === "") continue;
    const keys = names.map((text) => `${type}\n${identityOf(type, text)}`);
    names.forEach((text, at) => {
      namesOf.set(keys[at] ?? "", {
        identity: identityOf(type, text),
        folded: foldedName(text),
        type,
      });
    });
    Object.assign(group.properties, properties);
    absorb(byName, group, names, keys);
  }
  const looked = [...namesOf];
  const rows = await sql.values(
    `SELECT j.key, n.node FROM json_each(?1) AS j CROSS JOIN graph_names AS n
     WHERE n.folded = json_extract(j.value, '$[0]') AND n.type = json_extract(j.value, '$[1]')
       AND n.project_key = ?2 AND n.identity = json_extract(j.value, '$[2]')`,
    [
      JSON.stringify(looked.map(([, { folded, type, identity }]) => [folded, type, identity])),
      draft.projectKey ?? "",
    ],
  );
  const byStored = new Map<number, NodeGroup>();
  for (const [at, node] of rows) {
    const key = looked[Number(at)]?.[0];
    const group = key === undefined ? undefined : byName.get(key);
    if (group === undefined) continue;
    const stored = Number(node);
    const other = byStored.get(stored);
    if (other !== undefined && other !== group) unite(byName, group, other);
    if (!group.stored.includes(stored)) group.stored.push(stored);
    for (const each of group.stored) byStored.set(each, group);
  }
  const groups = [...new Set(byName.values())];
  for (const group of groups) group.stored.sort((a, b) => a - b);
  const groupOf = new Map<number, NodeGroup>();
  draft.nodes.forEach(({ type, name }, at) => {
    const group = byName.get(`${type}\n${identityOf(type, cleanName(name))}`);
    if (group !== undefined) groupOf.set(at, group);
  });
  return { groups, groupOf };
}

/** Gives a new group its names; what had one of them before joins it. */
function absorb(
  byName: Map<string, NodeGroup>,
  group: NodeGroup,
  names: readonly string[],
  keys: readonly string[],
): void {
  const earlier = new Set(keys.map((key) => byName.get(key)).filter((known) => known !== undefined));
  const [first = group, ...others] = earlier;
  if (first !== group) Object.assign(first.properties, group.properties);
  names.forEach((name, at) => {
    const key = keys[at] ?? "";
    if (!byName.has(key)) {
      first.names.push(name);
      byName.set(key, first);
    }
  });
  for (const other of others) unite(byName, first, other);
}

function unite(byName: Map<string, NodeGroup>, into: NodeGroup, other: NodeGroup): void {
  into.names.push(...other.names);
  into.stored.push(...other.stored);
  for (const [name, value] of Object.entries(other.properties)) into.properties[name] ??= value;
  for (const [key, group] of byName) if (group === other) byName.set(key, into);
}

/** The edges of a draft between its groups, each once with its largest weight; none from a thing to itself. */
export function draftedEdges(draft: LayerDraft, groupOf: ReadonlyMap<number, NodeGroup>): DraftedEdge[] {
  const edges = new Map<string, DraftedEdge>();
  for (const edge of draft.edges) {
    const from = groupOf.get(edge.source);
    const to = groupOf.get(edge.target);
    if (from === undefined || to === undefined || from === to) continue;
    const turned = edge.type === undirected && from.key > to.key;
    const [source, target] = turned ? [to.key, from.key] : [from.key, to.key];
    const ends = from.type === to.type ? from.type : "";
    const identity = `${source} ${target} ${edge.type}`;
    const earlier = edges.get(identity);
    const weight = edge.weight === undefined ? earlier?.weight : Math.max(edge.weight, earlier?.weight ?? 0);
    const properties = earlier?.properties ?? edge.properties;
    edges.set(identity, { key: 0, identity, source, target, type: edge.type, ends, weight, properties });
  }
  return [...edges.values()];
}
