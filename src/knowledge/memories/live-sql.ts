import { type SQL, sql } from "drizzle-orm";

/** Of memories, the latest versions whose time has not passed; `now` is a parameter's place. */
export function liveSql(now: string): string {
  return `is_latest = 1 AND (forget_after IS NULL OR forget_after > ${now})`;
}

/** The same for a query that drizzle builds. */
export function isLive(now: number): SQL {
  const [before, after] = liveSql("?").split("?");
  return sql`${sql.raw(before ?? "")}${now}${sql.raw(after ?? "")}`;
}
