import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { applicationId, schemaVersion } from "../../src/store/migrate.ts";
import { readMigrations } from "../../src/store/migrations.ts";

let made: string | undefined;

/**
 * Puts the file of an empty store at a path. It is made once in a process, as the program would make it, and copied
 * from then on: most tests begin with one, and the migrations are seven eighths of what opening a store takes.
 */
export function putEmptyStore(path: string): void {
  made ??= makeEmptyStore();
  copyFileSync(made, path);
}

function makeEmptyStore(): string {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-empty-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "empty.db");
  const database = new Database(path);
  database.exec("PRAGMA synchronous = OFF; BEGIN");
  for (const statement of readMigrations().flatMap(({ statements }) => statements)) database.exec(statement);
  database.exec(
    `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}; COMMIT;
    PRAGMA journal_mode = WAL`,
  );
  database.close();
  return path;
}
