import { sqliteCode } from "./faults.ts";
import { LocalConnection } from "./local-connection.ts";
import { readOnlyAddresses } from "./read-only-addresses.ts";
import type { Sql } from "./sql.ts";

interface ForeignDatabase extends Pick<Sql, "values"> {
  close(): void;
}

/** Opens another program's SQLite database, which may be in use, to read it. Error: SQLite's, if it cannot be read. */
export async function openForeignDatabase(path: string): Promise<ForeignDatabase> {
  let fault: unknown;
  for (const address of readOnlyAddresses(path)) {
    const connection = new LocalConnection({ path: address, durability: "full", isReadOnly: true });
    try {
      await connection.values("SELECT count(*) FROM sqlite_schema");
      return connection;
    } catch (error) {
      connection.close();
      if (sqliteCode(error) === undefined) throw error;
      fault ??= error;
    }
  }
  throw fault;
}
