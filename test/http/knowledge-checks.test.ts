import { describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { diagnose, heal } from "../../src/governance/diagnostics/operations.ts";
import { saveLesson, searchLessons } from "../../src/knowledge/lessons/operations.ts";
import { getMemory, remember } from "../../src/knowledge/memories/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

async function findings() {
  const { checks } = await http.ok(diagnose, {});
  return checks
    .filter(({ status }) => status !== "pass")
    .map(({ name, status, fixable }) => [name, status, fixable]);
}

async function oneOfEach() {
  await http.ok(saveLesson, { content: "jitter" });
  const { facts, procedures, insights } = http.core;
  const common = { confidence: 0.5, provider: "extractive" };
  await http.core.ground.store.write(async (tx) => {
    await facts.add(tx, { ...common, fact: "x" });
    await procedures.add(tx, { ...common, name: "x", steps: [], triggerCondition: "y" });
    await insights.save(tx, { ...common, title: "x", content: "y", sourceConceptCluster: [] });
  });
}

test("healthy lessons, insights, facts and procedures pass", async () => {
  await oneOfEach();
  expect(await findings()).toEqual([]);
});

describe.each([
  ["lessons", "lessons", "content", "confidence"],
  ["insights", "insights", "content", "confidence"],
  ["semantic", "semantic_memories", "fact", "confidence"],
  ["procedural", "procedural_memories", "name", "strength"],
])("%s", (category, table, content, confidence) => {
  test("without words or with an impossible confidence are reported", async () => {
    await oneOfEach();
    await http.writeSql(`UPDATE ${table} SET ${content} = ' ', ${confidence} = 1.5`);
    expect(await findings()).toEqual([
      [`${category}-bad-confidence`, "warn", false],
      [`${category}-empty-content`, "warn", false],
    ]);
    const { checks } = await http.ok(diagnose, {});
    const hints = checks.filter(({ status }) => status !== "pass").map(({ hint }) => hint);
    expect(hints).toEqual([expect.stringContaining("snapshot"), expect.stringContaining("snapshot")]);
    const { skipped, skippedFindings } = await http.ok(heal, {});
    expect([skipped, skippedFindings.map(({ hint }) => hint)]).toEqual([2, hints]);
    expect(new Set(skippedFindings.map(({ reason }) => reason))).toEqual(
      new Set(["only people can decide or do what is needed"]),
    );
  });
});

test.each(["lesson", "insight"])(
  "heal restores a missing index entry of a %s and removes one whose record is gone",
  async (kind) => {
    await oneOfEach();
    await http.writeSql(`DELETE FROM documents WHERE kind = '${kind}'`);
    expect(await findings()).toEqual([["missing-index-entry", "fail", true]]);
    await http.ok(heal, {});
    expect(await findings()).toEqual([]);
    await http.writeSql(`UPDATE ${kind}s SET deleted = 1`);
    expect(await findings()).toEqual([["orphan-index-entry", "fail", true]]);
    await http.ok(heal, {});
    expect(await findings()).toEqual([]);
    expect((await http.ok(searchLessons, { query: "jitter" })).lessons).toHaveLength(
      kind === "lesson" ? 0 : 1,
    );
  },
);

test("summaries that say nothing, and those of sessions that are gone, are reported", async () => {
  const event = { project: "shop", cwd: "/w/shop", hookType: "prompt_submit", timestamp: "2026-03-01" };
  for (const sessionId of ["untitled", "untold", "sound", "gone"])
    await http.ok(observe, { ...event, sessionId, data: { prompt: `hello ${sessionId}` } });
  await http.writeSql(`INSERT INTO session_summaries (session_id, project, project_key, created_at, title, narrative,
      key_decisions, files_modified, concepts, observation_count, last_observation, provider, quality_score)
    SELECT id, project, project_key, 0, CASE id WHEN 'untitled' THEN ' ' ELSE 'Greeting' END,
      CASE id WHEN 'untold' THEN '' ELSE 'Said hello.' END, '[]', '[]', '[]', 1, 1, 'extractive', 50 FROM sessions`);
  await http.writeSql("DELETE FROM sessions WHERE id = 'gone'");
  const { checks } = await http.ok(diagnose, { categories: ["summaries"] });
  expect(checks.map(({ name, status, ids, fixable }) => [name, status, ids?.toSorted(), fixable])).toEqual([
    ["summaries-empty-content", "warn", ["untitled", "untold"], false],
    ["summaries-missing-source", "warn", ["gone"], false],
  ]);
});

test("heal gives memories without a project the project of their sources", async () => {
  const event = { sessionId: "s1", project: "shop", cwd: "/w/shop", hookType: "prompt_submit" };
  const observed = await http.ok(observe, { ...event, timestamp: "2026-03-01", data: { prompt: "hello" } });
  const { memoryId } = await http.ok(remember, {
    content: "alpha beta",
    sourceObservationIds: [observed.observationId],
  });
  expect(await findings()).toEqual([["memory-project-coverage", "warn", true]]);
  expect((await http.ok(heal, {})).fixed).toBe(1);
  expect((await http.ok(getMemory, { id: memoryId })).memory.project).toBe("shop");
  expect(await findings()).toEqual([]);
});
