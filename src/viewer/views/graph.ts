import type { GraphStats, QueryAnswer } from "../../graph/answers.ts";
import type { GraphEdge, GraphNode } from "../../graph/record.ts";
import type { Reader } from "../api.ts";
import { ReadError } from "../api.ts";
import { type Child, h } from "../element.ts";
import { counted, plain, shownNumber } from "../format.ts";
import { kindChip, tagChips } from "../parts/chips.ts";
import { dataTable } from "../parts/data-table.ts";
import { anyOf, filters } from "../parts/filters.ts";
import { drawing } from "../parts/graph-drawing.ts";
import { itemList } from "../parts/item-list.ts";
import { knownNames } from "../parts/known.ts";
import { line, note } from "../parts/line.ts";
import { emptyListNotice, noMatchNotice } from "../parts/notices.ts";
import { properties } from "../parts/properties.ts";
import { projectLink, recordLink } from "../parts/record-links.ts";
import { type RecordTitles, recordTitles } from "../parts/record-titles.ts";
import { detailList, section } from "../parts/section.ts";
import { timeAgo } from "../parts/time.ts";
import { linkTo, type Route, textIn } from "../route.ts";
import type { View } from "../view.ts";

/** More nodes could not be told apart in one drawing. */
const nodesShown = 60;
const types = [
  "file",
  "function",
  "concept",
  "error",
  "decision",
  "pattern",
  "library",
  "person",
  "project",
  "preference",
  "location",
  "organization",
  "event",
] satisfies GraphNode["type"][];

export const graph: View = {
  name: "graph",
  label: "Graph",
  show: async (reader, route) => {
    const project = textIn(route, "project");
    const [stats, reply, known] = await Promise.all([
      reader.get("/graph/stats", { project }),
      ask(reader, route),
      knownNames(reader),
    ]);
    return {
      title: "Knowledge graph",
      body: [
        inNumbers(stats),
        stats.nodes === 0 && project === undefined
          ? emptyListNotice(
              "The graph grows with what is observed and remembered; there is nothing yet.",
              'memsvc remember "The queue retries with jitter" --file src/queue.ts --concept retry',
            )
          : reply instanceof ReadError
            ? off(reply)
            : [
                filters(route, [
                  { name: "q", label: "Name" },
                  { name: "type", label: "Type", values: anyOf(types) },
                  { name: "project", label: "Project", known: known.projects },
                ]),
                await around(reader, route, reply),
              ],
      ],
    };
  },
};

/** Queries the graph; if its feature is off, returns the error, because counts can be shown all the same. */
async function ask(reader: Reader, route: Route): Promise<QueryAnswer | ReadError> {
  const [startNodeId, type, query] = [textIn(route, "node"), textIn(route, "type"), textIn(route, "q")];
  try {
    return await reader.post("/graph/query", {
      startNodeId,
      nodeType: startNodeId === undefined ? type : undefined,
      query: startNodeId === undefined ? query : undefined,
      project: textIn(route, "project"),
      maxDepth: 1,
      limit: nodesShown,
    });
  } catch (error) {
    if (error instanceof ReadError && error.kind === "feature_off") return error;
    throw error;
  }
}

function off(error: ReadError): Child {
  return h(
    "div",
    { class: "empty" },
    h("p", {}, "The graph is counted and used in searches, but browsing it is switched off."),
    h("p", {}, error.wayOut),
  );
}

function inNumbers({ nodes, edges, nodesByType, nodesByOrigin, staleNodes }: GraphStats): Child {
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${plain(name)} ${shownNumber(count)}`)
      .join(", ");
  return detailList([
    ["Holds", `${counted(nodes, "node")}, ${counted(edges, "edge")}`],
    ["Types", list(nodesByType)],
    ["Made by", list(nodesByOrigin)],
    ["Outdated", staleNodes > 0 && counted(staleNodes, "node")],
  ]);
}

async function around(reader: Reader, route: Route, reply: QueryAnswer): Promise<Child> {
  const { nodes, edges } = reply;
  if (nodes.length === 0) return noMatchNotice(route, "nodes");
  const centreId = textIn(route, "node");
  const centre = nodes.find(({ id }) => id === centreId);
  const place = (id: string) => linkTo("graph", "", { node: id, project: textIn(route, "project") });
  return [
    centre !== undefined && aboutNode(centre, await recordTitles(reader, centre.sourceObservationIds)),
    note(
      centre === undefined
        ? `${counted(nodes.length, "node")} of ${shownNumber(reply.totalNodes)}, and what ties them together. Choose one to see what is around it.`
        : `${counted(nodes.length - 1, "neighbour")}${reply.truncated ? ", the busiest; there are more" : ""}`,
    ),
    drawing({ nodes, edges, centreId, place }),
    section(centre === undefined ? "Nodes" : "Neighbours", nodeTable(nodes, edges, centre, place)),
  ];
}

function aboutNode(node: GraphNode, titles: RecordTitles): HTMLElement {
  return h(
    "div",
    { class: "card" },
    h("h2", {}, node.name),
    line(kindChip(node.type), counted(node.degree, "edge"), timeAgo(node.updatedAt)),
    detailList([
      ["Project", projectLink(node.project)],
      ["Made by", node.origin],
      ["Also called", node.aliases.join(", ")],
      ["Known of it", properties(node.properties)],
      [
        `Found in ${counted(node.sourceCount, "record")}`,
        node.sourceObservationIds.length > 0 &&
          h(
            "details",
            {},
            h("summary", {}, `The newest ${node.sourceObservationIds.length}`),
            itemList({ class: "plain" }, node.sourceObservationIds, (id) =>
              recordLink(id, undefined, titles.get(id)),
            ),
          ),
      ],
    ]),
  );
}

/** The contents of the drawing as a table, for screen readers. */
function nodeTable(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  centre: GraphNode | undefined,
  place: (id: string) => string,
): Child {
  const ties = (id: string): string[] =>
    edges.flatMap(({ type, sourceNodeId, targetNodeId }) => {
      if (centre === undefined || id === centre.id) return [];
      if (sourceNodeId === centre.id && targetNodeId === id) return [`→ ${plain(type)}`];
      return targetNodeId === centre.id && sourceNodeId === id ? [`← ${plain(type)}`] : [];
    });
  const shown = nodes.filter((node) => node !== centre);
  if (shown.length === 0) return note("Nothing is tied to it.");
  const columns = ["Name", "Type", "Edges", ...(centre === undefined ? [] : ["Tie"])];
  return [
    dataTable(
      "Nodes as a table",
      columns,
      shown.map((node) => [
        h("a", { href: place(node.id) }, node.name),
        kindChip(node.type),
        node.degree,
        ...(centre === undefined ? [] : [ties(node.id).join(", ")]),
      ]),
    ),
    nodes.some(({ aliases }) => aliases.length > 0) &&
      h(
        "details",
        {},
        h("summary", {}, "Other names"),
        nodes
          .filter(({ aliases }) => aliases.length > 0)
          .map(({ name, aliases }) => h("div", {}, h("strong", {}, name), tagChips(aliases, "Other names"))),
      ),
  ];
}
