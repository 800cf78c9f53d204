import { describe, expect, test } from "vitest";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { signalCollection } from "../../src/coordination/signals/transfer.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { memoryCollection } from "../../src/knowledge/memories/transfer.ts";
import { callToText } from "../../src/operation/in-process.ts";
import { exported, fill } from "../support/exported-store.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);
const other = forEachTest(openTestHttp);

describe("an export", () => {
  test("of an empty store has every collection, empty", async () => {
    const data = await exported(http);
    const arrays = ["sessions", "memories", "summaries", "profiles", "graphNodes", "graphEdges"];
    arrays.push("semanticMemories", "proceduralMemories", "lessons", "insights", "commits", "relations");
    arrays.push("accessLogs", "crystals", "slots", "actions", "actionEdges", "leases", "routines");
    arrays.push("routineRuns", "signals", "checkpoints", "sentinels", "sketches", "facets", "teamItems");
    arrays.push("meshPeers", "audit", "projectAliases", "images", "tombstones");
    for (const name of arrays) expect(data[name], name).toEqual([]);
    expect(data.observations).toEqual({});
    expect(data.pagination).toEqual({ offset: 0, limit: 0, total: 0, hasMore: false });
    expect(data).toMatchObject({ version: expect.any(String), exportedAt: expect.any(String) });
    expect(data).not.toHaveProperty("success");
  });

  test("holds sessions, observations with raw events, memories with strength, and relations", async () => {
    const { first, latestId } = await fill(http);
    const data = await exported(http);
    expect(data.sessions.map(({ id }) => id)).toEqual(["s1", "s2"]);
    expect(data.observations.s1?.map(({ id }) => id)).toContain(first);
    const listed = await http.ok(listObservations, { sessionId: "s1", raw: true, order: "asc" });
    expect(data.observations.s1).toEqual(listed.observations);
    const memory = data.memories.find(({ id }) => id === latestId);
    expect(memory).toMatchObject({
      strengthAnchor: expect.any(Number),
      strengthAnchorAt: expect.any(String),
    });
    expect(data.memories).toHaveLength(2);
    expect(data).toMatchObject({ summaries: [{ sessionId: "s1" }], relations: [{ type: "supersedes" }] });
  });

  test("in pages has each session once, and the other collections on the first page only", async () => {
    await fill(http);
    const [first, second] = [
      await exported(http, { maxSessions: "1" }),
      await exported(http, { maxSessions: "1", offset: "1" }),
    ];
    expect(first.sessions.map(({ id }) => id)).toEqual(["s1"]);
    expect(Object.keys(first.observations)).toEqual(["s1"]);
    expect(first).toMatchObject({ summaries: [{ sessionId: "s1" }] });
    expect(first.pagination).toEqual({ offset: 0, limit: 1, total: 2, hasMore: true });
    expect(first.memories).toHaveLength(2);
    expect(second.sessions.map(({ id }) => id)).toEqual(["s2"]);
    expect(second).toMatchObject({ memories: [], summaries: [], audit: [], projectAliases: [] });
    expect(second.pagination).toEqual({ offset: 1, limit: 1, total: 2, hasMore: false });
  });

  test("caps a page at 1,000 sessions and refuses an invalid number of sessions", async () => {
    expect((await exported(http, { maxSessions: "5000" })).pagination).toMatchObject({ limit: 1000 });
    expect((await exported(http, { offset: "3" })).pagination).toMatchObject({ offset: 3, limit: 1000 });
    for (const maxSessions of ["0", "-1", "x", "1.5"])
      expect((await http.send("/export", { query: { maxSessions } })).status, maxSessions).toBe(400);
  });

  test("reads each session and observation once, also where many of one time fill several pages", async () => {
    const at = "2026-03-01T10:00:00.000Z";
    const numbered = <Item>(count: number, name: (number: string) => Item) =>
      Array.from({ length: count }, (_, number) => name(String(number).padStart(4, "0")));
    const ids = numbered(1_001, (number) => `s${number}`);
    const sessions = ids.map((id) => ({ id, project: "shop", cwd: "/w/shop", startedAt: at }));
    const observationsOf = (id: string, count: number) =>
      numbered(count, (number) => ({ id: `${id}-${number}`, timestamp: at, title: `note ${number}` }));
    const observations = { s0000: observationsOf("s0000", 401), s0001: observationsOf("s0001", 200) };
    await http.ok(importStore, { exportData: { version: "0.1.0", sessions, observations } });
    const data = await exported(http);
    expect(data.sessions.map(({ id }) => id)).toEqual(ids);
    const idsOf = (list: readonly { readonly id?: unknown }[] = []) => list.map(({ id }) => id);
    for (const [id, given] of Object.entries(observations))
      expect(idsOf(data.observations[id])).toEqual(idsOf(given));
    expect(Object.keys(data.observations)).toEqual(Object.keys(observations));
  });

  test("of events with the deepest nesting that is accepted can be imported again", async () => {
    const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
    const event = { sessionId: "s1", project: "/w/shop", cwd: "/w/shop", timestamp: "2026-03-01T10:00:00Z" };
    await http.ok(observe, { ...event, hookType: "post_tool_use", data: nested(63) });
    expect((await http.reply(observe, { ...event, hookType: "stop", data: nested(64) })).status).toBe(400);
    const before = await exported(http);
    await other.ok(importStore, { exportData: before });
    expect((await exported(other)).observations).toEqual(before.observations);
  });

  test("writes an audit entry", async () => {
    await exported(http);
    const { entries } = await http.ok(listAudit, { operation: "export" });
    expect(entries).toMatchObject([{ functionId: "store.export" }]);
  });

  test("that fails midway breaks off the connection", async () => {
    await fill(http);
    const { store } = http.core.ground;
    const openView = store.openView.bind(store);
    store.openView = async () => {
      const view = await openView();
      const sql = {
        ...view.sql,
        values: (text: string, args: never) => {
          if (text.includes("memories")) throw new Error("the disk is gone");
          return view.sql.values(text, args);
        },
      };
      return { sql, orm: view.orm, close: () => view.close() };
    };
    await expect(http.send("/export")).rejects.toThrow();
  });

  test("closes its view of the store when it is read, broken off or requested by HEAD", async () => {
    await fill(http);
    const { store } = http.core.ground;
    const openView = store.openView.bind(store);
    let open = 0;
    store.openView = async () => {
      const view = await openView();
      open += 1;
      return {
        sql: view.sql,
        orm: view.orm,
        close: async () => {
          open -= 1;
          await view.close();
        },
      };
    };
    const head = await http.send("/export", { method: "HEAD" });
    expect([head.status, head.text, open]).toEqual([200, "", 0]);
    await exported(http);
    expect(open).toBe(0);
    const pieces = await callToText(http.core, exportStore, {}, { face: "http" });
    await pieces.next();
    expect(open).toBe(1);
    await pieces.return?.();
    expect(open).toBe(0);
  });

  test.each([
    ["memories", memoryCollection, {}],
    ["signals", signalCollection, { from: "planner", threadId: "thr_1" }],
  ])(
    "reads fewer %s per page when they are long, and still reads all of them",
    async (name, collection, more) => {
      const rows = Array.from({ length: 600 }, (_, at) => ({
        ...more,
        id: `row_${at}`,
        content: `how till ${at} is opened`,
        createdAt: "2026-03-01T10:00:00Z",
      }));
      await http.ok(importStore, { exportData: { version: "1.0.0", [name]: rows } });
      await http.writeSql(`UPDATE ${name} SET content = printf('%.*c', 20000, 'x')`);
      const { store, home, settings } = http.core.ground;
      const reading = { connection: store.read, now: http.now(), includeImages: false, home, settings };
      const lengths: number[] = [];
      let read = 0;
      for await (const page of collection.pages(reading)) {
        lengths.push(page.length);
        read += JSON.parse(`[${page}]`).length;
      }
      expect(read).toBe(600);
      expect(Math.max(...lengths.slice(1))).toBeLessThan(1_100_000);
    },
  );

  test("does not contain what is written while it is read", async () => {
    await fill(http);
    const pieces = await http.core.transfer.export({ offset: 0 });
    let text = textOf((await pieces.next()).value);
    await http.ok(remember, { content: "written in the middle of an export" });
    for await (const piece of pieces) text += textOf(piece);
    expect(JSON.parse(text).memories).toHaveLength(2);
  });
});

function textOf(piece: Uint8Array | undefined): string {
  return new TextDecoder().decode(piece);
}
