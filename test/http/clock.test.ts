import { expect, test } from "vitest";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { abandonStale } from "../../src/capture/sessions/abandon-stale.ts";
import { endSession, listSessions } from "../../src/capture/sessions/operations.ts";
import { createAction } from "../../src/coordination/actions/operations.ts";
import { createCheckpoint, listCheckpoints } from "../../src/coordination/checkpoints/operations.ts";
import { acquireLease } from "../../src/coordination/leases/operations.ts";
import { createSentinel, listSentinels } from "../../src/coordination/sentinels/operations.ts";
import { readSignals, sendSignal } from "../../src/coordination/signals/operations.ts";
import { createSketch, listSketches } from "../../src/coordination/sketches/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { listSnapshots } from "../../src/governance/snapshots/operations.ts";
import { sweeps } from "../../src/jobs/sweeps.ts";
import { JobWorker } from "../../src/jobs/worker.ts";
import { listLessons, saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { forget, getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { dayMs, hourMs, minuteMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

/* The clock was a year ahead for a while, as after a dead battery or a restored machine, and then was corrected. */
const aheadMs = 365 * dayMs;

const http = forEachTest(() =>
  openTestHttp({ env: { CONSOLIDATION_ENABLED: "true", MEMSVC_AUDIT_RETENTION_DAYS: "30" } }),
);

const ahead = async (work: () => Promise<unknown>) => {
  http.advance(aheadMs);
  await work();
  http.advance(-aheadMs);
};

const say = (userPrompt: string, sessionId = "one") =>
  http.ok(observe, {
    hookType: "prompt_submit",
    sessionId,
    project: "/code/shop",
    cwd: "/code/shop",
    timestamp: new Date(http.now()).toISOString(),
    data: { userPrompt },
  });

test("a prompt said while the clock was ahead is captured when repeated, but not when redelivered", async () => {
  await ahead(() => say("go on"));
  expect(await say("go on")).toMatchObject({ deduplicated: false });
  http.advance(-minuteMs);
  expect(await say("go on")).toMatchObject({ deduplicated: true });
});

test("the stop of a session is processed again, though the last came while the clock was ahead", async () => {
  await ahead(async () => {
    await say("Build the queue");
    await http.ok(endSession, { sessionId: "one" });
    await http.runDueJobs();
  });
  const { observationId } = await say("Build the cache");
  await http.ok(endSession, { sessionId: "one" });
  http.advance(hourMs);
  await http.runDueJobs();
  const rows = await http.core.ground.store.read.sql.values(
    "SELECT 1 FROM sessions JOIN observations AS o ON o.seq = last_stop_seq WHERE o.id = ?",
    [observationId],
  );
  expect(rows).toHaveLength(1);
});

test("a project that was consolidated while the clock was ahead is consolidated again, once", async () => {
  await ahead(async () => {
    await say("Build the queue");
    expect(await http.core.consolidations.distilActive()).toBe(1);
    await http.runDueJobs();
  });
  expect(await http.core.consolidations.distilActive()).toBe(1);
  await http.runDueJobs();
  http.advance(hourMs);
  expect(await http.core.consolidations.distilActive()).toBe(0);
});

test("after the clock was ahead, timed snapshots go on when something changed, and only then", async () => {
  const { snapshots } = http.core;
  await ahead(async () => {
    await http.ok(remember, { content: "Queues are drained" });
    http.advance(minuteMs);
    expect(await snapshots.createIfChanged()).toBeDefined();
  });
  await http.ok(remember, { content: "Caches are warm" });
  http.advance(minuteMs);
  expect(await snapshots.createIfChanged()).toBeDefined();
  http.advance(minuteMs);
  expect(await snapshots.createIfChanged()).toBeUndefined();
});

test("a new safety snapshot is kept, however many were made while the clock was ahead", async () => {
  const { snapshots } = http.core;
  await ahead(async () => {
    for (let made = 0; made < 10; made += 1) await snapshots.takeSafety("before something");
  });
  const id = await snapshots.takeSafety("before something");
  const listed = (await http.ok(listSnapshots, {})).snapshots;
  expect(listed).toHaveLength(10);
  expect(listed.map((snapshot) => snapshot.id)).toContain(id);
});

test("a profile that was built while the clock was ahead is rebuilt", async () => {
  await ahead(async () => {
    await say("Build the queue");
    await http.ok(getProfile, { project: "/code/shop" });
  });
  expect(await http.ok(getProfile, { project: "/code/shop" })).toMatchObject({ cached: false });
  expect(await http.ok(getProfile, { project: "/code/shop" })).toMatchObject({ cached: true });
});

test("recalls are counted again, though the last came while the clock was ahead", async () => {
  const { memoryId: id } = await http.ok(remember, { content: "Queues are drained" });
  await ahead(() => http.ok(getMemory, { id }));
  const { body } = await http.reply(listMemories, {});
  const [shown] = body.memories as { strength: number }[];
  expect(shown?.strength).toBeLessThanOrEqual(1);
  const recalls = async () => (await http.ok(getMemory, { id })).memory.recallCount;
  expect(await recalls()).toBe(2);
  expect(await recalls()).toBe(2);
  http.advance(hourMs);
  expect(await recalls()).toBe(3);
  const logs = await http.core.ground.store.read.sql.values("SELECT count FROM access_logs");
  expect(logs).toEqual([[3]]);
});

test("an action leased while the clock was ahead can be leased by others once its lease has lasted its time", async () => {
  const { action } = await http.ok(createAction, { title: "Drain the queue" });
  const take = (agentId: string) => http.reply(acquireLease, { actionId: action.id, agentId });
  await ahead(() => take("builder"));
  expect((await take("tester")).status).toBe(409);
  http.advance(10 * minuteMs);
  expect((await take("tester")).status).toBe(200);
  http.advance(-minuteMs);
  expect((await take("builder")).status).toBe(409);
});

test("timers that were set while the clock was ahead go off after their time", async () => {
  await ahead(async () => {
    await http.ok(createCheckpoint, { name: "Cool-down", type: "timer", expiresInMs: 10 * minuteMs });
    const config = { durationMs: 10 * minuteMs };
    await http.ok(createSentinel, { name: "Cool-down", type: "timer", config });
  });
  const statuses = async () => {
    const { checkpoints } = await http.ok(listCheckpoints, {});
    const { sentinels } = await http.ok(listSentinels, {});
    return [checkpoints[0]?.status, sentinels[0]?.status];
  };
  expect(await statuses()).toEqual(["pending", "watching"]);
  http.advance(9 * minuteMs);
  expect(await statuses()).toEqual(["pending", "watching"]);
  http.advance(minuteMs);
  expect(await statuses()).toEqual(["passed", "triggered"]);
});

test("what was to expire by itself, and was made while the clock was ahead, expires after its time", async () => {
  const expiresInMs = 10 * minuteMs;
  await ahead(async () => {
    await http.ok(createSentinel, { name: "Release approved", type: "approval", expiresInMs });
    await http.ok(createSketch, { title: "Split the queue", expiresInMs });
  });
  const statuses = async () => {
    const { sentinels } = await http.ok(listSentinels, {});
    const { sketches } = await http.ok(listSketches, {});
    return [sentinels[0]?.status, sketches[0]?.status];
  };
  expect(await statuses()).toEqual(["watching", "active"]);
  http.advance(9 * minuteMs);
  expect(await statuses()).toEqual(["watching", "active"]);
  http.advance(minuteMs);
  expect(await statuses()).toEqual(["expired", "discarded"]);
});

test("a session last active while the clock was ahead is abandoned after a day of silence", async () => {
  await ahead(() => say("go on"));
  const status = async () => (await http.ok(listSessions, {})).sessions[0]?.status;
  const sweep = () => abandonStale(http.core.ground, http.core.audit);
  await sweep();
  expect(await status()).toBe("active");
  http.advance(25 * hourMs);
  await sweep();
  expect(await status()).toBe("abandoned");
});

/** Runs the due sweeps, as the daemon does at its start and from time to time. */
async function sweepNow(): Promise<void> {
  const { ground } = http.core;
  await (await JobWorker.open(ground, sweeps(http.core))).close();
  await JobWorker.runDue(ground, sweeps(http.core));
}

test("a memory survives sweeps while the clock is ahead", async () => {
  const { memoryId: id } = await http.ok(remember, { content: "Queues are drained" });
  const status = async () => (await http.reply(getMemory, { id })).status;
  await sweepNow();
  for (let time = 0; time < 3; time += 1) {
    await ahead(sweepNow);
    await sweepNow();
    http.advance(2 * hourMs);
    await sweepNow();
  }
  expect(await status()).toBe(200);
});

test("a memory survives a clock that is ahead when the daemon was killed in the middle of a sweep", async () => {
  const { memoryId: id } = await http.ok(remember, { content: "Queues are drained" });
  await sweepNow();
  const noSuchProcess = "4194399 1";
  await http.writeSql(
    "UPDATE jobs SET status = 'running', attempts = 1, claimed_by = ?, claimed_until = run_after WHERE key = 'sweep'",
    [noSuchProcess],
  );
  await ahead(async () => {
    await sweepNow();
    http.advance(hourMs);
    await sweepNow();
    http.advance(-hourMs);
  });
  expect((await http.reply(getMemory, { id })).status).toBe(200);
});

test("a lesson survives sweeps and consolidation while the clock is ahead", async () => {
  await http.ok(saveLesson, { content: "Drain the queue first", project: "/code/shop" });
  await sweepNow();
  await ahead(async () => {
    await say("Build the queue");
    await sweepNow();
    await http.runDueJobs();
  });
  expect((await http.ok(listLessons, {})).total).toBe(1);
});

test("a signal survives sweeps while the clock is ahead, and is deleted a week after its expiry", async () => {
  await http.ok(sendSignal, { from: "builder", content: "Mind the queue", expiresInMs: dayMs });
  await sweepNow();
  await ahead(sweepNow);
  await sweepNow();
  expect((await http.ok(readSignals, { agentId: "tester", peek: true })).total).toBe(1);
  const rows = () => http.core.ground.store.read.sql.all("SELECT 1 FROM signals");
  for (let day = 0; day < 8; day += 1) {
    expect(await rows()).toHaveLength(1);
    http.advance(dayMs);
    await sweepNow();
  }
  expect(await rows()).toHaveLength(0);
  const { entries } = await http.ok(listAudit, { operation: "sweep" });
  expect(entries.map(({ details }) => details)).toContainEqual({ signals: 1 });
});

test("what was written before the clock was set does not count as old once it is", async () => {
  const unsetForMs = http.now() - minuteMs;
  http.advance(-unsetForMs);
  const { memoryId: id } = await http.ok(remember, { content: "Queues are drained" });
  await http.ok(saveLesson, { content: "Drain the queue first" });
  const { observationId } = await http.ok(observe, {
    ...{ hookType: "notification", sessionId: "one", project: "/code/shop", cwd: "/code/shop" },
    ...{ timestamp: new Date(http.now()).toISOString(), data: { message: "Waiting for input" } },
  });
  await sweepNow();
  http.advance(unsetForMs);
  for (let day = 0; day < 3; day += 1) {
    await sweepNow();
    http.advance(dayMs);
  }
  expect((await http.ok(getMemory, { id })).memory.strength).toBe(1);
  expect((await http.ok(listLessons, {})).lessons).toMatchObject([{ confidence: 0.5 }]);
  const { observations } = await http.ok(listObservations, { sessionId: "one" });
  expect(observations.map((observation) => observation.id)).toEqual([observationId]);
});

test("what became old while the machine was off is swept a day after it starts, however often the daemon starts", async () => {
  const { memoryId: id } = await http.ok(remember, { content: "Queues are drained" });
  const { memoryId } = await http.ok(remember, { content: "A condor nests there" });
  await http.ok(forget, { memoryId });
  await http.ok(sendSignal, { from: "ann", to: "bob", content: "ready", expiresInMs: 1_000 });
  const status = async () => (await http.reply(getMemory, { id })).status;
  await sweepNow();
  http.advance(aheadMs);
  const old = `SELECT 'memory' FROM memories UNION SELECT 'signal' FROM signals UNION SELECT 'tombstone' FROM tombstones
    UNION SELECT 'audit' FROM audit_entries WHERE operation = 'forget'`;
  const rows = async () => (await http.core.ground.store.read.sql.values(old)).flat();
  for (const passing of [minuteMs, minuteMs, dayMs - 4 * minuteMs, minuteMs]) {
    await sweepNow();
    expect(await rows()).toEqual(["audit", "memory", "signal", "tombstone"]);
    http.advance(passing);
  }
  await sweepNow();
  http.advance(minuteMs);
  await sweepNow();
  // The tombstone is the memory's.
  expect(await rows()).toEqual(["tombstone"]);
  expect(await status()).toBe(404);
});
