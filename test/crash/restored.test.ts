import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildOnce, openSandbox } from "../cli/program-process.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { type RunningDaemon, serveWell, storeOf } from "./daemon.ts";
import { memoryWith } from "./http-load.ts";
import { emptyLedger } from "./ledger.ts";
import { storeFaults } from "./store-faults.ts";
import { storedRows } from "./stored-rows.ts";
import { spelled } from "./words.ts";

/* Several processes on one store, which one of them puts back to a snapshot. */

const rounds = 6;

const sandbox = forEachTest(openSandbox);
let daemon: RunningDaemon;
beforeAll(buildOnce);
beforeEach(async () => {
  daemon = await serveWell(sandbox);
});
afterEach(() => daemon.end("SIGTERM"));

/** Runs a command: in a process of its own if that opens the store, and else here, since it only asks the daemon. */
async function run(...args: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await sandbox[args.includes("--offline") ? "run" : "runHere"](args);
  if (exit !== 0) throw new Error(`memsvc ${args.join(" ")}: ${exit} ${stderr}`);
  return stdout;
}

async function ask(path: string, body?: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(
    `${daemon.url}${path}`,
    body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) },
  );
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function snapshot(): Promise<string> {
  const made = JSON.parse(await run("snapshot", "create", "--json")) as { snapshot: { id: string } };
  return made.snapshot.id;
}

function contentsIn(answer: unknown): string[] {
  return (answer as { memories: { content: string }[] }).memories.map(({ content }) => content).sort();
}

/** What the daemon's searches find of words. */
async function found(query: string): Promise<string[]> {
  const { results } = (await ask("/smart-search", { query })) as { results: { title: string }[] };
  return results.map(({ title }) => title);
}

/** Remembers something in the daemon and in a process of its own, by turns; returns what was acknowledged. */
async function rememberByTurns(): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [own, daemons] = [memoryWith(`own${spelled(round)}`), memoryWith(`served${spelled(round)}`)];
    await run("--offline", "remember", own);
    await ask("/remember", { content: daemons });
    acknowledged.push(own, daemons);
  }
  return acknowledged.sort();
}

async function expectBothToFind(contents: readonly string[]): Promise<void> {
  expect(contentsIn(await ask("/memories?limit=100"))).toEqual(contents);
  expect(
    contentsIn(JSON.parse(await run("--offline", "memory", "list", "--limit", "100", "--json"))),
  ).toEqual(contents);
}

test("writes of the daemon and of other processes are all kept after the daemon's restore", async () => {
  const id = await snapshot();
  await run("remember", memoryWith("gone"));
  await run("--yes", "snapshot", "restore", id);
  const acknowledged = await rememberByTurns();
  await expectBothToFind(acknowledged);
  // Also where it restores what it has restored before.
  await run("--yes", "snapshot", "restore", await snapshot());
  acknowledged.push(memoryWith("afterwards"));
  await run("--offline", "remember", memoryWith("afterwards"));
  await expectBothToFind(acknowledged.sort());
  await daemon.end("SIGTERM");
  const stored = storedRows(storeOf(sandbox), "SELECT content FROM memories WHERE is_latest = 1");
  expect(stored.map(({ content }) => content).sort()).toEqual(acknowledged);
  expect(storeFaults(storeOf(sandbox), emptyLedger())).toEqual([]);
});

test("the daemon's search finds only what is stored after another process's restore", async () => {
  await run("remember", "zebras graze in the morning");
  const id = await snapshot();
  await run("remember", "lions sleep in the shade");
  expect([await found("lions"), await found("zebras")]).toEqual([
    ["lions sleep in the shade"],
    ["zebras graze in the morning"],
  ]);
  await run("--offline", "--yes", "snapshot", "restore", id);
  expect([await found("lions"), await found("zebras")]).toEqual([[], ["zebras graze in the morning"]]);
  await ask("/remember", { content: "whales sing at night" });
  expect([await found("whales"), await found("lions")]).toEqual([["whales sing at night"], []]);
});
