import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { version } = require("ts-blank-space/package.json");
/** What was made of a source lies under its hash. */
const folder = fileURLToPath(new URL(`../../node_modules/.cache/test-sources/${version}/`, import.meta.url));

mkdirSync(folder, { recursive: true });

/** Imports of sources name whole files, so nothing has to be looked for. */
export function resolve(specifier, context, next) {
  if (!specifier.endsWith(".ts") || !/^(\.|file:)/u.test(specifier)) return next(specifier, context);
  return { url: new URL(specifier, context.parentURL).href, format: "module", shortCircuit: true };
}

export function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  return {
    source: withoutTypes(readFileSync(fileURLToPath(url), "utf8")),
    format: "module",
    shortCircuit: true,
  };
}

/** Blanks stand where types stood, so that errors name the right places. */
function withoutTypes(source) {
  const kept = folder + createHash("sha1").update(source).digest("hex");
  try {
    return readFileSync(kept, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  // It brings the whole compiler with it.
  const { default: blank } = require("ts-blank-space");
  const text = blank(source);
  // Other processes may read it while it is written.
  const written = `${kept}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, kept);
  return text;
}
