import { and, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Connection } from "../../store/store.ts";

type OwnedTable = SQLiteTable & { readonly projectKey: SQLiteColumn; readonly agentId: SQLiteColumn };

interface Owner {
  readonly projectKey: string | null;
  readonly agentId: string | null;
}

/** The row of the same project and agent for which `isSame` holds. */
export async function findSameStatement<Table extends OwnedTable>(
  { orm }: Connection,
  table: Table,
  isSame: SQL | undefined,
  { projectKey, agentId }: Owner,
): Promise<Table["$inferSelect"] | undefined> {
  // The unary plus keeps SQLite from using the index on the project, which would read all of its rows.
  const owned = and(isSame, sql`+${table.projectKey} IS ${projectKey}`, sql`+${table.agentId} IS ${agentId}`);
  // The query builder cannot infer the row type of a generic table.
  const [row]: Table["$inferSelect"][] = await orm
    .select()
    .from(table as SQLiteTable)
    .where(owned)
    .limit(1);
  return row;
}
