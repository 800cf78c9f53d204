import { describe, expect, test } from "vitest";
import {
  addActionEdge,
  createAction,
  getAction,
  listActions,
  updateAction,
} from "../../src/coordination/actions/operations.ts";
import {
  createCheckpoint,
  listCheckpoints,
  resolveCheckpoint,
} from "../../src/coordination/checkpoints/operations.ts";
import { acquireLease, releaseLease } from "../../src/coordination/leases/operations.ts";
import { listRoutines } from "../../src/coordination/routines/operations.ts";
import { addToSketch, createSketch } from "../../src/coordination/sketches/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

const createdAt = "2026-03-01T12:00:00.000Z";
const action = (id: string, fields: object = {}) => ({ id, title: id, createdAt, ...fields });
const lease = (id: string, actionId: string) => ({
  id,
  actionId,
  agentId: id,
  acquiredAt: createdAt,
  expiresAt: "2026-03-01T12:30:00.000Z",
  status: "active",
});

async function imported(
  exportData: Readonly<Record<string, unknown>>,
  strategy: "merge" | "replace" = "merge",
) {
  return http.ok(importStore, {
    exportData: { version: "0.1.0", exportedAt: createdAt, ...exportData },
    strategy,
  });
}

describe("an import with broken references", () => {
  test("drops each of them with a warning, and corrects the status of the actions", async () => {
    const { warnings } = await imported({
      actions: [
        action("a", { parentId: "gone", sketchId: "gone", crystallizedInto: "gone", status: "done" }),
        action("b", { status: "blocked", blockReason: "edges" }),
        action("c"),
        action("d", { status: "blocked" }),
      ],
      actionEdges: [
        { id: "e1", type: "requires", sourceActionId: "b", targetActionId: "a", createdAt },
        { id: "e2", type: "requires", sourceActionId: "c", targetActionId: "d", createdAt },
        { id: "e3", type: "unlocks", sourceActionId: "c", targetActionId: "gone", createdAt },
        { id: "e4", type: "requires", sourceActionId: "c", targetActionId: "d", createdAt: "2026-03-02" },
        { id: "e6", type: "requires", sourceActionId: "c", targetActionId: "c", createdAt },
        { id: "e5", type: "gated_by", sourceActionId: "c", targetActionId: "chk_gone", createdAt },
      ],
      leases: [lease("l1", "gone"), lease("l2", "c"), lease("l3", "c")],
    });
    expect(warnings).toEqual([
      "actionEdges: an edge of an action that does not exist was left out (2 times)",
      "actionEdges: an edge that is there under another id was left out",
      "actionEdges: an edge of an action to itself was left out",
      "leases: a lease on an action that does not exist was left out",
      "leases: one on an action that another holds was taken for expired",
      "actions: a parent that does not exist was left out",
      "actions: a sketch that is not active was left out",
      "actions: a crystal that does not exist was left out",
    ]);
    const { actions } = await http.ok(listActions, {});
    const states = actions.map(({ id, status, blockReason }) => [id, status, blockReason]).sort();
    expect(states).toEqual([
      ["a", "done", undefined],
      ["b", "pending", undefined],
      ["c", "blocked", "edges"],
      ["d", "blocked", "manual"],
    ]);
    expect((await http.ok(getAction, { actionId: "c" })).lease).toMatchObject({ id: "l2" });
  });
});

test("an imported action is finished when the file says, else at its last change, and never while it is open", async () => {
  const [updatedAt, completedAt] = ["2026-03-01T12:30:00.000Z", "2026-03-01T12:20:00.000Z"];
  await imported({
    actions: [
      action("told", { status: "done", updatedAt, completedAt }),
      action("untold", { status: "cancelled", updatedAt }),
      action("reopened", { updatedAt, completedAt }),
    ],
  });
  const { actions } = await http.ok(listActions, {});
  expect(Object.fromEntries(actions.map((one) => [one.id, one.completedAt]))).toEqual({
    told: completedAt,
    untold: updatedAt,
    reopened: undefined,
  });
});

