import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { version } = require("ts-blank-space/package.json");
/** Cache of sources without their types; each file is named by the hash of its source. */
const folder = fileURLToPath(new URL(`../../node_modules/.cache/test-sources/${version}/`, import.meta.url));

mkdirSync(folder, { recursive: true });

/** Our imports name files with their extension, so resolving needs no search. */
export function resolve(specifier, context, next) {
  if (!specifier.endsWith(".ts") || !/^(\.|file:)/u.test(specifier)) return next(specifier, context);
  return { url: new URL(specifier, context.parentURL).href, format: "module", shortCircuit: true };
}

export function load(url, context, next) {
  // Vitest adds a query to the addresses of test files, so that each run loads them anew.
  const [file] = url.split("?", 1);
  if (!file.endsWith(".ts")) return next(url, context);
  return {
    source: withoutTypes(readFileSync(fileURLToPath(file), "utf8")),
    format: "module",
    shortCircuit: true,
  };
}

/** Replaces types with blanks, so that lines and columns in errors stay right. */
function withoutTypes(source) {
  const kept = folder + createHash("sha1").update(source).digest("hex");
  try {
    return readFileSync(kept, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  // Loaded only when needed, because it loads the whole TypeScript compiler.
  const { default: blank } = require("ts-blank-space");
  const text = blank(source);
  // Written under another name and renamed, because other processes may read it meanwhile.
  const written = `${kept}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, kept);
  return text;
}
