import type { ViewRequest } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import type { LessonHit } from "../../knowledge/lessons/search.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { countWithin } from "../../text/within-room.ts";
import type { Followups } from "../followup/followups.ts";
import { leftOutOf, type SmartSearchAnswer } from "./answers.ts";
import { expandRecords } from "./expand.ts";
import { wayToRead } from "./reading-commands.ts";
import type { LessonSearchResult } from "./record.ts";
import type { Ranking, Search, SearchServices } from "./search.ts";
import { compactResult, roomForCounts } from "./shown-hit.ts";

export interface SmartSearchInput extends ViewRequest {
  readonly query?: string | undefined;
  readonly expandIds: readonly string[];
  readonly limit: number;
  readonly includeLessons?: boolean | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly explain?: boolean | undefined;
  /** How many characters of the answer, as JSON, are shown. Results that are cut off do not count as recalled. */
  readonly maxChars?: number | undefined;
}

const longestLesson = 240;
const nothing: Ranking = { hits: [], query: "", streams: [], leftOut: [], lessons: [] };

/** Searches, expands given records, or both. Error: not_found when only ids were given and none exists. */
export async function smartSearch(
  ground: Ground,
  services: SearchServices & { readonly search: Search; readonly followups: Followups },
  input: SmartSearchInput,
  countsAsRecall: boolean,
): Promise<SmartSearchAnswer> {
  const filter = await services.agents.reader(ground.store.read.sql, input);
  const kinds =
    input.kinds ??
    (input.includeLessons === true ? ["observation", "memory", "lesson"] : ["observation", "memory"]);
  const ranking =
    input.query === undefined ? nothing : await services.search.rank({ ...input, query: input.query, kinds });
  const expansion = await expandRecords(ground, services, input.expandIds, filter, ranking.hits);
  if (input.query === undefined && expansion.results.length === 0) {
    throw new MemsvcError("not_found", `none of the ids is known: ${expansion.notFound.join(", ")}`, {
      hint: wayToRead(expansion.notFound),
      extra: { notFound: expansion.notFound },
    });
  }
  const expandedIds = new Set(expansion.results.map(({ obsId }) => obsId));
  const others = ranking.hits.filter(({ ref }) => !expandedIds.has(ref));
  const shown = await services.search.sketched(
    others.slice(0, input.limit),
    others.slice(input.limit),
    ranking,
  );
  const lessons =
    input.includeLessons === true ? { lessons: ranking.lessons.slice(0, input.limit).map(lessonResult) } : {};
  const results: SmartSearchAnswer["results"] = [
    ...expansion.results,
    ...shown.map((hit) => ({
      ...compactResult(hit, hit.fused),
      ...(input.explain === true ? { explanation: hit.explanation } : {}),
    })),
  ];
  const seen = seenOf(results, lessons, input.maxChars);
  if (countsAsRecall) services.search.notes.handedOut(seen.map(({ kind, obsId }) => ({ kind, ref: obsId })));
  const { query, sessionId } = input;
  const hits = seen.slice(expansion.results.length);
  if (countsAsRecall && query !== undefined && sessionId !== undefined && hits.length > 0) {
    services.search.notes.afterAnswer("the search was not counted", () =>
      services.followups.count({ sessionId, query, resultIds: hits.map(({ obsId }) => obsId) }),
    );
  }
  return {
    mode: modeOf(input),
    results,
    totalCount: expansion.results.length + others.length,
    streams: [...ranking.streams],
    ...leftOutOf(ranking),
    ...lessons,
    ...(expansion.notFound.length === 0 ? {} : { notFound: expansion.notFound }),
    ...(expansion.truncated ? { truncated: true } : {}),
  };
}

function modeOf({ query, expandIds }: SmartSearchInput): SmartSearchAnswer["mode"] {
  if (query === undefined) return "expanded";
  return expandIds.length === 0 ? "compact" : "mixed";
}

/** The results that are shown within `maxChars` beside the rest of the answer; the caller cuts off the others. */
function seenOf<Result>(results: readonly Result[], beside: object, maxChars: number | undefined): Result[] {
  if (maxChars === undefined) return [...results];
  const room = maxChars - JSON.stringify(beside).length - roomForCounts;
  return results.slice(0, countWithin(room, results));
}

function lessonResult({ lesson, score }: LessonHit): LessonSearchResult {
  return {
    lessonId: lesson.id,
    content: cutCodePoints(lesson.content, longestLesson),
    confidence: lesson.confidence,
    score,
    createdAt: lesson.createdAt,
    ...(lesson.project === undefined ? {} : { project: lesson.project }),
    tags: lesson.tags,
  };
}