test("an edge to what is not known here is left out if its action waits in the file, but no longer here", async () => {
  await imported({ actions: [action("moved on", { updatedAt: "2026-03-01T12:30:00.000Z" })] });
  const { warnings } = await imported({
    actions: [action("moved on", { status: "blocked", blockReason: "edges" })],
    actionEdges: [
      { id: "e1", type: "requires", sourceActionId: "moved on", targetActionId: "gone", createdAt },
    ],
  });
  expect(warnings).toContain("actionEdges: an edge of an action that does not exist was left out");
  expect((await http.ok(getAction, { actionId: "moved on" })).action.status).toBe("pending");
});

test("actions that a file calls blocked without a reason, as agentmemory does, are freed once their gates are met", async () => {
  const edge = { createdAt, sourceActionId: "needs first" };
  const exportData = {
    version: "0.9.29",
    actions: [
      action("first"),
      action("needs first", { status: "blocked" }),
      action("needs review", { status: "blocked" }),
      action("held back", { status: "blocked" }),
      action("needs what is done", { status: "blocked" }),
      action("done", { status: "done" }),
    ],
    checkpoints: [{ id: "review", name: "review", type: "approval", status: "pending", createdAt }],
    actionEdges: [
      { ...edge, id: "e1", type: "requires", targetActionId: "first" },
      { ...edge, id: "e2", type: "gated_by", sourceActionId: "needs review", targetActionId: "review" },
      { ...edge, id: "e3", type: "requires", sourceActionId: "needs what is done", targetActionId: "done" },
    ],
  };
  await imported(exportData);
  const { actions } = await http.ok(listActions, { status: "blocked" });
  expect(Object.fromEntries(actions.map(({ id, blockReason }) => [id, blockReason]))).toEqual({
    "needs first": "edges",
    "needs review": "edges",
    "held back": "manual",
    "needs what is done": "manual",
  });
  const { unblocked } = await http.ok(updateAction, { actionId: "first", status: "done" });
  expect(unblocked).toEqual(["needs first"]);
  const resolved = await http.ok(resolveCheckpoint, { checkpointId: "review", status: "passed" });
  expect(resolved.unblocked).toEqual(["needs review"]);
  expect((await imported(exportData)).counts.actions).toEqual({ written: 0, skipped: 6 });
});

test("an import restores a lease unless another agent holds the action now", async () => {
  const { action: held } = await http.ok(createAction, { title: "held" });
  const { action: back } = await http.ok(createAction, { title: "given back" });
  for (const { id } of [held, back]) await http.ok(acquireLease, { actionId: id, agentId: "ann" });
  await http.ok(releaseLease, { actionId: back.id, agentId: "ann" });
  const { warnings } = await imported({
    actions: [action("c")],
    leases: [lease("l1", "c"), lease("l2", back.id), { ...lease("l3", held.id), status: "released" }],
  });
  expect(warnings).toEqual([]);
  expect((await http.ok(getAction, { actionId: "c" })).lease).toMatchObject({ id: "l1" });
  expect((await http.ok(getAction, { actionId: back.id })).lease).toMatchObject({ id: "l2" });
  expect((await http.ok(getAction, { actionId: held.id })).lease).toMatchObject({ agentId: "ann" });
});

test.each(["merge", "skip"] as const)(
  "an edge to an unknown record is left out under %s on the first and on later imports",
  async (strategy) => {
    const gated = { type: "requires", sourceActionId: "b", createdAt };
    const exportData = {
      version: "0.1.0",
      actions: [action("a"), action("b")],
      actionEdges: [
        { ...gated, id: "e1", targetActionId: "a" },
        { ...gated, id: "e2", targetActionId: "gone" },
        { ...gated, id: "e3", type: "gated_by", targetActionId: "chk_gone" },
      ],
    };
    for (const written of [1, 0]) {
      const { counts, warnings } = await http.ok(importStore, { exportData, strategy });
      expect(counts.actionEdges).toEqual({ written, skipped: 3 - written });
      expect(warnings).toEqual([
        "actionEdges: an edge of an action that does not exist was left out (2 times)",
      ]);
    }
    await http.ok(updateAction, { actionId: "a", status: "done" });
    expect((await http.ok(getAction, { actionId: "b" })).action.status).toBe("pending");
  },
);

