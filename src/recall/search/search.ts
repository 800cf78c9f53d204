import type { Observations } from "../../capture/observations/observations.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes } from "../../capture/sessions/agent-scope.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import { type View, type ViewRequest, viewScope } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import { readPlaces, readSketches } from "../../index/hits.ts";
import { type PartOutcome, unlessLate, unlessLateOrFailed } from "../../index/left-out.ts";
import type { SearchScope } from "../../index/scope.ts";
import type { SearchQuestion } from "../../index/search-streams.ts";
import type { Lessons } from "../../knowledge/lessons/lessons.ts";
import { type LessonHit, rankLessons } from "../../knowledge/lessons/search.ts";
import type { Memories } from "../../knowledge/memories/memories.ts";
import { presentTitles } from "../../knowledge/memories/titles/present-titles.ts";
import { answeredPrompts } from "./answered-prompts.ts";
import { type AskedAgent, askedAgent } from "./asked-agent.ts";
import type { AskedKind } from "./asked-kinds.ts";
import { asksOpenWork } from "./asked-open-work.ts";
import { folderMatcher } from "./folder-matcher.ts";
import { type FusedHit, fuse, type Stream, type StreamHit } from "./fusion.ts";
import { hitsOfTagged } from "./hits-of-tagged.ts";
import { type AskedStreams, streamsOfKind, streamsOfOpenWork } from "./kind-streams.ts";
import { RecallNotes } from "./recall-notes.ts";
import { replacedHits } from "./replaced-hits.ts";
import { memoryHit, type ShownHit } from "./shown-hit.ts";
import { askStreams, type StreamSources, type StreamsAnswer } from "./streams.ts";
import { tellingFirst } from "./telling-first.ts";
import { type TimeMeant, timeMeant } from "./time-words.ts";

const mostHits = 500;
const lessonWeight = 1;
/** Lessons of this confidence or less are not returned. */
const leastLessonConfidence = 0.1;
const noStreams: AskedStreams = { query: "", streams: [], leftOut: [] };

interface SearchRequest extends ViewRequest {
  readonly query: string;
  readonly limit: number;
  readonly kinds: readonly string[];
  /** The query consists of names, such as those of files, so a word like "today" in it does not mean a time. */
  readonly isOfNames?: boolean;
  /** Only what happened in sessions that have this tag, or belong to an agent of this name. */
  readonly sessionTag?: string;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export interface SearchServices extends StreamSources {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly sessions: Sessions;
  readonly observations: Observations;
  readonly memories: Memories;
  readonly lessons: Lessons;
}

export interface Ranking {
  /** All distinct hits after filters and diversification, best first. */
  readonly hits: readonly FusedHit[];
  /** The part of the query that was searched for: without the words that tell a time. */
  readonly query: string;
  /** By the ids of observations, what is left to do of what they name; only if the query asks for that. */
  readonly leftToDo?: ReadonlyMap<string, string>;
  /** Streams that took part. */
  readonly streams: readonly string[];
  /** Streams that were late, still loading or failed, so there may be more to find. */
  readonly leftOut: readonly string[];
  /** The lessons among them, by their own score. */
  readonly lessons: readonly LessonHit[];
}

/** The engine behind every search: asks the streams, and fuses their hits. */
export class Search {
  readonly #ground: Ground;
  readonly #services: SearchServices;
  readonly notes: RecallNotes;

  constructor(ground: Ground, services: SearchServices) {
    this.#ground = ground;
    this.#services = services;
    this.notes = new RecallNotes(ground, services);
  }

  async rank(request: SearchRequest): Promise<Ranking> {
    const time = this.#timeMeant(request);
    const asked = await this.#askedAgent(request, time);
    if (asked === undefined) return this.#rank(request, time);
    // Only observations happened in a session.
    const kinds =
      asked.sessionTag === undefined ? request.kinds : request.kinds.filter((kind) => kind === "observation");
    const ofAgent = { ...request, ...asked, kinds };
    return this.#rank(ofAgent, this.#timeMeant(ofAgent));
  }

  #timeMeant({ query, isOfNames }: SearchRequest): TimeMeant | undefined {
    return isOfNames === true ? undefined : timeMeant(query, this.#ground.now());
  }

  /** The agent that the query names, if the request may see the work of all. */
  async #askedAgent(request: SearchRequest, time: TimeMeant | undefined): Promise<AskedAgent | undefined> {
    if (request.isOfNames === true) return undefined;
    const { sql } = this.#ground.store.read;
    const filter = await this.#services.agents.reader(sql, request);
    return filter.kind === "everyone" ? askedAgent(sql, request.query, time, this.#ground.now()) : undefined;
  }

