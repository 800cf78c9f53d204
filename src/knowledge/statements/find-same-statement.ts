import { and, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Connection } from "../../store/store.ts";

type OwnedTable = SQLiteTable & { readonly projectKey: SQLiteColumn; readonly agentId: SQLiteColumn };

interface Owner {
  readonly projectKey: string | null;
  readonly agentId: string | null;
}

/** The row of that project and agent, or of none, which says the same already: `isSame` tells by what it is known. */
export async function findSameStatement<Table extends OwnedTable>(
  { orm }: Connection,
  table: Table,
  isSame: SQL | undefined,
  { projectKey, agentId }: Owner,
): Promise<Table["$inferSelect"] | undefined> {
  // The plus keeps the database from reading all rows of the project.
  const owned = and(isSame, sql`+${table.projectKey} IS ${projectKey}`, sql`+${table.agentId} IS ${agentId}`);
  // The query builder does not follow the type of a table that it is told only when it is called.
  const [row]: Table["$inferSelect"][] = await orm
    .select()
    .from(table as SQLiteTable)
    .where(owned)
    .limit(1);
  return row;
}
