import type { GraphEdge, GraphNode } from "../../graph/record.ts";
import { type Child, svgElement } from "../element.ts";
import { counted, plain } from "../format.ts";
import { layOut, type Point, type Tie } from "./graph-layout.ts";
import { separateOverlaps } from "./graph-spacing.ts";

interface Neighbourhood {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly centreId: string | undefined;
  /** The address of the view with that node in the centre. */
  readonly place: (id: string) => string;
}

/** How many nodes show their names; more would cover each other. The others show theirs when pointed at. */
const namesShown = 14;
const nameLength = 26;
/** Average width of a letter, in pixels. */
const letterWidth = 6.2;
const lineHeight = 13;
const nameGap = 4;

/** Draws nodes as dots, larger with more edges, and edges as lines. Every node links to its neighbourhood. */
export function drawing({ nodes, edges, centreId, place }: Neighbourhood): SVGElement {
  const isNarrow = document.documentElement.clientWidth < 720;
  const [width, height] = isNarrow ? [360, 360] : [860, 480];
  const numbers = new Map(nodes.map(({ id }, number) => [id, number]));
  const lines = edges.flatMap((edge): (Tie & { readonly edge: GraphEdge })[] => {
    const [from, to] = [numbers.get(edge.sourceNodeId), numbers.get(edge.targetNodeId)];
    return from === undefined || to === undefined || from === to ? [] : [{ from, to, edge }];
  });
  const pinned = centreId === undefined ? undefined : numbers.get(centreId);
  const room = { width, height, margin: isNarrow ? 24 : 40, pinned };
  const sizes = nodes.map((node) => sizeOf(node, node.id === centreId));
  const places = separateOverlaps(layOut(nodes.length, lines, room), sizes, room);
  const marks = nodes.map((node, number) =>
    markOf(node, placeOf(places, number), node.id === centreId, width),
  );
  const named = namesWithRoom(marks, isNarrow ? namesShown / 2 : namesShown);
  return svgElement(
    "svg",
    {
      class: "graph",
      viewBox: `0 0 ${width} ${height}`,
      role: "group",
      "aria-label": "Drawing of the nodes below",
    },
    svgElement(
      "g",
      { "aria-hidden": "true" },
      lines.map(({ from, to, edge }) => line(placeOf(places, from), placeOf(places, to), edge)),
    ),
    // Later dots cover earlier ones, so nodes with names are drawn last.
    marks
      .toSorted((a, b) => Number(named.has(a)) - Number(named.has(b)))
      .map((mark) => dot(named.get(mark) ?? mark, place(mark.node.id), named.has(mark))),
  );
}

function placeOf(places: readonly Point[], number: number): Point {
  return places[number] ?? { x: 0, y: 0 };
}

function line(from: Point, to: Point, { type, weight }: GraphEdge): Child {
  return svgElement(
    "line",
    {
      x1: rounded(from.x),
      y1: rounded(from.y),
      x2: rounded(to.x),
      y2: rounded(to.y),
      "stroke-width": rounded(0.6 + 1.6 * weight),
    },
    svgElement("title", {}, plain(type)),
  );
}

/** A node in the drawing, with the box for its name. */
interface Mark {
  readonly node: GraphNode;
  readonly isCentre: boolean;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly name: string;
  readonly nameStart: number;
  readonly nameWidth: number;
}

function sizeOf({ degree }: GraphNode, isCentre: boolean): number {
  return Math.min(16, 4 + 1.6 * Math.sqrt(degree)) + (isCentre ? 3 : 0);
}

function markOf(node: GraphNode, { x, y }: Point, isCentre: boolean, width: number): Mark {
  const size = sizeOf(node, isCentre);
  const letters = [...node.name];
  const name = letters.length > nameLength ? `${letters.slice(0, nameLength - 1).join("")}…` : node.name;
  const nameWidth = [...name].length * letterWidth;
  const toTheRight = x + size + nameGap;
  const nameStart = toTheRight + nameWidth > width ? x - size - nameGap - nameWidth : toTheRight;
  return { node, isCentre, x, y, size, name, nameStart, nameWidth };
}

/**
 * The nodes with most edges whose names cover neither a dot nor each other, with the place of the name: to the right,
 * else to the left. The centre always has its name.
 */
function namesWithRoom(marks: readonly Mark[], most: number): ReadonlyMap<Mark, Mark> {
  const named = new Map<Mark, Mark>();
  const busiest = marks.toSorted(
    (a, b) => Number(b.isCentre) - Number(a.isCentre) || b.node.degree - a.node.degree,
  );
  for (const mark of busiest) {
    if (named.size >= most) break;
    const hasRoom = (placed: Mark): boolean =>
      placed.nameStart >= 0 &&
      !marks.some((other) => other !== mark && coversDot(placed, other)) &&
      ![...named.values()].some((other) => coversName(placed, other));
    const toTheLeft = { ...mark, nameStart: mark.x - mark.size - nameGap - mark.nameWidth };
    const placed = [mark, toTheLeft].find(hasRoom) ?? (mark.isCentre ? mark : undefined);
    if (placed !== undefined) named.set(mark, placed);
  }
  return named;
}

function coversDot({ nameStart, nameWidth, y }: Mark, dot: Mark): boolean {
  return (
    Math.abs(y - dot.y) < dot.size + lineHeight / 2 &&
    dot.x + dot.size > nameStart &&
    dot.x - dot.size < nameStart + nameWidth
  );
}

function coversName(one: Mark, other: Mark): boolean {
  return (
    Math.abs(one.y - other.y) < lineHeight &&
    one.nameStart < other.nameStart + other.nameWidth &&
    other.nameStart < one.nameStart + one.nameWidth
  );
}

function dot(
  { node, isCentre, x, y, size, name, nameStart, nameWidth }: Mark,
  href: string,
  isNamed: boolean,
): Child {
  const told = `${node.name}, ${plain(node.type)}, ${counted(node.degree, "edge")}`;
  return svgElement(
    "a",
    {
      href,
      class: `node${isNamed ? " named" : ""}${isCentre ? " centre" : ""}`,
      "data-kind": node.type,
      "aria-label": told,
    },
    svgElement("title", {}, told),
    svgElement("circle", { cx: rounded(x), cy: rounded(y), r: rounded(size) }),
    nameStart > x
      ? svgElement("text", { x: rounded(nameStart), y: rounded(y + 4) }, name)
      : // Its width is only estimated, so a name to the left is placed by its end.
        svgElement(
          "text",
          { x: rounded(nameStart + nameWidth), y: rounded(y + 4), "text-anchor": "end" },
          name,
        ),
  );
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
