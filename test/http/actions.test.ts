import { describe, expect, test } from "vitest";
import { nextAction, readFrontier } from "../../src/coordination/actions/frontier/operations.ts";
import {
  addActionEdge,
  createAction,
  getAction,
  listActions,
  updateAction,
} from "../../src/coordination/actions/operations.ts";
import type { EdgeType } from "../../src/coordination/actions/record.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { hourMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

async function made(title: string, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return (await http.ok(createAction, { title, ...fields })).action.id;
}

async function tied(sourceActionId: string, type: EdgeType, targetActionId: string) {
  return http.reply(addActionEdge, { sourceActionId, type, targetActionId });
}

async function changed(actionId: string, fields: Readonly<Record<string, unknown>>) {
  return http.ok(updateAction, { actionId, ...fields });
}

/** The status of an action and its block reason. */
async function stateOf(actionId: string): Promise<string> {
  const { action } = await http.ok(getAction, { actionId });
  return [action.status, action.blockReason].filter(Boolean).join(" ");
}

async function offered(fields: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  return (await http.ok(readFrontier, fields)).frontier.map(({ action }) => action.title);
}

async function auditOf(targetId: string): Promise<string[]> {
  const { entries } = await http.ok(listAudit, { targetId });
  return entries.map(({ operation }) => operation).reverse();
}

