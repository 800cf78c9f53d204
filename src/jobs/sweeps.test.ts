import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openTestCore } from "../../test/support/core.ts";
import { forEachTest } from "../../test/support/for-each-test.ts";
import { observe } from "../capture/observations/operations.ts";
import { endSession, startSession } from "../capture/sessions/operations.ts";
import { createAction } from "../coordination/actions/operations.ts";
import { acquireLease } from "../coordination/leases/operations.ts";
import { listSnapshots } from "../governance/snapshots/operations.ts";
import { remember } from "../knowledge/memories/operations.ts";
import { dayMs, hourMs, minuteMs } from "../time/durations.ts";
import { frequentSweeps, sweeps } from "./sweeps.ts";

const store = forEachTest(openTestCore);

async function dataVersion(): Promise<unknown> {
  const [version] = await store.core.ground.store.read.sql.values("PRAGMA data_version");
  return version;
}

test("no sweep in the queue repeats more often than every ten minutes", () => {
  const pauses = sweeps(store.core).flatMap(({ repeats }) => repeats?.everyMs ?? []);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(10 * minuteMs);
});

test("a frequent sweep reads first, and writes only for what it finds", async () => {
  const { action } = await store.call(createAction, { title: "build" });
  await store.call(acquireLease, { actionId: action.id, agentId: "ann" });
  store.advance(hourMs);
  const [coordination] = frequentSweeps(store.core);
  coordination?.start();
  const { sql } = store.core.ground.store.read;
  await expect
    .poll(() => sql.values("SELECT status FROM actions WHERE id = ?", [action.id]))
    .toEqual([["pending"]]);
  await expect.poll(() => coordination?.state).toBe("idle");
  const before = await dataVersion();
  coordination?.wake();
  await expect.poll(() => coordination?.state).toBe("idle");
  expect(await dataVersion()).toEqual(before);
  await coordination?.close();
});

test("the first sweep of the graph waits for a minute after the start", async () => {
  const [, graph] = frequentSweeps(store.core);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  graph?.start();
  vi.advanceTimersByTime(minuteMs - 1);
  expect(graph?.state).toBe("idle");
  vi.advanceTimersByTime(1);
  expect(graph?.state).toBe("busy");
  vi.useRealTimers();
  await graph?.close();
});

test("coordination is swept at the start, and then every 30 s", async () => {
  const [coordination] = frequentSweeps(store.core);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  coordination?.start();
  vi.advanceTimersByTime(0);
  expect(coordination?.state).toBe("busy");
  while (coordination?.state === "busy") await nextTurn();
  vi.advanceTimersByTime(30_000 - 1);
  expect(coordination?.state).toBe("idle");
  vi.advanceTimersByTime(1);
  expect(coordination?.state).toBe("busy");
  vi.useRealTimers();
  await coordination?.close();
});

test("the sweep of memories logs how many observations it drops", async () => {
  const place = { sessionId: "s1", project: "/w/shop", cwd: "/w/shop" };
  await store.call(startSession, place);
  const data = { toolName: "Read", toolInput: { file_path: "/w/shop/a.ts" } };
  const timestamp = new Date(store.now()).toISOString();
  await store.call(observe, { ...place, hookType: "pre_tool_use", timestamp, data });
  await store.call(endSession, { sessionId: "s1" });
  store.advance(200 * dayMs);
  const log = vi.spyOn(store.core.ground, "log");
  const sweep = sweeps(store.core).find(({ kind }) => kind === "sweep.memories");
  await sweep?.run({ id: "job_1", kind: "sweep.memories", key: "", payload: {}, attempts: 0 });
  expect(log.mock.calls.map(([, , counts]) => counts)).toEqual([{ contradictions: 0, observations: 1 }]);
  log.mockRestore();
});

test("snapshots are made by timer where they are turned on, after changes alone", async () => {
  const hourly = { MEMSVC_SNAPSHOT_ENABLED: "true", MEMSVC_SNAPSHOT_INTERVAL: "3600" };
  const timed = await openTestCore({ env: hourly });
  const kinds = async () => (await timed.call(listSnapshots, {})).snapshots.map(({ kind }) => kind);
  await timed.call(remember, { content: "Queues are drained before a release" });
  const sweep = sweeps(timed.core).find(({ kind }) => kind === "sweep.snapshots");
  expect(sweep?.repeats?.everyMs).toBe(hourMs);
  for (let hour = 0; hour < 2; hour += 1) {
    timed.advance(hourMs);
    await sweep?.run({ id: "job_1", kind: "sweep.snapshots", key: "", payload: {}, attempts: 0 });
    expect(await kinds()).toEqual(["timer"]);
  }
  await timed.close();
  expect(sweeps(store.core).map(({ kind }) => kind)).not.toContain("sweep.snapshots");
});
