import { beforeEach, describe, expect, test } from "vitest";
import { openTestCore } from "../../test/support/core.ts";
import { forEachTest } from "../../test/support/for-each-test.ts";
import type { Ground } from "../ground.ts";
import { dayMs, hourMs, minuteMs } from "../time/durations.ts";
import { claimJob } from "./claim-job.ts";
import {
  countJobs,
  dropOldJobs,
  dropUnwantedSweeps,
  enqueue,
  failJob,
  finishJob,
  type Job,
  type NewJob,
  nextDue,
  postponeJob,
  sweepKey,
} from "./jobs.ts";

const opened = forEachTest(openTestCore);
let ground: Ground;
beforeEach(() => {
  ground = opened.core.ground;
});

function add(job: Partial<NewJob> = {}): Promise<void> {
  return ground.store.write((tx) => enqueue(tx, ground, { kind: "k", key: "1", ...job }));
}

function claim(worker = "w", kinds: readonly string[] = ["k"]): Promise<Job | undefined> {
  return claimJob(ground, kinds, worker);
}

async function claimed(): Promise<Job> {
  const job = await claim();
  if (job === undefined) throw new Error("no job is due");
  return job;
}

describe("a job", () => {
  test("is claimed once, with its payload", async () => {
    await add({ payload: { text: "ünï" } });
    expect(await claim()).toMatchObject({ kind: "k", key: "1", payload: { text: "ünï" }, attempts: 1 });
    expect(await claim()).toBeUndefined();
  });

  test("of a write that fails does not exist", async () => {
    const write = ground.store.write(async (tx) => {
      await enqueue(tx, ground, { kind: "k", key: "1" });
      throw new Error("no");
    });
    await expect(write).rejects.toThrow("no");
    expect(await claim()).toBeUndefined();
  });

  test("is not claimed before it is due, nor by a worker of other kinds", async () => {
    await add({ runAfter: opened.now() + minuteMs });
    expect(await claim()).toBeUndefined();
    expect(await nextDue(ground, ["k"])).toBe(opened.now() + minuteMs);
    opened.advance(minuteMs);
    expect(await claim("w", ["other"])).toBeUndefined();
    expect(await nextDue(ground, ["other"])).toBeUndefined();
    expect(await claim()).toBeDefined();
  });

  test("that was claimed while the clock was ahead is claimed again once the clock is right", async () => {
    opened.advance(365 * dayMs);
    await add();
    await claimed();
    opened.advance(-minuteMs);
    expect(await claim()).toBeUndefined();
    opened.advance(minuteMs - 365 * dayMs);
    expect(await claim()).toMatchObject({ attempts: 2 });
  });

  test("that waits absorbs others of its kind and key, and is due at the earliest time", async () => {
    await add({ runAfter: opened.now() + 2 * minuteMs });
    await add({ runAfter: opened.now() + minuteMs });
    await add({ runAfter: opened.now() + 3 * minuteMs });
    await add({ key: "2", runAfter: opened.now() + hourMs });
    expect((await countJobs(ground)).queued).toBe(2);
    expect(await nextDue(ground, ["k"])).toBe(opened.now() + minuteMs);
  });

  test("that runs does not absorb another, which runs afterwards", async () => {
    await add();
    await claimed();
    await add();
    expect(await claim()).toBeDefined();
  });

  test("is claimed by only one of ten workers that ask at once", async () => {
    await add();
    const taken = await Promise.all(Array.from({ length: 10 }, (_, at) => claim(`w${at}`)));
    expect(taken.filter((job) => job !== undefined)).toHaveLength(1);
  });

  test("that has been due longest comes first", async () => {
    await add({ key: "late", runAfter: opened.now() - 1 });
    await add({ key: "early", runAfter: opened.now() - 2 });
    expect([(await claim())?.key, (await claim())?.key]).toEqual(["early", "late"]);
  });
});

