import Database from "libsql";

/** Reads rows of a store's file, which other processes may have open. */
export function storedRows(path: string, query: string): Record<string, unknown>[] {
  const database = new Database(path, { timeout: 10_000 });
  try {
    return database.prepare(query).all([]) as Record<string, unknown>[];
  } finally {
    database.close();
  }
}

/** Changes a store's file behind the program's back. */
export function changeStore(path: string, statements: string): void {
  const database = new Database(path, { timeout: 10_000 });
  try {
    database.exec(statements);
  } finally {
    database.close();
  }
}
