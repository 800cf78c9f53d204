import { partReader, type Read } from "../../../store/row-reader.ts";
import type { Sql } from "../../../store/sql.ts";
import { agentClause } from "../../sessions/agent-scope.ts";
import type { ProjectView } from "../../sessions/view.ts";
import { observations } from "../tables.ts";

/** How many observations of a project are looked through, the newest; that takes some milliseconds. */
const lookedThrough = 5_000;

const part = partReader(observations, ["timestamp", "type", "hookType", "narrative", "files"]);

/** The observations of a project whose narrative has one of the texts, in the order of time. */
export async function observationsWith(
  sql: Sql,
  { keys, filter }: ProjectView,
  texts: readonly string[],
): Promise<Read<typeof part>[]> {
  const agent = agentClause(filter, "agent_id");
  return part.rows(
    sql,
    `SELECT ${part.columns} FROM observations
     WHERE seq IN (SELECT seq FROM observations WHERE project_key IN (SELECT value FROM json_each(?))
         ORDER BY timestamp DESC LIMIT ${lookedThrough})
       AND EXISTS (SELECT 1 FROM json_each(?) AS asked WHERE instr(narrative, asked.value) > 0)${agent.text}
     ORDER BY timestamp`,
    [JSON.stringify(keys), JSON.stringify(texts), ...agent.args],
  );
}
