import { describe, expect, test } from "vitest";
import { getAction, listActions, updateAction } from "../../src/coordination/actions/operations.ts";
import { acquireLease } from "../../src/coordination/leases/operations.ts";
import {
  listRoutines,
  runRoutine,
  saveRoutine,
  showRoutineRun,
} from "../../src/coordination/routines/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

type Saved = Parameters<typeof http.ok<typeof saveRoutine.input, typeof saveRoutine.output>>[1];

const release: Saved["steps"] = [
  { title: "Test", order: 10 },
  { title: "Announce", order: 30, dependsOn: [20] },
  {
    title: "Publish",
    order: 20,
    description: "to the registry",
    dependsOn: [10, 10],
    actionTemplate: { priority: 8, tags: "release, npm", metadata: { registry: "npm", tries: 1 } },
  },
];

async function save(more: Partial<Saved> = {}): Promise<string> {
  http.advance(1_000);
  return (await http.ok(saveRoutine, { name: "Release", steps: release, ...more })).routine.id;
}

async function begin(more: Readonly<Record<string, unknown>> = {}) {
  return http.ok(runRoutine, { routineId: await save(), ...more });
}

const set = (actionId: string, status: "pending" | "active" | "done" | "blocked" | "cancelled") =>
  http.ok(updateAction, { actionId, status });

describe("saving a routine", () => {
  test("returns it as stored, with its steps in order, and frozen by default", async () => {
    const { routine, created } = await http.ok(saveRoutine, {
      name: " Release ",
      steps: release,
      tags: ["ops"],
    });
    expect([routine, created]).toEqual([
      {
        id: expect.stringMatching(/^rtn_/u),
        name: "Release",
        description: "",
        steps: [
          { order: 10, title: "Test", description: "", actionTemplate: {}, dependsOn: [] },
          {
            order: 20,
            title: "Publish",
            description: "to the registry",
            actionTemplate: {
              priority: 8,
              tags: ["release", "npm"],
              metadata: { registry: "npm", tries: 1 },
            },
            dependsOn: [10],
          },
          { order: 30, title: "Announce", description: "", actionTemplate: {}, dependsOn: [20] },
        ],
        frozen: true,
        tags: ["ops"],
        sourceProceduralIds: [],
        createdAt: "2026-03-01T12:00:00.000Z",
        updatedAt: "2026-03-01T12:00:00.000Z",
      },
      true,
    ]);
    const empty = { order: null, description: null, dependsOn: null };
    const reply = await http.reply(saveRoutine, {
      name: "x",
      steps: [
        { title: "a", ...empty, actionTemplate: null },
        { title: "b", dependsOn: [1], actionTemplate: { priority: null } },
      ],
    });
    const plain = saveRoutine.output.parse(reply.body);
    expect(plain.routine.steps.map(({ order, dependsOn }) => [order, dependsOn])).toEqual([
      [1, []],
      [2, [1]],
    ]);
  });

  test("replaces one by id unless it is frozen", async () => {
    const routineId = await save({ frozen: false, tags: ["old"] });
    http.advance(1_000);
    const input = { name: "Better", steps: [{ title: "Once" }], routineId };
    const reply = await http.reply(saveRoutine, input);
    expect([reply.status, reply.body.created]).toEqual([200, false]);
    expect((await http.ok(listRoutines, {})).routines).toEqual([
      expect.objectContaining({
        id: routineId,
        name: "Better",
        tags: [],
        frozen: true,
        createdAt: "2026-03-01T12:00:01.000Z",
        updatedAt: "2026-03-01T12:00:02.000Z",
      }),
    ]);
    expect((await http.reply(saveRoutine, input)).status).toBe(409);
    expect((await http.reply(saveRoutine, { ...input, routineId: "rtn_none" })).status).toBe(404);
  });

  test.each([
    ["no steps", [], "steps"],
    ["101 steps", Array.from({ length: 101 }, () => ({ title: "x" })), "steps"],
    ["a step without a title", [{ description: "x" }], "steps.0.title"],
    ["the same order twice", [{ title: "a", order: 2 }, { title: "b" }], "steps.1.order"],
    ["a step that depends on itself", [{ title: "a", dependsOn: [1] }], "steps.0.dependsOn.0"],
    ["a step that depends on none", [{ title: "a", dependsOn: [7] }], "steps.0.dependsOn.0"],
    [
      "a circle",
      [
        { title: "a", dependsOn: [3] },
        { title: "b", dependsOn: [1] },
        { title: "c", dependsOn: [2] },
      ],
      "steps",
    ],
    [
      "a template with a priority of 11",
      [{ title: "a", actionTemplate: { priority: 11 } }],
      "steps.0.actionTemplate.priority",
    ],
  ])("refuses %s with 400", async (_name, steps, path) => {
    const { status, body } = await http.reply(saveRoutine, { name: "x", steps });
    expect([status, (body.issues as { path: string }[])[0]?.path]).toEqual([400, path]);
    expect((await http.ok(listRoutines, {})).total).toBe(0);
  });

  test("redacts secrets in its texts and metadata", async () => {
    const token = `ghp_${"aB3dE5gH7j".repeat(4)}`;
    const steps = [{ title: `use ${token}`, actionTemplate: { metadata: { password: "hunter2secret" } } }];
    const { routine } = await http.ok(saveRoutine, { name: token, steps });
    expect(JSON.stringify(routine)).not.toMatch(/ghp_|hunter2/u);
  });
});

