import type { Transaction } from "../../store/store.ts";
import { normalizedFact } from "../facts/normalized-fact.ts";
import { deleteInsightsFrom } from "../insights/delete-insights.ts";
import { statementKey } from "../statements/statement-key.ts";
import { factsTable, proceduresTable } from "./derived-tables.ts";
import { removeSources } from "./remove-sources.ts";

/*
 * Facts, procedures and insights are not deleted one by one: when somebody deletes their sources they are
 * deleted with these. When sources merely fade, what was derived from them stays, because it is what was to
 * be kept.
 */

/** Deletes what was derived from deleted memories; returns the ids. */
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
  /**
   * What remains of the session: other `observations`, only the session itself and its `summary`, or `nothing`.
   */
  readonly left: "observations" | "summary" | "nothing";
  readonly observationIds: readonly string[];
  /** The facts that the deleted observations had noted. */
  readonly noted: readonly string[];
  /** Those that other observations of the session note. */
  readonly notedElsewhere: readonly string[];
}

/** Deletes what was derived from deleted observations of a session; returns the ids. */
export async function deleteDerivedFromObservations(
  tx: Transaction,
  { sessionId, left, observationIds, noted, notedElsewhere }: ForgottenObservations,
  now: number,
): Promise<string[]> {
  const saidElsewhere = new Set(keysOf(notedElsewhere));
  const said = { column: "fact_key", values: keysOf(noted).filter((key) => !saidElsewhere.has(key)) };
  const ofFacts = { sourceIds: [sessionId], ...(left === "nothing" ? {} : { only: said }) };
  const goneFacts = await removeSources(tx, factsTable, ofFacts, now);
  const ofProcedures = left === "observations" ? observationIds : [sessionId, ...observationIds];
  const goneProcedures = await removeSources(tx, proceduresTable, { sourceIds: ofProcedures }, now);
  return [...goneFacts, ...goneProcedures, ...(await deleteInsightsFrom(tx, goneFacts))];
}

function keysOf(noted: readonly string[]): string[] {
  return noted.map((fact) => statementKey(normalizedFact(fact)));
}
