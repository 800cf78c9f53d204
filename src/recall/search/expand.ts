import { capStrings } from "../../capture/observations/raw-event.ts";
import type { Observation } from "../../capture/observations/record.ts";
import { type AgentFilter, isVisible } from "../../capture/sessions/agent-scope.ts";
import type { Ground } from "../../ground.ts";
import { lessonDocument } from "../../knowledge/lessons/document.ts";
import { type Lesson, type LessonRow, lessonRecord } from "../../knowledge/lessons/record.ts";
import { type Memory, memoryRecord } from "../../knowledge/memories/record.ts";
import { withVersionNotes } from "../../knowledge/memories/versions/newest-version.ts";
import type { FusedHit } from "./fusion.ts";
import type { CompactSearchResult } from "./record.ts";
import type { SearchServices } from "./search.ts";
import { type AnsweredHit, compactResult, memoryHit } from "./shown-hit.ts";

const maxRecordBytes = 64 * 1_024;
const neighborsEachSide = 2;
const maxMemorySources = 4;
const sourcesAtOnce = 20;

interface ExpandedResult extends CompactSearchResult {
  readonly expanded: true;
  readonly observation?: Observation;
  readonly memory?: Memory;
  readonly lesson?: Lesson;
  readonly neighbors: CompactSearchResult[];
}

interface Expansion {
  readonly results: ExpandedResult[];
  readonly notFound: string[];
  /** True when a record was cut to 64 KiB. */
  readonly truncated: boolean;
}

/** Full records of the given ids with their context. A record has a score if the query's hits include it. */
export async function expandRecords(
  ground: Ground,
  services: SearchServices,
  ids: readonly string[],
  filter: AgentFilter,
  hits: readonly FusedHit[],
): Promise<Expansion> {
  const results: ExpandedResult[] = [];
  const notFound: string[] = [];
  let truncated = false;
  for (const id of new Set(ids)) {
    const score = hits.find(({ ref }) => ref === id)?.fused ?? 1;
    const found =
      (await expandObservation(services, id, filter, score)) ??
      (await expandMemory(ground, services, id, filter, score)) ??
      (await expandLesson(ground, services, id, filter, score));
    if (found === undefined) {
      notFound.push(id);
      continue;
    }
    const fitted = cutToSize(found);
    truncated ||= fitted !== found;
    results.push(fitted);
  }
  return { results, notFound, truncated };
}

async function expandObservation(
  services: SearchServices,
  id: string,
  filter: AgentFilter,
  score: number,
): Promise<ExpandedResult | undefined> {
  const found = await services.observations.withNeighbors(id, neighborsEachSide);
  if (found === undefined || !isVisible(filter, found.observation.agentId)) return undefined;
  return {
    ...compactResult(observationHit(found.observation, found.project), score),
    expanded: true,
    observation: found.observation,
    neighbors: found.neighbors.map((neighbor) => compactResult(observationHit(neighbor, found.project), 0)),
  };
}

async function expandMemory(
  ground: Ground,
  services: SearchServices,
  id: string,
  filter: AgentFilter,
  score: number,
): Promise<ExpandedResult | undefined> {
  const [row] = await services.memories.byIds([id]);
  if (row === undefined || !isVisible(filter, row.agentId)) return undefined;
  const shown = await shownSources(services, filter, row.sourceObservationIds);
  const memory = await withVersionNotes(ground.store.read.sql, memoryRecord(row, ground.now()), filter);
  return {
    ...compactResult(memoryHit({ ...row, title: memory.presentTitle ?? row.title }), score),
    expanded: true,
    memory,
    neighbors: shown.map(({ observation, project }) =>
      compactResult(observationHit(observation, project), 0),
    ),
  };
}

/**
 * The first of a memory's sources that still exist and that the caller may see. Read in chunks; the first is mostly
 * enough.
 */
async function shownSources(services: SearchServices, filter: AgentFilter, ids: readonly string[]) {
  const shown: Awaited<ReturnType<typeof services.observations.byIds>> = [];
  for (let at = 0; at < ids.length && shown.length < maxMemorySources; at += sourcesAtOnce) {
    const some = ids.slice(at, at + sourcesAtOnce);
    const found = await services.observations.byIds(some);
    const byId = new Map(found.map((source) => [source.observation.id, source]));
    const ordered = some.flatMap((id) => byId.get(id) ?? []);
    shown.push(...ordered.filter(({ observation }) => isVisible(filter, observation.agentId)));
  }
  return shown.slice(0, maxMemorySources);
}

async function expandLesson(
  { now, settings }: Ground,
  { lessons }: SearchServices,
  id: string,
  filter: AgentFilter,
  score: number,
): Promise<ExpandedResult | undefined> {
  const [row] = await lessons.byIds([id]);
  if (row === undefined || !isVisible(filter, row.agentId)) return undefined;
  return {
    ...compactResult(lessonHit(row), score),
    expanded: true,
    lesson: lessonRecord(row, now(), settings.lessonDecayEnabled),
    neighbors: [],
  };
}

function observationHit(observation: Observation, project: string | null): AnsweredHit {
  return {
    kind: "observation",
    ref: observation.id,
    sessionId: observation.sessionId,
    createdAt: Date.parse(observation.timestamp),
    title: observation.title,
    type: observation.type,
    snippet: observation.narrative,
    project,
    files: observation.files,
  };
}

function lessonHit(row: LessonRow): AnsweredHit {
  const { title, body } = lessonDocument(row);
  return {
    kind: "lesson",
    ref: row.id,
    sessionId: null,
    createdAt: row.createdAt,
    title,
    type: "lesson",
    snippet: body,
    project: row.project,
    files: [],
  };
}

/** Cuts the longest strings of a record until it fits; the same object when it fits as it is. */
function cutToSize(result: ExpandedResult): ExpandedResult {
  let fitted = result;
  for (let longest = 32_768; !fits(fitted) && longest >= 256; longest /= 2) {
    // The cast is safe: capStrings only shortens strings.
    fitted = capStrings(result, longest) as ExpandedResult;
  }
  return fits(fitted) ? fitted : withoutRaw(fitted);
}

/** Drops the raw event of a record that is large because of many small values. */
function withoutRaw(result: ExpandedResult): ExpandedResult {
  if (result.observation === undefined) return result;
  const { raw: _tooLarge, ...observation } = result.observation;
  return { ...result, observation };
}

function fits(result: ExpandedResult): boolean {
  return Buffer.byteLength(JSON.stringify(result)) <= maxRecordBytes;
}