  async #rank(request: SearchRequest, time: TimeMeant | undefined): Promise<Ranking> {
    const { settings, now } = this.#ground;
    const view = await this.#view(request);
    const scope = {
      ...this.#scope(request, view),
      ...(time === undefined ? {} : { leansTo: { since: time.since, until: time.until, isAll: time.isAll } }),
    };
    const deep = request.sessionTag === undefined ? Math.max(50, 5 * request.limit) : mostHits;
    const limit = Math.min(mostHits, deep);
    const kinds = request.kinds.filter((kind) => kind !== "lesson");
    // Only the keyword stream can answer a time alone; without it, the words of the time are searched like others.
    const isOfWords = time === undefined || (time.isAll && settings.bm25Weight === 0);
    const question = { query: isOfWords ? request.query : time.rest, scope: { ...scope, kinds }, limit };
    const asked = kinds.length === 0 ? Promise.resolve(noStreams) : this.#ask(question, view, request, time);
    const [answered, ofLessons] = await Promise.all([asked, this.#lessons(request, scope, asked)]);
    const lessons = ofLessons === "left out" ? undefined : ofLessons.answer;
    const { sql } = this.#ground.store.read;
    const own = await hitsOfTagged(sql, answered.streams, request.sessionTag);
    const documents = time?.isAll === true ? await tellingFirst(sql, own) : own;
    const found = documents.flatMap(({ hits }) => hits);
    const [strengths, isUnderFolder, repetitions] = await Promise.all([
      this.#services.memories.strengths(memoryRefs(found), now()),
      this.#folderTest(found, request.cwd),
      this.#services.observations.repetitions(sharingSession(found)),
    ]);
    const streams: Stream[] = [
      ...documents,
      ...(lessons === undefined
        ? []
        : [
            {
              name: "lessons",
              weight: lessonWeight,
              hits: lessons.map(({ hit, score }) => ({ ...hit, score })),
            } as const,
          ]),
    ];
    const confidences = new Map(lessons?.map(({ lesson }) => [lesson.id, lesson.confidence]));
    const importances = new Map(found.map(({ ref, importance }) => [ref, importance]));
    const open = answered.leftToDo;
    const hits = fuse(streams, {
      now: now(),
      qualityOf: ({ ref }) => strengths.get(ref) ?? confidences.get(ref) ?? importances.get(ref) ?? 0,
      isOfSession: (hit) => request.sessionId !== undefined && hit.sessionId === request.sessionId,
      isUnderFolder,
      isAside: ({ ref }) => open !== undefined && !open.has(ref),
      ...repetitions,
    });
    return {
      hits,
      query: answered.query,
      ...(open === undefined ? {} : { leftToDo: open }),
      streams: streams.map(({ name }) => name),
      leftOut: [...answered.leftOut, ...(ofLessons === "left out" ? ["lessons"] : [])],
      lessons: lessons ?? [],
    };
  }

  /** `time`: the time that the query names. */
  async #ask(
    question: SearchQuestion,
    view: View,
    { query: words, isOfNames }: Pick<SearchRequest, "query" | "isOfNames">,
    time: TimeMeant | undefined,
  ): Promise<AskedStreams> {
    const kind = time === undefined && isOfNames !== true && asksOpenWork(words) ? "open" : time?.asks;
    const ofKind = kind === undefined ? undefined : await this.#askKind(question, view, time, kind);
    return ofKind ?? this.#askStreams(question, words);
  }

