import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addActionEdge, createAction, getAction } from "../../src/coordination/actions/operations.ts";
import { acquireLease } from "../../src/coordination/leases/operations.ts";
import { addToSketch, createSketch, promoteSketch } from "../../src/coordination/sketches/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { evolve, forget, getMemory } from "../../src/knowledge/memories/operations.ts";
import { relate } from "../../src/knowledge/memories/relations/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { exportRows, receiveRows } from "../../src/sharing/mesh/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import type { TestHttp } from "../support/http.ts";
import { type Body, given, ids, memoryRow, meshStores, taken } from "../support/mesh-stores.ts";

const { close, open, remembered } = meshStores(() => http);
afterEach(close);

let http: TestHttp;
beforeEach(async () => {
  http = await open();
});

describe("a mesh exchange", () => {
  test("transfers all versions and relations of memories, searchable and with their origin", async () => {
    const first = await remembered("Rounding is done once", {
      project: "shop",
      concepts: ["money"],
      agentId: "ann",
    });
    const { memoryId } = await http.ok(evolve, {
      memoryId: first,
      newContent: "Rounding is done at the end",
    });
    const other = await remembered("The till has four keys", { project: "shop" });
    await http.ok(relate, { sourceId: memoryId, targetId: other, type: "related" });
    const rows = await given(http);
    expect(rows).toMatchObject({ version: expect.any(String), exportedAt: "2026-03-01T12:00:00.000Z" });
    expect(ids(rows.memories)).toEqual([first, memoryId, other].sort());
    const b = await open();
    const receipt = await taken(b, { ...rows, from: "office" });
    expect(receipt).toEqual({ accepted: 5, skipped: 0, rejected: 0, issues: [] });
    const { memory } = await b.ok(getMemory, { id: memoryId });
    expect(memory).toMatchObject({
      version: 2,
      isLatest: true,
      agentId: "ann",
      project: "shop",
      supersedes: [first],
      relatedIds: expect.arrayContaining([other, first]),
      origin: { channel: "shared", detail: "office" },
    });
    expect((await b.ok(smartSearch, { query: "rounding" })).results.map(({ obsId }) => obsId)).toEqual([
      memoryId,
    ]);
    const { entries } = await b.ok(listAudit, { operation: "mesh_receive" });
    expect(entries).toMatchObject([{ details: { peer: "office", counts: { memories: 3, relations: 2 } } }]);
    expect(await taken(b, rows)).toMatchObject({ accepted: 0, skipped: 5 });
    expect((await b.ok(listAudit, { operation: "mesh_receive" })).total).toBe(1);
  });

  test("adds a relation that arrives later to both of its memories", async () => {
    const [one, other] = [
      await remembered("The till has four keys"),
      await remembered("Rounding is done once"),
    ];
    const b = await open();
    await taken(b, { memories: (await given(http)).memories });
    await http.ok(relate, { sourceId: one, targetId: other, type: "related" });
    await taken(b, { relations: (await given(http)).relations });
    for (const [id, related] of [
      [one, other],
      [other, one],
    ] as const)
      expect((await b.ok(getMemory, { id })).memory).toMatchObject({ relatedIds: [related] });
  });

  test("keeps the later version of a row, and the local one if they are equally late", async () => {
    const times = ["2026-01-02", "2026-01-01", "2026-01-03", "2026-01-03"];
    const accepted: number[] = [];
    for (const [at, updatedAt] of times.entries())
      accepted.push(
        (await taken(http, { memories: [memoryRow("m1", { content: `v${at}`, updatedAt })] })).accepted,
      );
    expect(accepted).toEqual([1, 0, 1, 0]);
    expect((await http.ok(getMemory, { id: "m1" })).memory.content).toBe("v2");
  });

  test("leaves a memory the recalls that it had here, when it was changed elsewhere", async () => {
    const b = await open();
    const memoryId = await remembered("The till has four keys");
    const other = await remembered("Rounding is done once");
    await taken(b, await given(http));
    for (const store of [http, b]) store.advance(200 * dayMs);
    const { memory: recalled } = await b.ok(getMemory, { id: memoryId });
    await http.ok(relate, { sourceId: memoryId, targetId: other, type: "related" });
    expect(await taken(b, await given(http))).toMatchObject({ accepted: 3 });
    const { memories } = await b.ok(exportStore, {});
    const { recallCount, lastRecalledAt, strength, stabilityDays } = recalled;
    expect(memories?.find(({ id }) => id === memoryId)).toMatchObject({
      relatedIds: [other],
      ...{ recallCount, lastRecalledAt, strength, stabilityDays },
    });
  });

  test("rejects only the faulty rows and says what is wrong with them", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const receipt = await taken(http, {
      memories: [
        memoryRow("m1", { content: `with ${token}` }),
        memoryRow("m2", { version: 0 }),
        "x",
        null,
        memoryRow("m3"),
      ],
      relations: [{ id: "r1", type: "knows", sourceId: "m1", targetId: "m3", createdAt: "2026-01-01" }],
      tombstones: [{ kind: "slot", id: "x", deletedAt: "2026-01-01" }],
      future: [{}, "x"],
      from: `box ${token}`,
    });
    expect(receipt).toMatchObject({ accepted: 2, skipped: 0, rejected: 5 });
    expect(receipt.issues.map(({ path }) => path)).toEqual([
      "memories.1.version",
      "memories.2",
      "memories.3",
      "relations.0.type",
      "tombstones.0.kind",
    ]);
    expect((await http.ok(getMemory, { id: "m1" })).memory).toMatchObject({
      content: "with [REDACTED_SECRET]",
      origin: { detail: "box [REDACTED_SECRET]" },
    });
    const { entries } = await http.ok(listAudit, { operation: "mesh_receive" });
    expect(entries).toMatchObject([{ details: { peer: "box [REDACTED_SECRET]" } }]);
  });

  test("of two latest versions keeps the higher, else the later, else the one with the greater id", async () => {
    const chain = { supersedes: ["root"], parentId: "root" };
    await taken(http, {
      memories: [
        memoryRow("root", { isLatest: false }),
        memoryRow("a2", { ...chain, version: 2, updatedAt: "2026-02-03" }),
        memoryRow("b3", { ...chain, version: 3, updatedAt: "2026-02-02" }),
      ],
    });
    for (const id of ["c3", "d3", "a3"])
      await taken(http, { memories: [memoryRow(id, { ...chain, version: 3, updatedAt: "2026-02-04" })] });
    const latest = async (id: string) => (await http.ok(getMemory, { id })).memory.isLatest;
    const ids = ["a2", "b3", "c3", "d3", "a3"];
    expect(await Promise.all(ids.map(latest))).toEqual([false, false, false, true, false]);
  });

  test("leaves one latest of the versions that two stores made at once, which alone can be evolved", async () => {
    const first = await remembered("Prices are stored in cents", { project: "shop" });
    const b = await open();
    await taken(b, await given(http));
    const evolved = async (by: TestHttp, memoryId: string, newContent: string) =>
      (await by.ok(evolve, { memoryId, newContent })).memoryId;
    for (const store of [http, b]) store.advance(1_000);
    const ours = await evolved(http, first, "Prices are stored as bigint");
    b.advance(1_000);
    const theirs = await evolved(b, first, "Prices are stored as numeric");
    await taken(http, await given(b));
    await taken(b, await given(http));
    for (const store of [http, b]) {
      expect((await store.ok(getMemory, { id: ours })).memory).toMatchObject({
        isLatest: false,
        latestId: theirs,
      });
      const again = await store.reply(evolve, { memoryId: ours, newContent: "Prices are stored as text" });
      expect([again.status, again.body.latestId]).toEqual([409, theirs]);
    }
    await http.ok(forget, { memoryId: theirs });
    const next = await evolved(http, ours, "Prices are stored as text");
    expect((await http.ok(getMemory, { id: next })).memory).toMatchObject({ isLatest: true, version: 3 });
  });

  test("can be limited by time of arrival, project and scope", async () => {
    await remembered("old", { project: "shop" });
    http.advance(60_000);
    const since = new Date(http.now()).toISOString();
    const fresh = await remembered("fresh and new", { project: "shop" });
    const other = await remembered("of another project", { project: "till" });
    await taken(http, { memories: [memoryRow("came", { project: "shop" })] });
    expect(ids((await given(http, { since })).memories)).toEqual([fresh, other, "came"].sort());
    expect(ids((await given(http, { since, project: "shop" })).memories)).toEqual([fresh, "came"].sort());
    expect(await given(http, { scopes: "relations,semantic" })).not.toHaveProperty("memories");
    await http.ok(relate, { sourceId: fresh, targetId: other, type: "related" });
    expect((await given(http, { project: "shop" })).relations).toEqual([]);
    expect((await given(http, {})).relations).toHaveLength(1);
    for (const fields of [{ since: "yesterday" }, { scopes: "memories,everything" }])
      expect((await http.reply(exportRows, fields)).status).toBe(400);
    const file = await http.ok(exportStore, {});
    const b = await open({}, "2026-06-01T00:00:00.000Z");
    await b.ok(importStore, { exportData: file });
    expect((await given(b, { since: "2026-05-31" })).memories).toHaveLength(4);
    expect((await given(b, { since: "2026-06-02" })).memories).toEqual([]);
  });

  test("transfers graph nodes and edges from models and files, but not those made by rules", async () => {
    const node = (id: string, name: string) => ({
      id,
      name,
      type: "concept",
      origin: "llm",
      createdAt: "2026-01-01",
      properties: { by: "a model" },
    });
    const edge = {
      id: "e1",
      type: "uses",
      sourceNodeId: "n1",
      targetNodeId: "n2",
      weight: 0.8,
      createdAt: "2026-01-01",
    };
    const receipt = await taken(http, {
      graphNodes: [node("n1", "till"), node("n2", "money")],
      graphEdges: [edge],
    });
    expect(receipt).toMatchObject({ accepted: 3, rejected: 0 });
    await remembered("rules make something of this", { concepts: ["rounding"], files: ["till.ts"] });
    const rows = await given(http);
    expect(rows.graphNodes?.map(({ name, origin }) => [name, origin]).sort()).toEqual([
      ["money", "mesh"],
      ["till", "mesh"],
    ]);
    const b = await open();
    expect(await taken(b, { graphNodes: rows.graphNodes, graphEdges: rows.graphEdges })).toMatchObject({
      accepted: 3,
    });
    expect((await given(b)).graphEdges).toMatchObject([{ type: "uses", weight: 0.8, origin: "mesh" }]);
  });

  test("makes one node of two that turned out to be the same elsewhere", async () => {
    const concept = (name: string, aliases: string[] = []) => {
      return { id: `${name}-id`, name, type: "concept", aliases, createdAt: "2026-01-01" };
    };
    await http.ok(importStore, { exportData: { graphNodes: [concept("k8s"), concept("kubernetes")] } });
    const b = await open();
    await taken(b, await given(http));
    const same = await http.ok(importStore, {
      exportData: { graphNodes: [concept("K8S", ["Kubernetes"])] },
    });
    expect(same.counts.graphNodes).toEqual({ written: 1, skipped: 0 });
    await taken(b, await given(http));
    const { graphNodes } = await given(b);
    expect(graphNodes?.map(({ id, aliases }) => [id, aliases])).toEqual([["k8s-id", ["kubernetes"]]]);
    expect((await taken(http, await given(b))).accepted).toBe(0);
  });

  test("makes an earlier version the latest again, also in a store whose clock is ahead", async () => {
    const fast = await open();
    fast.advance(7 * 60 * 60_000);
    const memoryId = await remembered("Tills are counted at noon", {}, fast);
    await taken(http, await given(fast));
    const newer = await http.ok(evolve, { memoryId, newContent: "Tills are counted at one" });
    await taken(fast, await given(http));
    expect((await fast.ok(getMemory, { id: memoryId })).memory.isLatest).toBe(false);
    http.advance(1_000);
    await http.ok(forget, { memoryId: newer.memoryId, restorePrevious: true });
    await taken(fast, await given(http));
    expect((await fast.ok(getMemory, { id: memoryId })).memory.isLatest).toBe(true);
  });

  test("keeps what was learned later of nodes and edges from a store whose clock is ahead", async () => {
    const fast = await open();
    fast.advance(7 * 60 * 60_000);
    const at = { createdAt: "2026-01-01", updatedAt: new Date(fast.now()).toISOString() };
    const file = (aliases: string[], weight: number) => ({
      graphNodes: [
        { ...at, id: "till", name: "till", type: "concept", aliases },
        { ...at, id: "money", name: "money", type: "concept" },
      ],
      graphEdges: [{ ...at, id: "e1", type: "uses", sourceNodeId: "till", targetNodeId: "money", weight }],
    });
    await fast.ok(importStore, { exportData: file([], 0.5) });
    await taken(http, await given(fast));
    await http.ok(importStore, { exportData: file(["cash"], 0.8) });
    await taken(fast, await given(http));
    const { graphNodes, graphEdges } = await given(fast);
    expect(graphNodes?.map(({ aliases }) => aliases)).toEqual([["cash"], []]);
    expect(graphEdges?.map(({ weight }) => weight)).toEqual([0.8]);
  });

  test.each([
    ["no object", "[]", 400],
    ["rows that are no array", '{"memories":{}}', 400],
    ["half a text", '{"memories":[{"id":"m1"', 400],
    ["nothing", "{}", 200],
  ])("with %s stores nothing", async (_name, body, status) => {
    const reply = await http.send("/mesh/receive", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    expect(reply.status).toBe(status);
    expect((await given(http)).memories).toEqual([]);
  });

  test("over the size limit is a 413", async () => {
    const small = await open({ MEMSVC_MAX_IMPORT_BYTES: "1024" });
    const { status } = await small.reply(receiveRows, {
      memories: [memoryRow("m1", { content: "x".repeat(2_000) })],
    });
    expect(status).toBe(413);
  });
});

