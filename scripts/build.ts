import { execSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sourcesFingerprint } from "./sources-fingerprint.ts";

/*
 * Builds dist/: the bundles, the doc comments in the client's types, and the code caches of the commands. With
 * --if-changed it does nothing when dist/ was built from the same sources: `npm test` after `npm install` would
 * otherwise build everything twice.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
/** Holds the fingerprint of the sources. It is written last, so an interrupted build has none. */
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
    // There is no complete build.
    return undefined;
  }
}
