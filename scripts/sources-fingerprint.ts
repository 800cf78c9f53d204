import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a build is made from, the libraries by their versions. */
const sources = [
  "src",
  "scripts",
  "drizzle",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsdown.config.ts",
];

/**
 * Tells what is built from a checkout, by content: the SHA-256, in hexadecimal, of the paths and bytes of its sources but
 * the tests, and of the Node that runs, for which the code caches are made.
 */
export function sourcesFingerprint(root: string): string {
  const hash = createHash("sha256").update(`${process.version} ${process.platform} ${process.arch}`);
  for (const path of sources.flatMap((source) => filesBelow(root, source)))
    hash.update(`\n${path}\n`).update(readFileSync(join(root, path)));
  return hash.digest("hex");
}

/** The file itself, or all files below the folder, in one order on every machine. */
function filesBelow(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath.slice(root.length), entry.name))
    .sort();
}
