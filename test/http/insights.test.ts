import { describe, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import type { NewInsight } from "../../src/knowledge/insights/insights.ts";
import { listInsights, searchInsights } from "../../src/knowledge/insights/operations.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { weekMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

function saved(content: string, fields: Partial<NewInsight> = {}, { core } = http) {
  const given = {
    title: "Recurring: tests",
    content,
    confidence: 0.5,
    sourceConceptCluster: ["tests"],
    provider: "extractive",
    ...fields,
  };
  return core.ground.store.write((tx) => core.insights.save(tx, given));
}

async function contents(fields: Readonly<Record<string, unknown>> = {}, from = http) {
  return (await from.ok(listInsights, fields)).insights.map(({ content }) => content);
}

describe("insights", () => {
  test("are listed as created", async () => {
    await saved("Flaky tests lack an await", { project: "shop", sourceLessonIds: ["l1"], agentId: "a" });
    expect((await http.ok(listInsights, {})).insights).toEqual([
      {
        id: expect.stringMatching(/^ins_/u),
        title: "Recurring: tests",
        content: "Flaky tests lack an await",
        confidence: 0.5,
        reinforcements: 0,
        sourceConceptCluster: ["tests"],
        sourceMemoryIds: [],
        sourceLessonIds: ["l1"],
        sourceCrystalIds: [],
        project: "shop",
        agentId: "a",
        tags: [],
        provider: "extractive",
        createdAt: "2026-03-01T12:00:00.000Z",
        updatedAt: "2026-03-01T12:00:00.000Z",
        decayRate: 0.05,
      },
    ]);
  });

  test("that recur in any case are reinforced, with all their sources", async () => {
    await saved("Flaky tests lack an await", { sourceMemoryIds: ["m1"] });
    http.advance(weekMs);
    const { action, row } = await saved("flaky TESTS lack an await", {
      sourceMemoryIds: ["m2"],
      sourceConceptCluster: ["await"],
    });
    expect(action).toBe("reinforced");
    expect(row).toMatchObject({
      confidence: 0.505,
      reinforcements: 1,
      sourceMemoryIds: ["m1", "m2"],
      sourceConceptCluster: ["tests", "await"],
      lastReinforcedAt: Date.parse("2026-03-08T12:00:00.000Z"),
    });
    expect((await saved("Flaky tests lack an await", { project: "shop" })).action).toBe("created");
  });

  test("decay, and are filtered and sorted by their current confidence", async () => {
    await saved("old", { confidence: 0.7, project: "shop" });
    http.advance(5 * weekMs);
    await saved("new", { confidence: 0.5 });
    http.advance(1_000);
    await saved("newest", { confidence: 0.2 });
    expect(await contents()).toEqual(["new", "old", "newest"]);
    expect(await contents({ minConfidence: 0.46 })).toEqual(["new"]);
    expect(await contents({ project: "shop" })).toEqual(["old"]);
    const page = await http.ok(listInsights, { limit: 1, offset: 1 });
    expect([page.total, page.insights[0]?.content]).toEqual([3, "old"]);
  });

  test("are deleted by the sweep once faded, unless they were reinforced", async () => {
    await saved("gone soon");
    await saved("stays");
    await saved("stays");
    http.advance(9 * weekMs);
    expect(await http.core.dropFaded()).toEqual({ lessons: 0, insights: 1 });
    expect(await contents()).toEqual(["stays"]);
    expect((await http.ok(searchInsights, { query: "gone", minConfidence: 0 })).insights).toEqual([]);
    const { sql } = http.core.ground.store.read;
    expect(await sql.values("SELECT body FROM documents WHERE kind = 'insight'")).toEqual([["stays"]]);
    expect((await saved("gone soon")).action).toBe("created");
  });

  test("that faded are deleted together with faded lessons, with one audit entry that names them all", async () => {
    const { row } = await saved("gone soon");
    const { lesson } = await http.ok(saveLesson, { content: "Retry twice" });
    http.advance(9 * weekMs);
    const entries = async () => (await http.ok(listAudit, { operation: "sweep" })).entries;
    expect(await http.core.dropFaded()).toEqual({ lessons: 1, insights: 1 });
    expect(await http.core.dropFaded()).toEqual({ lessons: 0, insights: 0 });
    expect(await entries()).toMatchObject([
      { targetIds: [lesson.id, row.id], details: { lessons: 1, insights: 1 } },
    ]);
    await saved("alone");
    http.advance(9 * weekMs);
    await http.core.dropFaded();
    expect(await entries()).toHaveLength(2);
  });

  test("do not decay when that is switched off", async () => {
    const still = await openTestHttp({ env: { MEMSVC_INSIGHT_DECAY_ENABLED: "false" } });
    await saved("stays", { confidence: 0.1 }, still);
    still.advance(50 * weekMs);
    expect(await still.core.dropFaded()).toEqual({ lessons: 0, insights: 0 });
    expect((await still.ok(listInsights, {})).insights).toMatchObject([{ confidence: 0.1 }]);
    await still.close();
  });

  test("redact secrets in all their texts", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    await saved(token, { title: token, tags: [token], sourceConceptCluster: [token] });
    expect(await dumpStore(http)).not.toContain(token);
  });
});

describe("searching insights", () => {
  test("ranks by words, confidence and age, and keeps insights out of other searches", async () => {
    await saved("jitter helps", { confidence: 0.3 });
    await saved("jitter helps more", { confidence: 0.9, project: "shop" });
    const { insights } = await http.ok(searchInsights, { query: "jitter" });
    expect(insights.map(({ content }) => content)).toEqual(["jitter helps more", "jitter helps"]);
    expect(insights[1]?.score).toBe(0.3);
    expect((await http.ok(searchInsights, { query: "jitter", project: "shop" })).insights).toHaveLength(1);
    expect((await http.ok(searchInsights, { query: "jitter", minConfidence: 0.5 })).insights).toHaveLength(1);
    expect((await http.ok(searchInsights, { query: "jitter", limit: 1 })).insights).toHaveLength(1);
    expect((await http.ok(smartSearch, { query: "jitter", includeLessons: true })).results).toEqual([]);
  });

  test.each([{}, { query: " " }, { query: "x", minConfidence: 2 }, { query: "x", limit: 0 }])(
    "with %j is a 400",
    async (fields) => {
      expect((await http.reply(searchInsights, fields)).status).toBe(400);
    },
  );
});

test("isolated agents see only their own insights", async () => {
  const isolated = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  await saved("jitter of a", { agentId: "a" }, isolated);
  await saved("jitter of none", {}, isolated);
  expect((await isolated.reply(listInsights, {})).status).toBe(400);
  expect((await isolated.reply(searchInsights, { query: "jitter" })).status).toBe(400);
  expect(await contents({ agentId: "a" }, isolated)).toEqual(["jitter of a"]);
  expect(await contents({ agentId: "b" }, isolated)).toEqual([]);
  expect(await contents({ agentId: "*" }, isolated)).toHaveLength(2);
  const found = await isolated.ok(searchInsights, { query: "jitter", agentId: "a", includeOrphans: true });
  expect(found.insights).toHaveLength(2);
  await isolated.close();
});
