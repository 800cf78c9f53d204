import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openTestCore } from "../../test/support/core.ts";
import { forEachTest } from "../../test/support/for-each-test.ts";
import type { Ground } from "../ground.ts";
import { MemsvcError } from "../operation/errors.ts";
import { countJobs, enqueue, sweepKey } from "./jobs.ts";
import { type JobHandler, JobWorker } from "./worker.ts";

const opened = forEachTest(openTestCore);
let ground: Ground;
let worker: JobWorker | undefined;
beforeEach(() => {
  ground = opened.core.ground;
});
afterEach(() => worker?.close());

function add(key: string): Promise<void> {
  return ground.store.write((tx) => enqueue(tx, ground, { kind: "k", key }));
}

/** How long the claim of the only job still holds, in milliseconds. */
async function claimedFor(): Promise<number> {
  const [[until] = []] = await ground.store.read.sql.values("SELECT claimed_until FROM jobs");
  return Number(until) - ground.now();
}

/** A handler that records the jobs it gets; jobs with the given keys fail. */
function noting(seen: string[], failing: readonly string[] = []): JobHandler {
  return {
    kind: "k",
    run: async ({ key }) => {
      seen.push(key);
      if (failing.includes(key)) throw new Error("no luck");
    },
  };
}

describe("a worker", () => {
  test("runs waiting jobs when it starts and when it is woken", async () => {
    const seen: string[] = [];
    await add("a");
    await add("b");
    worker = await JobWorker.open(ground, [noting(seen)]);
    await expect.poll(() => seen).toEqual(["a", "b"]);
    await expect.poll(() => worker?.state).toBe("idle");
    await add("c");
    worker.wake();
    await expect.poll(() => seen).toEqual(["a", "b", "c"]);
    await expect.poll(() => countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 0 });
  });

  test("that ends soon runs jobs right away that only wait for more work", async () => {
    const seen: string[] = [];
    const later = (kind: string) =>
      ground.store.write((tx) => enqueue(tx, ground, { kind, key: "a", runAfter: ground.now() + 60_000 }));
    await later("k");
    await later("gathers");
    const run: JobHandler["run"] = async ({ kind }) => void seen.push(kind);
    await JobWorker.runDue(ground, [
      { kind: "k", run },
      { kind: "gathers", gathersWork: true, run },
    ]);
    expect(seen).toEqual(["gathers"]);
  });

  test("runs repeating jobs when the clock is set back", async () => {
    let times = 0;
    const repeating: JobHandler = {
      kind: "r",
      run: async () => {
        times += 1;
      },
      repeats: { everyMs: 60_000, firstAfterMs: 0 },
    };
    opened.advance(365 * 24 * 3_600_000);
    worker = await JobWorker.open(ground, [repeating]);
    await expect.poll(() => times).toBe(1);
    await expect.poll(() => worker?.state).toBe("idle");
    opened.advance(-365 * 24 * 3_600_000);
    worker.wake();
    await expect.poll(() => times).toBe(2);
  });

  test.each(["while it runs", "before it starts"])(
    "retries what failed while the clock was ahead, when it is set back %s",
    async (when) => {
      const seen: string[] = [];
      opened.advance(365 * 24 * 3_600_000);
      await add("bad");
      worker = await JobWorker.open(ground, [noting(seen, ["bad"])]);
      await expect.poll(() => seen).toEqual(["bad"]);
      await expect.poll(() => worker?.state).toBe("idle");
      opened.advance(-365 * 24 * 3_600_000);
      if (when === "before it starts") {
        await worker.close();
        worker = await JobWorker.open(ground, [noting(seen, ["bad"])]);
      } else worker.wake();
      await expect.poll(() => worker?.state).toBe("idle");
      opened.advance(29_999);
      worker.wake();
      await expect.poll(() => worker?.state).toBe("idle");
      expect(seen).toEqual(["bad"]);
      opened.advance(1);
      worker.wake();
      await expect.poll(() => seen).toEqual(["bad", "bad"]);
    },
  );

  test("drops what a request asked for if that is impossible by now, and tries other work again", async () => {
    const seen: string[] = [];
    const refusing = (kind: string): JobHandler => ({
      kind,
      run: async () => {
        seen.push(kind);
        throw new MemsvcError("not_found", "there is no such session");
      },
    });
    for (const kind of ["asked", "own"])
      await ground.store.write((tx) => enqueue(tx, ground, { kind, key: "a" }));
    worker = await JobWorker.open(ground, [{ ...refusing("asked"), mayBeRefused: true }, refusing("own")]);
    await expect.poll(() => seen).toEqual(["asked", "own"]);
    await expect.poll(() => countJobs(ground)).toMatchObject({ queued: 1, running: 0, failed: 0 });
    opened.advance(30_000);
    worker.wake();
    await expect.poll(() => seen).toEqual(["asked", "own", "own"]);
  });

  test("requeues a failed job and goes on with the others", async () => {
    const seen: string[] = [];
    await add("bad");
    await add("good");
    worker = await JobWorker.open(ground, [noting(seen, ["bad"])]);
    await expect.poll(() => seen).toEqual(["bad", "good"]);
    await expect.poll(() => countJobs(ground)).toMatchObject({ queued: 1, running: 0 });
    opened.advance(30_000);
    worker.wake();
    await expect.poll(() => seen).toEqual(["bad", "good", "bad"]);
  });

  test("keeps no secret of a failure's message in the store", async () => {
    const token = ["gh", "p_"].join("") + "a1B2".repeat(9);
    await add("bad");
    const run = async () => Promise.reject(new Error(`https://x.example/?key=${token} did not answer`));
    worker = await JobWorker.open(ground, [{ kind: "k", run }]);
    const reason = () => ground.store.read.sql.values("SELECT error FROM jobs WHERE key = 'bad'");
    await expect.poll(reason).toEqual([["Error: https://x.example/?key=[REDACTED_SECRET] did not answer"]]);
  });

  test("finds jobs that arrive while it runs another", async () => {
    const seen: string[] = [];
    const handler: JobHandler = {
      kind: "k",
      run: async ({ key }) => {
        seen.push(key);
        if (key !== "first") return;
        await add("second");
        worker?.wake();
      },
    };
    await add("first");
    worker = await JobWorker.open(ground, [handler]);
    worker.wake();
    await expect.poll(() => seen).toEqual(["first", "second"]);
  });

  test("keeps other processes from a job that takes longer than a claim", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let release: () => void = () => undefined;
    const working = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    await add("a");
    worker = await JobWorker.open(ground, [{ kind: "k", run: working }]);
    await expect.poll(() => working).toHaveBeenCalled();
    const elsewhere: string[] = [];
    for (let quarters = 0; quarters < 8; quarters += 1) {
      opened.advance(15_000);
      vi.advanceTimersByTime(15_000);
      await expect.poll(() => claimedFor()).toBe(60_000);
      await JobWorker.runDue(ground, [noting(elsewhere)]);
    }
    release();
    await expect.poll(() => countJobs(ground)).toMatchObject({ queued: 0, running: 0, failed: 0 });
    vi.useRealTimers();
    expect([elsewhere, working.mock.calls.length]).toEqual([[], 1]);
  });

  test("finishes its running job when it is closed, and takes no other", async () => {
    const seen: string[] = [];
    let release: () => void = () => undefined;
    const handler: JobHandler = {
      kind: "k",
      run: async ({ key }) => {
        seen.push(`${key} begins`);
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        seen.push(`${key} ends`);
      },
    };
    await add("a");
    await add("b");
    const closing = await JobWorker.open(ground, [handler]);
    await expect.poll(() => seen).toEqual(["a begins"]);
    expect(closing.state).toBe("busy");
    const closed = closing.close();
    release();
    await closed;
    closing.wake();
    expect([seen, closing.state]).toEqual([["a begins", "a ends"], "stopped"]);
    expect(await countJobs(ground)).toMatchObject({ queued: 1, running: 0 });
  });

  test("does not touch the store after it is closed", async () => {
    worker = await JobWorker.open(ground, [noting([])]);
    await worker.close();
    const read = vi.spyOn(ground.store.read.sql, "all");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(read).not.toHaveBeenCalled();
  });

  test("logs an unreadable store once and does not spin", async () => {
    const log = vi.fn();
    worker = await JobWorker.open({ ...ground, log }, [noting([])]);
    await expect.poll(() => worker?.state).toBe("idle");
    await ground.store.write((tx) => tx.sql.run("ALTER TABLE jobs RENAME TO hidden_jobs"));
    worker.wake();
    await expect.poll(() => log).toHaveBeenCalled();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(log).toHaveBeenCalledTimes(1);
    expect(worker.state).toBe("idle");
    await ground.store.write((tx) => tx.sql.run("ALTER TABLE hidden_jobs RENAME TO jobs"));
  });
});