test.each(["merge", "skip"] as const)(
  "under %s an edge left out because it closes a cycle is never counted as written",
  async (strategy) => {
    const edge = (id: string, sourceActionId: string, targetActionId: string) => ({
      id,
      type: "requires",
      sourceActionId,
      targetActionId,
      createdAt,
    });
    const exportData = {
      version: "0.1.0",
      actions: [action("a"), action("b"), action("c")],
      actionEdges: [edge("e1", "a", "b"), edge("e2", "b", "c"), edge("e3", "c", "a")],
    };
    for (const written of [2, 0]) {
      const { counts, skipped } = await http.ok(importStore, { exportData, strategy });
      expect(counts.actionEdges).toEqual({ written, skipped: 3 - written });
      expect(skipped).toBe(written === 2 ? 1 : 6);
    }
  },
);

test("an imported timer without a time becomes external and waits for a decision, with a warning", async () => {
  const waiting = { name: "n", type: "timer", linkedActionIds: ["a"], createdAt };
  const { warnings } = await imported({
    actions: [action("a")],
    checkpoints: [
      { ...waiting, id: "endless" },
      { ...waiting, id: "over", status: "passed", resolvedAt: createdAt },
      { ...waiting, id: "timed", expiresAt: "2026-03-01T12:00:05.000Z" },
    ],
  });
  expect(warnings).toEqual(["checkpoints: a timer without a time to pass at became external: resolve it"]);
  http.advance(10_000);
  const { checkpoints } = await http.ok(listCheckpoints, {});
  expect(checkpoints.map(({ id, type, status }) => [id, type, status]).sort()).toEqual([
    ["endless", "external", "pending"],
    ["over", "timer", "passed"],
    ["timed", "timer", "passed"],
  ]);
});

test("a merge lets the agent that took an action last hold it, and ends the lease that the file shows as ended", async () => {
  const { id } = (await http.ok(createAction, { title: "build" })).action;
  await http.ok(acquireLease, { actionId: id, agentId: "ann" });
  const { body: before } = await http.send("/export");
  http.advance(1_000);
  await http.ok(releaseLease, { actionId: id, agentId: "ann" });
  await http.ok(acquireLease, { actionId: id, agentId: "bea" });
  const { body: after } = await http.send("/export");
  const states = async () =>
    (await http.send("/export")).body.leases as readonly { agentId: string; status: string }[];
  const handedOver = [
    { agentId: "ann", status: "released" },
    { agentId: "bea", status: "active" },
  ];
  await http.ok(importStore, { exportData: before });
  expect(await states()).toMatchObject(handedOver);

  await http.ok(importStore, { exportData: before, strategy: "replace" });
  expect(await states()).toMatchObject([{ agentId: "ann", status: "active" }]);
  await http.ok(importStore, { exportData: { ...after, leases: (after.leases as unknown[]).slice(1) } });
  expect(await states()).toMatchObject([{ agentId: "ann", status: "expired" }, handedOver[1]]);
  await http.ok(importStore, { exportData: after });
  expect(await states()).toMatchObject(handedOver);
  expect((await http.ok(getAction, { actionId: id })).lease).toMatchObject({ agentId: "bea" });
});

