const searches = new Set(["search.smart", "search.full"]);
const mostCounted = 100;

interface LessonQuestion {
  readonly query: string;
  readonly limit: number;
  readonly project?: string;
}

interface UnsearchedLessons {
  readonly query: string;
  readonly count: number;
  /** Example: `2 lessons match`. */
  readonly told: string;
}

/** The lessons that match a search that did not include lessons; undefined if none does, or if it is no such search. */
export async function unsearchedLessons(
  operationId: string,
  { query, project, kinds, includeLessons }: Readonly<Record<string, unknown>>,
  search: (question: LessonQuestion) => Promise<{ readonly lessons: readonly unknown[] }>,
): Promise<UnsearchedLessons | undefined> {
  if (!searches.has(operationId) || typeof query !== "string") return undefined;
  if (kinds !== undefined || includeLessons === true) return undefined;
  const inProject = typeof project === "string" ? { project } : {};
  const { length: count } = (await search({ query, limit: mostCounted, ...inProject })).lessons;
  if (count === 0) return undefined;
  return { query, count, told: `${count} ${count === 1 ? "lesson matches" : "lessons match"}` };
}
