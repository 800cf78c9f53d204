import { afterEach, expect, test } from "vitest";
import {
  addActionEdge,
  createAction,
  getAction,
  updateAction,
} from "../../src/coordination/actions/operations.ts";
import { createCheckpoint, resolveCheckpoint } from "../../src/coordination/checkpoints/operations.ts";
import { acquireLease, releaseLease } from "../../src/coordination/leases/operations.ts";
import { addToSketch, createSketch, promoteSketch } from "../../src/coordination/sketches/operations.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { createCrystal } from "../../src/knowledge/crystals/operations.ts";
import { exportRows, receiveRows } from "../../src/sharing/mesh/operations.ts";
import type { TestHttp } from "../support/http.ts";
import { meshPlaces } from "../support/mesh-stores.ts";

const { close, open, opened } = meshPlaces();
afterEach(close);

/** Lets a store receive another's rows, optionally of one project or since a time; returns how many were accepted. */
async function taken(by: TestHttp, from: TestHttp, fields: Readonly<Record<string, unknown>> = {}) {
  for (const http of opened) http.advance(1_000);
  return (await by.ok(receiveRows, await from.ok(exportRows, fields))).accepted;
}

async function stateOf(http: TestHttp, actionId: string) {
  const { action, blockers } = await http.ok(getAction, { actionId });
  return [action.status, ...blockers.map(({ kind, id, status }) => [kind, id, status])];
}

test("an action is blocked everywhere by a requirement that only a peer knows, until it is done", async () => {
  const [a, b, c] = [await open(), await open(), await open()];
  const gated = (await a.ok(createAction, { title: "deploy", project: "shop" })).action.id;
  const elsewhere = (await a.ok(createAction, { title: "order the parts", project: "store" })).action.id;
  const after = await a.ok(createAction, { title: "build", project: "shop", requires: [elsewhere] });
  const { checkpoint } = await a.ok(createCheckpoint, { name: "CI is green", linkedActionIds: [gated] });
  await taken(b, a, { project: "shop" });
  await taken(c, b);
  const [byGate, byAction] = [
    ["blocked", ["checkpoint", checkpoint.id, "unknown"]],
    ["blocked", ["action", elsewhere, "unknown"]],
  ];
  for (const http of [b, c]) {
    expect([await stateOf(http, gated), await stateOf(http, after.action.id)]).toEqual([byGate, byAction]);
  }
  expect((await b.reply(acquireLease, { actionId: gated, agentId: "ann" })).status).toBe(409);
  expect((await b.reply(updateAction, { actionId: gated, status: "active" })).status).toBe(409);
  expect((await b.ok(updateAction, { actionId: gated, status: "pending" })).action.status).toBe("blocked");
  const { checks } = await b.ok(diagnose, { categories: ["actions"] });
  expect(checks.filter(({ status }) => status !== "pass")).toEqual([]);
  expect([await taken(a, b), await taken(b, a, { project: "shop" }), await taken(a, b)]).toEqual([0, 0, 0]);

  const restored = await open();
  const exportData = (await b.send("/export")).body;
  await restored.ok(importStore, { exportData, strategy: "replace" });
  await restored.ok(importStore, { exportData });
  expect([await stateOf(restored, gated), await stateOf(restored, after.action.id)]).toEqual([
    byGate,
    byAction,
  ]);

  await a.ok(resolveCheckpoint, { checkpointId: checkpoint.id, status: "passed" });
  await a.ok(updateAction, { actionId: elsewhere, status: "done" });
  for (const [by, from] of [
    [b, a],
    [c, b],
    [restored, c],
  ] as const) {
    expect(await taken(by, from, { project: "shop" })).toBe(2);
    expect([await stateOf(by, gated), await stateOf(by, after.action.id)]).toEqual([
      ["pending"],
      ["pending"],
    ]);
  }
  expect((await b.reply(acquireLease, { actionId: gated, agentId: "ann" })).status).toBe(200);

  const later = await open();
  await later.ok(importStore, { exportData: (await b.send("/export")).body });
  expect((await later.ok(getAction, { actionId: after.action.id })).edges).toEqual([]);
  const since = new Date(a.now()).toISOString();
  await a.ok(updateAction, { actionId: elsewhere, status: "pending" });
  expect(await taken(later, a, { project: "shop", since })).toBe(2);
  expect(await stateOf(later, after.action.id)).toEqual(byAction);
});

