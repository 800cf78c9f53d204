import { countsFailures } from "../../capture/observations/outputs/error-line-ranks.ts";
import { tellsNoProblem } from "../../capture/observations/outputs/refusals.ts";
import { textsAfterLabel } from "../../capture/observations/rules/fact-labels.ts";
import { lastSegment } from "../../paths/path-text.ts";
import type { EdgeDraft, NodeDraft } from "../storage/draft.ts";
import { errorName } from "./error-name.ts";

/** The fields of a stored row that rules make nodes and edges of. */
export interface RowTraits {
  /** Internal key of its project; each project has one node, whatever names callers give it. */
  readonly projectKey: string | null;
  readonly files: readonly string[];
  readonly concepts: readonly string[];
  readonly facts: readonly string[];
  /** Packages that the tool's input, or the change it made, imports or installs. */
  readonly libraries: readonly string[];
}

const most = { file: 8, concept: 8, error: 3, library: 5, edges: 40, conceptsOfFile: 4 } as const;

/** The nodes and edges that rules make of one row. When there are too many edges, the last ones are dropped. */
export function structuralLayer(row: RowTraits): { nodes: NodeDraft[]; edges: EdgeDraft[] } {
  const nodes: NodeDraft[] = [];
  const add = (type: NodeDraft["type"], names: readonly string[], max: number): number[] =>
    [...new Set(names)].slice(0, max).map((name) => nodes.push({ type, name }) - 1);
  const files = add("file", row.files, most.file);
  const concepts = add("concept", row.concepts, most.concept);
  const errors = add("error", errorNames(row.facts), most.error);
  const libraries = add("library", row.libraries, most.library);
  const [project] = add("project", row.projectKey === null ? [] : [lastSegment(row.projectKey)], 1);
  const edges: EdgeDraft[] = [];
  const link = (type: EdgeDraft["type"], source: number, target: number): void => {
    if (edges.length < most.edges) edges.push({ source, target, type });
  };
  for (const error of errors) for (const file of files) link("related_to", error, file);
  for (const file of files) for (const library of libraries) link("imports", file, library);
  for (const file of files) {
    for (const concept of concepts.slice(0, most.conceptsOfFile)) link("related_to", file, concept);
  }
  concepts.slice(1).forEach((next, at) => {
    link("related_to", concepts[at] ?? next, next);
  });
  if (project !== undefined) {
    for (const library of libraries) link("uses", project, library);
    for (const file of files) link("related_to", project, file);
  }
  return { nodes, edges };
}

function errorNames(facts: readonly string[]): string[] {
  // A count of failures is part of many outputs that have nothing else in common.
  return textsAfterLabel("error", facts)
    .filter((line) => !countsFailures(line) && !tellsNoProblem(line))
    .map(errorName)
    .filter((name) => name !== "");
}
