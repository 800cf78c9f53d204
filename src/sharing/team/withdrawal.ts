import { type AgentFilter, isVisible } from "../../capture/sessions/agent-scope.ts";
import type { Sql } from "../../store/sql.ts";

const sharedAs = { memory: ["memory", "pattern"], observation: ["observation"] } as const;
type Kind = keyof typeof sharedAs;

/**
 * Deletes the shared copies of records that were deleted on purpose or whose retention time is over. The copy
 * of a record that merely faded stays, because it was shared to be kept.
 */
export async function withdrawCopies(sql: Sql, kind: Kind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql.run(
    `DELETE FROM team_items WHERE item_id IN (SELECT value FROM json_each(?1))
       AND type IN (SELECT value FROM json_each(?2))`,
    [JSON.stringify(ids), JSON.stringify(sharedAs[kind])],
  );
}

/** Selects copies whose records are gone: by the records' ids, by session, or by both. */
interface Orphans {
  readonly kind: Kind;
  readonly ids?: readonly string[] | undefined;
  readonly sessionId?: string;
}

/**
 * Deletes copies that outlived their faded records, if the filter lets the agent see them; returns the
 * records' ids.
 */
export async function withdrawOrphans(
  sql: Sql,
  filter: AgentFilter,
  { kind, ids, sessionId }: Orphans,
): Promise<string[]> {
  // Two conditions, not one with OR: SQLite would not use the index.
  const named = ids === undefined ? "true" : "item_id IN (SELECT value FROM json_each(?2))";
  const copies = await sql.all<{ itemId: string; agentId: string | null }>(
    `SELECT DISTINCT item_id AS itemId, content ->> 'agentId' AS agentId FROM team_items
     WHERE type IN (SELECT value FROM json_each(?1)) AND ${named}
       AND (?3 IS NULL OR content ->> 'sessionId' = ?3) ORDER BY item_id`,
    [JSON.stringify(sharedAs[kind]), ids === undefined ? null : JSON.stringify(ids), sessionId ?? null],
  );
  const orphans = copies.filter(({ agentId }) => isVisible(filter, agentId)).map(({ itemId }) => itemId);
  await withdrawCopies(sql, kind, orphans);
  return [...new Set(orphans)];
}
