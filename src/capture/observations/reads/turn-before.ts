import { partReader } from "../../../store/row-reader.ts";
import type { Sql } from "../../../store/sql.ts";
import { isFileChange } from "../calls/tool-kind.ts";
import { observations } from "../tables.ts";

/** How many observations before an event its turn is searched in. */
const farthest = 300;
/** Prompts that say next to nothing, or that the user did not write, begin no turn. */
const promptImportance = 6;

const part = partReader(observations, ["hookType", "type", "importance", "narrative", "files"]);

interface Turn {
  /** The prompt that began it; undefined if it is too far away. */
  readonly asked: string | undefined;
  /** The files that were changed, the last one first. */
  readonly changed: readonly string[];
}

/** What was asked and changed in a session before one of its events, since the prompt before it. */
export async function turnBefore(
  sql: Sql,
  {
    sessionId,
    timestamp,
    seq,
  }: { readonly sessionId: string; readonly timestamp: number; readonly seq: number },
): Promise<Turn> {
  const rows = await part.rows(
    sql,
    `SELECT ${part.columns} FROM observations WHERE session_id = ? AND (timestamp, seq) < (?, ?)
     ORDER BY timestamp DESC, seq DESC LIMIT ${farthest}`,
    [sessionId, timestamp, seq],
  );
  const begun = rows.findIndex(
    ({ hookType, importance }) => hookType === "prompt_submit" && importance >= promptImportance,
  );
  const own = begun < 0 ? rows : rows.slice(0, begun);
  return {
    asked: rows[begun]?.narrative,
    changed: [...new Set(own.filter(isFileChange).flatMap(({ files }) => files))],
  };
}
