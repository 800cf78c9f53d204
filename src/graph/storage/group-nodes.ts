import type { Sql } from "../../store/sql.ts";
import { mostAliases, unitedProperties } from "../kept-of-things.ts";
import type { EdgeType, NodeType } from "../record.ts";
import { type EdgeDraft, type LayerDraft, type PlaceDraft, undirected } from "./draft.ts";
import { cleanName, foldedName, identityOf } from "./names.ts";

/** Drafts and stored nodes that are the same thing, because they share a name. */
export interface NodeGroup extends PlaceDraft {
  key: number;
  readonly type: NodeType;
  /** As given, the first one first, as many as are stored. */
  readonly names: string[];
  properties: Readonly<Record<string, unknown>>;
  /** Keys of stored nodes, oldest first. With more than one, the drafts show that these are the same thing. */
  readonly stored: number[];
  /** The layers that it is in. */
  readonly layers: Set<LayerDraft>;
}

/** An edge between two groups. */
export interface DraftedEdge {
  key: number;
  readonly identity: string;
  readonly source: number;
  readonly target: number;
  readonly type: EdgeType;
  readonly projectKey: string | null;
  /** The type of both ends when it is the same, else empty. */
  readonly ends: string;
  readonly weight: number | undefined;
  readonly properties: EdgeDraft["properties"];
  /** The layers that it is in. */
  readonly layers: Set<LayerDraft>;
}

interface Named {
  readonly projectKey: string;
  readonly identity: string;
  readonly folded: string;
  readonly type: NodeType;
}

/** The group of a draft, by its layer and its index in the layer's nodes. */
type GroupOf = (layer: LayerDraft, place: number) => NodeGroup | undefined;

/**
 * Groups the nodes of layers that are the same thing. Sharing a name (within a project and type) is transitive, so the
 * order in which names become known does not matter. A draft with a blank name belongs to no group.
 */
export async function groupNodes(
  sql: Sql,
  layers: readonly LayerDraft[],
): Promise<{ groups: NodeGroup[]; groupOf: GroupOf }> {
  const byName = new Map<string, NodeGroup>();
  const namesOf = new Map<string, Named>();
  const firstNames = new Map<LayerDraft, (string | undefined)[]>();
  for (const layer of layers) {
    const { project, projectKey } = layer;
    const firsts = layer.nodes.map(({ type, name, aliases = [], properties = {} }) => {
      const first = cleanName(name);
      if (first === "") return undefined;
      const names = [...new Set([first, ...aliases.map(cleanName).filter((text) => text !== "")])];
      const keys = names.map((text) => {
        const identity = identityOf(type, text);
        const key = `${projectKey ?? ""}\n${type}\n${identity}`;
        if (!namesOf.has(key))
          namesOf.set(key, { projectKey: projectKey ?? "", identity, folded: foldedName(text), type });
        return key;
      });
      const group: NodeGroup = {
        key: 0,
        type,
        project,
        projectKey,
        names: [],
        properties,
        stored: [],
        layers: new Set([layer]),
      };
      absorb(byName, group, names, keys);
      return keys[0];
    });
    firstNames.set(layer, firsts);
  }
  await joinStored(sql, byName, namesOf);
  const groups = [...new Set(byName.values())];
  for (const group of groups) {
    group.stored.sort((a, b) => a - b);
    group.names.splice(1 + mostAliases);
  }
  return { groups, groupOf: (layer, place) => byName.get(firstNames.get(layer)?.[place] ?? "") };
}

/** Adds to each group the stored nodes that have one of its names, and merges groups that share a stored node. */
async function joinStored(
  sql: Sql,
  byName: Map<string, NodeGroup>,
  namesOf: ReadonlyMap<string, Named>,
): Promise<void> {
  const keys = [...namesOf.keys()];
  const names = Array.from(namesOf.values(), ({ folded, type, projectKey, identity }) => [
    folded,
    type,
    projectKey,
    identity,
  ]);
  const rows = await sql.values(
    `SELECT j.key, n.node FROM json_each(?1) AS j CROSS JOIN graph_names AS n
     WHERE n.folded = json_extract(j.value, '$[0]') AND n.type = json_extract(j.value, '$[1]')
       AND n.project_key = json_extract(j.value, '$[2]') AND n.identity = json_extract(j.value, '$[3]')`,
    [JSON.stringify(names)],
  );
  const byStored = new Map<number, NodeGroup>();
  for (const [at, node] of rows) {
    const group = byName.get(keys[Number(at)] ?? "");
    if (group === undefined) continue;
    const stored = Number(node);
    const other = byStored.get(stored);
    if (other !== undefined && other !== group) unite(byName, group, other);
    if (!group.stored.includes(stored)) group.stored.push(stored);
    for (const each of group.stored) byStored.set(each, group);
  }
}

/** Registers a group under its names, and merges into it the groups that had one of them. */
function absorb(
  byName: Map<string, NodeGroup>,
  group: NodeGroup,
  names: readonly string[],
  keys: readonly string[],
): void {
  const earlier = new Set(keys.map((key) => byName.get(key)).filter((known) => known !== undefined));
  const [first = group, ...others] = earlier;
  if (first !== group) {
    first.properties = unitedProperties(first.properties, group.properties);
    for (const layer of group.layers) first.layers.add(layer);
  }
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
  for (const layer of other.layers) into.layers.add(layer);
  into.properties = unitedProperties(into.properties, other.properties);
  for (const [key, group] of byName) if (group === other) byName.set(key, into);
}

/** The edges of layers as edges between groups, each once with its largest weight; self-loops are left out. */
export function draftedEdges(layers: readonly LayerDraft[], groupOf: GroupOf): DraftedEdge[] {
  const edges = new Map<string, DraftedEdge>();
  for (const layer of layers) {
    const groups = layer.nodes.map((_, place) => groupOf(layer, place));
    for (const edge of layer.edges) {
      const from = groups[edge.source];
      const to = groups[edge.target];
      if (from === undefined || to === undefined || from === to) continue;
      const turned = edge.type === undirected && from.key > to.key;
      const [source, target] = turned ? [to.key, from.key] : [from.key, to.key];
      const identity = `${source} ${target} ${edge.type}`;
      const earlier = edges.get(identity);
      const weight =
        edge.weight === undefined ? earlier?.weight : Math.max(edge.weight, earlier?.weight ?? 0);
      edges.set(identity, {
        key: 0,
        identity,
        source,
        target,
        type: edge.type,
        projectKey: layer.projectKey,
        ends: from.type === to.type ? from.type : "",
        weight,
        properties: earlier?.properties ?? edge.properties,
        layers: (earlier?.layers ?? new Set()).add(layer),
      });
    }
  }
  return [...edges.values()];
}