  async #askKind(
    question: SearchQuestion,
    view: View,
    time: TimeMeant | undefined,
    kind: AskedKind,
  ): Promise<AskedStreams | undefined> {
    if (kind === "open") {
      // Only observations say what is left.
      if (question.scope.kinds?.includes("observation") !== true) return undefined;
      return streamsOfOpenWork(this.#ground, this.#services, question, view, time);
    }
    return time === undefined ? undefined : streamsOfKind(this.#ground, this.#services, question, time, kind);
  }

  /** If nothing happened in the time that is all of a query, the words of the query are searched for. */
  async #askStreams(question: SearchQuestion, words: string): Promise<AskedStreams> {
    const { query, scope } = question;
    const answer = await askStreams(this.#services, question, this.#ground);
    const foundNothing = answer.leftOut.length === 0 && answer.streams.every(({ hits }) => hits.length === 0);
    if (scope.leansTo?.isAll !== true || query === words || !foundNothing) return { ...answer, query };
    const ofWords = await askStreams(this.#services, { ...question, query: words }, this.#ground);
    return { ...ofWords, query: words };
  }

  /**
   * The hits with the fields that are shown of them, in their order, without records deleted meanwhile. With what found
   * them, passages are added. `others`: further hits, which may replace what these decided.
   */
  async sketched(
    hits: readonly FusedHit[],
    others: readonly FusedHit[],
    foundBy?: Pick<Ranking, "query" | "leftToDo">,
  ): Promise<(FusedHit & ShownHit)[]> {
    const ids = hits.map(({ id }) => id);
    const { sql } = this.#ground.store.read;
    const [sketches, titles, answers, passages] = await Promise.all([
      readSketches(sql, ids),
      this.#presentTitles(memoryRefs(hits)),
      answeredPrompts(sql, hits),
      foundBy === undefined || ids.length === 0
        ? undefined
        : unlessLateOrFailed(
            "passages",
            this.#services.streams.passages({ query: foundBy.query, ids }),
            this.#ground,
          ),
    ]);
    const shown = hits.flatMap((hit) => {
      const sketch = sketches.get(hit.id);
      if (sketch === undefined) return [];
      const title = titles.get(hit.ref) ?? sketch.title;
      const ofWords = passages === "left out" ? undefined : passages?.answer.get(hit.id);
      const left = foundBy?.leftToDo?.get(hit.ref);
      const passage = left === undefined || sketch.snippet.includes(left) ? ofWords : left;
      return [{ ...hit, ...sketch, title, passage, answer: answers.get(hit.ref) }];
    });
    const replaced = await replacedHits(sql, shown, others);
    return shown.map((hit) => ({ ...hit, replacedBy: replaced.get(hit.ref) }));
  }

  /** Latest memories by id, as a search shows them. The caller must check who may see them. */
  async memoryHits(ids: readonly string[]): Promise<ShownHit[]> {
    const rows = await this.#services.memories.byIds(ids);
    const titles = await this.#presentTitles(ids);
    return rows.map((row) => memoryHit({ ...row, title: titles.get(row.id) ?? row.title }));
  }

  async #presentTitles(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return ids.length === 0 ? new Map() : presentTitles(this.#ground.store.read.sql, ids);
  }

  /**
   * The lessons that match, or undefined when lessons were not asked for. They are searched by their words, and so
   * waited for as long as the words of other records.
   */
  async #lessons(
    { kinds, query, limit }: SearchRequest,
    scope: SearchScope,
    others: Promise<StreamsAnswer>,
  ): Promise<PartOutcome<LessonHit[] | undefined>> {
    if (!kinds.includes("lesson")) return { answer: undefined };
    const asked = { query, scope, minConfidence: leastLessonConfidence, limit };
    const ranked = rankLessons(this.#ground, this.#services, asked);
    const areWordsSearched = async () => !(await others).leftOut.includes("keyword");
    return unlessLate("lessons", ranked, this.#ground, areWordsSearched);
  }

  async #view(request: SearchRequest): Promise<View> {
    const { sql } = this.#ground.store.read;
    const filter = await this.#services.agents.reader(sql, request);
    const cwd = request.cwd ?? (await this.#sessionFolder(request.sessionId));
    return { filter, keys: await this.#services.projects.readKeys(sql, request.project, cwd) };
  }

  #scope(request: SearchRequest, view: View): SearchScope {
    return {
      kinds: request.kinds,
      now: this.#ground.now(),
      ...viewScope(view),
      ...(request.since === undefined ? {} : { since: request.since }),
      ...(request.until === undefined ? {} : { until: request.until }),
    };
  }

  async #sessionFolder(sessionId: string | undefined): Promise<string | undefined> {
    if (sessionId === undefined) return undefined;
    return (await this.#services.sessions.find(this.#ground.store.read, sessionId))?.cwd;
  }

  async #folderTest(
    hits: readonly StreamHit[],
    cwd: string | undefined,
  ): Promise<(hit: StreamHit) => boolean> {
    if (cwd === undefined) return () => false;
    const sessionIds = [...new Set(hits.flatMap(({ sessionId }) => sessionId ?? []))];
    const places = await this.#services.sessions.places(sessionIds);
    const rows = [...new Set(hits.map(({ id }) => id))];
    return folderMatcher(cwd, places, await readPlaces(this.#ground.store.read.sql, rows));
  }
}

/**
 * Observations among the hits that share their session with others: both observations of a tool call, and repeated
 * runs of a command, are in the same session.
 */
function sharingSession(hits: readonly StreamHit[]): string[] {
  const sessions = new Map<string, Set<string>>();
  for (const { kind, ref, sessionId } of hits) {
    if (kind !== "observation" || sessionId === null) continue;
    const refs = sessions.get(sessionId);
    if (refs === undefined) sessions.set(sessionId, new Set([ref]));
    else refs.add(ref);
  }
  return [...sessions.values()].flatMap((refs) => (refs.size > 1 ? [...refs] : []));
}

function memoryRefs(hits: readonly StreamHit[]): string[] {
  return hits.filter(({ kind }) => kind === "memory").map(({ ref }) => ref);
}
