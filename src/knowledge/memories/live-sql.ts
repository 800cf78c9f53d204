import { type SQL, sql } from "drizzle-orm";

/** SQL condition for memories that have not expired; `now` is the placeholder of a parameter. */
export function unexpiredSql(now: string): string {
  return `(forget_after IS NULL OR forget_after > ${now})`;
}

/**
 * SQL condition for memories that are latest versions and not expired; `now` is the placeholder of a
 * parameter.
 */
export function liveSql(now: string): string {
  return `is_latest = 1 AND ${unexpiredSql(now)}`;
}

/** The same for a query of drizzle's builder. */
export function isLive(now: number): SQL {
  const [before, after] = liveSql("?").split("?");
  return sql`${sql.raw(before ?? "")}${now}${sql.raw(after ?? "")}`;
}
