import { type AgentFilter, isVisible } from "../../capture/sessions/agent-scope.ts";
import type { Sql } from "../../store/sql.ts";

const sharedAs = { memory: ["memory", "pattern"], observation: ["observation"] } as const;
type Kind = keyof typeof sharedAs;

/**
 * Takes back the shared copies of records that somebody wants gone: deleted, or kept for a time that is over. A copy
 * of what merely fades stays, because it was shared to be kept.
 */
export async function withdrawCopies(sql: Sql, kind: Kind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql.run(
    `DELETE FROM team_items WHERE item_id IN (SELECT value FROM json_each(?1))
       AND type IN (SELECT value FROM json_each(?2))`,
    [JSON.stringify(ids), JSON.stringify(sharedAs[kind])],
  );
}

/** Copies whose records have gone: of the ids, of a session, or of both together. */
interface Left {
  readonly kind: Kind;
  readonly ids?: readonly string[] | undefined;
  readonly sessionId?: string;
}

/** Takes back copies that stayed when their records faded, as far as the filter lets see them; returns the records' ids. */
export async function withdrawLeft(
  sql: Sql,
  filter: AgentFilter,
  { kind, ids, sessionId }: Left,
): Promise<string[]> {
  // Not an OR: the index would not be used.
  const named = ids === undefined ? "true" : "item_id IN (SELECT value FROM json_each(?2))";
  const copies = await sql.all<{ itemId: string; agentId: string | null }>(
    `SELECT DISTINCT item_id AS itemId, content ->> 'agentId' AS agentId FROM team_items
     WHERE type IN (SELECT value FROM json_each(?1)) AND ${named}
       AND (?3 IS NULL OR content ->> 'sessionId' = ?3) ORDER BY item_id`,
    [JSON.stringify(sharedAs[kind]), ids === undefined ? null : JSON.stringify(ids), sessionId ?? null],
  );
  const left = copies.filter(({ agentId }) => isVisible(filter, agentId)).map(({ itemId }) => itemId);
  await withdrawCopies(sql, kind, left);
  return [...new Set(left)];
}
