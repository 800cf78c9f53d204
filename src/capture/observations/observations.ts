import { and, asc, desc, eq, inArray, type SQL, sql as text } from "drizzle-orm";
import type { Ground } from "../../ground.ts";
import { putDocument } from "../../index/documents.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { firstRow } from "../../store/sql.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import { cutCodePoints } from "../../text/estimate.ts";
import { redactValue } from "../../text/redaction/redact.ts";
import type { Projects } from "../projects/projects.ts";
import { countArrival, sessionState } from "../sessions/activity.ts";
import { type AgentScopes, agentCondition, type ScopeRequest } from "../sessions/agent-scope.ts";
import { type Session, sessionRecord } from "../sessions/record.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { type Compressed, compressByRules, raiseRepeatedError } from "./compress.ts";
import { contentHash } from "./content-hash.ts";
import { observationDocument } from "./document.ts";
import type { ObservationType } from "./event-type.ts";
import { type Event, type PickedFields, pickUpFields } from "./pickup.ts";
import { capStrings, rawEventOf } from "./raw-event.ts";
import { type Observation, observationRecord } from "./record.ts";
import { observations, rawEvents } from "./tables.ts";

const dedupWindowMs = 5 * 60_000;
const promptLength = 200;

interface ObserveInput extends Omit<Event, "data"> {
  readonly data?: unknown;
  readonly agentId?: string | undefined;
}

export interface Receipt {
  readonly observationId: string;
  readonly sessionId: string;
  readonly deduplicated: boolean;
  readonly compressed: boolean;
  readonly compression: "synthetic" | "llm";
  readonly queued: boolean;
}

interface ListInput extends ScopeRequest {
  readonly sessionId: string;
  readonly type?: ObservationType | undefined;
  readonly raw?: boolean | undefined;
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

interface Placed {
  readonly observation: Observation;
  /** Project of its session. */
  readonly project: string | null;
}

interface Services {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly sessions: Sessions;
}

/** What happened, event by event: deduplicated, redacted, compressed by rules, and found at once. */
export class Observations {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /**
   * Captures one event in one transaction. Nothing slow stands between the caller and the answer: what a model
   * may add comes later. Error: too_large when the session is at its configured cap.
   */
  async observe(input: ObserveInput): Promise<Receipt> {
    const received = { ...input, data: input.data ?? {} };
    const hash = contentHash(received, pickUpFields(received).toolName);
    const event = { ...received, data: capStrings(redactValue(received.data)) };
    const picked = pickUpFields(event);
    const compressed = compressByRules(event, { picked });
    return this.#ground.store.write((tx) =>
      this.#store(tx, { event, picked, compressed, hash, agentId: input.agentId }),
    );
  }

  async list(input: ListInput): Promise<{
    observations: Observation[];
    session: Session;
    total: number;
    offset: number;
    limit: number;
  }> {
    const { read } = this.#ground.store;
    const filter = await this.#services.agents.reader(read.sql, input);
    const session = await this.#services.sessions.visible(read, input.sessionId, filter);
    const where = and(
      eq(observations.sessionId, input.sessionId),
      agentCondition(filter, observations.agentId),
      input.type === undefined ? undefined : eq(observations.type, input.type),
    );
    const direction = input.order === "asc" ? asc : desc;
    const rows = await read.orm
      .select()
      .from(observations)
      .leftJoin(
        rawEvents,
        input.raw === true ? eq(rawEvents.observationId, observations.id) : eq(rawEvents.observationId, ""),
      )
      .where(where)
      .orderBy(direction(observations.timestamp), direction(observations.seq))
      .limit(input.limit)
      .offset(input.offset);
    return {
      observations: rows.map((row) => observationRecord(row.observations, row.raw_events?.event)),
      session: sessionRecord(session),
      total: await read.orm.$count(observations, where),
      offset: input.offset,
      limit: input.limit,
    };
  }

  /** The sessions that observations belong to; unknown ids are passed over. */
  async sessionsOf(connection: Connection, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await connection.orm
      .selectDistinct({ sessionId: observations.sessionId })
      .from(observations)
      .where(inArray(observations.id, [...ids]));
    return rows.map(({ sessionId }) => sessionId);
  }

  /** Observations by id with the project of their session; unknown ids are passed over. */
  async byIds(ids: readonly string[]): Promise<Placed[]> {
    if (ids.length === 0) return [];
    const rows = await this.#ground.store.read.orm
      .select()
      .from(observations)
      .where(inArray(observations.id, [...ids]));
    const places = await this.#services.sessions.places(rows.map(({ sessionId }) => sessionId));
    return rows.map((row) => ({
      observation: observationRecord(row),
      project: places.get(row.sessionId)?.project ?? null,
    }));
  }

