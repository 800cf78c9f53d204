import { isObject } from "../../json/is-object.ts";
import { isText } from "../../json/is-text.ts";
import { parseJson } from "../../json/parse-json.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { turnGiver } from "../../store/turns.ts";
import { redactText, redactValue } from "../../text/redaction/redact.ts";
import { fittingProperties } from "../kept-of-things.ts";
import { EdgeType, NodeType } from "../record.ts";
import type { EdgeDraft, NodeDraft } from "../storage/draft.ts";
import { defaultWeight } from "../weight.ts";

/** What a graph file of another tool holds, as nodes and edges. */
interface GraphFile {
  readonly nodesRead: number;
  readonly edgesRead: number;
  readonly nodes: NodeDraft[];
  readonly edges: EdgeDraft[];
  /** Edges whose ends the file does not name, or that lead back to where they begin. */
  readonly skippedEdges: number;
  readonly truncated: { readonly nodes?: number; readonly edges?: number } | null;
}

const mostNodes = 5_000;
const mostEdges = 20_000;
const confidences: Readonly<Record<string, number>> = { EXTRACTED: 0.9, INFERRED: 0.6, AMBIGUOUS: 0.3 };
const pathWithExtension = /^[^\s]*\.[A-Za-z0-9]{1,8}$/u;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the text of a graph file, yielding to the event loop. Error: invalid_input when it is no JSON object with
 * nodes.
 */
export async function readGraphFile(text: string, path: string): Promise<GraphFile> {
  const giveTurn = turnGiver();
  const file = parsed(text, path);
  if (!isObject(file) || !Array.isArray(file.nodes)) {
    throw new MemsvcError("invalid_input", `${path} is not a graph file: it holds no list of nodes`, {
      hint: "a graph file is a JSON object with nodes and links, or nodes and edges",
    });
  }
  const given: unknown[] = file.nodes;
  const lists: unknown[][] = [file.links, file.edges].filter(Array.isArray);
  const edgesGiven = lists.find(({ length }) => length > 0) ?? [];
  const nodes: NodeDraft[] = [];
  const places: Places = { byId: new Map(), byName: new Map() };
  for (const item of given.slice(0, mostNodes)) {
    await giveTurn();
    if (!isObject(item)) continue;
    const node = nodeOf(item);
    if (node === undefined) continue;
    const id = scalar(item.id);
    const place = nodes.push(node) - 1;
    if (id !== undefined && !places.byId.has(id)) places.byId.set(id, place);
    if (!places.byName.has(node.name)) places.byName.set(node.name, place);
  }
  const edges: EdgeDraft[] = [];
  let skippedEdges = 0;
  for (const item of edgesGiven.slice(0, mostEdges)) {
    await giveTurn();
    const edge = isObject(item) ? edgeOf(item, places) : undefined;
    if (edge === undefined) skippedEdges += 1;
    else edges.push(edge);
  }
  return {
    nodesRead: given.length,
    edgesRead: edgesGiven.length,
    nodes,
    edges,
    skippedEdges,
    truncated: truncation(given.length, edgesGiven.length),
  };
}

function parsed(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new MemsvcError("invalid_input", `${path} is not JSON`, { cause });
  }
}

function scalar(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return isText(value) ? value : undefined;
}

const nodeFields = new Set(["id", "label", "name", "type", "kind", "aliases", "properties"]);

function nodeOf(item: Fields): NodeDraft | undefined {
  const name = scalar(item.label) ?? scalar(item.name) ?? scalar(item.id);
  if (name === undefined) return undefined;
  const type = typeOf(item, name);
  const id = scalar(item.id);
  const kept = type === "file" ? name : redactText(name);
  return {
    type,
    name: kept,
    aliases: id === undefined || id === name ? [] : [redactText(id)],
    properties: scalarsOf(item, nodeFields),
  };
}

function typeOf(item: Fields, name: string): NodeType {
  for (const given of [item.type, item.kind]) {
    const known = NodeType.safeParse(given);
    if (known.success) return known.data;
  }
  if (name.endsWith("()")) return "function";
  return pathWithExtension.test(name) ? "file" : "concept";
}

const edgeFields = new Set(["source", "target", "type", "relation", "label", "weight"]);

/** Index of each node of the file in the list of drafts. A name may equal another node's id; then the id wins. */
interface Places {
  readonly byId: Map<string, number>;
  readonly byName: Map<string, number>;
}

function placeOf({ byId, byName }: Places, given: unknown): number | undefined {
  const text = scalar(given) ?? "";
  return byId.get(text) ?? byName.get(text);
}

function edgeOf(item: Fields, places: Places): EdgeDraft | undefined {
  const source = placeOf(places, item.source);
  const target = placeOf(places, item.target);
  if (source === undefined || target === undefined || source === target) return undefined;
  const words = [item.type, item.relation, item.label].flatMap((given) => scalar(given) ?? []);
  const type = words.flatMap((word) => EdgeType.safeParse(word).data ?? [])[0];
  const [word] = words;
  const properties = {
    ...scalarsOf(item, edgeFields),
    ...(type !== undefined || word === undefined ? {} : { relation: redactText(word) }),
  };
  return {
    source,
    target,
    type: type ?? "related_to",
    weight: weightOf(item),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
  };
}

function weightOf({ weight, confidence }: Fields): number {
  if (typeof weight === "number" && weight > 0 && weight <= 1) return weight;
  return confidences[String(confidence).toUpperCase()] ?? defaultWeight;
}

/** The string, number and boolean fields, redacted; none of them when together they are too large. */
function scalarsOf(item: Fields, except: ReadonlySet<string>): Record<string, unknown> {
  const rest = Object.entries(item).filter(
    ([name, value]) => !except.has(name) && ["string", "number", "boolean"].includes(typeof value),
  );
  // The cast is safe: redaction keeps the shape of its input.
  return fittingProperties(redactValue(Object.fromEntries(rest)) as Record<string, unknown>);
}

function truncation(nodes: number, edges: number): GraphFile["truncated"] {
  if (nodes <= mostNodes && edges <= mostEdges) return null;
  return {
    ...(nodes > mostNodes ? { nodes: nodes - mostNodes } : {}),
    ...(edges > mostEdges ? { edges: edges - mostEdges } : {}),
  };
}
