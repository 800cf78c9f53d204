import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildOnce, openSandbox } from "../cli/program-process.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { isContended, makeActions, writeTogether } from "./concurrency.ts";
import { homeOf, serve, serveWell, storeOf } from "./daemon.ts";
import { eventWith, memoryWith } from "./http-load.ts";
import { type Asked, askDaemon, leaseFaults } from "./lease-history.ts";
import { emptyLedger } from "./ledger.ts";
import { storeFaults } from "./store-faults.ts";
import { storedRows } from "./stored-rows.ts";
import { spelled } from "./words.ts";

const togetherSeconds = 10;
const firstRuns = 6;

beforeAll(buildOnce);

const sandbox = forEachTest(openSandbox);

function countOf(table: string): unknown {
  return storedRows(storeOf(sandbox), `SELECT count(*) AS n FROM ${table}`)[0]?.n;
}

test("four processes write to one home without errors, lost or duplicate rows, or shared leases", async () => {
  const ledger = emptyLedger();
  expect(await writeTogether(sandbox, ledger, togetherSeconds)).toEqual([]);
  expect(isContended(ledger)).toBe(true);
  expect(countOf("observations")).toBe(ledger.observations.length);
  expect(countOf("memories")).toBe(ledger.memories.length);
  expect(new Set(ledger.observations.map(({ id }) => id)).size).toBe(ledger.observations.length);
  expect(ledger.observations.length).toBeGreaterThan(100);
});

test("the lease check finds overlapping holders, a wrong holder, and a lease lost too early", () => {
  const at = (agentId: string, kind: Asked["kind"], askedAt: number, heldBy?: string): Asked => ({
    kind,
    agentId,
    actionId: "act_1",
    askedAt,
    answeredAt: askedAt + 1,
    outcome: heldBy === undefined ? "ok" : "held",
    ...(heldBy === undefined ? {} : { heldBy }),
    answer: "",
  });
  const sound = [at("ann", "acquire", 0), at("bob", "acquire", 2, "ann"), at("ann", "release", 4)];
  expect(leaseFaults([...sound, at("bob", "acquire", 6)])).toEqual([]);
  expect(leaseFaults([...sound, at("bob", "acquire", 2)])).toEqual(["ann and bob held an action at once"]);
  expect(leaseFaults([...sound, at("cyd", "acquire", 6, "ann")])).toHaveLength(1);
  const lapsing = { ...at("ann", "acquire", 0), until: 10 };
  expect(leaseFaults([lapsing, at("bob", "acquire", 10)])).toEqual([]);
  expect(leaseFaults([lapsing, at("bob", "acquire", 8)])).toEqual(["ann and bob held an action at once"]);
  const over = { ...at("ann", "release", 12), outcome: "over" as const };
  expect(leaseFaults([lapsing, over])).toEqual([]);
  expect(leaseFaults([lapsing, { ...over, askedAt: 5, answeredAt: 6 }])).toEqual([
    "ann lost an action before its time",
  ]);
});

test("processes that start together on an empty home all succeed", async () => {
  const remembering = Array.from({ length: firstRuns }, (_, at) =>
    sandbox.run(["remember", memoryWith(`q${spelled(at)}`), "--offline"]),
  );
  const observing = Array.from({ length: firstRuns }, (_, at) =>
    sandbox.run(["observe", "--offline", "--strict"], {
      stdin: JSON.stringify(eventWith(`x${spelled(at)}`, `first-${at}`)),
    }),
  );
  const daemon = await serveWell(sandbox);
  const runs = await Promise.all([...remembering, ...observing]);
  await daemon.end("SIGTERM");
  expect(runs.filter(({ exit }) => exit !== 0)).toEqual([]);
  expect([countOf("memories"), countOf("observations")]).toEqual([firstRuns, firstRuns]);
  expect(storeFaults(storeOf(sandbox), emptyLedger())).toEqual([]);
});

describe("two daemons on one home", () => {
  test("that start at once: one runs, and the other exits and names its pid and port", async () => {
    for (let round = 0; round < 4; round += 1) {
      const both = await Promise.all([serve(sandbox), serve(sandbox)]);
      const running = both.find((one) => "url" in one);
      const refused = both.find((one) => !("url" in one));
      if (running === undefined || !("url" in running)) throw new Error("neither runs");
      expect(refused).toMatchObject({ exit: 4, signal: null });
      expect(refused).toHaveProperty(
        "stderr",
        expect.stringContaining(`pid ${running.pid}, port ${running.port}\n`),
      );
      await running.end("SIGTERM");
    }
  });

  test("that start in turn: the second exits, and the first keeps its lock and answers", async () => {
    const first = await serveWell(sandbox);
    const lock = readFileSync(join(homeOf(sandbox), "memsvc.lock"), "utf8");
    expect(await serve(sandbox)).toMatchObject({ exit: 4 });
    expect(readFileSync(join(homeOf(sandbox), "memsvc.lock"), "utf8")).toBe(lock);
    expect((await fetch(`${first.url}/livez`)).status).toBe(200);
    await first.end("SIGTERM");
  });

  test("of which the first was killed: the second takes over the lock and keeps the leases", async () => {
    const first = await serveWell(sandbox);
    const [actionId = ""] = await makeActions(first.url);
    await askDaemon(first.url, 600_000)("acquire", actionId, "ann");
    await first.end("SIGKILL");
    const next = await serveWell(sandbox);
    expect(await askDaemon(next.url)("acquire", actionId, "bob")).toMatchObject({
      outcome: "held",
      heldBy: "ann",
    });
    expect(readFileSync(join(homeOf(sandbox), "memsvc.lock"), "utf8")).toMatch(
      new RegExp(`^${next.pid} ${next.port} 127\\.0\\.0\\.1 (?:\\d+|-) \\d+\\n$`, "u"),
    );
    expect((await next.end("SIGTERM")).exit).toBe(0);
  });
});