test("an earlier version without its relations is linked to the later one, in either order", async () => {
  const first = memoryRow("m1", { isLatest: false });
  const second = memoryRow("m2", { content: "the till rounds up", version: 2, parentId: "m1" });
  const tie = { type: "supersedes", sourceId: "m2", targetId: "m1" };
  await taken(http, { memories: [first, second] });
  expect((await given(http)).relations).toMatchObject([tie]);
  const other = await open();
  await taken(other, { memories: [second] });
  expect((await given(other)).relations).toEqual([]);
  await taken(other, { memories: [first] });
  expect((await given(other)).relations).toMatchObject([tie]);
  await taken(other, { relations: [{ id: "rel_1", ...tie, createdAt: "2026-02-01T00:00:00.000Z" }] });
  expect((await given(other)).relations).toHaveLength(1);
});

test("arriving actions and deletions update the status of local ones, and broken links are dropped", async () => {
  const created = async (title: string) => (await http.ok(createAction, { title })).action.id;
  const [needed, waiting, later] = [
    await created("needed"),
    await created("waiting"),
    await created("later"),
  ];
  await http.ok(addActionEdge, { sourceActionId: waiting, targetActionId: needed, type: "requires" });
  const statusOf = async (id: unknown) =>
    (await given(http, { scopes: "actions" })).actions?.find((action) => action.id === id)?.status;
  const updatedAt = "2026-04-01T00:00:00.000Z";
  const action = (id: string, fields: Body) => ({
    id,
    title: "x",
    createdAt: updatedAt,
    ...fields,
  });
  const edge = { type: "requires", sourceActionId: later, targetActionId: "theirs", createdAt: updatedAt };
  await taken(http, {
    actions: [action("theirs", { parentId: "act_unknown" }), action(needed, { status: "done", updatedAt })],
    actionEdges: [{ id: "aed_1", ...edge }],
  });
  expect([await statusOf(waiting), await statusOf(later)]).toEqual(["pending", "blocked"]);
  const { actions } = await given(http, { scopes: "actions" });
  expect(actions?.find(({ id }) => id === "theirs")).not.toHaveProperty("parentId");
  const { action: part } = await http.ok(createAction, { title: "part", parentId: "theirs" });
  await http.ok(acquireLease, { actionId: "theirs", agentId: "ann" });
  const deletedAt = "2026-04-02T00:00:00.000Z";
  await taken(http, { tombstones: [{ kind: "action", id: "theirs", deletedAt }] });
  expect(await statusOf(later)).toBe("pending");
  expect((await http.ok(getAction, { actionId: part.id })).action).not.toHaveProperty("parentId");
  const { checks } = await http.ok(diagnose, { categories: ["leases"] });
  expect(checks.map(({ name }) => name)).toEqual(["leases-ok"]);
});

