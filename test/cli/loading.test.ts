import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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

test("a hook loads none of the modules of Node's that it does not use", async () => {
  const daemon = createServer((_, answer) => answer.end('{"success":true}'));
  await once(daemon.listen(0, "127.0.0.1"), "listening");
  const [list, hook] = [join(sandbox.folder, "modules"), join(sandbox.folder, "list.cjs")];
  writeFileSync(
    hook,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join("\\n")));`,
  );
  const { port } = daemon.address() as AddressInfo;
  const event = {
    session_id: "s",
    hook_event_name: "UserPromptSubmit",
    cwd: sandbox.folder,
    prompt: "Go on",
  };
  const run = await sandbox.run(["observe", "--strict", "--url", `http://127.0.0.1:${port}/memsvc`], {
    env: { NODE_OPTIONS: `--require ${hook}` },
    stdin: JSON.stringify(event),
  });
  daemon.close();
  expect(run).toMatchObject({ exit: 0, stderr: "" });
  const loaded = readFileSync(list, "utf8").split("\n");
  expect(loaded).toContain("NativeModule net");
  for (const name of ["perf_hooks", "fs/promises", "timers/promises", "tty", "module"])
    expect(loaded).not.toContain(`NativeModule ${name}`);
});
