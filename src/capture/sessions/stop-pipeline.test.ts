import { beforeEach, expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { countJobs } from "../../jobs/jobs.ts";
import { JobWorker } from "../../jobs/worker.ts";
import { observe } from "../observations/operations.ts";
import { endSession } from "./operations.ts";
import { stopHandler } from "./stop-pipeline.ts";
import type { StoppedSession, StopStep } from "./stop-step.ts";

const retryMs = 30_000;
const cooldownMs = 300_000;

const store = forEachTest(openTestCore);
let taken: string[];
let told: StoppedSession | undefined;
let failing: Set<string>;
beforeEach(() => {
  taken = [];
  told = undefined;
  failing = new Set();
});

function step(name: string, isWanted = true): StopStep {
  return {
    name,
    isWanted: () => isWanted,
    run: async (session) => {
      taken.push(name);
      told = session;
      if (failing.has(name)) throw new Error("no luck");
    },
  };
}

const steps = [step("first"), step("unwanted", false), step("second"), step("third")];

async function runDue(): Promise<string[]> {
  taken = [];
  await JobWorker.runDue(store.core.ground, [stopHandler(store.core.ground, store.core.projects, steps)]);
  return taken;
}

async function turn(text: string): Promise<void> {
  await store.call(observe, {
    hookType: "prompt_submit",
    sessionId: "one",
    project: "shop",
    cwd: "/w/shop",
    timestamp: new Date(store.now()).toISOString(),
    data: { prompt: text },
    agentId: "builder",
  });
  await store.call(endSession, { sessionId: "one" });
}

test("runs the wanted steps in order and passes the session to them", async () => {
  await turn("hello");
  expect(await runDue()).toEqual(["first", "second", "third"]);
  expect(told).toEqual({
    sessionId: "one",
    project: "shop",
    agentId: "builder",
    endedAt: store.now(),
    reason: "end",
  });
});

test("a failing step delays no other step and is the only one retried", async () => {
  failing.add("second");
  await turn("hello");
  expect(await runDue()).toEqual(["first", "second", "third"]);
  store.advance(retryMs);
  expect(await runDue()).toEqual(["second"]);
  failing.clear();
  store.advance(4 * retryMs);
  expect(await runDue()).toEqual(["second"]);
  expect(await countJobs(store.core.ground)).toMatchObject({ queued: 0, running: 0, failed: 0 });
});

test("a retry after new activity runs every step", async () => {
  failing.add("second");
  await turn("hello");
  await runDue();
  failing.clear();
  store.advance(retryMs);
  await turn("and now this");
  expect(await runDue()).toEqual(["first", "second", "third"]);
});

test("a session end during a run waits for the cooldown and costs one run", async () => {
  const during: StopStep = {
    name: "during",
    isWanted: () => true,
    run: async () => {
      taken.push("during");
      if (taken.length === 1) await turn("meanwhile");
    },
  };
  const run = async () => {
    await JobWorker.runDue(store.core.ground, [
      stopHandler(store.core.ground, store.core.projects, [during]),
    ]);
    return taken.length;
  };
  await turn("hello");
  expect(await run()).toBe(1);
  store.advance(cooldownMs - 1);
  expect(await run()).toBe(1);
  store.advance(1);
  expect(await run()).toBe(2);
});

test("a step that never succeeds leaves a failed job that names it", async () => {
  failing.add("third");
  await turn("hello");
  await runDue();
  for (const tries of [1, 4, 20]) {
    store.advance(tries * retryMs);
    expect(await runDue()).toEqual(["third"]);
  }
  const jobs = await store.core.ground.store.read.sql.values("SELECT status, error FROM jobs");
  expect(jobs).toEqual([["failed", expect.stringContaining("third: Error: no luck")]]);
});
