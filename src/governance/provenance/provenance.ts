import type { Observations } from "../../capture/observations/observations.ts";
import type { AgentFilter, AgentScopes, ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import { isVisible } from "../../capture/sessions/agent-scope.ts";
import { sessionRecord } from "../../capture/sessions/record.ts";
import type { Sessions } from "../../capture/sessions/sessions.ts";
import type { Ground } from "../../ground.ts";
import type { Memories } from "../../knowledge/memories/memories.ts";
import { type MemoryRow, memoryRecord } from "../../knowledge/memories/record.ts";
import { withPresentTitle } from "../../knowledge/memories/titles/present-titles.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { Verification } from "./record.ts";

interface Services {
  readonly agents: AgentScopes;
  readonly sessions: Sessions;
  readonly observations: Observations;
  readonly memories: Memories;
}

/** Tells where records come from. Looking at a memory here does not count as a recall. */
export class Provenance {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** The sources of a memory, or the records that rest on an observation. Error: not_found. */
  async verify(input: ScopeRequest & { readonly id: string }): Promise<Verification> {
    const filter = await this.#services.agents.reader(this.#ground.store.read.sql, input);
    const [memory] = await this.#services.memories.byIds([input.id]);
    if (memory !== undefined && isVisible(filter, memory.agentId)) return this.#ofMemory(memory, filter);
    const verified = await this.#ofObservation(input.id, filter);
    if (verified !== undefined) return verified;
    throw new MemsvcError("not_found", `${input.id} is neither a memory nor an observation that is known`, {
      hint: "search for it: memsvc search <query>",
    });
  }

  async #ofMemory(row: MemoryRow, filter: AgentFilter): Promise<Verification> {
    const record = memoryRecord(row, this.#ground.now());
    const { id, title, type, version, strength, isLatest, createdAt, updatedAt, supersedes, parentId } =
      record;
    const { presentTitle } = await withPresentTitle(this.#ground.store.read.sql, record);
    const placed = (await this.#services.observations.byIds(row.sourceObservationIds)).filter(
      ({ observation }) => isVisible(filter, observation.agentId),
    );
    const sessions = await this.#services.sessions.byIds(
      placed.map(({ observation }) => observation.sessionId),
    );
    const found = new Set(placed.map(({ observation }) => observation.id));
    return {
      type: "memory",
      memory: {
        id,
        title,
        ...(presentTitle === undefined ? {} : { presentTitle }),
        type,
        version,
        strength,
        isLatest,
        createdAt,
        updatedAt,
        supersedes,
        ...(parentId === undefined ? {} : { parentId }),
      },
      citations: placed.map(({ observation }) => {
        const session = sessions.get(observation.sessionId);
        return {
          observationId: observation.id,
          title: observation.title,
          type: observation.type,
          confidence: observation.confidence,
          timestamp: observation.timestamp,
          sessionId: observation.sessionId,
          ...(session === undefined
            ? {}
            : { sessionProject: session.project, sessionStatus: session.status }),
        };
      }),
      citationCount: placed.length,
      missing: row.sourceObservationIds.filter((source) => !found.has(source)),
    };
  }

  async #ofObservation(id: string, filter: AgentFilter): Promise<Verification | undefined> {
    const [placed] = await this.#services.observations.byIds([id]);
    if (placed === undefined || !isVisible(filter, placed.observation.agentId)) return undefined;
    const { title, type, confidence, importance, timestamp, sessionId } = placed.observation;
    const session = (await this.#services.sessions.byIds([sessionId])).get(sessionId);
    const record = session === undefined ? undefined : sessionRecord(session);
    return {
      type: "observation",
      observation: { id, title, type, confidence, importance, timestamp, sessionId },
      session:
        record === undefined
          ? null
          : { id: record.id, project: record.project, status: record.status, startedAt: record.startedAt },
      citations: [],
      citationCount: 0,
      citedBy: await this.#services.memories.citing(this.#ground.store.read, id, filter),
    };
  }
}
