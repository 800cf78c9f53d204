import { observationsWith } from "../../capture/observations/reads/observations-with.ts";
import { agentClause } from "../../capture/sessions/agent-scope.ts";
import type { ProjectView } from "../../capture/sessions/view.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";
import { leftSince } from "../open-work/done-work.ts";
import { todoLines } from "../open-work/open-items.ts";

/* Which of the things that reflection wrote into a project's slots some observation of the project says. */

export async function itemsStillTold(
  sql: Sql,
  view: ProjectView,
  items: readonly string[],
): Promise<Set<string>> {
  const rows = await observationsWith(sql, view, items.map(longestPart));
  const leftOf = await leftSince(sql, view, rows[0]?.timestamp ?? 0);
  return new Set(todoLines(rows, (line, { timestamp }) => [line, ...leftOf(line, timestamp)]));
}

/** A list is told as one item: its parts are what was said, not the signs between them. */
function longestPart(item: string): string {
  const parts = item.split(/[:;*_`]/u).map((part) => part.trim());
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest));
}

export async function errorsStillTold(
  sql: Sql,
  { keys, filter }: ProjectView,
  titles: readonly string[],
): Promise<Set<string>> {
  const agent = agentClause(filter, "agent_id");
  const told = await firstColumn(
    sql,
    `SELECT DISTINCT title FROM observations
     WHERE type = 'error' AND project_key IN (SELECT value FROM json_each(?))
       AND title IN (SELECT value FROM json_each(?))${agent.text}`,
    [JSON.stringify(keys), JSON.stringify(titles), ...agent.args],
  );
  return new Set(told.map(String));
}

export async function filesStillTold(
  sql: Sql,
  { keys }: ProjectView,
  files: readonly string[],
): Promise<Set<string>> {
  const told = await firstColumn(
    sql,
    `SELECT DISTINCT file.value FROM observations, json_each(observations.files) AS file
     WHERE project_key IN (SELECT value FROM json_each(?)) AND file.value IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(keys), JSON.stringify(files)],
  );
  return new Set(told.map(String));
}
