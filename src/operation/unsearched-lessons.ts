import { isObject } from "../json/is-object.ts";

const searches = new Set(["search.smart", "search.full"]);
const mostCounted = 100;
/** The least share of the query's words in a lesson that fits better than weak hits. */
const mostOfTheWords = 0.5;

interface LessonQuestion {
  readonly query: string;
  readonly limit: number;
  readonly project?: string;
}

interface LessonText {
  readonly content: string;
}

interface UnsearchedLessons {
  readonly query: string;
  readonly count: number;
  /** Example: `2 lessons match`. */
  readonly told: string;
}

/**
 * The lessons that match a search that did not include lessons and found nothing, or only weak hits; undefined if none
 * does, or if it is no such search. Beside weak hits only lessons with most of the query's words count.
 */
export async function unsearchedLessons(
  operationId: string,
  { query, project, kinds, includeLessons }: Readonly<Record<string, unknown>>,
  search: (question: LessonQuestion) => Promise<{ readonly lessons: readonly LessonText[] }>,
  beside: object,
): Promise<UnsearchedLessons | undefined> {
  if (!searches.has(operationId) || typeof query !== "string") return undefined;
  if (kinds !== undefined || includeLessons === true) return undefined;
  const inProject = typeof project === "string" ? { project } : {};
  const { lessons } = await search({ query, limit: mostCounted, ...inProject });
  const { length: count } = foundOnlyWeak(beside) ? await withMostWords(query, lessons) : lessons;
  if (count === 0) return undefined;
  return { query, count, told: `${count} ${count === 1 ? "lesson matches" : "lessons match"}` };
}

async function withMostWords(query: string, lessons: readonly LessonText[]): Promise<LessonText[]> {
  // Imported here, because most commands and tools need no stemmer.
  const { indexTokens, queryTokens } = await import("../text/tokens.ts");
  const words = [...new Set(queryTokens(query))];
  return lessons.filter(({ content }) => {
    const own = new Set(indexTokens(content));
    return words.filter((word) => own.has(word)).length >= mostOfTheWords * words.length;
  });
}

/** Whether an answer has hits, all of which match weakly. */
export function foundOnlyWeak(answer: object): boolean {
  const results = "results" in answer && Array.isArray(answer.results) ? answer.results : [];
  return results.length > 0 && results.every((hit) => isObject(hit) && hit.match === "weak");
}
