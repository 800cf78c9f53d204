import { firstColumn, firstNumber, type Sql } from "../../../store/sql.ts";
import { turnGiver } from "../../../store/turns.ts";
import { firstCredible } from "../../../time/age.ts";

/*
 * Finds old observations of little importance, for eviction. No index tells them from the many that stay, so
 * they are searched in parts and outside of transactions: nobody has to wait, however much is stored. The
 * transaction that deletes them checks again.
 */

/** Of 10: starts of tool calls, notifications, starts and ends of sessions. */
const unimportantUpTo = 2;
/** Condition: older than the time of the parameter; events that an unset clock dated are of unknown age. */
const isOlder = `timestamp >= ${firstCredible} AND timestamp < ?`;
const readAtOnce = 10_000;
const checkedAtOnce = 5_000;

interface Unimportant {
  readonly id: string;
  readonly importance: number;
  readonly timestamp: number;
  readonly seq: number;
}

/** Ids of the unimportant observations from before a time, the least important and oldest first. */
export async function unimportantBefore(sql: Sql, before: number): Promise<string[]> {
  const last = await firstNumber(sql, "SELECT max(seq) FROM observations");
  const giveTurn = turnGiver();
  const found: Unimportant[] = [];
  for (let from = 0; from < last; from += readAtOnce) {
    const part = await sql.all<Unimportant>(
      `SELECT id, importance, timestamp, seq FROM observations
       WHERE seq > ? AND seq <= ? AND importance <= ${unimportantUpTo} AND ${isOlder}`,
      [from, from + readAtOnce, before],
    );
    found.push(...part);
    await giveTurn();
  }
  found.sort((a, b) => a.importance - b.importance || a.timestamp - b.timestamp || a.seq - b.seq);
  return found.map(({ id }) => id);
}

interface Keeping {
  /** Milliseconds since 1970. */
  readonly before: number;
  /** Active sessions. */
  readonly active: readonly string[];
  /** Observations that memories have as sources. */
  readonly cited: readonly string[];
  readonly limit: number;
}

/** The first `limit` of the found observations that are still unimportant and that nothing refers to. */
export async function evictableOf(
  sql: Sql,
  found: readonly string[],
  { before, active, cited, limit }: Keeping,
): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < found.length && ids.length < limit; from += checkedAtOnce) {
    const evictable = await firstColumn(
      sql,
      `SELECT o.id FROM json_each(?) AS found CROSS JOIN observations AS o ON o.id = found.value
       WHERE importance <= ${unimportantUpTo} AND ${isOlder}
         AND session_id NOT IN (SELECT value FROM json_each(?)) AND o.id NOT IN (SELECT value FROM json_each(?))
       ORDER BY found.key LIMIT ?`,
      [
        JSON.stringify(found.slice(from, from + checkedAtOnce)),
        before,
        JSON.stringify(active),
        JSON.stringify(cited),
        limit - ids.length,
      ],
    );
    ids.push(...evictable);
  }
  return ids;
}
