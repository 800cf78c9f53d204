import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { applicationId, schemaVersion } from "../../src/store/migrate.ts";
import { readMigrations } from "../../src/store/migrations.ts";

let made: Buffer | undefined;

/**
 * Puts the file of an empty store at a path. It is made once in a process, as the program would make it, and written
 * from memory from then on, so that a run that is killed leaves none behind: most tests begin with one, and the migrations are seven eighths of what opening a store takes.
 */
export function putEmptyStore(path: string): void {
  made ??= makeEmptyStore();
  writeFileSync(path, made);
}

function makeEmptyStore(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-empty-"));
  const path = join(folder, "empty.db");
  const database = new Database(path);
  database.exec("PRAGMA synchronous = OFF; BEGIN");
  for (const statement of readMigrations().flatMap(({ statements }) => statements)) database.exec(statement);
  database.exec(
    `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}; COMMIT;
    PRAGMA journal_mode = WAL`,
  );
  database.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true, force: true });
  return bytes;
}
