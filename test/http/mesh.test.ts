import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addActionEdge, createAction, getAction } from "../../src/coordination/actions/operations.ts";
import { acquireLease } from "../../src/coordination/leases/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { evolve, forget, getMemory, remember } from "../../src/knowledge/memories/operations.ts";
import { relate } from "../../src/knowledge/memories/relations/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import {
  addPeer,
  exportRows,
  listPeers,
  receiveRows,
  removePeer,
  syncMesh,
} from "../../src/sharing/mesh/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";

const env = { MEMSVC_SECRET: "a-secret-of-the-mesh", MEMSVC_MESH_ALLOW_PRIVATE: "127.0.0.1,box.local" };

const opened: TestHttp[] = [];
async function open(more: Readonly<Record<string, string>> = {}, startAt?: string): Promise<TestHttp> {
  const http = await openTestHttp({
    env: { ...env, ...more },
    authorized: true,
    ...(startAt === undefined ? {} : { startAt }),
  });
  opened.push(http);
  return http;
}
afterEach(async () => {
  for (const http of opened.splice(0)) await http.close();
});

let http: TestHttp;
beforeEach(async () => {
  http = await open();
});

type Rows = Readonly<Record<string, unknown>>[];
type Body = Readonly<Record<string, unknown>>;

async function remembered(content: string, fields: Body = {}, to = http): Promise<string> {
  return (await to.ok(remember, { content, ...fields })).memoryId;
}

function given(from: TestHttp, fields: Body = {}) {
  return from.ok(exportRows, fields);
}

async function taken(by: TestHttp, body: Body) {
  const { status, body: answer, text } = await by.reply(receiveRows, body);
  if (status !== 200) throw new Error(text);
  return receiveRows.output.parse(answer);
}

async function forgotten(by: TestHttp, memoryIds: readonly string[]): Promise<void> {
  for (const memoryId of memoryIds) await by.ok(forget, { memoryId });
}

const ids = (rows: Rows | undefined) => (rows ?? []).map(({ id }) => id).sort();

function memoryRow(id: string, fields: Body = {}): Body {
  const updatedAt = "2026-02-01T00:00:00.000Z";
  return { id, content: `content of ${id}`, createdAt: updatedAt, updatedAt, ...fields };
}

