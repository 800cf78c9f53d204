import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../ground.ts";
import type { KeywordHit, SearchScope } from "../../index/keyword.ts";
import type { KeywordIndex } from "../../index/keyword-index.ts";
import { confidenceAt, confidentScore } from "../confidence.ts";
import type { Lessons } from "./lessons.ts";
import { type Lesson, lessonRecord } from "./record.ts";

export interface LessonQuery {
  readonly query: string;
  /** Its kinds are not looked at. */
  readonly scope: SearchScope;
  readonly minConfidence: number;
  readonly limit: number;
}

export interface LessonHit {
  readonly hit: KeywordHit;
  readonly lesson: Lesson;
  /** Confidence times the share of the best keyword score, less the longer ago it was confirmed. */
  readonly score: number;
}

export interface LessonSearchServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly keywords: KeywordIndex;
  readonly lessons: Lessons;
}

interface SearchInput extends ScopeRequest {
  readonly query: string;
  readonly project?: string | undefined;
  readonly minConfidence: number;
  readonly limit: number;
}

/** The lessons that a request may see, best first, with their scores. */
export async function searchLessons(
  ground: Ground,
  services: LessonSearchServices,
  input: SearchInput,
): Promise<(Lesson & { score: number })[]> {
  const { sql } = ground.store.read;
  const filter = await services.agents.reader(sql, input);
  const keys = input.project === undefined ? undefined : await services.projects.readKeys(sql, input.project);
  const scope: SearchScope = {
    now: ground.now(),
    ...(keys === undefined ? {} : { projectKeys: keys, includeWithoutProject: true }),
    ...(filter.kind === "everyone"
      ? {}
      : { agent: { agentId: filter.agentId, includeOrphans: filter.includeOrphans } }),
  };
  const hits = await rankLessons(ground, services, { ...input, scope });
  return hits.map(({ lesson, score }) => ({ ...lesson, score }));
}

/** Lessons by how well they match, how sure they are and how lately they were confirmed. */
export async function rankLessons(
  ground: Ground,
  { keywords, lessons }: Pick<LessonSearchServices, "keywords" | "lessons">,
  { query, scope, minConfidence, limit }: LessonQuery,
): Promise<LessonHit[]> {
  const now = ground.now();
  const decays = ground.settings.lessonDecayEnabled;
  const hits = await keywords.search(
    query,
    { ...scope, kinds: ["lesson"] },
    Math.min(500, Math.max(50, 5 * limit)),
  );
  const best = hits[0]?.score ?? 1;
  const rows = await lessons.byIds(hits.map(({ ref }) => ref));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return hits
    .flatMap((hit) => {
      const row = byId.get(hit.ref);
      if (row === undefined || confidenceAt(row, now, decays) < minConfidence) return [];
      const score = confidentScore(row, hit.score / best, now, decays);
      return [{ hit, lesson: lessonRecord(row, now, decays), score }];
    })
    .sort((a, b) => b.score - a.score || b.hit.createdAt - a.hit.createdAt)
    .slice(0, limit);
}
