import { expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { migrate } from "../../src/governance/migration/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { graphSettled } from "../../src/graph/structural/settled.ts";
import { evolve, getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";
import { happenNow } from "../support/workdays.ts";

const http = forEachTest(openTestHttp);

const observed = (sessionId: string, project: string, prompt: string) =>
  happenNow(http, sessionId, "prompt_submit", { prompt }, { project, cwd: `/w/${project}` });

/** Memories of one project, of two, and of none. */
async function memories() {
  const one = [await observed("s1", "shop", "first"), await observed("s2", "shop", "second")];
  const other = await observed("s3", "bank", "third");
  const stored = async (content: string, sourceObservationIds: string[]) =>
    (await http.ok(remember, { content, sourceObservationIds })).memoryId;
  return {
    agreeing: await stored("alpha beta", one),
    torn: await stored("gamma delta", [...one, other]),
    unknown: await stored("epsilon zeta", ["obs_gone"]),
    bare: await stored("eta theta", []),
  };
}

const step = "infer-memory-projects";

test("gives memories the project in which all their sources were observed", async () => {
  const { agreeing, torn } = await memories();
  http.advance(1_000);
  expect(await http.ok(migrate, { step })).toMatchObject({
    updated: 1,
    skipped: 2,
    ambiguous: 1,
    dryRun: false,
  });
  const { memory } = await http.ok(getMemory, { id: agreeing });
  expect([memory.project, memory.updatedAt]).toEqual(["shop", "2026-03-01T12:00:01.000Z"]);
  expect((await http.ok(getMemory, { id: torn })).memory).not.toHaveProperty("project");
  expect((await http.ok(listMemories, { project: "/w/shop" })).total).toBe(1);
  const hits = await http.ok(smartSearch, { query: "alpha", project: "bank" });
  expect(hits.results).toEqual([]);
  expect((await http.ok(smartSearch, { query: "alpha", project: "shop" })).results).toHaveLength(1);
  const { entries } = await http.ok(listAudit, { operation: "migrate" });
  expect(entries).toMatchObject([
    {
      functionId: "store.migrate",
      targetIds: [agreeing],
      details: { step, updated: 1, skipped: 2, ambiguous: 1 },
    },
  ]);
});

test("keeps the project when an import brings a copy dated ahead", async () => {
  const time = new Date(http.now() + 300_000).toISOString();
  const source = await observed("s1", "shop", "first");
  const peer = { id: "mem_peer", content: "alpha beta", createdAt: time, updatedAt: time };
  const exportData = { version: "1.0.0", memories: [{ ...peer, sourceObservationIds: [source] }] };
  await http.ok(importStore, { exportData });
  await http.ok(migrate, { step });
  await http.ok(importStore, { exportData });
  expect((await http.ok(getMemory, { id: "mem_peer" })).memory.project).toBe("shop");
});

test("moves a memory's graph nodes to its project", async () => {
  const source = await observed("s1", "shop", "first");
  const concepts = ["walrus"];
  await http.ok(remember, { content: "alpha beta", concepts, sourceObservationIds: [source] });
  await graphSettled(http.core.ground);
  await http.ok(migrate, { step });
  await graphSettled(http.core.ground);
  const nodes = await http.core.ground.store.read.sql.all(
    "SELECT name, project_key AS projectKey FROM graph_nodes WHERE name = 'walrus'",
  );
  expect(nodes).toEqual([{ name: "walrus", projectKey: "/w/shop" }]);
});

test("gives earlier versions their project too, while searches still find only the latest", async () => {
  const { agreeing } = await memories();
  const { memoryId } = await http.ok(evolve, { memoryId: agreeing, newContent: "alpha omega" });
  expect(await http.ok(migrate, { step })).toMatchObject({ updated: 2 });
  expect((await http.ok(getMemory, { id: agreeing })).memory.project).toBe("shop");
  const hits = await http.ok(smartSearch, { query: "alpha beta", project: "shop" });
  const found = hits.results.flatMap(({ obsId, kind }) => (kind === "memory" ? [obsId] : []));
  expect(found).toEqual([memoryId]);
});

test("a second run or a dry run changes nothing and writes no audit entry", async () => {
  await memories();
  const before = await dumpStore(http);
  expect(await http.ok(migrate, { step, dryRun: true })).toMatchObject({ updated: 1, dryRun: true });
  expect(await dumpStore(http)).toBe(before);
  await http.ok(migrate, { step });
  const after = await dumpStore(http);
  expect(await http.ok(migrate, { step })).toMatchObject({ updated: 0, skipped: 2, ambiguous: 1 });
  expect(await dumpStore(http)).toBe(after);
});

test.each([{}, { step: "make-coffee" }, { step, dryRun: "maybe" }])("%j is a 400", async (fields) => {
  expect((await http.reply(migrate, fields)).status).toBe(400);
});
