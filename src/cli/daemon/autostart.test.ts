import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { autostartDaemon } from "./autostart.ts";

const program = process.argv[1] ?? "";
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  process.argv[1] = program;
});

/** What stands in for the command that starts a daemon. */
function starter(body: string): void {
  const script = join(folder, "starter.cjs");
  writeFileSync(script, body);
  process.argv[1] = script;
}

test("agents that start the daemon at once do so one after another", async () => {
  const log = JSON.stringify(join(folder, "log"));
  starter(`const { appendFileSync } = require("node:fs");
    appendFileSync(${log}, "begin ");
    setTimeout(() => { appendFileSync(${log}, "end "); console.log('{"url":"http://127.0.0.1:1/memsvc"}'); }, 200);`);
  const home = join(folder, "home");
  const urls = await Promise.all([1, 2, 3].map(() => autostartDaemon(home)));
  expect(urls).toEqual(Array.from({ length: 3 }, () => "http://127.0.0.1:1/memsvc"));
  expect(readFileSync(join(folder, "log"), "utf8")).toBe("begin end ".repeat(3));
});

test("a failed start is reported to each agent and blocks no other", async () => {
  starter('console.error("memsvc: the daemon did not start: no\\nhint: ask"); process.exit(3);');
  const home = join(folder, "home");
  for (const agent of ["first", "second"])
    await expect(autostartDaemon(home), agent).rejects.toMatchObject({ code: "port_taken", hint: "ask" });
});

test("without a place for the lock the start itself reports the problem", async () => {
  starter('console.error("memsvc: the home cannot be made"); process.exit(5);');
  writeFileSync(join(folder, "file"), "");
  await expect(autostartDaemon(join(folder, "file", "home"))).rejects.toMatchObject({
    code: "store_damaged",
    message: "the daemon did not start: the home cannot be made",
  });
});
