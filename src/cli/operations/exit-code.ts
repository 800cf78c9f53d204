import { errorTable } from "../../operation/errors.ts";
import type { Answer } from "../render/render-answer.ts";

/** Where searches have what they found; those of all kinds call it results. */
const found: Readonly<Record<string, string>> = {
  "lessons.search": "lessons",
  "insights.search": "insights",
  "facets.query": "results",
  "vision.search": "results",
};

const noMatch = errorTable.not_found.exit;
const failure = errorTable.internal.exit;

/** Exit code of an answer that is no error: a search that found nothing says so, and work of which a part failed. */
export function exitCodeOf(operationId: string, answer: Answer): number {
  switch (operationId) {
    case "timeline.around":
      return answer.reason === "no_match" ? noMatch : 0;
    case "mesh.sync":
      return listIn(answer, "results").some((one) => listIn(one, "errors").length > 0) ? failure : 0;
    case "vault.export":
      return listIn(answer, "errors").length > 0 ? failure : 0;
    case "replay.import":
      return listIn(answer, "errors").length > 0 && answer.imported === 0 ? failure : 0;
    default:
      if (!foundNothing(operationId, answer)) return 0;
      return wasNotSearched(answer) ? failure : noMatch;
  }
}

function foundNothing(operationId: string, answer: Answer): boolean {
  const member = found[operationId] ?? (operationId.startsWith("search.") ? "results" : "");
  const hits = answer[member];
  return Array.isArray(hits) && hits.length === 0 && answer.truncated !== true;
}

/** No stream of the search took part: none was ready in time, or all are turned off. */
function wasNotSearched({ streams }: Answer): boolean {
  return Array.isArray(streams) && streams.length === 0;
}

function listIn(record: object, member: string): readonly object[] {
  const list: unknown = Reflect.get(record, member);
  return Array.isArray(list) ? list : [];
}
