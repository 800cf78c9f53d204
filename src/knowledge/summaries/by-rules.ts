import { readSession, type SessionReading } from "../../capture/observations/reads/read-session.ts";
import type { SessionRow } from "../../capture/sessions/record.ts";
import type { Sql } from "../../store/sql.ts";
import { runYielding } from "../../store/turns.ts";
import { type Extract, extractInSteps } from "./extractive.ts";

/** A summary, and what it was made from. */
export interface Made {
  readonly extract: Extract;
  readonly provider: string;
  readonly reading: SessionReading;
  readonly observationCount: number;
}

/** Undefined when the session has no observations. */
export async function summarizeByRules(sql: Sql, session: SessionRow): Promise<Made | undefined> {
  const reading = await readSession(sql, session.id);
  if (reading.observations.length === 0) return undefined;
  return {
    extract: await runYielding(extractInSteps(reading.observations, session.firstPrompt)),
    provider: "extractive",
    reading,
    observationCount: session.observationCount,
  };
}
