import { and, asc, desc, eq, inArray } from "drizzle-orm";
import type { Ground } from "../../ground.ts";
import { summariesOf } from "../../knowledge/summaries/stored-summaries.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { chunksOf } from "../../store/chunks.ts";
import { longPageOf } from "../../store/long-page.ts";
import type { Paged, Paging } from "../../store/page.ts";
import type { Connection, Transaction } from "../../store/store.ts";
import { mapInTurns, turnGiver } from "../../store/turns.ts";
import { agentCondition, everyone, type ScopeRequest } from "../sessions/agent-scope.ts";
import { type Session, sessionRecord } from "../sessions/record.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { fullView } from "../sessions/view.ts";
import type { Receipt } from "./answers.ts";
import { startsOfEndedCalls } from "./calls/ended-calls.ts";
import { captureEvent, type StoringServices } from "./capture.ts";
import { deleteOfSessions } from "./deletion.ts";
import type { ObservationType } from "./event-type.ts";
import type { ObserveInput } from "./prepare-event.ts";
import { observationsAround } from "./reads/observations-around.ts";
import { type Observation, observationRecord } from "./record.ts";
import { type Repetitions, repetitionsOf } from "./repetitions.ts";
import { wholeEvent } from "./stored-event.ts";
import { observations } from "./tables.ts";

const eventsAtOnce = 200;

interface ListInput extends ScopeRequest, Paging {
  readonly sessionId: string;
  readonly type?: ObservationType | undefined;
  readonly raw?: boolean | undefined;
  readonly order: "asc" | "desc";
}

interface Placed {
  readonly observation: Observation;
  /** The project of its session. */
  readonly project: string | null;
}

interface Services extends StoringServices {
  readonly sessions: Sessions;
}

/** Observations: captured events, deduplicated, redacted, compressed by rules, and searchable at once. */
export class Observations {
  readonly #ground: Ground;
  readonly #services: Services;

  constructor(ground: Ground, services: Services) {
    this.#ground = ground;
    this.#services = services;
  }

  /** Captures one event. Error: too_large when the session is at its configured limit. */
  observe(input: ObserveInput): Promise<Receipt> {
    return captureEvent(this.#ground, this.#services, input);
  }

  async list(
    input: ListInput,
  ): Promise<{ observations: Observation[]; begun?: string[]; session: Session } & Paged> {
    const { read } = this.#ground.store;
    const filter = await this.#services.agents.reader(read.sql, input);
    const session = await this.#services.sessions.visible(read, input.sessionId, filter);
    const where = and(
      eq(observations.sessionId, input.sessionId),
      agentCondition(filter, observations.agentId),
      input.type === undefined ? undefined : eq(observations.type, input.type),
    );
    const direction = input.order === "asc" ? asc : desc;
    const order = [direction(observations.timestamp), direction(observations.seq)];
    const { rows, ...page } = await longPageOf(this.#ground.store, observations, { where, order }, input);
    const events = input.raw === true ? await rawEventsOf(read, rows) : undefined;
    const summaries = await summariesOf(read, [session.id]);
    const begun = [...startsOfEndedCalls(input.order === "asc" ? rows : rows.toReversed())];
    return {
      observations: await mapInTurns(rows, (row) => observationRecord(row, events?.get(row.id))),
      ...(begun.length === 0 ? {} : { begun: begun.map(({ id }) => id) }),
      session: sessionRecord(session, summaries.get(session.id)),
      ...page,
    };
  }

  /** The sessions of observations; ids that are unknown or hidden by the filter are ignored. */
  async sessionsOf(connection: Connection, ids: readonly string[], filter = everyone): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await connection.orm
      .selectDistinct({ sessionId: observations.sessionId })
      .from(observations)
      .where(and(inArray(observations.id, [...ids]), agentCondition(filter, observations.agentId)));
    return rows.map(({ sessionId }) => sessionId);
  }

  /** Deletes observations of any sessions by id, as evicted. */
  async remove(tx: Transaction, ids: readonly string[]): Promise<void> {
    await deleteOfSessions(tx, ids, { why: "evicted", now: this.#ground.now() });
  }

  /** Which of the observations tell the same as others. */
  repetitions(ids: readonly string[]): Promise<Repetitions> {
    return repetitionsOf(this.#ground.store.read.sql, ids);
  }

  /** Observations by id, with the project of their session; unknown ids are ignored. */
  async byIds(ids: readonly string[], connection: Connection = this.#ground.store.read): Promise<Placed[]> {
    if (ids.length === 0) return [];
    const rows = await connection.orm
      .select()
      .from(observations)
      .where(inArray(observations.id, [...ids]));
    const places = await this.#services.sessions.places(
      rows.map(({ sessionId }) => sessionId),
      connection,
    );
    return rows.map((row) => ({
      observation: observationRecord(row),
      project: places.get(row.sessionId)?.project ?? null,
    }));
  }

  /** One observation with its raw event, and its neighbours in the session. */
  async withNeighbors(
    id: string,
    eachSide: number,
  ): Promise<(Placed & { neighbors: Observation[] }) | undefined> {
    const { read } = this.#ground.store;
    const [found] = await read.orm.select().from(observations).where(eq(observations.id, id));
    if (found === undefined) return undefined;
    const { sessionId, timestamp, seq } = found;
    const filter = { ...fullView, sessionId };
    // Each neighbour may have been reported twice, and so may the observation itself.
    const side = (which: "before" | "after") =>
      observationsAround(read, which, { timestamp, seq }, filter, 2 * eachSide + 1);
    const [before, after] = [await side("before"), await side("after")];
    const ids = [...before, { id }, ...after].map((one) => one.id);
    const { callEndIds } = await this.repetitions(ids);
    const isTold = (one: Observation) => !ids.includes(callEndIds.get(one.id) ?? "");
    return {
      observation: observationRecord(found, (await rawEventsOf(read, [found])).get(id)),
      project: (await this.#services.sessions.places([sessionId])).get(sessionId)?.project ?? null,
      neighbors: [...before.filter(isTold).slice(-eachSide), ...after.filter(isTold).slice(0, eachSide)],
    };
  }
}

/** The raw events as JSON, by observation id. */
async function rawEventsOf(
  { sql }: Connection,
  rows: readonly { readonly id: string }[],
): Promise<Map<string, string>> {
  const giveTurn = turnGiver();
  const events = new Map<string, string>();
  for (const some of chunksOf(rows, eventsAtOnce)) {
    const ids = some.map(({ id }) => id);
    const found = await sql.all<{ id: string; event: string }>(
      `SELECT observation_id AS id, ${wholeEvent} AS event FROM raw_events
       WHERE observation_id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(ids)],
    );
    for (const { id, event } of found) events.set(id, event);
    await giveTurn();
  }
  return events;
}

export function unknownObservation(id: string): MemsvcError {
  return new MemsvcError("not_found", `observation ${id} is not known`, {
    hint: "search for it: memsvc search <query>",
  });
}
