import { drizzle, type SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import type { Sql, SqlValue } from "./sql.ts";

/** drizzle's query builder over one of our connections. */
export type Orm = SqliteRemoteDatabase<Record<string, never>>;

/** Builds the query builder over a connection; queries run in whatever transaction the connection is in. */
export function ormOver(sql: Sql): Orm {
  return drizzle(
    async (text, params, method) => {
      // drizzle's columns encode booleans, JSON and dates before they come here, so only driver values are left.
      const rows = await sql.values(text, params as SqlValue[]);
      // For `get` drizzle wants the row itself, and undefined when there is none, which its type does not say.
      if (method === "get") return { rows: rows[0] as SqlValue[] };
      return { rows };
    },
    // The settings are read from the third place alone, although the second takes them too.
    undefined,
    { casing: "snake_case" },
  );
}
