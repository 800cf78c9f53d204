import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { buildOnce, openSandbox } from "../cli/program-process.ts";
import { forEachTest } from "../support/for-each-test.ts";

const sandbox = forEachTest(openSandbox);
beforeAll(buildOnce);
afterEach(() => sandbox.runHere(["daemon", "stop"]));

const pageBytes = 4_096;
const headers = { "Content-Type": "application/json" };

async function startDaemon(): Promise<string> {
  const { stdout } = await sandbox.runHere(["daemon", "start", "--port", "0"]);
  return /http:\S+/u.exec(stdout)?.[0] ?? "";
}

/** Breaks the chain of pages that hold a long text, which nobody notices before the text is read. */
function damage(path: string, text: string): void {
  const pages = readFileSync(path);
  const file = openSync(path, "r+");
  const wrongPage = Buffer.alloc(4, 0xa5);
  for (let at = 0; at < pages.length; at += pageBytes)
    if (pages.subarray(at, at + pageBytes).includes(text)) writeSync(file, wrongPage, 0, 4, at);
  closeSync(file);
}

test.each([
  ["a list", "/memories?limit=5000", "GET"],
  ["the copying for a snapshot", "/snapshot/create", "POST"],
])(
  "after %s found damage, the next start refuses the store despite a clean stop",
  async (_by, path, method) => {
    const first = await startDaemon();
    for (let at = 0; at < 60; at += 1) {
      const body = JSON.stringify({ content: `number ${at} ${String(at).repeat(4_000)}` });
      expect((await fetch(`${first}/remember`, { method: "POST", headers, body })).status).toBe(201);
    }
    await sandbox.runHere(["daemon", "stop"]);
    const url = await startDaemon();
    damage(join(sandbox.home, ".memsvc", "memsvc.db"), "30".repeat(1_000));
    const answer = await fetch(`${url}${path}`, method === "GET" ? {} : { method, headers, body: "{}" });
    expect(answer.status).toBe(500);
    expect(((await answer.json()) as { error: string }).error).toMatch(/memsvc\.db is damaged/u);
    expect((await sandbox.runHere(["daemon", "stop"])).exit).toBe(0);
    const again = await sandbox.runHere(["daemon", "start", "--port", "0"]);
    expect([again.exit, again.stderr]).toEqual([
      5,
      expect.stringMatching(/memsvc\.db is damaged.*\nhint: /su),
    ]);
  },
);