describe("creating an action", () => {
  test("lists each source once", async () => {
    const { action } = await http.ok(createAction, {
      title: "x",
      sourceObservationIds: ["obs_1", "obs_2", "obs_1"],
      sourceMemoryIds: ["mem_1", "mem_1"],
    });
    expect(action).toMatchObject({ sourceObservationIds: ["obs_1", "obs_2"], sourceMemoryIds: ["mem_1"] });
  });

  test("gives it the middle priority unless it is told", async () => {
    const { action } = await http.ok(createAction, { title: "x" });
    expect(action.priority).toBe(5);
  });

  test("stores the fields as given, redacts secrets and writes one audit entry", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const parentId = await made("the whole");
    const reply = await http.reply(createAction, {
      title: "  Move the sessions ",
      description: `with ${token}`,
      priority: 7,
      createdBy: "planner",
      assignedTo: "builder",
      project: "shop",
      tags: "db, ,db,schema",
      parentId,
      sourceObservationIds: ["obs_1"],
      sourceMemoryIds: ["mem_1"],
      metadata: { ticket: 12, note: token, deep: [{ a: null }] },
    });
    expect(reply.status).toBe(201);
    const action = reply.body.action as { id: string };
    expect(reply.body).toEqual({
      success: true,
      action: {
        id: expect.stringMatching(/^act_[0-9a-z]{26}$/u),
        title: "Move the sessions",
        description: "with [REDACTED_SECRET]",
        status: "pending",
        priority: 7,
        createdBy: "planner",
        assignedTo: "builder",
        project: "shop",
        tags: ["db", "schema"],
        parentId,
        sourceObservationIds: ["obs_1"],
        sourceMemoryIds: ["mem_1"],
        metadata: { ticket: 12, note: "[REDACTED_SECRET]", deep: [{ a: null }] },
        createdAt: "2026-03-01T12:00:00.000Z",
        updatedAt: "2026-03-01T12:00:00.000Z",
      },
      edges: [],
    });
    expect(await auditOf(action.id)).toEqual(["action_create"]);
    expect((await http.ok(getAction, { actionId: parentId })).children.map(({ id }) => id)).toEqual([
      action.id,
    ]);
  });

  test("blocks it while an action it requires is unfinished, named in requires or in edges", async () => {
    const first = await made("first");
    const other = await made("other");
    const { action, edges } = await http.ok(createAction, {
      title: "second",
      requires: [first, first],
      edges: [{ type: "requires", targetActionId: first }, `unlocks:${other}`],
    });
    expect(action).toMatchObject({ status: "blocked", blockReason: "edges" });
    expect(edges.map(({ type, targetActionId }) => [type, targetActionId])).toEqual([
      ["requires", first],
      ["unlocks", other],
    ]);
    await changed(first, { status: "done" });
    expect((await http.ok(createAction, { title: "third", requires: [first] })).action.status).toBe(
      "pending",
    );
  });

  test("returns a 404 with every unknown parent, requirement and gate, and stores nothing", async () => {
    const reply = await http.reply(createAction, {
      title: "x",
      parentId: "act_p",
      requires: ["act_r"],
      edges: [{ type: "gated_by", targetActionId: "chk_g" }],
    });
    expect(reply.status).toBe(404);
    expect(reply.body.notFound).toEqual(["act_p", "act_r", "chk_g"]);
    expect((await http.ok(listActions, {})).total).toBe(0);
  });

  test.each([
    ["no title", { title: undefined }],
    ["a title of 301 characters", { title: "x".repeat(301) }],
    ["priority 0", { priority: 0 }],
    ["priority 11", { priority: 11 }],
    ["half a step of priority", { priority: 1.5 }],
    ["an unknown type of edge", { edges: [{ type: "needs", targetActionId: "act_1" }] }],
    ["an edge without its target", { edges: ["requires:"] }],
    ["101 edges", { edges: Array.from({ length: 101 }, () => "requires:act_1") }],
    ["metadata that is a list", { metadata: [1] }],
    ["metadata beyond 64 KiB", { metadata: { a: "x".repeat(65_536) } }],
  ])("is refused with %s", async (_what, fields) => {
    const { status, body } = await http.reply(createAction, { title: "x", ...fields });
    const [field = ""] = Object.keys(fields);
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^${field}\\b(?!: Invalid input$)`, "u")),
    ]);
  });

  test.each([
    ["edges.1.type", { edges: ["requires:act_1", { type: "needs", targetActionId: "act_1" }] }],
    ["edges.0.targetActionId", { edges: [{ type: "requires" }] }],
    ["tags.1", { tags: ["a", 1] }],
  ])("is refused with an issue at %s", async (path, fields) => {
    const { body } = await http.reply(createAction, { title: "x", ...fields });
    expect(body.issues).toMatchObject([{ path }]);
  });
});

describe("an action that requires another", () => {
  test.each(["done", "cancelled"])(
    "is unblocked in the same moment when the required action is %s",
    async (status) => {
      const first = await made("first");
      const second = await made("second", { requires: [first] });
      http.advance(1_000);
      expect((await changed(first, { status })).unblocked).toEqual([second]);
      const { action } = await http.ok(getAction, { actionId: second });
      expect(action).toMatchObject({ status: "pending", updatedAt: "2026-03-01T12:00:01.000Z" });
      expect(action).not.toHaveProperty("blockReason");
    },
  );

  test("is blocked again when the required action is reopened, unless it is active", async () => {
    const first = await made("first");
    const [second, third] = [
      await made("second", { requires: [first] }),
      await made("third", { requires: [first] }),
    ];
    const done = (await changed(first, { status: "done" })).action;
    expect(done.completedAt).toBe("2026-03-01T12:00:00.000Z");
    await changed(third, { status: "active" });
    const { action } = await changed(first, { status: "pending" });
    expect(action).not.toHaveProperty("completedAt");
    expect([await stateOf(second), await stateOf(third)]).toEqual(["blocked edges", "active"]);
  });

  test("waits for all requirements, cannot start early and becomes blocked when set to pending", async () => {
    const [a, b] = [await made("a"), await made("b")];
    const last = await made("last", { requires: [a, b] });
    expect((await changed(a, { status: "done" })).unblocked).toEqual([]);
    const refused = await http.reply(updateAction, { actionId: last, status: "active" });
    expect(refused.status).toBe(409);
    expect(refused.body.blockers).toEqual([{ kind: "action", id: b, title: "b", status: "pending" }]);
    expect((await changed(last, { status: "pending" })).action).toMatchObject({
      status: "blocked",
      blockReason: "edges",
    });
    expect((await http.ok(getAction, { actionId: last })).blockers).toEqual(refused.body.blockers);
  });

  test("stays active when a requires edge is added, and is blocked once set back to pending", async () => {
    const [a, b] = [await made("a"), await made("b")];
    await changed(a, { status: "active" });
    const { status, body } = await tied(a, "requires", b);
    expect([status, (body.action as { status: string }).status]).toEqual([201, "active"]);
    expect(await offered()).toEqual(["b"]);
    expect((await changed(a, { status: "active", priority: 8 })).action.status).toBe("active");
    await changed(a, { status: "pending" });
    expect(await stateOf(a)).toBe("blocked edges");
  });

  test("stays manually blocked when its requirement is done, and leaves that block only by an update", async () => {
    const first = await made("first");
    const second = await made("second", { requires: [first] });
    await changed(second, { status: "blocked" });
    expect(await stateOf(second)).toBe("blocked manual");
    expect((await changed(first, { status: "done" })).unblocked).toEqual([]);
    expect(await stateOf(second)).toBe("blocked manual");
    await changed(second, { status: "pending" });
    expect(await stateOf(second)).toBe("pending");
  });
});

describe("an action edge", () => {
  test("blocks its source action at once, and adding it again returns the existing edge", async () => {
    const [a, b] = [await made("a"), await made("b")];
    const first = await tied(a, "requires", b);
    expect(first.body).toMatchObject({
      edge: { id: expect.stringMatching(/^aed_/u), type: "requires", sourceActionId: a, targetActionId: b },
      action: { id: a, status: "blocked", blockReason: "edges" },
    });
    const again = await tied(a, "requires", b);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.edge).toEqual(first.body.edge);
    expect(await auditOf(a)).toEqual(["action_create", "action_edge"]);
    const conflict = await tied(a, "conflicts_with", b);
    expect((await tied(b, "conflicts_with", a)).body.edge).toEqual(conflict.body.edge);
  });

  test("that would close a cycle of requirements is refused with the cycle", async () => {
    const [a, b, c] = [await made("a"), await made("b"), await made("c")];
    await tied(a, "requires", b);
    await tied(b, "requires", c);
    const reply = await tied(c, "requires", a);
    expect([reply.status, reply.body.cycle]).toEqual([400, [c, a, b]]);
    expect((await tied(c, "unlocks", a)).status).toBe(201);
    expect((await tied(b, "requires", a)).body.cycle).toEqual([b, a]);
  });

  test("needs a known type and two different known ends", async () => {
    const a = await made("a");
    const own = await tied(a, "requires", a);
    expect([own.status, own.body.issues]).toEqual([
      400,
      [{ path: "targetActionId", message: "an action cannot have an edge to itself" }],
    ]);
    expect((await tied(a, "needs" as EdgeType, a)).status).toBe(400);
    expect((await tied("act_x", "requires", "act_y")).body.notFound).toEqual(["act_x", "act_y"]);
    const gate = await tied("act_x", "gated_by", await made("b"));
    expect([gate.status, gate.body.error]).toEqual([
      404,
      expect.stringMatching(/^action act_x is not known, and checkpoint or sentinel act_\w+ is not known/u),
    ]);
    expect((await tied(a, "unlocks", "chk_x")).body.notFound).toEqual(["chk_x"]);
  });
});

describe("updating an action", () => {
  test("dates its end anew when it ends in another way, but not when it ends in the same way again", async () => {
    const id = await made("a");
    await changed(id, { status: "done" });
    http.advance(1_000);
    expect((await changed(id, { status: "done", title: "b" })).action.completedAt).toBe(
      "2026-03-01T12:00:00.000Z",
    );
    expect((await changed(id, { status: "cancelled" })).action.completedAt).toBe("2026-03-01T12:00:01.000Z");
  });

  test("merges metadata by key, clears the assignee with null and keeps the other fields", async () => {
    const id = await made("a", { metadata: { one: 1, two: 2 }, assignedTo: "builder", tags: ["x"] });
    http.advance(1_000);
    const { action } = await changed(id, {
      metadata: { two: "two", three: null },
      assignedTo: null,
      title: "b",
      description: "c",
      result: "half of it",
      tags: ["y"],
      project: "shop",
      priority: 10,
    });
    expect(action).toEqual({
      id,
      title: "b",
      description: "c",
      status: "pending",
      priority: 10,
      project: "shop",
      tags: ["y"],
      sourceObservationIds: [],
      sourceMemoryIds: [],
      result: "half of it",
      metadata: { one: 1, two: "two", three: null },
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:01.000Z",
    });
    const plain = JSON.parse('{"__proto__": {"status": "done"}}');
    const { body } = await http.reply(updateAction, { actionId: id, metadata: plain });
    expect(JSON.stringify(body.action)).toContain('"__proto__":{"status":"done"}');
    const tooMuch = await http.reply(updateAction, { actionId: id, metadata: { four: "x".repeat(65_500) } });
    expect(tooMuch.status).toBe(400);
  });

  test("with the values it already has changes nothing and writes no audit entry", async () => {
    const id = await made("a");
    await changed(id, { status: "done" });
    http.advance(1_000);
    const { action } = await changed(id, { status: "done", title: "a" });
    expect(action.updatedAt).toBe("2026-03-01T12:00:00.000Z");
    expect(await auditOf(id)).toEqual(["action_create", "action_update"]);
  });

  test("needs at least one change, a known action and a known status", async () => {
    const id = await made("a");
    expect((await http.reply(updateAction, { actionId: id })).body.error).toContain("nothing to change");
    expect((await http.reply(updateAction, { actionId: id, title: null })).status).toBe(400);
    expect((await http.reply(updateAction, { actionId: id, status: "open" })).status).toBe(400);
    expect((await http.reply(updateAction, { actionId: "act_x", status: "done" })).status).toBe(404);
    expect((await http.reply(getAction, { actionId: "act_x" })).status).toBe(404);
  });
});

test("lists of actions can be filtered and paged, last changed first", async () => {
  const [a, b, c] = [
    await made("a", { project: "/w/shop", tags: ["x"], assignedTo: "builder" }),
    await made("b", { project: "shop" }),
    await made("c"),
  ];
  http.advance(1_000);
  await changed(a, { parentId: undefined, status: "active" });
  await made("d", { parentId: c, project: "tools" });
  const titles = async (fields: Readonly<Record<string, unknown>>) =>
    (await http.ok(listActions, fields)).actions.map(({ title }) => title).join("");
  expect(await titles({})).toBe("dacb");
  expect(await titles({ project: "shop" })).toBe("ab");
  expect(await titles({ status: "active" })).toBe("a");
  expect(await titles({ tag: "x", assignedTo: "builder" })).toBe("a");
  expect(await titles({ parentId: c })).toBe("d");
  expect(await titles({ tag: "nowhere" })).toBe("");
  expect(await titles({ limit: 2, offset: 1 })).toBe("ac");
  expect(await http.ok(listActions, { limit: 9_000, offset: 3 })).toMatchObject({
    total: 4,
    offset: 3,
    limit: 500,
  });
  expect((await http.reply(listActions, { status: "open" })).status).toBe(400);
  expect(b).toMatch(/^act_/u);
});

describe("the frontier", () => {
  test("scores by priority, age, actions it unlocks, how it was spawned and whether it is active", async () => {
    const old = await made("old", { priority: 7 });
    const later = await made("later");
    await tied(old, "unlocks", later);
    await tied(later, "spawned_by", old);
    http.advance(10 * hourMs);
    await made("begun", { priority: 1 });
    await changed((await http.ok(listActions, { limit: 1 })).actions[0]?.id ?? "", { status: "active" });
    const { frontier, totalActions, totalUnblocked } = await http.ok(readFrontier, { limit: 2 });
    expect(
      frontier.map(({ action, score, blockers, leased }) => [action.title, score, blockers, leased]),
    ).toEqual([
      ["old", 80, [], false],
      ["later", 58, [], false],
    ]);
    expect([totalActions, totalUnblocked]).toEqual([3, 3]);
    expect((await http.ok(readFrontier, {})).frontier[2]?.score).toBe(25);
    http.advance(1_000 * hourMs);
    expect((await http.ok(readFrontier, {})).frontier[0]?.score).toBe(95);
    await changed(later, { status: "cancelled" });
    expect((await http.ok(nextAction, {})).suggestion).toMatchObject({ actionId: old, score: 90, tags: [] });
  });

  test("leaves out finished, blocked, waiting and conflicting actions", async () => {
    const [a, b, c] = [await made("a"), await made("b"), await made("c")];
    await made("d", { requires: [a] });
    await changed(c, { status: "blocked" });
    await tied(b, "conflicts_with", a);
    expect(await offered()).toEqual(["a", "b"]);
    await changed(a, { status: "active" });
    expect(await offered()).toEqual(["a"]);
    expect((await http.ok(getAction, { actionId: b })).blockers).toEqual([
      { kind: "conflict", id: a, title: "a", status: "active" },
    ]);
    await changed(a, { status: "done" });
    expect(await offered()).toEqual(["b", "d"]);
    const { totalActions, totalUnblocked } = await http.ok(readFrontier, { limit: 1 });
    expect([totalActions, totalUnblocked]).toEqual([3, 2]);
  });

  test("is limited to a project when one is named, and next says when nothing is left to do", async () => {
    expect(await http.ok(nextAction, {})).toMatchObject({
      suggestion: null,
      message: "nothing is to be done",
      totalActions: 0,
    });
    await made("a", { project: "/w/shop" });
    await made("b", { project: "tools" });
    expect(await offered({ project: "shop" })).toEqual(["a"]);
    expect(await http.ok(nextAction, { project: "elsewhere" })).toMatchObject({
      suggestion: null,
      totalActions: 0,
    });
    await changed((await http.ok(nextAction, { project: "tools" })).suggestion?.actionId ?? "", {
      status: "blocked",
    });
    expect((await http.ok(nextAction, { project: "tools" })).message).toContain("blocked or held");
  });
});
