import { hadArrivals, tracesOf } from "../../capture/observations/reads/history.ts";
import { countInProject } from "../../capture/observations/reads/project-history.ts";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import type { ProjectView } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import { strongestHabits } from "../memories/recall-candidates.ts";
import { summariesOf } from "../summaries/stored-summaries.ts";
import { buildProfile } from "./build-profile.ts";
import { cachedProfile, cacheProfile } from "./cache.ts";
import type { ProjectProfile } from "./record.ts";
import { newestVisits } from "./visits.ts";

const sessionsLookedAt = 50;
const mostHabits = 5;
const mostConventions = 10;

interface ProfileInput extends ScopeRequest {
  readonly project: string;
  readonly refresh?: boolean | undefined;
  readonly cwd?: string | undefined;
}

interface ProfileAnswer {
  readonly profile: ProjectProfile;
  readonly cached: boolean;
  readonly reason?: "no_sessions";
}

interface ProfileServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
}

interface Wanted {
  readonly project: string;
  readonly view: ProjectView;
  readonly refresh: boolean;
  /** The session whose observations are left out. */
  readonly withoutSession: string | undefined;
}

interface Found extends ProfileAnswer {
  /** Settles when the profile is cached for the next request; never rejects. */
  readonly kept: Promise<void>;
}

/**
 * Project profiles, made from the newest sessions and cached for an hour. The memories among the conventions
 * are read anew each time, so that a forgotten memory disappears at once.
 */
export class Profiles {
  readonly #ground: Ground;
  readonly #services: ProfileServices;

  constructor(ground: Ground, services: ProfileServices) {
    this.#ground = ground;
    this.#services = services;
  }

  /** The profile that a request may see. Error: invalid_input when agents are isolated and none is named. */
  async get(input: ProfileInput): Promise<ProfileAnswer> {
    const { sql } = this.#ground.store.read;
    const filter = await this.#services.agents.reader(sql, input);
    const keys = await this.#services.projects.readKeys(sql, input.project, input.cwd);
    const { kept, ...answer } = await this.#find({
      project: input.project,
      view: { keys, filter },
      refresh: input.refresh ?? false,
      withoutSession: undefined,
    });
    await kept;
    return answer;
  }

  /**
   * Computes and caches the profile for the next session of a project. Where agents are isolated it is the
   * agent's own, and none is made for a session without an agent.
   */
  async renew({
    project,
    agentId,
  }: {
    readonly project: string;
    readonly agentId: string | null;
  }): Promise<void> {
    const reader = this.#services.agents.isolated ? agentId : "*";
    if (reader !== null) await this.get({ project, refresh: true, agentId: reader });
  }

  /** The profile for a session: made from the other sessions of the project. Does not wait for writes. */
  async forSession(sessionId: string, project: string, view: ProjectView): Promise<ProjectProfile> {
    return (await this.#find({ project, view, refresh: false, withoutSession: sessionId })).profile;
  }

  async #find(wanted: Wanted): Promise<Found> {
    const { sql } = this.#ground.store.read;
    const cached = wanted.refresh ? undefined : await cachedProfile(sql, wanted.view, this.#ground.now());
    if (cached !== undefined && !(await this.#includes(wanted.withoutSession, cached.computedAt))) {
      const profile = await this.#completed(wanted, cached.profile);
      return { profile, cached: true, kept: Promise.resolve() };
    }
    const except = (await this.#includes(wanted.withoutSession, this.#ground.now()))
      ? wanted.withoutSession
      : undefined;
    const computed = await this.#compute(wanted, except);
    if (computed.sessionCount === 0)
      return { profile: computed, cached: false, reason: "no_sessions", kept: Promise.resolve() };
    // In a project's first session the profile is empty; caching it would hide for an hour what that session
    // does.
    const isWorthKeeping = except === undefined && computed.totalObservations > 0;
    const kept = isWorthKeeping ? this.#keep(wanted.view, computed) : Promise.resolve();
    return { profile: await this.#completed(wanted, computed), cached: false, kept };
  }

  /** Whether a profile computed at that time includes observations of the session. */
  async #includes(sessionId: string | undefined, computedAt: number): Promise<boolean> {
    return sessionId !== undefined && hadArrivals(this.#ground.store.read.sql, sessionId, computedAt);
  }

  async #compute({ project, view }: Wanted, except: string | undefined): Promise<ProjectProfile> {
    const { read } = this.#ground.store;
    const { sql } = read;
    const { sessions, settled, count } = await newestVisits(sql, view, sessionsLookedAt, except);
    const traces = await tracesOf(
      sql,
      sessions.map(({ id }) => id),
      view,
    );
    const summaries = await summariesOf(read, settled);
    return buildProfile({
      project,
      agentId: view.filter.kind === "agent" ? view.filter.agentId : undefined,
      sessions,
      summaryTitles: new Map([...summaries].map(([id, { title }]) => [id, title])),
      traces,
      totals: { sessions: count, observations: await countInProject(sql, view, except) },
      now: this.#ground.now(),
    });
  }

  async #completed({ project, view }: Wanted, profile: ProjectProfile): Promise<ProjectProfile> {
    const scope = { keys: view.keys, filter: view.filter, now: this.#ground.now() };
    const habits = await strongestHabits(this.#ground.store.read.sql, scope, mostHabits);
    const conventions = [...new Set([...habits, ...profile.conventions])].slice(0, mostConventions);
    return { ...profile, project, conventions };
  }

  async #keep(view: ProjectView, profile: ProjectProfile): Promise<void> {
    const { store, now, log } = this.#ground;
    try {
      await store.write((tx) => cacheProfile(tx.sql, view, profile, now()), { dispensable: true });
    } catch (error) {
      log("warn", "profile was not kept", { error: String(error) });
    }
  }
}