describe("a sweep", () => {
  const hourMs = 3_600_000;

  test("runs after its first delay and then repeatedly, even after a failure", async () => {
    let runs = 0;
    const sweep: JobHandler = {
      kind: "sweep.test",
      run: async () => {
        runs += 1;
        if (runs === 2) throw new Error("no luck");
      },
      repeats: { everyMs: hourMs, firstAfterMs: 60_000 },
    };
    worker = await JobWorker.open(ground, [sweep]);
    await expect.poll(() => worker?.state).toBe("idle");
    expect(runs).toBe(0);
    for (const [advanceMs, wanted] of [
      [60_000, 1],
      [hourMs, 2],
      [hourMs, 3],
      [hourMs, 4],
    ] as const) {
      opened.advance(advanceMs);
      worker.wake();
      await expect.poll(() => runs).toBe(wanted);
      await expect.poll(() => worker?.state).toBe("idle");
    }
  });

  test("runs again if its end could not be stored, as on a full disk", async () => {
    let runs = 0;
    const sweep: JobHandler = {
      kind: "sweep.test",
      run: async () => {
        runs += 1;
      },
      repeats: { everyMs: hourMs, firstAfterMs: 0 },
    };
    await opened.writeSql(
      "CREATE TRIGGER full BEFORE INSERT ON jobs WHEN new.run_after > new.created_at BEGIN SELECT raise(ABORT, 'full'); END",
    );
    worker = await JobWorker.open(ground, [sweep]);
    for (const wanted of [1, 2, 3, 4, 5]) {
      await expect.poll(() => runs).toBe(wanted);
      await expect.poll(() => worker?.state).toBe("idle");
      opened.advance(60_000);
      if (wanted === 5) await opened.writeSql("DROP TRIGGER full");
      worker.wake();
    }
    await expect.poll(() => runs).toBe(6);
    await expect.poll(() => worker?.state).toBe("idle");
    opened.advance(hourMs);
    worker.wake();
    await expect.poll(() => runs).toBe(7);
  });

  test("is queued once, however many processes start", async () => {
    const sweep: JobHandler = {
      kind: "sweep.test",
      run: async () => undefined,
      repeats: { everyMs: hourMs, firstAfterMs: hourMs },
    };
    worker = await JobWorker.open(ground, [sweep]);
    const second = await JobWorker.open(ground, [sweep]);
    const queued = () => ground.store.read.sql.all("SELECT id FROM jobs WHERE status = 'queued'");
    expect(await queued()).toHaveLength(1);
    await second.close();
  });

  test("counts as waiting only when it is due", async () => {
    await ground.store.write((tx) =>
      enqueue(tx, ground, { kind: "sweep.test", key: sweepKey, runAfter: ground.now() + hourMs }),
    );
    expect((await countJobs(ground)).queued).toBe(0);
    opened.advance(hourMs);
    expect((await countJobs(ground)).queued).toBe(1);
  });
});
