import { spawn, spawnSync } from "node:child_process";
import { beforeEach, expect, test, vi } from "vitest";
import { openTestCore } from "../../test/support/core.ts";
import { forEachTest } from "../../test/support/for-each-test.ts";
import type { Ground } from "../ground.ts";
import { MemsvcError } from "../operation/errors.ts";
import { countJobs, enqueue } from "./jobs.ts";
import { LongRuns } from "./long-runs.ts";
import { JobWorker } from "./worker.ts";

const opened = forEachTest(openTestCore);
let ground: Ground;
let runs: LongRuns;
beforeEach(() => {
  ground = opened.core.ground;
  runs = new LongRuns(ground);
});

const work = { kind: "test.work", key: "a", payload: { n: 2 } };

/** A promise and the functions that settle it. */
function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

test("work that ends in time returns its result and leaves a finished job", async () => {
  runs.register(work.kind, async ({ payload }) => Number(payload.n) * 21);
  expect(await runs.run(work, 5_000)).toBe(42);
  expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 0 });
});

test("work that outlasts the wait goes on after the answer, which names its job", async () => {
  const { promise, resolve } = deferred<string>();
  runs.register(work.kind, () => promise);
  expect(await runs.run(work, 1)).toMatchObject({ queued: true, jobId: expect.stringMatching(/^job_/u) });
  expect(await countJobs(ground)).toMatchObject({ running: 1 });
  resolve("done");
  await runs.settled();
  expect(await countJobs(ground)).toMatchObject({ running: 0, queued: 0, failed: 0 });
});

test("concurrent requests for the same work share one run", async () => {
  const run = vi.fn(async () => "once");
  runs.register(work.kind, run);
  const results = await Promise.all([1, 2, 3].map(() => runs.run(work, 5_000)));
  expect(results).toEqual(["once", "once", "once"]);
  expect(run).toHaveBeenCalledTimes(1);
  // The work is not done again by itself once a claim that nobody renews has run out.
  expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 0 });
  opened.advance(61_000);
  await JobWorker.runDue(ground, runs.handlers());
  expect(run).toHaveBeenCalledTimes(1);
});

test("a failure while the request waits is returned and not retried", async () => {
  runs.register(work.kind, async () => {
    throw new MemsvcError("provider_failed", "the model did not answer");
  });
  await expect(runs.run(work, 5_000)).rejects.toMatchObject({ code: "provider_failed" });
  expect(await countJobs(ground)).toMatchObject({ queued: 0, failed: 1 });
});

test("work that has to wait is queued, and the request is told so", async () => {
  const run = vi.fn(async (): Promise<string> => {
    throw new MemsvcError("unavailable", "the hour's calls are spent", { extra: { retryAfterMs: 60_000 } });
  });
  runs.register(work.kind, run);
  const queued = { queued: true, jobId: expect.stringMatching(/^job_/u) };
  expect(await runs.run(work, 5_000)).toEqual(queued);
  expect(await countJobs(ground)).toMatchObject({ queued: 1, running: 0, failed: 0 });
  run.mockImplementation(async () => "done");
  await JobWorker.runDue(ground, runs.handlers());
  expect(run).toHaveBeenCalledTimes(1);
  opened.advance(60_000);
  await JobWorker.runDue(ground, runs.handlers());
  expect(run).toHaveBeenCalledTimes(2);
  expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 0 });
});

test("a failure after the answer is retried by the job queue", async () => {
  const { promise, reject } = deferred<string>();
  const run = vi.fn(() => promise);
  runs.register(work.kind, run);
  await runs.run(work, 1);
  reject(new Error("no luck"));
  await runs.settled();
  expect(await countJobs(ground)).toMatchObject({ queued: 1, failed: 0 });
  run.mockImplementation(async () => "luck");
  opened.advance(30_000);
  await JobWorker.runDue(ground, runs.handlers());
  expect(run).toHaveBeenCalledTimes(2);
  expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 0 });
});

test("a request for something unknown leaves no failed job", async () => {
  runs.register(work.kind, async () => {
    throw new MemsvcError("not_found", "no such thing");
  });
  await expect(runs.run(work, 5_000)).rejects.toMatchObject({ code: "not_found" });
  expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 0 });
});

test("work of a process that died is resumed when its claim has expired", async () => {
  runs.register(work.kind, () => new Promise(() => undefined));
  await runs.run(work, 1);
  const after = new LongRuns(ground);
  const seen: unknown[] = [];
  after.register(work.kind, async ({ payload }) => seen.push(payload));
  await JobWorker.runDue(ground, after.handlers());
  expect(seen).toEqual([]);
  opened.advance(60_000);
  await JobWorker.runDue(ground, after.handlers());
  expect(seen).toEqual([{ n: 2 }]);
});

