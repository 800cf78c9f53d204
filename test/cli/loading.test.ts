import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

/** Writes down which of the program's files a process opens. */
const spy = (log: string) => `
  const fs = require("node:fs");
  for (const name of ["openSync", "readFileSync"]) {
    const real = fs[name];
    fs[name] = (path, ...more) => {
      if (String(path).endsWith(".cjs")) fs.writeFileSync(${JSON.stringify(log)}, path + "\\n", { flag: "a" });
      return real(path, ...more);
    };
  }`;

const sandbox = forAllTests(openSandbox);
beforeAll(async () => {
  buildOnce();
  await sandbox.run(["remember", "Parsers are written by hand", "--offline"]);
});

async function bundlesOf(args: readonly string[]): Promise<Set<string>> {
  const [log, hook] = [join(sandbox.folder, "opened"), join(sandbox.folder, "spy.cjs")];
  writeFileSync(log, "");
  writeFileSync(hook, spy(log));
  const run = await sandbox.run(args, { env: { NODE_OPTIONS: `--require ${hook}` } });
  expect(run).toMatchObject({ exit: 0, stderr: "" });
  return new Set(
    readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((path) => basename(path, ".cjs")),
  );
}

test("search loads the search bundle and not the core bundle", async () => {
  // The first one puts the memory in its place in the graph.
  await sandbox.run(["search", "parsers", "--offline"]);
  const loaded = await bundlesOf(["search", "parsers", "--offline"]);
  expect([...loaded]).toContain("search");
  expect([...loaded]).not.toContain("core");
});

test("--help and --version do not load the search bundle", async () => {
  for (const args of [["--version"], ["--help"]])
    expect([...(await bundlesOf(args))]).not.toContain("search");
});
