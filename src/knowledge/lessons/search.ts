import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes } from "../../capture/sessions/agent-scope.ts";
import { requestedView, viewScope } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import type { SearchHit } from "../../index/hits.ts";
import { wordsInTime } from "../../index/left-out.ts";
import type { SearchScope } from "../../index/scope.ts";
import type { SearchQuestion, SearchStreams } from "../../index/search-streams.ts";
import { type ConclusionSearch, rankByConfidence } from "../conclusions/rank-by-confidence.ts";
import type { Lessons } from "./lessons.ts";
import { type Lesson, lessonRecord } from "./record.ts";

export interface LessonHit {
  readonly hit: SearchHit;
  readonly lesson: Lesson;
  /** Keyword match times confidence, lower the longer ago it was confirmed. */
  readonly score: number;
}

interface LessonSearchServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly streams: Pick<SearchStreams, "keyword">;
  readonly lessons: Lessons;
}

/** The `kinds` of its scope are ignored. */
interface LessonQuestion extends SearchQuestion {
  readonly minConfidence: number;
}

/**
 * The lessons that a request may see, best first, with their scores; lessons without a project match any. Error:
 * unavailable when the words cannot be searched in time.
 */
export async function searchLessons(
  ground: Ground,
  services: LessonSearchServices,
  input: ConclusionSearch,
): Promise<(Lesson & { score: number })[]> {
  const view = await requestedView(ground.store.read.sql, services, input);
  const scope: SearchScope = { now: ground.now(), ...viewScope(view) };
  const hits = await wordsInTime(rankLessons(ground, services, { ...input, scope }), ground);
  return hits.slice(0, input.limit).map(({ lesson, score }) => ({ ...lesson, score }));
}

/**
 * All candidates for an answer of `limit`, ranked by keyword match, confidence and how recently they were confirmed.
 */
export async function rankLessons(
  { settings }: Ground,
  { streams, lessons }: Pick<LessonSearchServices, "streams" | "lessons">,
  { query, scope, minConfidence, limit }: LessonQuestion,
): Promise<LessonHit[]> {
  const decays = settings.lessonDecayEnabled;
  const asked = { kind: "lesson", query, scope, minConfidence, limit, decays } as const;
  const hits = await rankByConfidence(streams, asked, (ids) => lessons.byIds(ids));
  return hits.map(({ hit, row, score }) => ({ hit, lesson: lessonRecord(row, scope.now, decays), score }));
}