describe("peers", () => {
  test("are registered with what is exchanged, and listed newest first", async () => {
    const reply = await http.reply(addPeer, { url: "http://127.0.0.1:4111/", name: " office " });
    expect(reply.status).toBe(201);
    expect(reply.body.peer).toEqual({
      id: expect.stringMatching(/^peer_[0-9a-z]{26}$/u),
      url: "http://127.0.0.1:4111",
      name: "office",
      status: "disconnected",
      sharedScopes: [
        "memories",
        "actions",
        "semantic",
        "procedural",
        "relations",
        "graph:nodes",
        "graph:edges",
      ],
      createdAt: "2026-03-01T12:00:00.000Z",
    });
    http.advance(1_000);
    const second = { url: "http://box.local/x", name: "box", sharedScopes: "relations,memories" };
    const { peer } = await http.ok(addPeer, { ...second, syncFilter: { project: "shop" } });
    expect(peer).toMatchObject({ sharedScopes: ["memories", "relations"], syncFilter: { project: "shop" } });
    const { peers, total } = await http.ok(listPeers, { limit: 1 });
    expect([peers.map(({ name }) => name), total]).toEqual([["box"], 2]);
    const { entries } = await http.ok(listAudit, { operation: "mesh_peer" });
    expect(entries.map(({ targetIds }) => targetIds)).toContainEqual([peer.id]);
    const twin = await http.reply(addPeer, { url: "http://BOX.local/x/", name: "twin" });
    expect([twin.status, twin.body.peerId]).toEqual([409, peer.id]);
  });

  test("are removed, and new peers when they are registered once more", async () => {
    const office = { url: "http://box.local", name: "office" };
    const { peer } = await http.ok(addPeer, office);
    await http.ok(addPeer, { url: "http://box.local/x", name: "box" });
    expect((await http.ok(removePeer, { peerId: peer.id })).peer).toEqual(peer);
    const again = await http.reply(removePeer, { peerId: peer.id });
    expect([again.status, again.body.error]).toEqual([404, `peer ${peer.id} is not known`]);
    expect((await http.reply(syncMesh, { peerId: peer.id })).status).toBe(404);
    expect((await http.ok(listPeers, {})).peers.map(({ name }) => name)).toEqual(["box"]);
    const { entries } = await http.ok(listAudit, { operation: "mesh_peer" });
    expect(entries[0]).toMatchObject({ targetIds: [peer.id], details: { peer: "office", removed: true } });
    const { id, ...fields } = (await http.ok(addPeer, office)).peer;
    expect(id).not.toBe(peer.id);
    expect(fields).toMatchObject({ ...office, status: "disconnected" });
  });

  test.each([
    ["another protocol", "ftp://box.local"],
    ["no address", "box.local"],
    ["credentials", "http://me:x@box.local"],
    ["a query", "http://box.local/?a=1"],
    ["an empty query", "http://box.local/?"],
    ["a fragment", "http://box.local/#x"],
    ["a private address", "http://10.0.0.1"],
    ["a private address in disguise", "http://0xa9fea9fe/"],
    ["a loopback address", "http://[::1]:3111"],
    ["2,001 characters", `http://box.local/${"x".repeat(2_000)}`],
  ])("with %s are a 400", async (name, url) => {
    const { status, body } = await http.reply(addPeer, { url, name: "x" });
    expect(status).toBe(400);
    if (name.includes("private")) expect(body.error).toContain("MEMSVC_MESH_ALLOW_PRIVATE");
  });

  test("with a filter that names no project are exchanged with whole, and their names hold no secrets", async () => {
    for (const [at, syncFilter] of [{}, { project: null }].entries()) {
      const fields = { url: `http://box.local/${at}`, name: `box ghp_${"a1B2".repeat(9)}`, syncFilter };
      const { status, body } = await http.reply(addPeer, fields);
      expect(status).toBe(201);
      const peer = body.peer as Body;
      expect(peer).not.toHaveProperty("syncFilter");
      expect(peer.name).toBe("box [REDACTED_SECRET]");
    }
  });

  test.each([
    { name: " " },
    { sharedScopes: ["sessions"] },
    { sharedScopes: [] },
    { syncFilter: { project: "" } },
  ])("with %j are a 400", async (fields) => {
    expect((await http.reply(addPeer, { url: "http://box.local", name: "x", ...fields })).status).toBe(400);
  });

  test("come through an export without how far rows were exchanged, and doctor tells of those never reached", async () => {
    await http.ok(addPeer, { url: "http://box.local", name: "box", syncFilter: { project: "shop" } });
    const file = await http.ok(exportStore, {});
    expect(JSON.stringify(file)).not.toContain(env.MEMSVC_SECRET);
    const other = await open();
    const [peer] = file.meshPeers as Body[];
    await other.ok(importStore, { exportData: { ...file, meshPeers: [{ ...peer, status: "syncing" }] } });
    expect((await other.ok(listPeers, {})).peers).toEqual((await http.ok(listPeers, {})).peers);
    const { checks } = await other.ok(diagnose, { categories: ["mesh"] });
    expect(checks).toMatchObject([{ name: "peer-never-synced", status: "warn" }]);
  });
});