  /** One observation with its raw event, and those before and after it in its session. */
  async withNeighbors(
    id: string,
    eachSide: number,
  ): Promise<(Placed & { neighbors: Observation[] }) | undefined> {
    const { orm } = this.#ground.store.read;
    const [found] = await orm
      .select()
      .from(observations)
      .leftJoin(rawEvents, eq(rawEvents.observationId, observations.id))
      .where(eq(observations.id, id));
    if (found === undefined) return undefined;
    const { sessionId, timestamp, seq } = found.observations;
    const side = (comparison: "<" | ">", order: typeof asc) =>
      orm
        .select()
        .from(observations)
        .where(and(eq(observations.sessionId, sessionId), place(comparison, timestamp, seq)))
        .orderBy(order(observations.timestamp), order(observations.seq))
        .limit(eachSide);
    const before = await side("<", desc);
    const after = await side(">", asc);
    return {
      observation: observationRecord(found.observations, found.raw_events?.event),
      project: (await this.#services.sessions.places([sessionId])).get(sessionId)?.project ?? null,
      neighbors: [...before.reverse(), ...after].map((row) => observationRecord(row)),
    };
  }

  async #store(tx: Transaction, arrival: Arrival): Promise<Receipt> {
    const { event, picked, hash } = arrival;
    const { sql } = tx;
    const receivedAt = this.#ground.now();
    const earlier = await firstRow<{ id: string; compression: "synthetic" | "llm" }>(
      sql,
      `SELECT id, compression FROM observations
       WHERE content_hash = ? AND (received_at >= ? OR timestamp = ?) ORDER BY seq DESC LIMIT 1`,
      [hash, receivedAt - dedupWindowMs, event.timestamp],
    );
    if (earlier !== undefined) return receipt(earlier.id, event, earlier.compression, true);
    const session = await sessionState(sql, event.sessionId);
    this.#refuseOverCap(session?.observationCount ?? 0);
    if (session !== undefined) await this.#services.projects.learn(sql, event.project, event.cwd);
    const projectKey =
      session?.projectKey ?? (await this.#services.projects.writeKey(sql, event.project, event.cwd));
    const agentId =
      session === undefined
        ? ((await this.#services.agents.writer(sql, { agentId: arrival.agentId })) ?? null)
        : session.agentId;
    await countArrival(
      sql,
      {
        sessionId: event.sessionId,
        project: event.project,
        projectKey,
        cwd: event.cwd,
        timestamp: event.timestamp,
        receivedAt,
        agentId: agentId ?? undefined,
        firstPrompt: event.hookType === "prompt_submit" ? firstPrompt(picked) : undefined,
        reopens: event.hookType !== "session_end",
      },
      session !== undefined,
    );
    const compressed = await this.#weighRepeatedError(tx, arrival.compressed, projectKey);
    const id = this.#ground.newId("observation");
    await sql.run(insertObservation, [
      id,
      event.sessionId,
      projectKey,
      agentId,
      event.timestamp,
      receivedAt,
      event.hookType,
      compressed.type,
      compressed.title,
      compressed.subtitle ?? null,
      JSON.stringify(compressed.facts),
      compressed.narrative,
      JSON.stringify(compressed.concepts),
      JSON.stringify(compressed.files),
      compressed.importance,
      compressed.confidence,
      compressed.toolName ?? null,
      channelOf(event.hookType),
      hash,
    ]);
    await sql.run("INSERT INTO raw_events (observation_id, event) VALUES (?, ?)", [
      id,
      JSON.stringify(rawEventOf(event, picked)),
    ]);
    await putDocument(sql, observationDocument({ id, event, compressed, projectKey, agentId, receivedAt }));
    return receipt(id, event, "synthetic", false);
  }

  async #weighRepeatedError(
    tx: Transaction,
    compressed: Compressed,
    projectKey: string,
  ): Promise<Compressed> {
    if (compressed.type !== "error") return compressed;
    const seen = await firstRow(
      tx.sql,
      "SELECT 1 FROM observations WHERE project_key = ? AND title = ? AND type = 'error' LIMIT 1",
      [projectKey, compressed.title],
    );
    return seen === undefined ? compressed : raiseRepeatedError(compressed);
  }

  #refuseOverCap(observationCount: number): void {
    const cap = this.#ground.settings.maxObsPerSession;
    if (cap === undefined || observationCount < cap) return;
    throw new MemsvcError(
      "too_large",
      `the session holds ${observationCount} observations, its cap is ${cap}`,
      {
        hint: "start another session, or raise MEMSVC_MAX_OBS_PER_SESSION",
        extra: { limit: cap, observationCount },
      },
    );
  }
}

interface Arrival {
  readonly event: Event;
  readonly picked: PickedFields;
  readonly compressed: Compressed;
  readonly hash: string;
  readonly agentId: string | undefined;
}

function place(comparison: "<" | ">", timestamp: number, seq: number): SQL {
  return text`(${observations.timestamp}, ${observations.seq}) ${text.raw(comparison)} (${timestamp}, ${seq})`;
}

const insertObservation = `INSERT INTO observations (id, session_id, project_key, agent_id, timestamp, received_at,
  hook_type, type, title, subtitle, facts, narrative, concepts, files, importance, confidence, compression,
  tool_name, channel, content_hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'synthetic', ?, ?, ?)`;

function receipt(
  observationId: string,
  event: Event,
  compression: "synthetic" | "llm",
  deduplicated: boolean,
): Receipt {
  return {
    observationId,
    sessionId: event.sessionId,
    deduplicated,
    compressed: true,
    compression,
    queued: false,
  };
}

function firstPrompt(picked: PickedFields): string | undefined {
  const prompt = picked.userPrompt?.replace(/\s+/gu, " ").trim() ?? "";
  return prompt === "" ? undefined : cutCodePoints(prompt, promptLength);
}

function channelOf(hookType: string): "user" | "tool" | "agent" {
  if (hookType === "prompt_submit") return "user";
  return hookType.includes("tool") ? "tool" : "agent";
}
