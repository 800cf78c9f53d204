import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openBundles } from "./bundle-loader.ts";
import { codeCacheFolder } from "./code-cache.ts";

const sources = {
  "first.cjs": `const second = require(\`./second.cjs\`); const path = require("node:path");
exports.count = () => second.count();
exports.name = path.basename(__filename);
exports.names = () => Object.keys({ ...second });
exports.fail = () => { throw new Error("on line 5"); };
exports.text = "naïve ☃";`,
  "second.cjs": "let calls = 0; exports.count = () => (calls += 1);",
};

interface First {
  count(): number;
  readonly name: string;
  names(): string[];
  fail(): never;
  readonly text: string;
}

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  for (const [file, text] of Object.entries(sources)) writeFileSync(join(folder, file), text);
});

test("bundles run the same without code caches and with them", () => {
  isWhole(openBundles(folder, codeCacheFolder(folder)).load("first") as First);
  makeCaches();
  const { load, scripts } = openBundles(folder, codeCacheFolder(folder));
  isWhole(load("first") as First);
  expect([...scripts.keys()]).toEqual(["first.cjs", "second.cjs"]);
  for (const script of scripts.values()) expect(script.cachedDataRejected).toBe(false);
});

test("a bundle is loaded once for all who ask for it", () => {
  makeCaches();
  const { load } = openBundles(folder, codeCacheFolder(folder));
  expect(load("first")).toBe(load("first"));
  (load("first") as First).count();
  expect((load("second") as First).count()).toBe(2);
});

test("a cache that is damaged or of another bundle is rejected", () => {
  makeCaches();
  writeFileSync(join(codeCacheFolder(folder), "first.cjs"), "no cache");
  // New texts, because this process need not compile the same text again.
  writeFileSync(join(folder, "first.cjs"), `${sources["first.cjs"]}\n`);
  writeFileSync(join(folder, "second.cjs"), `${sources["second.cjs"]} exports.isOther = true;`);
  const { load, scripts } = openBundles(folder, codeCacheFolder(folder));
  isWhole(load("first") as First);
  expect(load("second")).toHaveProperty("isOther");
  for (const script of scripts.values()) expect(script.cachedDataRejected).toBe(true);
});

test("a module of Node's that bundles name is loaded only if it is used", () => {
  writeFileSync(
    join(folder, "first.cjs"),
    'const later = require("node:querystring"); exports.parse = () => later.parse;',
  );
  const asked: string[] = [];
  const require = createRequire(join(folder, "main.cjs"));
  const noting = Object.assign((id: string): unknown => {
    asked.push(id);
    return require(id);
  }, require);
  const first = openBundles(folder, undefined, noting).load("first") as { parse(): unknown };
  expect(asked).toEqual([]);
  expect(first.parse()).toBe(require("node:querystring").parse);
  expect(asked).toEqual(["node:querystring"]);
});

test("bundles with and without a cache share the same modules", () => {
  makeCaches();
  rmSync(join(codeCacheFolder(folder), "second.cjs"));
  const { load, scripts } = openBundles(folder, codeCacheFolder(folder));
  (load("first") as First).count();
  expect((load("second") as First).count()).toBe(2);
  expect(scripts.get("second.cjs")?.cachedDataRejected).toBeUndefined();
});

test("caches of another Node version are not used", () => {
  mkdirSync(join(folder, "code-cache", "v1.2.3-other-pdp11"), { recursive: true });
  const { load, scripts } = openBundles(folder, codeCacheFolder(folder));
  isWhole(load("first") as First);
  for (const script of scripts.values()) expect(script.cachedDataRejected).toBeUndefined();
});

describe("a long bundle without a cache", () => {
  const caches = () => (existsSync(codeCacheFolder(folder)) ? readdirSync(codeCacheFolder(folder)) : []);
  // A different length in each test, because this process need not compile the same text again.
  const lengthen = (length: number) =>
    writeFileSync(join(folder, "first.cjs"), `${sources["first.cjs"]}\n//${"-".repeat(length)}`);

  const runOnce = () => {
    const { load, leaveCaches } = openBundles(folder, codeCacheFolder(folder));
    isWhole(load("first") as First);
    leaveCaches();
  };

  test("leaves a cache of what was run, which the next start uses", () => {
    lengthen(20_001);
    const bundles = openBundles(folder, codeCacheFolder(folder));
    const first = bundles.load("first") as First;
    const loadedBytes = bundles.scripts.get("first.cjs")?.createCachedData().length ?? 0;
    isWhole(first);
    expect(caches()).toEqual([]);
    bundles.leaveCaches();
    expect(caches()).toEqual(["first.cjs"]);
    expect(statSync(join(codeCacheFolder(folder), "first.cjs")).size).toBeGreaterThan(loadedBytes);
    const { load, scripts } = openBundles(folder, codeCacheFolder(folder));
    isWhole(load("first") as First);
    expect(scripts.get("first.cjs")?.cachedDataRejected).toBe(false);
  });

  test("writes no cache into another user's folder", () => {
    lengthen(20_002);
    const user = vi.spyOn(process, "geteuid").mockReturnValue(statSync(folder).uid + 1);
    runOnce();
    user.mockRestore();
    expect(caches()).toEqual([]);
  });

  test("runs even if its cache cannot be written or read", () => {
    lengthen(20_003);
    writeFileSync(join(folder, "code-cache"), "no folder");
    runOnce();
    rmSync(join(folder, "code-cache"));
    mkdirSync(join(codeCacheFolder(folder), "first.cjs"), { recursive: true });
    runOnce();
    expect(caches()).toEqual(["first.cjs"]);
  });
});

function makeCaches(): void {
  const { load, scripts } = openBundles(folder);
  (load("first") as First).count();
  const caches = codeCacheFolder(folder);
  mkdirSync(caches, { recursive: true });
  for (const [file, script] of scripts) writeFileSync(join(caches, file), script.createCachedData());
  expect(readdirSync(caches)).toHaveLength(2);
}

function isWhole(first: First): void {
  expect(first.count()).toBe(1);
  expect(first.name).toBe("first.cjs");
  expect(first.names()).toContain("count");
  expect(first.text).toBe("naïve ☃");
  expect(() => first.fail()).toThrow("on line 5");
  try {
    first.fail();
  } catch (error) {
    expect(error instanceof Error ? error.stack : "").toMatch(/first\.cjs:5:30/u);
  }
}
