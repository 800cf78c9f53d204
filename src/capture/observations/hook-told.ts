import type { Sql } from "../../store/sql.ts";

/** What an observation that a hook told of is known again by. */
export interface HookTold {
  readonly id: string;
  readonly timestamp: number;
  readonly hookType: string;
  readonly toolName: string | null;
  readonly subtitle: string | null;
  readonly narrative: string;
}

/** What hooks told of a session within a stretch of time, in its order; nothing that came from a file. */
export function toldByHooks(
  sql: Sql,
  sessionId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<HookTold[]> {
  return sql.all(
    `SELECT id, timestamp, hook_type AS hookType, tool_name AS toolName, subtitle, narrative FROM observations
     WHERE session_id = ? AND timestamp BETWEEN ? AND ? AND channel <> 'import' ORDER BY timestamp, seq`,
    [sessionId, from, to],
  );
}
