import { unknownObservation } from "../../capture/observations/observations.ts";
import {
  observationsAround,
  type TimedObservation,
  type TimelineFilter,
  timedObservation,
} from "../../capture/observations/reads/observations-around.ts";
import type { Observation } from "../../capture/observations/record.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import { type AgentScopes, agentScope, isVisible } from "../../capture/sessions/agent-scope.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import { requestedView, type ViewRequest } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import type { SearchHit } from "../../index/hits.ts";
import { wordsInTime } from "../../index/left-out.ts";
import type { SearchStreams } from "../../index/search-streams.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { isTimeInForm, parseTime, timeProblem } from "../../operation/fields.ts";
import { isIdOf } from "../../store/ids.ts";
import { timeMeant } from "../search/time-words.ts";
import { momentAgo } from "../search/told-time.ts";
import type { TimelineAnswer, TimelineEntry } from "./answers.ts";

/** The first hit in the requested session is the anchor. If none is among this many, ten times as many are searched. */
const hitsLookedAt = 200;
const mostHits = 20_000;

interface TimelineInput extends ViewRequest {
  readonly anchor: string;
  readonly before: number;
  readonly after: number;
}

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly sessions: Sessions;
  readonly streams: Pick<SearchStreams, "keyword">;
}

/** Finds what happened before and after something. */
export class Timeline {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * Errors: not_found for an observation that is not known; invalid_input for a date that does not exist, and when
   * agents are isolated and none is named; unavailable when the words of an anchor cannot be searched in time.
   */
  async around(input: TimelineInput): Promise<TimelineAnswer> {
    const answer = await this.#around(input);
    if (input.project !== undefined || input.sessionId !== undefined) return answer;
    return { ...answer, entries: await this.#withProjects(answer.entries) };
  }

  async #withProjects(entries: readonly TimelineEntry[]): Promise<TimelineEntry[]> {
    const { sessions } = this.#services;
    const places = await sessions.places(
      entries.map(({ sessionId }) => sessionId),
      this.#ground.store.read,
    );
    return entries.map(({ observation, sessionId, relativePosition }) => {
      const project = places.get(sessionId)?.project;
      return { observation, sessionId, ...(project === undefined ? {} : { project }), relativePosition };
    });
  }

  async #around(input: TimelineInput): Promise<TimelineAnswer> {
    const { read } = this.#ground.store;
    const { anchor } = input;
    const view = await requestedView(read.sql, this.#services, input);
    const filter: TimelineFilter = { ...view, sessionId: input.sessionId };
    const named = await timedObservation(read, anchor);
    if (named !== undefined && isVisible(view.filter, named.agentId)) {
      return { ...(await this.#aroundMoment(named, filter, input)), anchor, anchorType: "observation" };
    }
    if (isIdOf("observation", anchor)) throw unknownObservation(anchor);
    const time = parseTime(anchor) ?? momentTold(anchor, this.#ground.now());
    if (time !== undefined) {
      return { ...(await this.#aroundTime(time, filter, input)), anchor, anchorType: "timestamp" };
    }
    if (isTimeInForm(anchor)) throw notATime(anchor);
    const hit = await wordsInTime(this.#bestHit(anchor, filter), this.#ground);
    if (hit === undefined) {
      return { entries: [], anchorIndex: -1, anchor, anchorType: "text", reason: "no_match" };
    }
    return { ...(await this.#aroundMoment(hit, filter, input)), anchor, anchorType: "text" };
  }

  async #aroundMoment(moment: TimedObservation, filter: TimelineFilter, { before, after }: TimelineInput) {
    const { read } = this.#ground.store;
    const earlier = await observationsAround(read, "before", moment, filter, before);
    const later = await observationsAround(read, "after", moment, filter, after);
    return {
      entries: [
        ...earlier.map((one, at) => entry(one, at - earlier.length)),
        entry(moment.observation, 0),
        ...later.map((one, at) => entry(one, at + 1)),
      ],
      anchorIndex: earlier.length,
    };
  }

  /** An observation of exactly that time has position 0; if there is none, no entry has position 0. */
  async #aroundTime(time: number, filter: TimelineFilter, { before, after }: TimelineInput) {
    const { read } = this.#ground.store;
    const start = { timestamp: time, seq: 0 };
    const earlier = await observationsAround(read, "before", start, filter, before);
    const later = await observationsAround(read, "after", start, filter, after + 1);
    const first = later[0];
    const isExact = first !== undefined && Date.parse(first.timestamp) === time;
    return {
      entries: [
        ...earlier.map((one, at) => entry(one, at - earlier.length)),
        ...later.slice(0, isExact ? after + 1 : after).map((one, at) => entry(one, isExact ? at : at + 1)),
      ],
      anchorIndex: earlier.length,
    };
  }

  async #bestHit(
    query: string,
    { filter, keys, sessionId }: TimelineFilter,
  ): Promise<TimedObservation | undefined> {
    const scope = {
      kinds: ["observation"],
      now: this.#ground.now(),
      ...(keys === undefined ? {} : { projectKeys: keys }),
      ...agentScope(filter),
    };
    const bestOf = async (limit: number): Promise<SearchHit | undefined> => {
      const hits = await this.#services.streams.keyword({ query, scope, limit });
      const best = hits.find((hit) => sessionId === undefined || hit.sessionId === sessionId);
      return best !== undefined || hits.length < limit || limit >= mostHits ? best : bestOf(10 * limit);
    };
    const best = await bestOf(sessionId === undefined ? 1 : hitsLookedAt);
    return best === undefined ? undefined : timedObservation(this.#ground.store.read, best.ref);
  }
}

/**
 * Where a time in words begins, such as `yesterday`; a time without a beginning, such as `before Monday`, ends there.
 * `2h` may be a word to search for, `2h ago` is a time.
 */
function momentTold(anchor: string, now: number): number | undefined {
  const words = anchor.trim().toLowerCase();
  const moment = words.endsWith(" ago") ? momentAgo(words, now) : undefined;
  if (moment !== undefined) return moment;
  const meant = timeMeant(anchor, now);
  if (meant?.isAll !== true) return undefined;
  return meant.since > 0 ? meant.since : meant.until;
}

function notATime(anchor: string): MemsvcError {
  const message = timeProblem(anchor);
  return new MemsvcError("invalid_input", `anchor ${message}`, { issues: [{ path: "anchor", message }] });
}

function entry(observation: Observation, relativePosition: number): TimelineEntry {
  return { observation, sessionId: observation.sessionId, relativePosition };
}
