import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sourcesFingerprint } from "./sources-fingerprint.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = ["drizzle", "package.json", "package-lock.json", "tsconfig.json", "tsdown.config.ts"];

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "memsvc-checkout-"));
  for (const file of files) cpSync(join(root, file), join(checkout, file), { recursive: true });
  mkdirSync(join(checkout, "scripts"));
  mkdirSync(join(checkout, "src", "text"), { recursive: true });
  writeFileSync(join(checkout, "src", "text", "tokens.ts"), "export const tokens = [];\n");
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const written = (path: string, text: string): string => {
  writeFileSync(join(checkout, path), text);
  return sourcesFingerprint(checkout);
};

test("another checkout of the same files has the same fingerprint", () => {
  const first = sourcesFingerprint(checkout);
  const other = `${checkout}-other`;
  try {
    cpSync(checkout, other, { recursive: true });
    expect(sourcesFingerprint(other)).toBe(first);
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});

test("a changed, new or renamed source changes the fingerprint, a test does not", () => {
  const first = sourcesFingerprint(checkout);
  expect(written("src/text/tokens.test.ts", "test")).toBe(first);
  expect(written("src/text/tokens.ts", "export const tokens = [1];\n")).not.toBe(first);
  expect(written("src/text/tokens.ts", "export const tokens = [];\n")).toBe(first);
  const withNew = written("src/text/words.ts", "");
  expect(withNew).not.toBe(first);
  rmSync(join(checkout, "src", "text", "words.ts"));
  expect(written("src/text/word.ts", "")).not.toBe(withNew);
});

test("other versions of libraries change the fingerprint", () => {
  const first = sourcesFingerprint(checkout);
  expect(written("package-lock.json", "{}")).not.toBe(first);
});
