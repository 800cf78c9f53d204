import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

/** The folder of the installed package; works from the bundle as well as from the sources. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "drizzle", "meta", "_journal.json"))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error("the folder drizzle/ of the memsvc package is missing: install it again");
    folder = parent;
  }
  return folder;
}

/** Reads the migrations that drizzle-kit wrote, oldest first. */
export function readMigrations(): Migration[] {
  const folder = join(packageFolder(), "drizzle");
  const journal = JSON.parse(readFileSync(join(folder, "meta", "_journal.json"), "utf8")) as {
    entries: { tag: string }[];
  };
  return journal.entries.map(({ tag }) => ({
    name: tag,
    statements: readFileSync(join(folder, `${tag}.sql`), "utf8")
      .split("--> statement-breakpoint")
      .map((statement) => statement.trim())
      .filter((statement) => statement !== ""),
  }));
}
