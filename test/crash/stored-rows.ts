import Database from "libsql";

/** Rows of a store's file, read beside whatever else has it open. */
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