test("routines are listed newest first, by tag and frozen state", async () => {
  const ids = [await save({ tags: ["a"] }), await save({ frozen: false }), await save({ tags: ["a", "b"] })];
  const listed = async (query: Readonly<Record<string, unknown>>) =>
    (await http.ok(listRoutines, query)).routines.map(({ id }) => ids.indexOf(id));
  expect(await listed({})).toEqual([2, 1, 0]);
  expect(await listed({ frozen: true })).toEqual([2, 0]);
  expect(await listed({ frozen: false })).toEqual([2, 1, 0]);
  expect(await listed({ tag: "a" })).toEqual([2, 0]);
  expect(await http.ok(listRoutines, { limit: 1, offset: 1 })).toMatchObject({
    total: 3,
    limit: 1,
    offset: 1,
  });
});

describe("a run of a routine", () => {
  test("creates an action per step with overrides applied, each requiring the ones it depends on", async () => {
    const overrides = { "20": { title: "Publish it", assignedTo: "bob", metadata: { tries: 2 } } };
    const { run, actions, actionsCreated } = await begin({ project: "shop", initiatedBy: "ann", overrides });
    expect(actionsCreated).toBe(3);
    expect(run).toEqual({
      id: expect.stringMatching(/^run_/u),
      routineId: expect.stringMatching(/^rtn_/u),
      status: "running",
      startedAt: "2026-03-01T12:00:01.000Z",
      actionIds: actions.map(({ id }) => id),
      stepStatus: { "10": "pending", "20": "blocked", "30": "blocked" },
      initiatedBy: "ann",
      project: "shop",
    });
    expect(actions[1]).toMatchObject({
      title: "Publish it",
      description: "to the registry",
      priority: 8,
      tags: ["release", "npm"],
      assignedTo: "bob",
      createdBy: "ann",
      project: "shop",
      blockReason: "edges",
      metadata: { registry: "npm", tries: 2, runId: run.id, step: 20 },
    });
    const [test, publish] = actions;
    expect(test?.priority).toBe(5);
    const { edges } = await http.ok(getAction, { actionId: publish?.id ?? "" });
    expect(edges).toContainEqual(expect.objectContaining({ type: "requires", targetActionId: test?.id }));
    expect((await http.ok(listAudit, { operation: "action_create" })).total).toBe(0);
    expect((await http.ok(listAudit, { operation: "routine_run" })).entries).toEqual([
      expect.objectContaining({
        functionId: "routine.run",
        targetIds: [run.id, run.routineId, ...run.actionIds],
      }),
    ]);
  });

  test("keeps the step's values where an override gives null for them", async () => {
    const overrides = { "20": { title: "Publish it", description: null, priority: null, assignedTo: null } };
    const routineId = await save();
    const { status, body } = await http.reply(runRoutine, { routineId, overrides });
    expect(status).toBe(201);
    expect(body.actions).toContainEqual(
      expect.objectContaining({ title: "Publish it", description: "to the registry", priority: 8 }),
    );
  });

  test("is a 404 for an unknown routine, and a 400 for an invalid override", async () => {
    expect((await http.reply(runRoutine, { routineId: "rtn_none" })).status).toBe(404);
    const routineId = await save();
    for (const overrides of [{ "40": {} }, { "10": { priority: 0 } }, []]) {
      expect((await http.reply(runRoutine, { routineId, overrides })).status).toBe(400);
    }
    const bulky = { "20": { metadata: { note: "x".repeat(65_500) } } };
    expect((await http.reply(runRoutine, { routineId, overrides: bulky })).body.error).toContain(
      "65536 bytes",
    );
    expect((await http.ok(listActions, {})).total).toBe(0);
    expect((await http.reply(showRoutineRun, { runId: "run_none" })).status).toBe(404);
  });

  test("has the status that its actions give it: running, paused, completed and running again", async () => {
    const { run, actions } = await begin();
    const [one = "", two = "", three = ""] = actions.map(({ id }) => id);
    const state = async () => {
      const shown = await http.ok(showRoutineRun, { runId: run.id });
      return [shown.run.status, shown.run.stepStatus, shown.progress, shown.run.completedAt];
    };
    await set(one, "done");
    const counts = { total: 3, done: 1, active: 0, pending: 1, blocked: 1, cancelled: 0 };
    expect(await state()).toEqual([
      "running",
      { "10": "done", "20": "pending", "30": "blocked" },
      counts,
      undefined,
    ]);
    await set(two, "blocked");
    expect((await state())[0]).toBe("running");
    await set(three, "blocked");
    expect((await state())[0]).toBe("paused");
    http.advance(5_000);
    await set(two, "cancelled");
    http.advance(5_000);
    await set(three, "done");
    expect(await state()).toEqual([
      "completed",
      { "10": "done", "20": "failed", "30": "done" },
      { ...counts, done: 2, pending: 0, blocked: 0, cancelled: 1 },
      "2026-03-01T12:00:11.000Z",
    ]);
    await set(three, "pending");
    expect((await state())[0]).toBe("running");
  });

  test("shows a step as free again once the lease on it is over, before any sweep", async () => {
    const { run, actions } = await begin();
    await http.ok(acquireLease, { actionId: actions[0]?.id ?? "", agentId: "ann", ttlMs: 1_000 });
    const first = async () => (await http.ok(showRoutineRun, { runId: run.id })).run.stepStatus["10"];
    expect(await first()).toBe("active");
    http.advance(1_000);
    expect(await first()).toBe("pending");
  });

  test("has failed once all of its actions are cancelled", async () => {
    const { run, actions } = await begin();
    for (const { id } of actions) await set(id, "cancelled");
    expect((await http.ok(showRoutineRun, { runId: run.id })).run).toMatchObject({
      status: "failed",
      completedAt: "2026-03-01T12:00:01.000Z",
      stepStatus: { "10": "failed", "20": "failed", "30": "failed" },
    });
  });
});