test("a request takes over the work of a process that died, and it is done once", async () => {
  runs.register(work.kind, () => new Promise(() => undefined));
  await runs.run(work, 1);
  const { pid } = spawnSync(process.execPath, ["--version"]);
  await opened.writeSql(`UPDATE jobs SET claimed_by = '${pid} -'`);
  const after = new LongRuns(ground);
  const run = vi.fn(async () => "done");
  after.register(work.kind, run);
  expect(await after.run(work, 5_000)).toBe("done");
  expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 0 });
  opened.advance(60_000);
  await JobWorker.runDue(ground, after.handlers());
  expect(run).toHaveBeenCalledTimes(1);
});

test("a request takes over the same work if its claim has expired", async () => {
  runs.register(work.kind, () => new Promise(() => undefined));
  await runs.run(work, 1);
  opened.advance(60_000);
  const after = new LongRuns(ground);
  const run = vi.fn(async () => "done");
  after.register(work.kind, run);
  expect(await after.run(work, 5_000)).toBe("done");
  await JobWorker.runDue(ground, after.handlers());
  expect(run).toHaveBeenCalledTimes(1);
});

test("a request replaces only the same work that is waiting", async () => {
  let answer = async (): Promise<string> => {
    throw new MemsvcError("provider_failed", "the model did not answer");
  };
  runs.register(work.kind, () => answer());
  await expect(runs.run(work, 5_000)).rejects.toMatchObject({ code: "provider_failed" });
  const waiting = [work, { ...work, key: "b" }, { ...work, kind: "test.other" }];
  for (const job of waiting) await ground.store.write((tx) => enqueue(tx, ground, job));
  answer = async () => "done";
  expect(await runs.run(work, 5_000)).toBe("done");
  expect(await countJobs(ground)).toMatchObject({ queued: 2, failed: 1 });
});

test("a request leaves work to the other process that does it, and says so", async () => {
  runs.register(work.kind, () => new Promise(() => undefined));
  await runs.run(work, 1);
  const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
  try {
    await opened.writeSql(`UPDATE jobs SET claimed_by = '${other.pid} -'`);
    const after = new LongRuns(ground);
    const run = vi.fn(async () => "done");
    after.register(work.kind, run);
    expect(await after.run(work, 5_000)).toEqual({
      queued: true,
      jobId: expect.stringMatching(/^job_/u),
    });
    expect(run).not.toHaveBeenCalled();
    expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 1 });
  } finally {
    other.kill("SIGKILL");
  }
});

test("a request waits for the same work if the job queue is doing it", async () => {
  runs.register(work.kind, () => new Promise(() => undefined));
  await runs.run(work, 1);
  opened.advance(60_000);
  const after = new LongRuns(ground);
  const { promise, resolve } = deferred<string>();
  const run = vi.fn(() => promise);
  after.register(work.kind, run);
  const taken = JobWorker.runDue(ground, after.handlers());
  await expect.poll(() => run).toHaveBeenCalledTimes(1);
  const asked = after.run(work, 5_000);
  resolve("done");
  expect(await asked).toBe("done");
  await taken;
  expect(run).toHaveBeenCalledTimes(1);
  expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 0 });
});

test("work that this process still does is not begun again after the machine slept", async () => {
  const { promise, resolve } = deferred<string>();
  const run = vi.fn(() => promise);
  runs.register(work.kind, run);
  await runs.run(work, 1);
  // While the machine sleeps, a process does not renew its claims, and after waking it may look for jobs first.
  opened.advance(10 * 60_000);
  await JobWorker.runDue(ground, runs.handlers());
  expect(run).toHaveBeenCalledTimes(1);
  expect(await countJobs(ground)).toMatchObject({ running: 1, failed: 0 });
  resolve("done");
  await runs.settled();
  expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 0 });
});

test("resumed work that has become impossible is finished and not retried", async () => {
  runs.register(work.kind, () => new Promise(() => undefined));
  await runs.run(work, 1);
  const after = new LongRuns(ground);
  after.register(work.kind, async () => {
    throw new MemsvcError("not_found", "it was deleted meanwhile");
  });
  opened.advance(60_000);
  await JobWorker.runDue(ground, after.handlers());
  expect(await countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 0 });
});
