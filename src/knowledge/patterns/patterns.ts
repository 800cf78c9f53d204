import { setImmediate as nextTurn } from "node:timers/promises";
import { workOf } from "../../capture/observations/reads/work-history.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes } from "../../capture/sessions/agent-scope.ts";
import { type SessionState, sessionStates } from "../../capture/sessions/history.ts";
import { requestedView, type View, type ViewRequest } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import { keepRecent } from "../../keep-recent.ts";
import { chunksOf } from "../../store/chunks.ts";
import { type DigestedSession, findPatterns } from "./find-patterns.ts";
import type { Pattern } from "./record.ts";
import { digestOf, type SessionDigest } from "./session-digest.ts";

const sessionsLookedAt = 500;
/** Few enough that other work waits only some milliseconds. */
const sessionsPerRead = 25;
const mostDigests = 2_000;
const mostAnswers = 50;

interface PatternServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
}

interface Kept {
  readonly version: string;
  readonly patterns: readonly Pattern[];
}

/**
 * Recurring patterns of the newest 500 sessions. Reading the sessions takes a second if they hold 100,000
 * observations, so the digest of each session is cached until the session changes, and the patterns until any
 * session does. Nothing is stored.
 */
export class Patterns {
  readonly #ground: Ground;
  readonly #services: PatternServices;
  readonly #digests = new Map<string, { version: string; digest: SessionDigest }>();
  readonly #kept = new Map<string, Kept>();

  constructor(ground: Ground, services: PatternServices) {
    this.#ground = ground;
    this.#services = services;
  }

  /** The patterns that a request may see, most frequent first. */
  async find(request: ViewRequest): Promise<readonly Pattern[]> {
    return this.within(await requestedView(this.#ground.store.read.sql, this.#services, request));
  }

  /** All patterns of a view, most frequent first. */
  async within(view: View): Promise<readonly Pattern[]> {
    const { sql } = this.#ground.store.read;
    const states = await sessionStates(sql, view, sessionsLookedAt);
    const name = JSON.stringify([view.keys, view.filter]);
    const version = states.map(versionOf).join("\n");
    const kept = this.#kept.get(name);
    if (kept?.version === version) return kept.patterns;
    const patterns = findPatterns(await this.#digested(states));
    keepRecent(this.#kept, name, { version, patterns }, mostAnswers);
    return patterns;
  }

  async #digested(states: readonly SessionState[]): Promise<DigestedSession[]> {
    const digests = new Map<string, SessionDigest>();
    const changed: SessionState[] = [];
    for (const state of states) {
      const kept = this.#digests.get(state.id);
      if (kept?.version === versionOf(state)) digests.set(state.id, kept.digest);
      else changed.push(state);
    }
    for (const some of chunksOf(changed, sessionsPerRead)) {
      const work = await workOf(
        this.#ground.store.read.sql,
        some.map(({ id }) => id),
      );
      for (const state of some) {
        const digest = digestOf(work.filter(({ sessionId }) => sessionId === state.id));
        digests.set(state.id, digest);
        keepRecent(this.#digests, state.id, { version: versionOf(state), digest }, mostDigests);
      }
      await nextTurn();
    }
    return states.flatMap(({ id }) => {
      const digest = digests.get(id);
      return digest === undefined ? [] : [{ id, digest }];
    });
  }
}

function versionOf({ id, observationCount, updatedAt }: SessionState): string {
  return `${id} ${observationCount} ${updatedAt}`;
}
