import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addActionEdge, createAction } from "../../src/coordination/actions/operations.ts";
import { forgetProject } from "../../src/governance/deletion/operations.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { evict } from "../../src/governance/retention/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { sweeps } from "../../src/jobs/sweeps.ts";
import { evolve, forget, getMemory } from "../../src/knowledge/memories/operations.ts";
import { shareItem, teamFeed } from "../../src/sharing/team/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { dumpStore, type TestHttp } from "../support/http.ts";
import { forgotten, given, ids, memoryRow, meshStores, type Rows, taken } from "../support/mesh-stores.ts";

const { close, open, remembered } = meshStores(() => http);
afterEach(close);

let http: TestHttp;
beforeEach(async () => {
  http = await open();
});

describe("deletions in a mesh exchange", () => {
  test("remove a row unless it changed later, and keep older copies from coming back", async () => {
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
    http.advance(180 * 86_400_000);
    expect(ids((await given(http, {})).tombstones ?? [])).toEqual([gone, kept].sort());
    http.advance(1);
    expect((await given(http, {})).tombstones).toEqual([]);
  });

  test("received from elsewhere are passed on by the time of their arrival", async () => {
    const gone = await remembered("gone");
    http.advance(60_000);
    await taken(http, { tombstones: [{ kind: "memory", id: gone, deletedAt: "2026-03-01T12:00:00Z" }] });
    expect(ids((await given(http, { since: "2026-03-01T12:00:30Z" })).tombstones ?? [])).toEqual([gone]);
    expect((await given(http, { since: "2026-03-01T12:01:30Z" })).tombstones).toEqual([]);
  });

  test("received from elsewhere are erased from the database's files, too", async () => {
    const gone = await remembered("of the zorilla");
    await taken(http, { tombstones: [{ kind: "memory", id: gone, deletedAt: "2026-03-01T12:00:00Z" }] });
    http.advance(60_000);
    await http.runDueJobs();
    for (const name of ["memsvc.db", "memsvc.db-wal"])
      expect(readFileSync(join(http.home, name), "latin1")).not.toContain("zorilla");
  });

  test("are passed on for half a year in spite of the sweep of old ones", async () => {
    const gone = await remembered("gone");
    await http.ok(forget, { memoryId: gone });
    const sweep = sweeps(http.core).find(({ kind }) => kind === "sweep.tombstones");
    http.advance(179 * dayMs);
    await sweep?.run({ id: "job_1", kind: "sweep.tombstones", key: "", payload: {}, attempts: 1 });
    expect(ids((await given(http)).tombstones ?? [])).toEqual([gone]);
  });

  test("by fading are not applied elsewhere, and the row does not come back", async () => {
    const other = await open();
    const id = await remembered("used every day by the other");
    await taken(other, await given(http));
    const backup = await http.ok(exportStore, {});
    for (const store of [http, other]) store.advance(10 * 365 * 86_400_000);
    expect((await http.ok(evict, {})).decayedMemories).toEqual([id]);
    const told = await given(http, { scopes: "memories" });
    expect(told.tombstones).toEqual([
      { kind: "memory", id, deletedAt: new Date(http.now()).toISOString(), faded: true },
    ]);
    expect(await taken(other, told)).toMatchObject({ accepted: 0, skipped: 1 });
    expect((await other.reply(getMemory, { id })).status).toBe(200);
    expect(await taken(http, await given(other))).toMatchObject({ accepted: 0 });
    expect((await http.reply(getMemory, { id })).status).toBe(404);
    await http.ok(importStore, { exportData: backup });
    expect((await http.reply(getMemory, { id })).status).toBe(200);
    expect((await given(http, { scopes: "memories" })).tombstones).toEqual([]);
  });

  test("remove the shared team copy of a memory", async () => {
    const other = await open({ MEMSVC_TEAM_ID: "crew", MEMSVC_USER_ID: "ann" });
    const id = await remembered("our secret sauce");
    await taken(other, await given(http));
    await other.ok(shareItem, { itemId: id, itemType: "memory" });
    await forgotten(http, [id]);
    await taken(other, await given(http));
    expect((await other.ok(teamFeed, {})).items).toEqual([]);
  });

  test("remove the insights that were drawn from a fact", async () => {
    const createdAt = "2026-02-01T00:00:00.000Z";
    const fact = { id: "sem_1", fact: "Zanzibar is asked first", createdAt };
    const insight = { id: "ins_1", content: "Zanzibar comes first", createdAt, sourceMemoryIds: [fact.id] };
    const exportData = { version: "1.0.0", semanticMemories: [fact], insights: [insight] };
    await http.ok(importStore, { exportData });
    const deletedAt = "2026-03-01T12:00:00.000Z";
    await taken(http, { tombstones: [{ kind: "semantic", id: fact.id, deletedAt }] });
    expect(await dumpStore(http)).not.toContain("Zanzibar");
  });

  test("remove graph nodes and edges, unless local memories support them", async () => {
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

  test("can be limited to one project, also after an export and in a third store", async () => {
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

  test("of a whole project are passed on, and none of its rows comes back from a store that had them", async () => {
    const project = "/w/shop";
    const first = await remembered("alpha beta gamma", { project, concepts: ["till"], files: ["a.ts"] });
    await http.ok(evolve, { memoryId: first, newContent: "alpha beta delta" });
    await http.ok(createAction, { title: "count", project });
    const derived = { project, createdAt: "2026-02-01T00:00:00Z", updatedAt: "2026-02-01T00:00:00Z" };
    const ends = { sourceNodeId: "drawer", targetNodeId: "coins" };
    await taken(http, {
      semantic: [{ ...derived, id: "sem_1", fact: "Tills are counted", confidence: 0.8 }],
      procedural: [{ ...derived, id: "prc_1", name: "Count", steps: ["open"], triggerCondition: "evening" }],
      graphNodes: ["drawer", "coins"].map((name) => ({ ...derived, id: name, name, type: "concept" })),
      // A model and rules found it, the latter in observations, which stay in their store.
      graphEdges: [{ ...derived, ...ends, id: "e1", type: "uses", weight: 0.8, structural: true }],
    });
    const b = await open();
    await taken(b, await given(http));
    const of = async (store: TestHttp) => {
      const { tombstones, exportedAt, version, ...rows } = await given(store, { project: "shop" });
      return Object.values(rows).flatMap((array) => ids(array as Rows));
    };
    expect((await of(b)).length).toBeGreaterThanOrEqual(9);
    for (const store of [http, b]) store.advance(1_000);
    await http.ok(forgetProject, { project: "shop" });
    expect(await taken(http, await given(b))).toMatchObject({ accepted: 0 });
    await taken(b, await given(http));
    for (const store of [http, b]) expect(await of(store)).toEqual([]);
  });

  test("are undone by an import of an older file, which brings the rows back everywhere", async () => {
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

  test("are dated no earlier than the change that they delete, even if that was dated ahead", async () => {
    const row = memoryRow("ahead", { updatedAt: "2026-03-02T00:00:00.000Z" });
    await taken(http, { memories: [row] });
    await http.ok(forget, { memoryId: "ahead" });
    expect((await given(http)).tombstones).toMatchObject([{ id: "ahead", deletedAt: row.updatedAt }]);
    expect(await taken(http, { memories: [row] })).toMatchObject({ accepted: 0, skipped: 1 });
  });
});
