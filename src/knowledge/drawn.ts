import type { Transaction } from "../store/store.ts";
import { loseSources } from "./drawn-rows.ts";
import { drawnFacts } from "./facts/drawn-rows.ts";
import { statementOf } from "./facts/statement.ts";
import { dropInsightsFrom } from "./insights/deletion.ts";
import { drawnProcedures } from "./procedures/drawn-rows.ts";
import { statementKey } from "./statement-key.ts";

/*
 * Nobody deletes facts, procedures and insights one by one: they go with what they were drawn from when somebody wants
 * that gone. What merely fades leaves them behind, since they are what was to be kept of it.
 */

/** What went with deleted memories; ids. */
export async function dropDrawnFromMemories(
  tx: Transaction,
  memoryIds: readonly string[],
  now: number,
): Promise<string[]> {
  const gone = await loseSources(tx, drawnFacts, { sourceIds: memoryIds }, now);
  return [...gone, ...(await dropInsightsFrom(tx, [...memoryIds, ...gone]))];
}

interface ForgottenEvents {
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
  const goneFacts = await loseSources(tx, drawnFacts, ofFacts, now);
  const ofProcedures = left === "observations" ? observationIds : [sessionId, ...observationIds];
  const goneProcedures = await loseSources(tx, drawnProcedures, { sourceIds: ofProcedures }, now);
  return [...goneFacts, ...goneProcedures, ...(await dropInsightsFrom(tx, goneFacts))];
}
