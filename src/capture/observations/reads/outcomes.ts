import type { Sql } from "../../../store/sql.ts";
import { onlyObserves } from "../commands/command-kind.ts";
import { exitMarkOf, hasExitMarkSql } from "../commands/exit-mark.ts";
import { isCommitting } from "../commands/made-commits.ts";
import { isNoProblem } from "../outputs/refusals.ts";

/** Those of the observations in which something failed: a `grep` that finds nothing did not. */
export async function failedAmong(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  const failed = await titlesAmong(sql, ids, `(type = 'error' OR ${hasExitMarkSql})`);
  return new Set(
    failed
      .filter(({ type, title }) => (type === "error" ? !isNoProblem(title) : !onlyObserves(title)))
      .map(({ id }) => id),
  );
}

/** Those of the observations that made commits. */
export async function madeCommitsAmong(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  const ran = await titlesAmong(sql, ids, "type = 'command_run' AND title LIKE '%git%'");
  return new Set(
    ran.filter(({ title }) => isCommitting(title) && exitMarkOf(title) === "").map(({ id }) => id),
  );
}

/** Those of the observations in which a file was written or edited. */
export async function changedFilesAmong(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  const changed = await titlesAmong(sql, ids, "type IN ('file_write', 'file_edit')");
  return new Set(changed.map(({ id }) => id));
}

interface Titled {
  readonly id: string;
  readonly type: string;
  readonly title: string;
}

async function titlesAmong(sql: Sql, ids: readonly string[], condition: string): Promise<Titled[]> {
  if (ids.length === 0) return [];
  return sql.all<Titled>(
    `SELECT id, type, title FROM observations
     WHERE id IN (SELECT value FROM json_each(?)) AND ${condition}`,
    [JSON.stringify(ids)],
  );
}