test("draft actions and their edges are not sent until their sketch is promoted", async () => {
  const { id: sketchId } = (await http.ok(createSketch, { title: "a plan" })).sketch;
  const { action } = await http.ok(addToSketch, { sketchId, title: "first" });
  await http.ok(addToSketch, { sketchId, title: "second", dependsOn: [action.id] });
  const sent = async () => {
    const { actions, actionEdges } = await given(http, { scopes: "actions" });
    return [actions?.length, actionEdges?.length];
  };
  expect(await sent()).toEqual([0, 0]);
  await http.ok(promoteSketch, { sketchId });
  expect(await sent()).toEqual([2, 1]);
});

test("an action with an expired lease is sent as pending", async () => {
  const { action } = await http.ok(createAction, { title: "deploy" });
  await http.ok(acquireLease, { actionId: action.id, agentId: "ann" });
  http.advance(600_000);
  const { actions } = await given(http, { scopes: "actions" });
  expect(actions).toMatchObject([{ id: action.id, status: "pending" }]);
});

test("receiving the same rows again repairs what an interrupted exchange left", async () => {
  const rows = {
    memories: [memoryRow("m1", { isLatest: false }), memoryRow("m2", { version: 2, parentId: "m1" })],
    actions: [{ id: "act_1", title: "deploy", createdAt: "2026-02-01T00:00:00.000Z" }],
  };
  await taken(http, rows);
  await http.core.ground.store.write(async (tx) => {
    await tx.sql.run("DELETE FROM memory_relations");
    await tx.sql.run("UPDATE actions SET parent_id = 'act_lost'");
  });
  expect(await taken(http, rows)).toMatchObject({ accepted: 0, skipped: 3 });
  const { relations, actions } = await given(http);
  expect(relations).toMatchObject([{ type: "supersedes", sourceId: "m2", targetId: "m1" }]);
  expect(actions?.[0]).not.toHaveProperty("parentId");
  expect((await http.ok(listAudit, { operation: "mesh_receive" })).total).toBe(1);
});

test("an action that a peer finished loses its local lease", async () => {
  const { action } = await http.ok(createAction, { title: "deploy" });
  await http.ok(acquireLease, { actionId: action.id, agentId: "ann" });
  const updatedAt = new Date(http.now() + 1_000).toISOString();
  await taken(http, { actions: [{ ...action, status: "done", updatedAt }] });
  expect(await http.ok(getAction, { actionId: action.id })).toMatchObject({
    action: { status: "done" },
    lease: null,
  });
});
