import { execSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sourcesFingerprint } from "./sources-fingerprint.ts";

/*
 * Builds dist/: the bundles, what the client's types tell editors, and the code caches of what commands run. With
 * --if-changed a build that was made from the same files stays: `npm test` after `npm install` would otherwise make
 * everything twice.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
/** Written last, and gone with the folder: a build that was broken off has none. */
const builtFromPath = join(dist, "built-from");

const fingerprint = sourcesFingerprint(root);
if (!process.argv.includes("--if-changed") || builtFrom() !== fingerprint) {
  rmSync(dist, { recursive: true, force: true });
  for (const command of [
    "tsdown --logLevel warn",
    "tsx scripts/document-client.ts",
    "tsx scripts/make-code-caches.ts",
  ])
    execSync(command, { cwd: root, stdio: "inherit" });
  writeFileSync(builtFromPath, fingerprint);
}

function builtFrom(): string | undefined {
  try {
    return readFileSync(builtFromPath, "utf8");
  } catch {
    // There is no whole build.
    return undefined;
  }
}
