import { and, asc, desc, eq, inArray, type SQL, sql as text } from "drizzle-orm";
import type { Connection } from "../../../store/store.ts";
import { type AgentFilter, agentCondition } from "../../sessions/agent-scope.ts";
import { type Observation, observationRecord } from "../record.ts";
import { observations } from "../tables.ts";

/** A place in the order of time; among equal times the order of arrival counts. */
interface Place {
  /** Milliseconds. */
  readonly timestamp: number;
  readonly seq: number;
}

export interface TimedObservation extends Place {
  readonly observation: Observation;
  readonly agentId: string | null;
}

export interface TimelineFilter {
  readonly agents: AgentFilter;
  readonly projectKeys: readonly string[] | undefined;
  readonly sessionId: string | undefined;
}

/** An observation with its place in time. */
export async function timedObservation(
  { orm }: Connection,
  id: string,
): Promise<TimedObservation | undefined> {
  const [row] = await orm.select().from(observations).where(eq(observations.id, id)).limit(1);
  if (row === undefined) return undefined;
  const { timestamp, seq, agentId } = row;
  return { observation: observationRecord(row), timestamp, seq, agentId };
}

/** The observations next to a place, in the order of time. */
export async function observationsAround(
  { orm }: Connection,
  side: "before" | "after",
  place: Place,
  { agents, projectKeys, sessionId }: TimelineFilter,
  limit: number,
): Promise<Observation[]> {
  if (limit === 0) return [];
  const direction = side === "before" ? desc : asc;
  const rows = await orm
    .select()
    .from(observations)
    .where(
      and(
        isBeside(side, place),
        agentCondition(agents, observations.agentId),
        projectKeys === undefined ? undefined : inArray(observations.projectKey, [...projectKeys]),
        sessionId === undefined ? undefined : eq(observations.sessionId, sessionId),
      ),
    )
    .orderBy(direction(observations.timestamp), direction(observations.seq))
    .limit(limit);
  const records = rows.map((row) => observationRecord(row));
  return side === "before" ? records.reverse() : records;
}

function isBeside(side: "before" | "after", { timestamp, seq }: Place): SQL {
  const comparison = text.raw(side === "before" ? "<" : ">");
  return text`(${observations.timestamp}, ${observations.seq}) ${comparison} (${timestamp}, ${seq})`;
}
