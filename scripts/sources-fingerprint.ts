import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The files and folders that a build is made from; libraries are represented by their versions. */
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
 * Fingerprint of the sources of a build: the SHA-256, in hexadecimal, of their paths and contents (without tests), and
 * of the version and platform of Node, for which the code caches are made.
 */
export function sourcesFingerprint(root: string): string {
  const hash = createHash("sha256").update(`${process.version} ${process.platform} ${process.arch}`);
  for (const path of sources.flatMap((source) => filesBelow(root, source)))
    hash.update(`\n${path}\n`).update(readFileSync(join(root, path)));
  return hash.digest("hex");
}

/** The file itself, or all files below the folder, in the same order on every machine. */
function filesBelow(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath.slice(root.length), entry.name))
    .sort();
}
