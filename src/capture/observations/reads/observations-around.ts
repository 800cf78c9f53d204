import { and, asc, desc, eq, type SQL, sql as text } from "drizzle-orm";
import type { Connection } from "../../../store/store.ts";
import { type View, viewCondition } from "../../sessions/view.ts";
import { type Observation, observationRecord } from "../record.ts";
import { observations } from "../tables.ts";

/** A position in the order of time; observations with equal times are ordered by arrival. */
interface Place {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly seq: number;
}

export interface TimedObservation extends Place {
  readonly observation: Observation;
  readonly agentId: string | null;
}

export interface TimelineFilter extends View {
  readonly sessionId: string | undefined;
}

/** An observation with its position in time. */
export async function timedObservation(
  { orm }: Connection,
  id: string,
): Promise<TimedObservation | undefined> {
  const [row] = await orm.select().from(observations).where(eq(observations.id, id)).limit(1);
  if (row === undefined) return undefined;
  const { timestamp, seq, agentId } = row;
  return { observation: observationRecord(row), timestamp, seq, agentId };
}

/** The observations before or after a position, in the order of time. */
export async function observationsAround(
  { orm }: Connection,
  side: "before" | "after",
  place: Place,
  { sessionId, ...view }: TimelineFilter,
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
        viewCondition(view, observations),
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
