import { errorTable } from "../../operation/errors.ts";
import type { Answer } from "../render/render-answer.ts";
import type { OperationEntry } from "./operation-entry.ts";

const noMatch = errorTable.not_found.exit;
const failure = errorTable.internal.exit;

/**
 * The exit code for an answer that is not an error: a search without hits, unknown ids among known ones, partly failed
 * work and a critical health have their own.
 */
export function exitCodeOf({ id, hits }: Pick<OperationEntry, "id" | "hits">, answer: Answer): number {
  switch (id) {
    case "timeline.around":
      return answer.reason === "no_match" ? noMatch : 0;
    case "health.show":
      return answer.status === "critical" ? failure : 0;
    case "mesh.sync":
      return listIn(answer, "results").some((one) => listIn(one, "errors").length > 0) ? failure : 0;
    case "vault.export":
      return listIn(answer, "errors").length > 0 ? failure : 0;
    case "replay.import":
      return listIn(answer, "errors").length > 0 && answer.imported === 0 ? failure : 0;
    default:
      if (listIn(answer, "notFound").length > 0) return noMatch;
      if (hits === undefined || !foundNothing(answer, hits)) return 0;
      return wasNotSearched(answer) ? failure : noMatch;
  }
}

function foundNothing(answer: Answer, hits: string): boolean {
  const found = answer[hits];
  return Array.isArray(found) && found.length === 0 && answer.truncated !== true;
}

/** The words, or those of lessons, were not searched in time, or no stream took part, because all are switched off. */
function wasNotSearched({ streams, leftOut }: Answer): boolean {
  if (Array.isArray(leftOut) && (leftOut.includes("keyword") || leftOut.includes("lessons"))) return true;
  return Array.isArray(streams) && streams.length === 0;
}

function listIn(record: object, member: string): readonly object[] {
  const list: unknown = Reflect.get(record, member);
  return Array.isArray(list) ? list : [];
}
