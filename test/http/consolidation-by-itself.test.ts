import { afterEach, expect, test } from "vitest";
import { createAction, updateAction } from "../../src/coordination/actions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { listCrystals } from "../../src/knowledge/crystals/operations.ts";
import { listInsights } from "../../src/knowledge/insights/operations.ts";
import { listLessons, saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { listMemories } from "../../src/knowledge/memories/operations.ts";
import { listProcedures } from "../../src/knowledge/procedures/operations.ts";
import { dayMs, hourMs } from "../../src/time/durations.ts";
import { backoff, factsOf } from "../support/consolidated.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { helpful } from "../support/model-answers.ts";
import { openModelServer } from "../support/model-server.ts";
import { happen, workday, workdays } from "../support/workdays.ts";

let http: TestHttp;
afterEach(() => http.close());

test("the timer consolidates only projects with new activity", async () => {
  http = await openTestHttp({
    env: { CONSOLIDATION_ENABLED: "true", MEMSVC_CONSOLIDATION_COOLDOWN_MS: "0" },
  });
  await workdays(http, { project: "shop" }, "s");
  await workdays(http, { project: "blog" }, "b");
  http.advance(1_000);
  expect(await http.core.consolidations.distilActive()).toBe(2);
  await http.runDueJobs();
  expect(await factsOf(http, { project: "shop" })).toHaveLength(4);
  expect(await http.core.consolidations.distilActive()).toBe(0);
  http.advance(1_000);
  await workday(http, "b4", "keep drafts for ever", { project: "blog" });
  expect(await http.core.consolidations.distilActive()).toBe(1);
});

test("a stopped session triggers consolidation of its project once per cooldown", async () => {
  http = await openTestHttp({ env: { CONSOLIDATION_ENABLED: "true" } });
  await workdays(http);
  await http.runDueJobs();
  await http.runDueJobs();
  const runs = async () => (await http.ok(listAudit, { operation: "consolidate" })).entries;
  expect((await runs()).map(({ details }) => Object.keys(details.tiers as object))).toEqual([
    ["semantic", "reflect", "procedural"],
  ]);
  expect(await factsOf(http)).toHaveLength(4);
  await workday(http, "4", "write tests first");
  await http.runDueJobs();
  expect(await runs()).toHaveLength(1);
  http.advance(300_000);
  await http.runDueJobs();
  expect(await runs()).toHaveLength(2);
  expect((await factsOf(http)).map(({ fact }) => fact)).toContain("We decided to write tests first.");
});

test("a project whose sessions have all stopped gets one full consolidation an interval later", async () => {
  const server = await openModelServer();
  server.answer(helpful);
  http = await openTestHttp({ env: { ...server.env("openai"), CONSOLIDATION_ENABLED: "true" } });
  try {
    await workdays(http);
    await http.runDueJobs();
    const made = async () => {
      const listed = await http.ok(listMemories, {});
      return "memories" in listed ? listed.memories.map(({ title }) => title) : [];
    };
    expect(await made()).toEqual([]);
    // What the timer's sweep does; there has been no new activity.
    http.advance(2 * hourMs);
    await http.core.consolidations.distilActive();
    await http.runDueJobs();
    expect(new Set(await made())).toEqual(new Set(["Sessions live in libSQL"]));
    const asked = server.seen.length;
    http.advance(dayMs);
    await http.core.consolidations.distilActive();
    await http.runDueJobs();
    expect(server.seen.length).toBe(asked);
  } finally {
    await server.close();
  }
});

test("automatic runs reinforce facts, procedures and insights only on new evidence", async () => {
  http = await openTestHttp({
    env: { CONSOLIDATION_ENABLED: "true", MEMSVC_CONSOLIDATION_COOLDOWN_MS: "0" },
  });
  for (const content of backoff)
    await http.ok(saveLesson, { content, project: "shop", tags: ["backoff", "mail"] });
  await workdays(http);
  const found = async () => {
    http.advance(1_000);
    await http.core.consolidations.distilActive();
    await http.runDueJobs();
    const { insights } = await http.ok(listInsights, { project: "shop" });
    const { procedural } = await http.ok(listProcedures, { project: "shop" });
    return {
      insights: insights.map(({ content, reinforcements }) => ({ content, reinforcements })),
      procedures: procedural.map(({ frequency, strength }) => ({ frequency, strength })),
      facts: (await factsOf(http)).map(({ fact, accessCount }) => ({ fact, accessCount })),
    };
  };
  const first = await found();
  expect(first.insights.length).toBeGreaterThan(0);
  expect(first.procedures).toEqual([{ frequency: 1, strength: 0.5 }]);
  for (let again = 1; again <= 3; again += 1) {
    await happen(http, "talk", "prompt_submit", { prompt: `What does it look like today, ${again}?` });
    expect(await found()).toEqual(first);
  }
  await workday(http, "4", "keep sessions in libSQL");
  const { procedures, facts } = await found();
  expect(procedures).toEqual([{ frequency: 2, strength: 0.6 }]);
  const seenAgain = ["command: npm install", "command: npm test", "We decided to keep sessions in libSQL."];
  const reinforced = facts.filter(({ accessCount }) => accessCount > 0);
  expect(new Set(reinforced)).toEqual(new Set(seenAgain.map((fact) => ({ fact, accessCount: 1 }))));
});

test("in shared scope automatic facts, crystals and lessons belong to AGENT_ID", async () => {
  http = await openTestHttp({ env: { CONSOLIDATION_ENABLED: "true", AGENT_ID: "ann" } });
  const { action } = await http.ok(createAction, { title: "Split the queue", project: "shop" });
  const result = "Done. Next time stop the old worker first.";
  await http.ok(updateAction, { actionId: action.id, status: "done", result });
  http.advance(8 * dayMs);
  await workdays(http);
  await http.core.consolidations.distilActive();
  await http.runDueJobs();
  const { crystals } = await http.ok(listCrystals, {});
  const { lessons } = await http.ok(listLessons, { source: "crystal" });
  expect([crystals.length, lessons.length]).toEqual([1, 1]);
  const owners = [...(await factsOf(http)), ...crystals, ...lessons].map(({ agentId }) => agentId);
  expect(new Set(owners)).toEqual(new Set(["ann"]));
});

test("without the setting nothing is consolidated automatically", async () => {
  http = await openTestHttp();
  await workdays(http);
  await http.runDueJobs();
  http.advance(dayMs);
  await http.runDueJobs();
  expect(await http.ok(listAudit, { operation: "consolidate" })).toMatchObject({ total: 0 });
  expect(await factsOf(http)).toEqual([]);
});

test("actions finished a week ago are crystallized once when a session of their project stops", async () => {
  http = await openTestHttp({ env: { CONSOLIDATION_ENABLED: "true" } });
  const finished = async (project: string) => {
    const { action } = await http.ok(createAction, { title: `ship ${project}`, project });
    await http.ok(updateAction, { actionId: action.id, status: "done" });
    return action.id;
  };
  const old = await finished("shop");
  await finished("blog");
  http.advance(7 * dayMs);
  await finished("shop");
  const condensed = async () =>
    (await http.ok(listCrystals, {})).crystals.map(({ sourceActionIds }) => sourceActionIds);
  for (const day of ["1", "2"]) {
    await workday(http, day, "keep sessions in libSQL");
    for (let turns = 0; turns < 3; turns += 1) {
      await http.runDueJobs();
      http.advance(600_000);
    }
    expect(await condensed()).toEqual([[old]]);
  }
});
