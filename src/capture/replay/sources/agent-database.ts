import { sqliteCode } from "../../../store/faults.ts";
import type { Sql } from "../../../store/sql.ts";
import { type Transcript, UnreadableTranscript } from "../transcript.ts";

/** The database of an agent, with the conversations in it. */
export interface AgentDatabase {
  /** Its sessions; those of sub-agents are apart from the sessions that started them. */
  readonly transcripts: readonly Transcript[];
  close(): void;
}

export type Reader = Pick<Sql, "values">;

/** The answer of a database; Error: UnreadableTranscript, if it cannot be read. */
export async function readable<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    throw new UnreadableTranscript(`it cannot be read: ${String(error)}`, { cause: error });
  }
}
