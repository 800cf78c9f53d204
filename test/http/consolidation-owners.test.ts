import { afterEach, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { consolidatePipeline, reflect } from "../../src/knowledge/consolidation/operations.ts";
import { listInsights } from "../../src/knowledge/insights/operations.ts";
import { listLessons, saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { listProcedures } from "../../src/knowledge/procedures/operations.ts";
import { backoff, factsOf } from "../support/consolidated.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { workdays } from "../support/workdays.ts";

let http: TestHttp;
afterEach(() => http.close());

test("projects are never mixed, even when they took the same decisions", async () => {
  http = await openTestHttp();
  await workdays(http, { project: "shop" }, "s");
  await workdays(http, { project: "blog" }, "b");
  await http.ok(consolidatePipeline, { project: "blog" });
  expect(await factsOf(http, { project: "shop" })).toEqual([]);
  await http.ok(consolidatePipeline, {});
  for (const [project, prefix] of [
    ["shop", "s"],
    ["blog", "b"],
  ] as const) {
    const facts = await factsOf(http, { project });
    expect(facts).toHaveLength(4);
    for (const { sourceSessionIds } of facts)
      expect(sourceSessionIds.every((id) => id.startsWith(prefix))).toBe(true);
    const { procedural } = await http.ok(listProcedures, { project });
    expect(procedural.map(({ sourceSessionIds }) => sourceSessionIds)).toEqual([
      [`${prefix}3`, `${prefix}2`, `${prefix}1`],
    ]);
  }
});

test("insights for one project draw on no lesson of another", async () => {
  http = await openTestHttp();
  for (const content of backoff)
    await http.ok(saveLesson, { content, project: "blog", tags: ["backoff", "mail"] });
  await http.ok(reflect, { project: "shop" });
  expect((await http.ok(listInsights, {})).total).toBe(0);
  await http.ok(reflect, { project: "blog" });
  expect((await http.ok(listInsights, {})).total).toBe(1);
});

test("records without an agent are not combined where agents are isolated", async () => {
  http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  for (const content of backoff)
    await http.ok(saveLesson, { content, project: "shop", tags: ["backoff", "mail"], agentId: "*" });
  await http.ok(reflect, { agentId: "*" });
  expect((await http.ok(listLessons, { agentId: "*" })).total).toBe(3);
  expect((await http.ok(listInsights, { agentId: "*" })).total).toBe(0);
});

test("isolated agents get facts and insights from their own records only", async () => {
  http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  await workdays(http, { agentId: "ann" }, "a");
  await workdays(http, { agentId: "bob" }, "b");
  for (const agentId of ["ann", "bob"])
    for (const content of backoff)
      await http.ok(saveLesson, { content, project: "shop", tags: ["backoff", "mail"], agentId });
  await http.ok(consolidatePipeline, {});
  for (const [agentId, prefix] of [
    ["ann", "a"],
    ["bob", "b"],
  ] as const) {
    const facts = await factsOf(http, { agentId });
    expect(facts).toHaveLength(4);
    for (const fact of facts) {
      expect(fact.agentId).toBe(agentId);
      expect(fact.sourceSessionIds.every((id) => id.startsWith(prefix))).toBe(true);
    }
    const { lessons } = await http.ok(listLessons, { agentId });
    const own = new Set(lessons.map(({ id }) => id));
    const { insights } = await http.ok(listInsights, { agentId });
    expect(insights.length).toBeGreaterThan(0);
    expect(insights.flatMap(({ sourceLessonIds }) => sourceLessonIds).every((id) => own.has(id))).toBe(true);
  }
  expect((await http.reply(reflect, {})).status).toBe(400);
  expect(await http.ok(reflect, { agentId: "ann" })).toMatchObject({ newInsights: 0 });
});

test("an isolated agent's insights draw on no fact of another", async () => {
  http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  const createdAt = new Date(http.now()).toISOString();
  const semanticMemories = ["ann", "bob"].flatMap((agentId) =>
    backoff.map((fact, at) => ({
      ...{ id: `fact_${agentId}_${at}`, fact: `${fact} (${agentId})`, confidence: 0.8, agentId },
      ...{ project: "shop", sourceSessionIds: [], createdAt, updatedAt: createdAt },
    })),
  );
  await http.ok(importStore, { exportData: { semanticMemories } });
  await http.ok(saveLesson, { content: backoff[0] ?? "", project: "shop", agentId: "bob" });
  expect(await factsOf(http, { agentId: "ann" })).toHaveLength(backoff.length);
  await http.ok(reflect, { agentId: "bob" });
  const { insights } = await http.ok(listInsights, { agentId: "*" });
  expect(insights.length).toBeGreaterThan(0);
  for (const { agentId, content } of insights) {
    expect(agentId).toBe("bob");
    expect(content).not.toContain("(ann)");
  }
  expect(await http.reply(reflect, { agentId: "eve" })).toMatchObject({ body: { newInsights: 0 } });
});

test("a run for one agent is not crowded out by the projects of another", async () => {
  http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  for (const content of backoff)
    await http.ok(saveLesson, { content, project: "till", tags: ["backoff", "mail"], agentId: "bob" });
  // More than one run works on.
  for (let at = 0; at < 51; at += 1)
    for (const content of backoff)
      await http.ok(saveLesson, { content: `${content} (${at})`, project: `shop ${at}`, agentId: "ann" });
  const run = await http.ok(consolidatePipeline, { agentId: "bob", tier: "reflect" });
  expect(run).not.toHaveProperty("warning");
  expect((await http.ok(listInsights, { agentId: "bob" })).total).toBeGreaterThan(0);
});

test("a run for one agent does not touch the records of another", async () => {
  http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  await workdays(http, { agentId: "ann" }, "a");
  await workdays(http, { agentId: "bob" }, "b");
  await http.ok(consolidatePipeline, { agentId: "ann" });
  expect(await factsOf(http, { agentId: "ann" })).toHaveLength(4);
  expect(await factsOf(http, { agentId: "bob" })).toEqual([]);
});

test.each([
  ["isolates agents and has another AGENT_ID", { MEMSVC_AGENT_SCOPE: "isolated", AGENT_ID: "ann" }],
  ["isolates agents and has no AGENT_ID", { MEMSVC_AGENT_SCOPE: "isolated" }],
  ["lets agents share and has another AGENT_ID", { MEMSVC_AGENT_SCOPE: "shared", AGENT_ID: "ann" }],
])(
  "a run is made for the caller's agent where a daemon %s",
  async (_name, env: Readonly<Record<string, string>>) => {
    const byBob = { headers: { "x-memsvc-agent": "bob" } };
    http = await openTestHttp({ env });
    await workdays(http, { agentId: "ann" }, "a");
    await workdays(http, { agentId: "bob" }, "b");
    for (const agentId of ["ann", "bob"])
      for (const content of backoff)
        await http.ok(saveLesson, { content, project: "shop", tags: ["backoff", "mail"], agentId });
    await http.ok(consolidatePipeline, {}, byBob);
    await http.ok(reflect, {}, byBob);
    expect(await factsOf(http, { agentId: "ann" })).toEqual([]);
    expect(await http.ok(listInsights, { agentId: "ann" })).toMatchObject({ total: 0 });
    const sources = (await factsOf(http, { agentId: "bob" })).flatMap(
      ({ sourceSessionIds }) => sourceSessionIds,
    );
    const isIsolated = env.MEMSVC_AGENT_SCOPE === "isolated";
    expect(sources.some((id) => id.startsWith("b"))).toBe(true);
    expect(sources.some((id) => id.startsWith("a"))).toBe(!isIsolated);
    const { entries } = await http.ok(listAudit, {});
    const runs = entries.filter(({ operation }) => ["consolidate", "reflect"].includes(operation));
    expect(new Set(runs.map(({ agentId }) => agentId))).toEqual(new Set(["bob"]));
  },
);
