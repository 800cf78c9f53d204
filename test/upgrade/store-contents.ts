import Database from "libsql";

/** The contents of a store, independent of its schema: numbers of rows, and records by what identifies them. */
export interface StoreContents {
  readonly rows: Readonly<Record<string, number>>;
  readonly observations: readonly { readonly id: string; readonly title: string }[];
  readonly memories: readonly { readonly id: string; readonly content: string }[];
  readonly sessions: readonly { readonly id: string; readonly observationCount: number }[];
}

/** SQL condition for a table with records; not one of SQLite or of the index of words. */
const isOwnTable = `type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'libsql_%'
  AND name NOT LIKE 'documents_fts%' AND name NOT LIKE 'documents_terms%'`;

/** The sorted values of each column, as `table.column`. Of JSON, the order of its keys does not count. */
export function columnValues(path: string): Map<string, readonly string[]> {
  const database = new Database(path);
  try {
    const columns = database
      .prepare(
        `SELECT t.name AS "table", c.name AS "column"
         FROM (SELECT name FROM sqlite_master WHERE ${isOwnTable}) AS t, pragma_table_info(t.name) AS c`,
      )
      .all([]) as { table: string; column: string }[];
    return new Map(
      columns.map(({ table, column }) => {
        const rows = database.prepare(`SELECT "${column}" AS value FROM "${table}"`).all([]);
        const values = (rows as { value: unknown }[]).map(({ value }) => comparable(value));
        return [`${table}.${column}`, values.toSorted()];
      }),
    );
  } finally {
    database.close();
  }
}

function comparable(value: unknown): string {
  if (typeof value !== "string" || !/^[[{]/u.test(value)) return JSON.stringify(value);
  return JSON.stringify(JSON.parse(value), (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export function describeStore(path: string): StoreContents {
  const database = new Database(path);
  const rows = <Row>(query: string) =>
    (database.prepare(query).all([]) as object[]).map((row) => ({ ...row })) as Row[];
  try {
    const tables = rows<{ name: string }>(`SELECT name FROM sqlite_master WHERE ${isOwnTable} ORDER BY name`);
    return {
      rows: Object.fromEntries(
        tables.map(({ name }) => [
          name,
          rows<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`)[0]?.n ?? 0,
        ]),
      ),
      observations: rows("SELECT id, title FROM observations ORDER BY seq"),
      memories: rows("SELECT id, content FROM memories ORDER BY created_at, id"),
      sessions: rows("SELECT id, observation_count AS observationCount FROM sessions ORDER BY id"),
    };
  } finally {
    database.close();
  }
}