describe("an exchange of rows", () => {
  test("takes all versions, facts and relations over, findable, with where they come from", async () => {
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

  test("keeps the row that was changed later, and of a tie the one that is here", async () => {
    const times = ["2026-01-02", "2026-01-01", "2026-01-03", "2026-01-03"];
    const accepted: number[] = [];
    for (const [at, updatedAt] of times.entries())
      accepted.push(
        (await taken(http, { memories: [memoryRow("m1", { content: `v${at}`, updatedAt })] })).accepted,
      );
    expect(accepted).toEqual([1, 0, 1, 0]);
    expect((await http.ok(getMemory, { id: "m1" })).memory.content).toBe("v2");
  });

  test("deletes what was deleted elsewhere unless it was changed since, and brings nothing back", async () => {
    const kept = await remembered("changed afterwards");
    const gone = await remembered("gone");
    const tombstone = (id: string, deletedAt: string) => ({ kind: "memory", id, deletedAt });
    const receipt = await taken(http, {
      tombstones: [tombstone(kept, "2026-03-01T11:59:59Z"), tombstone(gone, "2026-03-01T12:00:00Z")],
    });
    expect(receipt.accepted).toBe(2);
    expect((await http.reply(getMemory, { id: gone })).status).toBe(404);
    expect((await http.reply(getMemory, { id: kept })).status).toBe(200);
    const old = memoryRow(gone, { updatedAt: "2026-03-01T12:00:00Z" });
    expect(await taken(http, { memories: [old] })).toMatchObject({ accepted: 0, skipped: 1 });
    const later = memoryRow(gone, { updatedAt: "2026-03-01T12:00:01Z" });
    expect(await taken(http, { memories: [later] })).toMatchObject({ accepted: 1 });
    await http.ok(forget, { memoryId: kept });
    expect((await given(http, { scopes: "relations" })).tombstones).toEqual([]);
    const told = (await given(http, { scopes: "memories" })).tombstones ?? [];
    expect(ids(told)).toEqual([gone, kept].sort());
    expect(told.find(({ id }) => id === gone)).toEqual(tombstone(gone, "2026-03-01T12:00:00.000Z"));
    http.advance(181 * 86_400_000);
    expect((await given(http, {})).tombstones).toEqual([]);
  });

  test("leaves a faulty row out alone and tells what is wrong with it", async () => {
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

  test("of two latest versions of one memory leaves the higher, else the later, else the one with the greater id", async () => {
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

  test("is confined by time, project and scope; what came from elsewhere counts from when it came", async () => {
    await remembered("old", { project: "shop" });
    http.advance(60_000);
    const since = new Date(http.now()).toISOString();
    const fresh = await remembered("fresh and new", { project: "shop" });
    const other = await remembered("of another project", { project: "till" });
    await taken(http, { memories: [memoryRow("came", { project: "shop" })] });
    expect(ids((await given(http, { since })).memories)).toEqual([fresh, other, "came"].sort());
    expect(ids((await given(http, { since, project: "shop" })).memories)).toEqual([fresh, "came"].sort());
    expect(await given(http, { scopes: "relations,semantic" })).not.toHaveProperty("memories");
    for (const fields of [{ since: "yesterday" }, { scopes: "memories,everything" }])
      expect((await http.reply(exportRows, fields)).status).toBe(400);
    const file = await http.ok(exportStore, {});
    const b = await open({}, "2026-06-01T00:00:00.000Z");
    await b.ok(importStore, { exportData: file });
    expect((await given(b, { since: "2026-05-31" })).memories).toHaveLength(4);
    expect((await given(b, { since: "2026-06-02" })).memories).toEqual([]);
  });

  test("carries what models and files brought into the graph, with its ends", async () => {
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

  test("makes a version the latest again in a store too whose clock goes fast", async () => {
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

  test("takes along what left the graph with its sources, but for what rows here speak for", async () => {
    const memoryId = await remembered("said of the till");
    const node = {
      type: "concept",
      origin: "llm",
      createdAt: "2026-01-01",
      sourceObservationIds: [memoryId],
    };
    const edge = { ...node, type: "uses", sourceNodeId: "n1" };
    await http.ok(importStore, {
      exportData: {
        version: "1",
        graphNodes: ["till", "money", "hour"].map((name, at) => ({ ...node, id: `n${at + 1}`, name })),
        graphEdges: [2, 3].map((at) => ({ ...edge, id: `e${at}`, targetNodeId: `n${at}`, weight: 0.5 })),
      },
    });
    const b = await open();
    expect(await taken(b, await given(http))).toMatchObject({ accepted: 6, rejected: 0 });
    await remembered("of another's own", { concepts: ["till"] }, b);
    http.advance(1_000);
    b.advance(1_000);
    await http.ok(forget, { memoryId });
    const { tombstones } = await given(http, { scopes: "graph:nodes,graph:edges" });
    expect(tombstones?.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      "graphEdge e2",
      "graphEdge e3",
      "graphNode n1",
      "graphNode n2",
      "graphNode n3",
    ]);
    const told = (await given(http)).tombstones;
    expect(await taken(b, { tombstones: told })).toMatchObject({ accepted: 6 });
    const left = await given(b, { scopes: "graph:nodes,graph:edges" });
    expect([left.graphNodes?.map(({ name }) => name), left.graphEdges]).toEqual([["till"], []]);
    expect(await taken(b, { tombstones: told })).toMatchObject({ accepted: 0, skipped: 6 });
    const { checks } = await b.ok(diagnose, { categories: ["graph"] });
    expect(checks).toMatchObject([{ name: "graph-ok" }]);
  });

  test("of one project tells of its deletions alone, also after an export and where another deleted", async () => {
    const inShop = await remembered("in the shop", { project: "/w/shop" });
    const inTill = await remembered("in the till", { project: "till" });
    const actions = await Promise.all(
      ["count", "close"].map(
        async (title) => (await http.ok(createAction, { title, project: "shop" })).action.id,
      ),
    );
    const [sourceActionId = "", targetActionId = ""] = actions;
    await http.ok(addActionEdge, { sourceActionId, targetActionId, type: "requires" });
    const b = await open();
    await taken(b, await given(http));
    await forgotten(http, [inShop, inTill]);
    await taken(b, { tombstones: (await given(http)).tombstones });
    const c = await open();
    await c.ok(importStore, { exportData: await http.ok(exportStore, {}) });
    for (const store of [http, b, c]) {
      expect(ids((await given(store, { project: "shop" })).tombstones)).toEqual([inShop]);
      expect(ids((await given(store, {})).tombstones)).toEqual([inShop, inTill].sort());
    }
    const edges = (await given(b, { scopes: "actions" })).actionEdges ?? [];
    const action = { kind: "action", id: sourceActionId, deletedAt: "2026-05-01T00:00:00Z" };
    await taken(b, { tombstones: [action] });
    const told = (await given(b, { project: "shop", scopes: "actions" })).tombstones;
    expect(ids(told)).toEqual([sourceActionId, ...ids(edges)].sort());
  });

  test("leaves what a file brought back after its deletion where it is, and brings it to others", async () => {
    const memoryId = await remembered("alpha beta gamma");
    const { action } = await http.ok(createAction, { title: "count" });
    const [b, c] = [await open(), await open()];
    await taken(b, await given(http));
    const exportData = await http.ok(exportStore, {});
    await forgotten(http, [memoryId]);
    await taken(http, {
      tombstones: [{ kind: "action", id: action.id, deletedAt: new Date(http.now()).toISOString() }],
    });
    await taken(b, await given(http));
    await http.ok(importStore, { exportData });
    const brought = await given(http);
    expect([ids(brought.memories), ids(brought.actions), brought.tombstones]).toEqual([
      [memoryId],
      [action.id],
      [],
    ]);
    await taken(http, await given(b));
    for (const to of [b, c]) await taken(to, brought);
    for (const store of [http, b, c]) {
      const { memories, actions } = await given(store);
      expect([ids(memories), ids(actions)]).toEqual([[memoryId], [action.id]]);
    }
  });

  test("tells of a deletion as no earlier than the change that it undid, by whosever clock", async () => {
    const row = memoryRow("ahead", { updatedAt: "2026-03-02T00:00:00.000Z" });
    await taken(http, { memories: [row] });
    await http.ok(forget, { memoryId: "ahead" });
    expect((await given(http)).tombstones).toMatchObject([{ id: "ahead", deletedAt: row.updatedAt }]);
    expect(await taken(http, { memories: [row] })).toMatchObject({ accepted: 0, skipped: 1 });
  });

  test.each([
    ["no object", "[]", 400],
    ["rows that are no array", '{"memories":{}}', 400],
    ["half a text", '{"memories":[{"id":"m1"', 400],
    ["nothing", "{}", 200],
  ])("of %s stores nothing", async (_name, body, status) => {
    const reply = await http.send("/mesh/receive", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    expect(reply.status).toBe(status);
    expect((await given(http)).memories).toEqual([]);
  });

  test("of more than is allowed is a 413", async () => {
    const small = await open({ MEMSVC_MAX_IMPORT_BYTES: "1024" });
    const { status } = await small.reply(receiveRows, {
      memories: [memoryRow("m1", { content: "x".repeat(2_000) })],
    });
    expect(status).toBe(413);
  });
});

test("an earlier version that comes without its relations is tied to the later one, whichever comes first", async () => {
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

test("what arrives changes what waits for it here, and keeps no links to what did not come", async () => {
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
  await taken(http, { tombstones: [{ kind: "action", id: "theirs", deletedAt: updatedAt }] });
  expect(await statusOf(later)).toBe("pending");
});

test("an action that somebody held until now is given as free", async () => {
  const { action } = await http.ok(createAction, { title: "deploy" });
  await http.ok(acquireLease, { actionId: action.id, agentId: "ann" });
  http.advance(600_000);
  const { actions } = await given(http, { scopes: "actions" });
  expect(actions).toMatchObject([{ id: action.id, status: "pending" }]);
});

test("rows that an intake cut short has left in disorder are put in order when they come again", async () => {
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

test("an action that was finished elsewhere is held by nobody here", async () => {
  const { action } = await http.ok(createAction, { title: "deploy" });
  await http.ok(acquireLease, { actionId: action.id, agentId: "ann" });
  const updatedAt = new Date(http.now() + 1_000).toISOString();
  await taken(http, { actions: [{ ...action, status: "done", updatedAt }] });
  expect(await http.ok(getAction, { actionId: action.id })).toMatchObject({
    action: { status: "done" },
    lease: null,
  });
});

test("without a secret every route says what it needs, and so does the core", async () => {
  const off = await openTestHttp();
  opened.push(off);
  for (const operation of [addPeer, listPeers, syncMesh, receiveRows, exportRows]) {
    const { status, body } = await off.reply(operation, {});
    expect([status, body]).toEqual([503, { error: "mesh requires MEMSVC_SECRET" }]);
  }
  await expect(off.core.call(listPeers, {}, { face: "cli" })).rejects.toMatchObject({ code: "feature_off" });
});
