import { describe, expect, test } from "vitest";
import { readFrontier } from "../../src/coordination/actions/frontier/operations.ts";
import {
  addActionEdge,
  createAction,
  getAction,
  listActions,
} from "../../src/coordination/actions/operations.ts";
import { acquireLease } from "../../src/coordination/leases/operations.ts";
import {
  addToSketch,
  collectSketches,
  createSketch,
  discardSketch,
  listSketches,
  promoteSketch,
} from "../../src/coordination/sketches/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose, heal } from "../../src/governance/diagnostics/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { hourMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

/** A sketch of two actions, the second of which depends on the first. */
async function sketched(fields: Readonly<Record<string, unknown>> = {}) {
  const { sketch } = await http.ok(createSketch, { title: "the plan", ...fields });
  const first = (await http.ok(addToSketch, { sketchId: sketch.id, title: "first" })).action;
  const second = await http.ok(addToSketch, { sketchId: sketch.id, title: "second", dependsOn: [first.id] });
  return { sketchId: sketch.id, first, second: second.action, edges: second.edges };
}

test("an action of a sketch has priority 5 by default", async () => {
  const { first } = await sketched();
  expect(first.priority).toBe(5);
});

async function trail(): Promise<string[]> {
  return (await http.ok(listAudit, {})).entries.map(({ operation }) => operation).reverse();
}

async function titles(fields: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  return (await http.ok(listActions, fields)).actions.map(({ title }) => title).sort();
}

test("a sketch is stored as given, with secrets redacted, for an hour by default", async () => {
  const { sketch } = await http.ok(createSketch, {
    title: ` with ghp_${"a1B2".repeat(9)} `,
    description: "why",
    project: "shop",
  });
  expect(sketch).toEqual({
    id: expect.stringMatching(/^skt_[0-9a-z]{26}$/u),
    title: "with [REDACTED_SECRET]",
    description: "why",
    status: "active",
    actionIds: [],
    project: "shop",
    createdAt: "2026-03-01T12:00:00.000Z",
    expiresAt: "2026-03-01T13:00:00.000Z",
  });
  for (const expiresInMs of [59_999, 604_800_001, 70_000.5])
    expect((await http.reply(createSketch, { title: "x", expiresInMs })).status).toBe(400);
});

describe("the actions of a sketch", () => {
  test("are listed only when the sketch is named, and cannot be leased", async () => {
    const { sketchId, first, second, edges } = await sketched({ project: "shop" });
    expect([first.sketchId, first.project, second.status, second.blockReason]).toEqual([
      sketchId,
      "shop",
      "blocked",
      "edges",
    ]);
    expect(edges).toMatchObject([{ type: "requires", sourceActionId: second.id, targetActionId: first.id }]);
    expect(await titles()).toEqual([]);
    expect(await titles({ sketchId })).toEqual(["first", "second"]);
    expect((await http.ok(readFrontier, {})).totalActions).toBe(0);
    const taken = await http.reply(acquireLease, { actionId: first.id, agentId: "ann" });
    expect([taken.status, taken.body.sketchId]).toEqual([409, sketchId]);
    await http.writeSql("UPDATE actions SET status = 'pending'");
    expect((await http.ok(diagnose, { categories: ["actions"] })).summary.fail).toBe(0);
  });

  test("can depend only on each other", async () => {
    const { action } = await http.ok(createAction, { title: "elsewhere" });
    const { sketchId } = await sketched();
    const add = (fields: object) => http.reply(addToSketch, { sketchId, title: "x", ...fields });
    const reply = await add({ dependsOn: [action.id, "act_x"] });
    expect([reply.status, reply.body.notFound]).toEqual([404, [action.id, "act_x"]]);
    expect(reply.body.error).toBe(`actions ${action.id}, act_x are not of sketch ${sketchId}`);
    expect(decodeURIComponent(reply.headers.get("x-memsvc-hint") ?? "")).toContain(
      `memsvc action list --sketch-id ${sketchId}`,
    );
    expect((await add({ sketchId: "skt_x" })).status).toBe(404);
  });
});

test("promoting a sketch turns its actions into ordinary ones of the given project", async () => {
  const { sketchId, first, second } = await sketched();
  http.advance(1_000);
  const { promotedIds, sketch } = await http.ok(promoteSketch, { sketchId, project: "/w/shop" });
  expect(promotedIds).toEqual([first.id, second.id]);
  expect(sketch).toMatchObject({
    status: "promoted",
    project: "/w/shop",
    promotedAt: "2026-03-01T12:00:01.000Z",
    actionIds: promotedIds,
  });
  expect(await titles({ project: "shop" })).toEqual(["first", "second"]);
  const { action } = await http.ok(getAction, { actionId: second.id });
  expect([action.status, action.sketchId]).toEqual(["blocked", undefined]);
  expect((await http.ok(readFrontier, {})).frontier.map(({ action: { title } }) => title)).toEqual(["first"]);
  for (const operation of [promoteSketch, discardSketch])
    expect((await http.reply(operation, { sketchId })).status).toBe(409);
  expect((await http.reply(addToSketch, { sketchId, title: "x" })).status).toBe(409);
  expect((await http.reply(promoteSketch, { sketchId: "skt_x" })).status).toBe(404);
  expect(await trail()).toEqual(["sketch_create", "action_create", "action_create", "sketch_promote"]);
  http.advance(2 * hourMs);
  expect(await titles()).toHaveLength(2);
});

test("discarding a sketch deletes its actions with their edges, and unblocks actions outside", async () => {
  const { sketchId, first, second } = await sketched();
  const { action: outside } = await http.ok(createAction, { title: "outside" });
  await http.ok(addActionEdge, { sourceActionId: outside.id, type: "requires", targetActionId: first.id });
  const { discardedCount, sketch } = await http.ok(discardSketch, { sketchId });
  expect([discardedCount, sketch.status, sketch.discardedAt]).toEqual([
    2,
    "discarded",
    "2026-03-01T12:00:00.000Z",
  ]);
  expect((await http.reply(getAction, { actionId: second.id })).status).toBe(404);
  const { action, edges } = await http.ok(getAction, { actionId: outside.id });
  expect([action.status, edges]).toEqual(["pending", []]);
  expect((await http.ok(listAudit, { targetId: second.id })).entries).toMatchObject([
    { operation: "sketch_discard", targetIds: [sketchId, first.id, second.id], details: { actions: 2 } },
    { operation: "action_create" },
  ]);
});

describe("an expired sketch", () => {
  test("is discarded before the next read", async () => {
    const { sketchId } = await sketched();
    http.advance(hourMs);
    expect(await titles({ sketchId })).toEqual([]);
    expect((await http.reply(promoteSketch, { sketchId })).status).toBe(409);
    expect((await trail()).at(-1)).toBe("sweep");
    expect((await http.ok(listSketches, { status: "discarded" })).total).toBe(1);
  });

  test("is collected on request, which is audited only if there was one", async () => {
    const { sketchId, first, second, edges } = await sketched();
    expect(await http.ok(collectSketches, {})).toMatchObject({ collected: 0 });
    http.advance(hourMs);
    expect(await http.ok(collectSketches, {})).toMatchObject({ collected: 1 });
    expect((await http.ok(listAudit, { limit: 2 })).entries).toMatchObject([
      {
        operation: "sketch_discard",
        targetIds: [sketchId, first.id, second.id],
        details: { reason: "expired", sketches: 1, actions: 2 },
      },
      { operation: "action_create", targetIds: [second.id, edges[0]?.id, sketchId] },
    ]);
  });

  test("is found by diagnostics and discarded by heal", async () => {
    await sketched();
    http.advance(hourMs);
    const { checks } = await http.ok(diagnose, { categories: ["sketches"] });
    expect(checks).toMatchObject([{ name: "expired-sketch", status: "fail", fixable: true, count: 1 }]);
    expect((await http.ok(heal, { categories: ["sketches"] })).fixed).toBe(1);
    expect((await http.ok(diagnose, { categories: ["sketches"] })).summary.fail).toBe(0);
  });
});

test("an import adds new actions to a known sketch, or deletes all if it was discarded elsewhere", async () => {
  const { sketch } = await http.ok(createSketch, { title: "the plan" });
  const add = async (title: string) => (await http.ok(addToSketch, { sketchId: sketch.id, title })).action.id;
  const exported = async () => (await http.send("/export")).body;
  const other = await openTestHttp();
  const first = await add("first");
  const early = await exported();
  await other.ok(importStore, { exportData: early });
  const second = await add("second");
  await other.ok(importStore, { exportData: await exported() });
  expect((await other.ok(listSketches, {})).sketches).toMatchObject([
    { actionIds: [first, second], actionCount: 2 },
  ]);
  http.advance(1_000);
  await http.ok(discardSketch, { sketchId: sketch.id });
  const { warnings } = await other.ok(importStore, { exportData: await exported() });
  expect(warnings).toEqual(["sketches: the actions of one that was discarded elsewhere were deleted"]);
  expect((await other.ok(importStore, { exportData: early })).counts.actions).toMatchObject({ written: 0 });
  expect([await titles(), (await other.ok(listActions, {})).total]).toEqual([[], 0]);
  expect((await other.reply(getAction, { actionId: first })).status).toBe(404);
  await other.close();
});

test("sketches are listed newest first, filtered and paged, with their number of actions", async () => {
  await sketched({ project: "/w/shop" });
  http.advance(1);
  const { sketch } = await http.ok(createSketch, { title: "other", project: "tools" });
  const list = async (fields: Readonly<Record<string, unknown>>) =>
    (await http.ok(listSketches, fields)).sketches.map(({ title, actionCount }) => [title, actionCount]);
  expect(await list({})).toEqual([
    ["other", 0],
    ["the plan", 2],
  ]);
  expect(await list({ project: "shop" })).toEqual([["the plan", 2]]);
  expect(await list({ limit: 1, offset: 1 })).toEqual([["the plan", 2]]);
  await http.ok(discardSketch, { sketchId: sketch.id });
  expect(await list({ status: "active" })).toEqual([["the plan", 2]]);
  expect((await http.reply(listSketches, { status: "gone" })).status).toBe(400);
});
