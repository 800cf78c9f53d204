import type { Transaction } from "../../store/store.ts";
import { normalizedFact } from "../facts/normalized-fact.ts";
import { deleteInsightsFrom } from "../insights/delete-insights.ts";
import { statementKey } from "../statements/statement-key.ts";
import { factsTable, proceduresTable } from "./derived-tables.ts";
import { removeSources } from "./remove-sources.ts";

/*
 * Nobody deletes facts, procedures and insights one by one: they go with what they were drawn from when somebody wants
 * that gone. What merely fades leaves them behind, since they are what was to be kept of it.
 */

/** What went with deleted memories; ids. */
export async function deleteDerivedFromMemories(
  tx: Transaction,
  memoryIds: readonly string[],
  now: number,
): Promise<string[]> {
  const gone = await removeSources(tx, factsTable, { sourceIds: memoryIds }, now);
  return [...gone, ...(await deleteInsightsFrom(tx, [...memoryIds, ...gone]))];
}

interface ForgottenObservations {
  readonly sessionId: string;
  /** What the session holds now: what was noted elsewhere in it and in its summary, or nothing at all. */
  readonly left: "observations" | "summary" | "nothing";
  readonly observationIds: readonly string[];
  /** The facts that they noted. */
  readonly noted: readonly string[];
}

/** What went with forgotten observations of a session; ids. */
export async function deleteDerivedFromObservations(
  tx: Transaction,
  { sessionId, left, observationIds, noted }: ForgottenObservations,
  now: number,
): Promise<string[]> {
  const said = { column: "fact_key", values: noted.map((fact) => statementKey(normalizedFact(fact))) };
  const ofFacts = { sourceIds: [sessionId], ...(left === "nothing" ? {} : { only: said }) };
  const goneFacts = await removeSources(tx, factsTable, ofFacts, now);
  const ofProcedures = left === "observations" ? observationIds : [sessionId, ...observationIds];
  const goneProcedures = await removeSources(tx, proceduresTable, { sourceIds: ofProcedures }, now);
  return [...goneFacts, ...goneProcedures, ...(await deleteInsightsFrom(tx, goneFacts))];
}
