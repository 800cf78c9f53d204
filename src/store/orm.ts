import { drizzle, type SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import type { Sql, SqlValue } from "./sql.ts";

/** drizzle's query builder over one of our connections. */
export type Orm = SqliteRemoteDatabase<Record<string, never>>;

/** Builds the query builder over a connection; queries run in whatever transaction the connection is in. */
export function ormOver(sql: Sql): Orm {
  return drizzle(
    async (text, params, method) => {
      // drizzle's columns have encoded booleans, JSON and dates already, so only driver values are left.
      const rows = await sql.values(text, params as SqlValue[]);
      // For `get` drizzle expects the row itself, or undefined if there is none; its type lacks that.
      if (method === "get") return { rows: rows[0] as SqlValue[] };
      return { rows };
    },
    // drizzle reads the options from the third parameter only, although the second accepts them too.
    undefined,
    { casing: "snake_case" },
  );
}