test("a run whose actions were all deleted has failed, with no time of its end", async () => {
  const { run } = await begin();
  await http.ok(importStore, { strategy: "replace", exportData: { version: "0.1.0", actions: [] } });
  const left = await http.ok(showRoutineRun, { runId: run.id });
  expect(left).toMatchObject({
    run: { status: "failed", stepStatus: {} },
    actions: [],
    progress: { total: 0 },
  });
  expect(left.run).not.toHaveProperty("completedAt");
});

test("an imported routine is frozen and its steps are numbered, unless the file says otherwise", async () => {
  const steps = [{ title: "Test" }, { title: "Publish", dependsOn: [1] }];
  const routines = [{ id: "rtn_elsewhere", name: "Release", steps, createdAt: "2026-01-01T00:00:00Z" }];
  await http.ok(importStore, { exportData: { version: "0.1.0", routines } });
  expect((await http.ok(listRoutines, {})).routines).toMatchObject([
    { id: "rtn_elsewhere", frozen: true, steps: [{ order: 1 }, { order: 2, dependsOn: [1] }] },
  ]);
});

test("an export and import transfer routines and runs with their status", async () => {
  const { run } = await begin({ initiatedBy: "ann", project: "shop" });
  const exportData = (await http.send("/export")).body as { routineRuns: Record<string, unknown>[] };
  expect(exportData.routineRuns).toEqual([expect.objectContaining(run)]);
  const other = await openTestHttp();
  const { counts } = await other.ok(importStore, { exportData });
  expect([counts.routines, counts.routineRuns]).toEqual([
    { written: 1, skipped: 0 },
    { written: 1, skipped: 0 },
  ]);
  const there = (await other.send("/export")).body;
  expect([there.routines, there.routineRuns]).toEqual([
    (exportData as { routines?: unknown }).routines,
    exportData.routineRuns,
  ]);
  expect((await other.ok(showRoutineRun, { runId: run.id })).run).toEqual(run);
  expect((await other.ok(importStore, { exportData })).counts.routineRuns).toMatchObject({ written: 0 });
  const [{ steps: _ours, ...foreign } = {}] = exportData.routineRuns;
  await other.ok(importStore, { strategy: "replace", exportData: { ...exportData, routineRuns: [foreign] } });
  expect((await other.ok(showRoutineRun, { runId: run.id })).run).toEqual(run);
  await other.close();
});