describe("a job that fails", () => {
  test("is retried after 30 s, 2 min and 10 min, and then fails for good", async () => {
    await add();
    for (const delayMs of [30_000, 120_000, 600_000]) {
      await failJob(ground, await claimed(), "no luck");
      opened.advance(delayMs - 1);
      expect(await claim()).toBeUndefined();
      opened.advance(1);
    }
    await failJob(ground, await claimed(), "no luck");
    opened.advance(dayMs);
    expect(await claim()).toBeUndefined();
    expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 1 });
  });

  test("is not retried if the same work is waiting already", async () => {
    await add();
    const job = await claimed();
    await add();
    await failJob(ground, job, "no luck");
    expect((await countJobs(ground)).queued).toBe(1);
  });

  test("keeps at most 500 characters of the reason", async () => {
    await add();
    await failJob(ground, await claimed(), "x".repeat(600));
    expect(await ground.store.read.sql.values("SELECT length(error) FROM jobs")).toEqual([[500]]);
  });
});

describe("a postponed job", () => {
  test("waits as long as it is told, without using up its attempts", async () => {
    await add();
    for (let time = 0; time < 10; time += 1) {
      await postponeJob(ground, await claimed(), { reason: "the model rests", delayMs: minuteMs });
      opened.advance(minuteMs - 1);
      expect(await claim()).toBeUndefined();
      opened.advance(1);
    }
    expect((await claimed()).attempts).toBe(1);
  });

  test("waits for at least a second", async () => {
    await add();
    await postponeJob(ground, await claimed(), { reason: "the service stops", delayMs: 0 });
    expect(await claim()).toBeUndefined();
    opened.advance(1_000);
    expect(await claim()).toBeDefined();
  });

  test("gives way to the same work that is waiting already", async () => {
    await add();
    const job = await claimed();
    await add();
    await postponeJob(ground, job, { reason: "the model rests", delayMs: minuteMs });
    expect((await countJobs(ground)).queued).toBe(1);
  });
});

describe("a worker that died", () => {
  test("four times with the same job makes that job fail", async () => {
    await add();
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      expect((await claimed()).attempts).toBe(attempt);
      opened.advance(10 * minuteMs);
    }
    expect(await claim()).toBeUndefined();
    expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 1 });
  });

  test("loses its job a minute after it last renewed its claim, not before", async () => {
    await add();
    await claim("dead");
    opened.advance(minuteMs - 1);
    expect(await claim("alive")).toBeUndefined();
    opened.advance(1);
    expect(await claim("alive")).toMatchObject({ attempts: 2 });
  });
});

describe("the queue", () => {
  test("counts waiting, running and failed jobs, and knows since when the oldest waits", async () => {
    expect(await countJobs(ground)).toEqual({ queued: 0, running: 0, failed: 0, oldestQueuedAt: undefined });
    const since = opened.now();
    await add({ key: "old", runAfter: since + hourMs });
    opened.advance(minuteMs);
    await add({ key: "run", runAfter: since });
    await add({ key: "new" });
    await claimed();
    expect(await countJobs(ground)).toEqual({ queued: 2, running: 1, failed: 0, oldestQueuedAt: since });
  });

  test("counts what is planned for another day only when that comes, but what failed and is tried again at once", async () => {
    await add({ key: "later", runAfter: opened.now() + dayMs });
    expect(await countJobs(ground)).toMatchObject({ queued: 0 });
    await add({ key: "again" });
    await postponeJob(ground, await claimed(), { reason: "the provider is down", delayMs: dayMs });
    expect(await countJobs(ground)).toMatchObject({ queued: 1 });
    opened.advance(dayMs);
    expect(await countJobs(ground)).toMatchObject({ queued: 2 });
  });

  test("drops finished jobs after a day and failed ones after thirty", async () => {
    await add({ key: "done" });
    await finishJob(ground, await claimed());
    await add({ key: "failed" });
    const job = await claimed();
    await failJob(ground, { ...job, attempts: 4 }, "no");
    opened.advance(dayMs);
    expect(await dropOldJobs(ground)).toBe(0);
    opened.advance(1);
    expect(await dropOldJobs(ground)).toBe(1);
    opened.advance(29 * dayMs);
    expect(await dropOldJobs(ground)).toBe(1);
  });
});

test("sweeps that are no longer wanted are dropped, and no other jobs", async () => {
  await add({ kind: "sweep.consolidation", key: sweepKey });
  await add({ kind: "sweep.jobs", key: sweepKey });
  await add({ kind: "session.stop" });
  await dropUnwantedSweeps(ground, ["sweep.jobs"]);
  const rows = await ground.store.read.sql.all<{ kind: string }>("SELECT kind FROM jobs ORDER BY kind");
  expect(rows.map(({ kind }) => kind)).toEqual(["session.stop", "sweep.jobs"]);
});
