import type { OperationEntry } from "./operation-entry.ts";

/** Operations besides the GET ones that change nothing. */
const looking = new Set([
  "search.smart",
  "search.full",
  "context.build",
  "enrich.files",
  "enrich.history",
  "timeline.around",
  "lessons.search",
  "insights.search",
  "patterns.find",
  "patterns.rules",
  "facets.query",
  "graph.query",
  "vision.search",
  "provenance.verify",
  "diagnostics.run",
]);

/** Whether an operation changes nothing that somebody asked it to change. */
export function isReadOnlyOperation({ id, http }: Pick<OperationEntry, "id" | "http">): boolean {
  return http.method === "GET" || looking.has(id);
}