test("an export holds routines whose texts became longer by redaction, and can be imported", async () => {
  const secret = "password: hunter2!q ";
  const actionTemplate = {
    title: secret + "x".repeat(300 - secret.length),
    description: secret + "x".repeat(100_000 - secret.length),
    tags: [secret + "x".repeat(200 - secret.length)],
    metadata: { notes: Array.from({ length: 2_600 }, () => secret) },
  };
  const { routine } = await http.ok(saveRoutine, {
    name: "Deploy",
    steps: [{ title: "Log in", actionTemplate }],
  });
  expect(routine.steps[0]?.actionTemplate.title).toHaveLength(
    300 + "[REDACTED_SECRET]".length - "hunter2!q".length,
  );
  const other = await openTestHttp();
  await other.ok(importStore, { exportData: (await http.send("/export")).body });
  expect((await other.ok(listRoutines, {})).routines).toEqual([routine]);
  await other.close();
});

test("a run of another program whose steps have no numbers gets some, and an export of it can be imported", async () => {
  const actionIds = ["act_1", "act_2"];
  const run = { id: "run_x", routineId: "rtn_x", startedAt: "2026-01-01T00:00:00Z", actionIds };
  const stepsFrom = async (stepStatus: Readonly<Record<string, string>>) => {
    const exportData = { version: "0.1.0", routineRuns: [{ ...run, stepStatus }] };
    await http.ok(importStore, { strategy: "replace", exportData });
    const exported = (await http.send("/export")).body as { routineRuns: { steps: { order: number }[] }[] };
    expect((await http.ok(importStore, { exportData: exported })).counts.routineRuns).toMatchObject({
      skipped: 1,
    });
    return exported.routineRuns[0]?.steps.map(({ order }) => order);
  };
  expect(await stepsFrom({ second: "done", first: "done" })).toEqual([1, 2]);
  // One action was deleted: which of the two it was, the file does not say.
  expect(await stepsFrom({ "2": "done" })).toEqual([1, 2]);
  expect(await stepsFrom({ "10": "done", "9": "pending" })).toEqual([9, 10]);
});