test("what an action unlocks in a sketch is told when the sketch is promoted", async () => {
  const [a, b] = [await open(), await open()];
  const first = (await a.ok(createAction, { title: "order the parts" })).action.id;
  const { id: sketchId } = (await a.ok(createSketch, { title: "a plan" })).sketch;
  const draft = (await a.ok(addToSketch, { sketchId, title: "build" })).action.id;
  await a.ok(addActionEdge, { sourceActionId: first, type: "unlocks", targetActionId: draft });
  await taken(b, a);
  a.advance(60_000);
  const since = new Date(a.now()).toISOString();
  await a.ok(promoteSketch, { sketchId });
  await taken(b, a, { since });
  const { edges } = await b.ok(getAction, { actionId: first });
  expect(edges).toMatchObject([{ type: "unlocks", targetActionId: draft }]);
});

test("when requirements of two stores close a cycle, both keep the earlier one", async () => {
  const [a, b] = [await open(), await open()];
  const made = async (title: string) => (await a.ok(createAction, { title })).action.id;
  const [first, second, third] = [await made("first"), await made("second"), await made("third")];
  const requires = (http: TestHttp, sourceActionId: string, targetActionId: string) =>
    http.ok(addActionEdge, { sourceActionId, targetActionId, type: "requires" });
  await requires(a, second, third);
  await taken(b, a);
  await requires(a, first, second);
  b.advance(1);
  await requires(b, third, first);
  const exportData = { ...(await a.send("/export")).body, tombstones: [] };
  const later = (await b.ok(exportRows, {})).actionEdges?.find(
    ({ sourceActionId }) => sourceActionId === third,
  );
  const { warnings } = await b.ok(importStore, { exportData, dryRun: true });
  expect(warnings).toContain("actionEdges: what made actions wait for each other was left out");
  await taken(a, b);
  await taken(b, a);
  for (const http of [a, b]) {
    const { action, edges } = await http.ok(getAction, { actionId: third });
    expect([action.status, edges.map(({ sourceActionId }) => sourceActionId)]).toEqual(["pending", [second]]);
    expect((await http.ok(exportRows, {})).tombstones).toMatchObject([{ kind: "actionEdge", id: later?.id }]);
  }
  expect([await taken(a, b), await taken(b, a)]).toEqual([0, 0]);
});

test("an action keeps its parent and crystal when a peer that knows neither changes it", async () => {
  const [a, b] = [await open(), await open()];
  const parent = (await a.ok(createAction, { title: "move", project: "store" })).action.id;
  const part = await a.ok(createAction, { title: "pack", project: "shop", parentId: parent });
  const actionId = part.action.id;
  await a.ok(updateAction, { actionId, status: "done", result: "packed" });
  const made = await a.ok(createCrystal, { actionIds: [actionId] });
  await taken(b, a, { project: "shop" });
  await b.ok(updateAction, { actionId, tags: ["spring"] });
  expect(await taken(a, b)).toBe(1);
  expect((await a.ok(getAction, { actionId })).action).toMatchObject({
    tags: ["spring"],
    parentId: parent,
    crystallizedInto: "crystal" in made ? made.crystal.id : undefined,
  });
  await a.ok(addActionEdge, { sourceActionId: actionId, type: "unlocks", targetActionId: parent });
  expect(await taken(b, a, { project: "shop" })).toBe(0);
});

test("a later change wins over an action from a store whose clock is ahead, however it was made", async () => {
  const [fast, slow] = [await open(), await open()];
  fast.advance(7 * 60 * 60_000);
  const made = async (title: string) => (await fast.ok(createAction, { title })).action.id;
  const ids = [await made("updated"), await made("taken"), await made("gated"), await made("finished")];
  const [updated = "", begun = "", gated = "", finished = ""] = ids;
  await taken(slow, fast);
  await slow.ok(updateAction, { actionId: updated, status: "blocked" });
  await slow.ok(acquireLease, { actionId: begun, agentId: "ann" });
  await slow.ok(createCheckpoint, { name: "CI is green", linkedActionIds: [gated] });
  await slow.ok(acquireLease, { actionId: finished, agentId: "ann" });
  await slow.ok(releaseLease, { actionId: finished, agentId: "ann", result: "it is done" });
  expect(await taken(fast, slow)).toBeGreaterThanOrEqual(4);
  const states = async (http: TestHttp) => Promise.all(ids.map(async (id) => (await stateOf(http, id))[0]));
  expect(await states(slow)).toEqual(["blocked", "active", "blocked", "done"]);
  expect(await states(fast)).toEqual(await states(slow));
  expect([await taken(slow, fast), await taken(fast, slow)]).toEqual([0, 0]);
});
