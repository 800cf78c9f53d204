import type { Transaction } from "../store/store.ts";
import { type DrawnTable, loseSources } from "./drawn-rows.ts";
import { statementOf } from "./facts/statement.ts";
import { dropInsightsFrom } from "./insights/deletion.ts";
import { statementKey } from "./statement-key.ts";

/*
 * Nobody deletes facts, procedures and insights one by one: they go with what they were drawn from when somebody wants
 * that gone. What merely fades leaves them behind, since they are what was to be kept of it.
 */

const facts: DrawnTable = {
  name: "semantic_memories",
  kind: "semantic",
  sourceColumns: ["source_session_ids", "source_memory_ids"],
};
const procedures: DrawnTable = {
  name: "procedural_memories",
  kind: "procedural",
  sourceColumns: ["source_session_ids", "source_observation_ids"],
};

/** What went with deleted memories; ids. */
export async function dropDrawnFromMemories(
  tx: Transaction,
  memoryIds: readonly string[],
  now: number,
): Promise<string[]> {
  const gone = await loseSources(tx, facts, { sourceIds: memoryIds }, now);
  return [...gone, ...(await dropInsightsFrom(tx, [...memoryIds, ...gone]))];
}

export interface ForgottenEvents {
  readonly sessionId: string;
  /** What the session holds now: what was noted elsewhere in it and in its summary, or nothing at all. */
  readonly left: "observations" | "summary" | "nothing";
  readonly observationIds: readonly string[];
  /** The facts that they noted. */
  readonly noted: readonly string[];
}

/** What went with forgotten observations of a session; ids. */
export async function dropDrawnFromEvents(
  tx: Transaction,
  { sessionId, left, observationIds, noted }: ForgottenEvents,
  now: number,
): Promise<string[]> {
  const said = { column: "fact_key", values: noted.map((fact) => statementKey(statementOf(fact))) };
  const ofFacts = { sourceIds: [sessionId], ...(left === "nothing" ? {} : { only: said }) };
  const goneFacts = await loseSources(tx, facts, ofFacts, now);
  const ofProcedures = left === "observations" ? observationIds : [sessionId, ...observationIds];
  const goneProcedures = await loseSources(tx, procedures, { sourceIds: ofProcedures }, now);
  return [...goneFacts, ...goneProcedures, ...(await dropInsightsFrom(tx, goneFacts))];
}
