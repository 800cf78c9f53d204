import type { importGraph } from "../../graph/imported/operations.ts";
import type { buildGraph, extractGraph } from "../../graph/model/operations.ts";
import type {
  cascadeUpdate,
  graphStats,
  queryGraph,
  rebuildSnapshot,
  resetGraph,
} from "../../graph/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { dryRunVerb } from "./dry-run.ts";
import { counted } from "./quantity.ts";
import { oneLine } from "./text.ts";
import { shownMoment } from "./time.ts";

const nameWidth = 60;
const shownEdges = 50;

/** One line per node in the answer's order, then the strongest edges between them by name. */
export function renderGraph(answer: OutputOf<typeof queryGraph>, { paint }: Terminal): string {
  if (answer.nodes.length === 0) return "no nodes";
  const names = new Map(answer.nodes.map(({ id, name }) => [id, oneLine(name, nameWidth)]));
  const nodes = answer.nodes.map(
    ({ id, type, degree, sourceCount }) =>
      `${type.padEnd(12)}  ${paint.bold(names.get(id) ?? id)}  ${paint.dim(`${counted(degree, "edge")}, ${counted(sourceCount, "source")}, ${id}`)}`,
  );
  const edges = answer.edges.slice(0, shownEdges).map(({ sourceNodeId, targetNodeId, type, weight }) => {
    const [source, target] = [sourceNodeId, targetNodeId].map((id) => names.get(id) ?? id);
    return `${source} ${paint.dim(`${type} ${weight.toFixed(2)}`)} ${target}`;
  });
  const more = answer.edges.length - edges.length;
  const shown = `${counted(answer.nodes.length, "node")} of ${answer.totalNodes}, ${counted(answer.totalEdges, "edge")} between them`;
  return [
    ...nodes,
    ...(edges.length > 0 ? ["", ...edges] : []),
    ...(more > 0 ? [paint.dim(`and ${counted(more, "edge")} more`)] : []),
    "",
    answer.truncated ? `${shown}; there is more, see --offset and --limit` : shown,
  ].join("\n");
}

export function renderGraphStats(answer: OutputOf<typeof graphStats>, { isForPeople }: Terminal): string {
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ") || "none";
  const { snapshot, staleNodes, staleEdges } = answer;
  return [
    `${counted(answer.nodes, "node")}, ${counted(answer.edges, "edge")}`,
    `nodes: ${list(answer.nodesByType)}`,
    `edges: ${list(answer.edgesByType)}`,
    `made by: ${list(answer.nodesByOrigin)}`,
    ...(staleNodes + staleEdges > 0
      ? [`stale: ${counted(staleNodes, "node")}, ${counted(staleEdges, "edge")}`]
      : []),
    snapshot === null
      ? "no snapshot yet"
      : `snapshot of ${shownMoment(snapshot.updatedAt, isForPeople)}: ${counted(snapshot.nodes, "node")}, ${counted(snapshot.edges, "edge")}`,
  ].join("\n");
}

const goesOn = (jobId: string) => `it goes on in the background as ${jobId}`;

export function renderGraphExtract(answer: OutputOf<typeof extractGraph>): string {
  if ("queued" in answer) return goesOn(answer.jobId);
  const { nodesAdded, edgesAdded, nodesUpdated, edgesUpdated, notFound = [], warning } = answer;
  return [
    `${counted(nodesAdded, "new node")} and ${counted(edgesAdded, "new edge")}; ${nodesUpdated} and ${edgesUpdated} known ones extended`,
    ...(notFound.length > 0 ? [`not known: ${notFound.join(", ")}`] : []),
    ...(warning === undefined ? [] : [warning]),
  ].join("\n");
}

export function renderGraphBuild(answer: OutputOf<typeof buildGraph>): string {
  if ("queued" in answer) return goesOn(answer.jobId);
  const { observations, sessions, nodes, edges, failedBatches, batches } = answer;
  const failed = failedBatches === 0 ? "" : `; ${failedBatches} of ${batches} batches failed`;
  return `read ${counted(observations, "observation")} of ${counted(sessions, "session")}: ${counted(nodes, "new node")}, ${counted(edges, "new edge")}${failed}`;
}

export function renderGraphSnapshot(answer: OutputOf<typeof rebuildSnapshot>): string {
  return `${counted(answer.topNodes, "node")} and ${counted(answer.topEdges, "edge")} of ${answer.totalNodes} and ${answer.totalEdges}, in ${answer.tookMs} ms`;
}

export function renderGraphReset(answer: OutputOf<typeof resetGraph>): string {
  const { nodes, edges, links } = answer.cleared;
  const rebuilt = `; it ${dryRunVerb(answer, "is being", "be")} rebuilt in the background`;
  const again = answer.rebuildQueued ? rebuilt : "";
  return `${dryRunVerb(answer, "deleted", "delete")} ${counted(nodes, "node")}, ${counted(edges, "edge")} and ${counted(links, "link")}${again}`;
}

export function renderGraphImport(answer: OutputOf<typeof importGraph>): string {
  if ("queued" in answer) return goesOn(answer.jobId);
  const { path, nodesImported, edgesImported, newNodes, newEdges, skippedEdges, truncated } = answer;
  return [
    `${path}: ${counted(nodesImported, "node")} (${newNodes} new), ${counted(edgesImported, "edge")} (${newEdges} new)`,
    ...(skippedEdges > 0 ? [`skipped ${counted(skippedEdges, "edge")} without both ends`] : []),
    ...(truncated === null
      ? []
      : [`over the limit: ${truncated.nodes ?? 0} nodes, ${truncated.edges ?? 0} edges`]),
  ].join("\n");
}

export function renderCascade(answer: OutputOf<typeof cascadeUpdate>): string {
  const { nodes, edges } = answer.flagged;
  const { memories } = answer.ids;
  return [
    `${counted(nodes, "node")} and ${counted(edges, "edge")} became stale`,
    ...(memories.length > 0 ? [`about the same: ${memories.join(", ")}`] : []),
  ].join("\n");
}