test("replacing only the actions drops edges and leases of deleted ones, with warnings", async () => {
  const first = (await http.ok(createAction, { title: "first" })).action.id;
  const second = (await http.ok(createAction, { title: "second", requires: [first] })).action.id;
  await http.ok(acquireLease, { actionId: first, agentId: "ann" });
  const { sketch } = await http.ok(createSketch, { title: "plan" });
  await http.ok(addToSketch, { sketchId: sketch.id, title: "hidden" });
  const { warnings } = await imported(
    { actions: [action(second, { status: "blocked", blockReason: "edges" })] },
    "replace",
  );
  expect(warnings).toEqual([
    "actionEdges: those of records that are gone were dropped",
    "leases: those on actions that are gone were dropped",
  ]);
  expect((await http.ok(listActions, {})).actions).toMatchObject([{ id: second, status: "pending" }]);
});

test("replacing only the checkpoints drops the edges to deleted ones, and frees the actions that waited", async () => {
  const { checkpoint: gone } = await http.ok(createCheckpoint, { name: "review" });
  const { checkpoint: kept } = await http.ok(createCheckpoint, { name: "release" });
  const waiting = async (title: string, gate: string) => {
    const { id } = (await http.ok(createAction, { title })).action;
    await http.ok(addActionEdge, { sourceActionId: id, type: "gated_by", targetActionId: gate });
    return id;
  };
  const [free, blocked] = [await waiting("merge", gone.id), await waiting("announce", kept.id)];
  const { warnings } = await imported({ checkpoints: [kept] }, "replace");
  expect(warnings).toEqual(["actionEdges: those of records that are gone were dropped"]);
  expect((await http.ok(getAction, { actionId: free })).action.status).toBe("pending");
  expect((await http.ok(getAction, { actionId: blocked })).action.status).toBe("blocked");
});

test("an imported routine whose steps wait for each other or for none of its steps is left out, with a warning", async () => {
  const step = (order: number, dependsOn: number[]) => ({ order, title: `step ${order}`, dependsOn });
  const routine = (id: string, steps: object[]) => ({ id, name: id, steps, createdAt });
  const { warnings } = await imported({
    routines: [
      routine("circle", [step(1, [2]), step(2, [1])]),
      routine("loose", [step(1, [7])]),
      routine("twice", [step(1, []), step(1, [])]),
      routine("sound", [step(2, [1]), step(1, [])]),
    ],
  });
  expect(warnings).toEqual([
    "routines: a routine whose steps wait for themselves, or for steps that are not there, was left out (3 times)",
  ]);
  expect((await http.ok(listRoutines, {})).routines.map(({ id }) => id)).toEqual(["sound"]);
});

test("an action changed later than the one in the file is kept, with the tags of both", async () => {
  const { action: own } = await http.ok(createAction, { title: "own", tags: ["here"] });
  const older = { ...own, title: "older", updatedAt: "2026-02-01", tags: ["there"] };
  expect((await imported({ actions: [older] })).counts.actions).toEqual({ written: 1, skipped: 0 });
  expect((await imported({ actions: [older] })).counts.actions).toEqual({ written: 0, skipped: 1 });
  expect((await http.ok(getAction, { actionId: own.id })).action).toMatchObject({
    title: "own",
    tags: ["here", "there"],
  });
});

test("an export shows expired leases as expired, and an import redacts texts of actions", async () => {
  const { action: held } = await http.ok(createAction, { title: "held", metadata: { note: "x" } });
  await http.ok(acquireLease, { actionId: held.id, agentId: "ann" });
  http.advance(600_000);
  const data = (await http.send("/export")).body as Record<string, Record<string, unknown>[]>;
  expect(data.leases).toMatchObject([{ status: "expired" }]);
  expect(data.actions).toMatchObject([{ status: "pending" }]);
  const token = `ghp_${"a1B2".repeat(9)}`;
  await imported({ actions: [action("z", { title: token, result: token, metadata: { deep: [token] } })] });
  expect(JSON.stringify((await http.ok(getAction, { actionId: "z" })).action)).not.toContain(token);
  await http.ok(addActionEdge, { sourceActionId: "z", type: "unlocks", targetActionId: held.id });
});
