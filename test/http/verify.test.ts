import { afterEach, expect, test } from "vitest";
import { verify } from "../../src/governance/provenance/operations.ts";
import { evolve, getMemory, remember } from "../../src/knowledge/memories/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { happenNow } from "../support/workdays.ts";

let http: TestHttp;
afterEach(() => http.close());

function observed(sessionId: string, agentId?: string) {
  const prompt = `we will use sqlite for ${sessionId}`;
  return happenNow(http, sessionId, "prompt_submit", { prompt }, { cwd: "/w/shop", agentId });
}

test("verify shows a memory's sources and the missing ones, and does not count as a recall", async () => {
  http = await openTestHttp();
  const source = await observed("s1");
  const { memoryId } = await http.ok(remember, {
    content: "sqlite it is",
    sourceObservationIds: [source, "obs_gone"],
  });
  expect(await http.ok(verify, { id: memoryId })).toMatchObject({
    type: "memory",
    memory: { id: memoryId, version: 1, strength: 1, isLatest: true, supersedes: [] },
    citations: [
      {
        observationId: source,
        type: "conversation",
        sessionId: "s1",
        sessionProject: "shop",
        sessionStatus: "active",
      },
    ],
    citationCount: 1,
    missing: ["obs_gone"],
  });
  const [row] = await http.core.memories.byIds([memoryId]);
  expect(row?.recallCount).toBe(0);
});

test("verify names a memory whose title is the beginning of an earlier version's text by its own text", async () => {
  http = await openTestHttp();
  const { memoryId } = await http.ok(remember, { content: "Invoices are kept in SQLite" });
  const evolved = await http.ok(evolve, { memoryId, newContent: "Invoices are kept in Postgres" });
  expect(await http.ok(verify, { id: evolved.memoryId })).toMatchObject({
    memory: { title: "Invoices are kept in SQLite", presentTitle: "Invoices are kept in Postgres" },
  });
  expect(await http.ok(verify, { id: memoryId })).not.toHaveProperty("memory.presentTitle");
});

test("a source given twice is stored once", async () => {
  http = await openTestHttp();
  const sourceObservationIds = [await observed("s1"), "obs_gone"];
  const { memoryId, memory } = await http.ok(remember, {
    content: "sqlite it is",
    sourceObservationIds: [...sourceObservationIds, ...sourceObservationIds],
  });
  expect(memory.sourceObservationIds).toEqual(sourceObservationIds);
  expect(await http.ok(verify, { id: memoryId })).toMatchObject({ citationCount: 1, missing: ["obs_gone"] });
});

test("verify shows an observation's session and the memories that cite it", async () => {
  http = await openTestHttp();
  const source = await observed("s1");
  const { memoryId } = await http.ok(remember, { content: "sqlite it is", sourceObservationIds: [source] });
  expect(await http.ok(verify, { id: source })).toMatchObject({
    type: "observation",
    observation: { id: source, sessionId: "s1", importance: 8 },
    session: { id: "s1", project: "shop", status: "active" },
    citations: [],
    citationCount: 0,
    citedBy: [memoryId],
  });
});

test("verify of an unknown id is a 404, and without an id a 400", async () => {
  http = await openTestHttp();
  expect((await http.reply(verify, { id: "mem_x" })).status).toBe(404);
  expect((await http.reply(verify, {})).status).toBe(400);
});

test("verify does not show an isolated agent another agent's records or their existence", async () => {
  http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  const anns = await observed("s1", "ann");
  const bobs = await observed("s2", "bob");
  const { memoryId } = await http.ok(remember, {
    content: "from two sources",
    sourceObservationIds: [anns, bobs],
    agentId: "bob",
  });
  expect((await http.reply(verify, { id: memoryId, agentId: "ann" })).status).toBe(404);
  expect((await http.reply(verify, { id: bobs, agentId: "ann" })).status).toBe(404);
  expect(await http.ok(verify, { id: anns, agentId: "ann" })).toMatchObject({ citedBy: [] });
  expect(await http.ok(verify, { id: memoryId, agentId: "bob" })).toMatchObject({
    citations: [{ observationId: bobs }],
    missing: [anns],
  });
  expect((await http.ok(getMemory, { id: memoryId, agentId: "bob" })).memory.recallCount).toBe(1);
});
