import { operations } from "../operations/operations.ts";
import { counted } from "../render/quantity.ts";
import { quoteWord } from "../shell/quote-word.ts";
import type { Source } from "./stored-names.ts";

const searches = new Set(["search.smart", "search.full"]);
const mostCounted = 100;

/** A hint that lessons match a search that did not include lessons. */
export async function unsearchedLessons(
  operationId: string,
  { query, project, kinds, includeLessons }: Readonly<Record<string, unknown>>,
  { call, view }: Source,
): Promise<string | undefined> {
  if (!searches.has(operationId) || typeof query !== "string") return undefined;
  if (kinds !== undefined || includeLessons === true) return undefined;
  const { lessons } = await call(operations.searchLessons, {
    ...view,
    query,
    limit: mostCounted,
    ...(typeof project === "string" ? { project } : {}),
  });
  if (lessons.length === 0) return undefined;
  const found = `${counted(lessons.length, "lesson matches", "lessons match")}`;
  return `${found}; memsvc lesson search ${quoteWord(query)} shows ${lessons.length === 1 ? "it" : "them"}`;
}
