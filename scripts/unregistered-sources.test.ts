import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/*
 * A family, a check, a hook dialect, a view or a kind of transfer takes effect only where a list names it. If nobody
 * imports a source, somebody has forgotten that list, or the source is dead.
 */

const source = fileURLToPath(new URL("../src/", import.meta.url));
const sources = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));

/** Sources that something else than an import names. */
const named: readonly RegExp[] = [
  // drizzle-kit reads the tables, custom-migrations.test.ts the schemas.
  /(?:^|\/)tables\.ts$/u,
  /-schema\.ts$/u,
  /-fixture\.ts$/u,
  /\.d\.ts$/u,
];

/** The texts of the programs that name sources: as entries of bundles, or to generate files. */
const naming = ["tsdown.config.ts", "scripts/generated-files.ts"]
  .map((path) => readFileSync(join(source, "..", path), "utf8"))
  .join("\n");

const importing = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/gu;

test("every source is imported by another one, or named as an entry", () => {
  const imported = new Set(
    sources.flatMap((path) =>
      [...readFileSync(join(source, path), "utf8").matchAll(importing)].map(([, target = ""]) =>
        posix.join(dirname(path), target),
      ),
    ),
  );
  const unregistered = sources.filter(
    (path) =>
      !imported.has(path) && !named.some((form) => form.test(path)) && !naming.includes(`src/${path}`),
  );
  expect(unregistered, "CONTRIBUTING.md says in which list each of these belongs").toEqual([]);
});
