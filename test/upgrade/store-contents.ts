import Database from "libsql";

/** The contents of a store, independent of its schema: numbers of rows, and records by what identifies them. */
export interface StoreContents {
  readonly rows: Readonly<Record<string, number>>;
  readonly observations: readonly { readonly id: string; readonly title: string }[];
  readonly memories: readonly { readonly id: string; readonly content: string }[];
  readonly sessions: readonly { readonly id: string; readonly observationCount: number }[];
}

export function describeStore(path: string): StoreContents {
  const database = new Database(path);
  const rows = <Row>(query: string) =>
    (database.prepare(query).all([]) as object[]).map((row) => ({ ...row })) as Row[];
  try {
    const tables = rows<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
       AND name NOT LIKE 'libsql_%' AND name NOT LIKE 'documents_fts%' AND name NOT LIKE 'documents_terms%' ORDER BY name`,
    );
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
