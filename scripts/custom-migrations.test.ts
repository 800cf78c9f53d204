import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { readMigrations } from "../src/store/migrations.ts";

/*
 * What drizzle cannot declare (triggers, virtual tables, tables without rowid) is declared in a `*-schema.ts` beside
 * its tables and repeated in a custom migration. Only this test checks that the two agree.
 */

const source = fileURLToPath(new URL("../src/", import.meta.url));
const declaring = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("-schema.ts"))
  .sort();

function oneLine(statement: string): string {
  return statement.replace(/\s+/gu, " ").replace(/;$/u, "").trim();
}

test.each(declaring)("every statement that %s declares is in a migration", async (path) => {
  const declared = Object.entries((await import(pathToFileURL(join(source, path)).href)) as object)
    .filter(([name]) => name.endsWith("SchemaSql"))
    .flatMap(([, statements]) => statements as readonly string[]);
  expect(declared.length).toBeGreaterThan(0);
  const migrated = readMigrations().flatMap(({ statements }) => statements.map(oneLine));
  for (const statement of declared) expect(migrated).toContain(oneLine(statement));
});
