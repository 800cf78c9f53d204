import { describe, expect, test } from "vitest";
import { createAction } from "../../src/coordination/actions/operations.ts";
import {
  facetStats,
  listFacets,
  queryFacets,
  removeFacet,
  tagFacet,
} from "../../src/coordination/facets/operations.ts";
import { addToSketch, createSketch, discardSketch } from "../../src/coordination/sketches/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { deleteMemories } from "../../src/governance/deletion/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { forget, remember } from "../../src/knowledge/memories/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";
import { happenNow } from "../support/workdays.ts";

const http = forEachTest(openTestHttp);

const memory = async (content: string) => (await http.ok(remember, { content })).memoryId;

const observation = (prompt: string) =>
  happenNow(http, "s1", "prompt_submit", { prompt }, { cwd: "/w/shop" });

const action = async (title: string) => (await http.ok(createAction, { title })).action.id;

async function tag(targetId: string, ...labels: readonly string[]) {
  for (const label of labels) {
    const [dimension = "", value = ""] = label.split(":");
    http.advance(1_000);
    await http.ok(tagFacet, { targetId, dimension, value });
  }
}

const found = async (
  query: Parameters<typeof http.ok<typeof queryFacets.input, typeof queryFacets.output>>[1],
) => (await http.ok(queryFacets, query)).results.map(({ targetId }) => targetId);

describe("adding a facet", () => {
  test("detects the type of the record and returns the facet as stored", async () => {
    const targets = [await action("ship"), await memory("herons"), await observation("look at herons")];
    for (const [at, targetId] of targets.entries()) {
      const { facet, skipped } = await http.ok(tagFacet, { targetId, dimension: " team ", value: "a:b" });
      expect([facet, skipped]).toEqual([
        {
          id: expect.stringMatching(/^fct_/u),
          targetId,
          targetType: ["action", "memory", "observation"][at],
          dimension: "team",
          value: "a:b",
          createdAt: "2026-03-01T12:00:00.000Z",
        },
        undefined,
      ]);
    }
  });

  test("again changes nothing, is reported as skipped and writes no second audit entry", async () => {
    const targetId = await memory("herons");
    const first = await http.ok(tagFacet, { targetId, dimension: "team", value: "a" });
    expect(await http.ok(tagFacet, { targetId, dimension: "team", value: "a" })).toEqual({
      ...first,
      skipped: true,
    });
    const { entries } = await http.ok(listAudit, { operation: "facet_tag" });
    expect(entries).toEqual([
      expect.objectContaining({
        functionId: "facet.tag",
        targetIds: [targetId],
        details: { dimension: "team", count: 1 },
      }),
    ]);
  });

  test("to an unknown record or a wrong type is a 404, and invalid fields are a 400", async () => {
    const targetId = await memory("herons");
    const label = { targetId, dimension: "team", value: "a" };
    const status = async (more: object) => (await http.reply(tagFacet, { ...label, ...more })).status;
    expect(await status({ targetId: "mem_none" })).toBe(404);
    expect(await status({ targetType: "observation" })).toBe(404);
    expect(await status({ targetType: "session" })).toBe(400);
    expect(await status({ dimension: "a:b" })).toBe(400);
    expect(await status({ value: " " })).toBe(400);
    expect(await status({ value: "x".repeat(201) })).toBe(400);
  });

  test("redacts dimension and value, and is still found and removed by the original ones", async () => {
    const targetId = await memory("herons");
    const value = `ghp_${"aB3dE5gH7j".repeat(4)}`;
    expect((await http.ok(tagFacet, { targetId, dimension: "key", value })).facet.value).toBe(
      "[REDACTED_SECRET]",
    );
    for (const query of [{ matchAll: [`key:${value}`] }, { matchAny: [`key:${value}`, "key:none"] }])
      expect(await found(query)).toEqual([targetId]);
    expect((await http.ok(removeFacet, { targetId, dimension: "key", value })).removed).toBe(1);
    await http.ok(tagFacet, { targetId, dimension: value, value: "leaked" });
    expect((await http.ok(removeFacet, { targetId, dimension: value })).removed).toBe(1);
    expect(await dumpStore(http)).not.toContain(value);
  });
});

test("removing a facet takes one value or the whole dimension, and is a 404 when there is none", async () => {
  const targetId = await memory("herons");
  await tag(targetId, "team:a", "team:b", "team:c", "risk:high");
  expect((await http.ok(removeFacet, { targetId, dimension: "team", value: "a" })).removed).toBe(1);
  expect((await http.ok(removeFacet, { targetId, dimension: "team" })).removed).toBe(2);
  expect((await http.reply(removeFacet, { targetId, dimension: "team" })).status).toBe(404);
  expect((await http.ok(listFacets, { targetId })).dimensions).toEqual([
    { dimension: "risk", values: ["high"] },
  ]);
  const { entries } = await http.ok(listAudit, { operation: "facet_remove" });
  expect(entries.map(({ targetIds, details }) => [targetIds, details])).toEqual([
    [[targetId], { dimension: "team", count: 2 }],
    [[targetId], { dimension: "team", count: 1 }],
  ]);
});

describe("finding records by facets", () => {
  test("requires all of matchAll and one of matchAny, latest facet first", async () => {
    const [one, two, three] = [await memory("one"), await action("two"), await memory("three")];
    await tag(one, "team:a", "risk:high");
    await tag(two, "team:a", "risk:low");
    await tag(three, "team:b", "risk:high");
    expect(await found({ matchAll: ["team:a"] })).toEqual([two, one]);
    expect(await found({ matchAll: ["team:a", "risk:high", "team:a"] })).toEqual([one]);
    expect(await found({ matchAny: ["team:b", "risk:low"] })).toEqual([three, two]);
    expect(await found({ matchAll: ["risk:high"], matchAny: ["team:b", "team:c"] })).toEqual([three]);
    expect(await found({ matchAll: ["risk:high"], matchAny: ["team:c"] })).toEqual([]);
    expect(await found({ matchAny: ["team:a", "team:b"], targetType: "action" })).toEqual([two]);
    const page = await http.ok(queryFacets, { matchAny: ["risk:high", "team:a"], limit: 1, offset: 2 });
    expect(page).toEqual({
      results: [{ targetId: one, targetType: "memory", matchedFacets: ["risk:high", "team:a"] }],
      total: 3,
      limit: 1,
      offset: 2,
    });
    await tag(one, "team:c");
    expect(await found({ matchAny: ["team:a", "team:c"] })).toEqual([one, two]);
  });

  test.each([
    ["neither list", {}],
    ["empty lists", { matchAll: [], matchAny: [] }],
    ["an item without a colon", { matchAll: ["team"] }],
    ["an item without a value", { matchAny: ["team: "] }],
    ["51 items", { matchAny: Array.from({ length: 51 }, (_, at) => `a:${at}`) }],
    ["an unknown kind", { matchAll: ["a:b"], targetType: "session" }],
  ])("refuses %s with 400", async (_name, query) => {
    expect((await http.reply(queryFacets, query)).status).toBe(400);
  });
});

test("facets of one record and of all records are listed by dimension", async () => {
  const [one, two] = [await memory("one"), await action("two")];
  await tag(one, "team:b", "team:a", "risk:high");
  await tag(two, "team:b");
  expect((await http.ok(listFacets, { targetId: one })).dimensions).toEqual([
    { dimension: "risk", values: ["high"] },
    { dimension: "team", values: ["a", "b"] },
  ]);
  expect((await http.ok(listFacets, { targetId: "nobody" })).dimensions).toEqual([]);
  expect(await http.ok(facetStats, {})).toEqual({
    dimensions: [
      { dimension: "risk", values: [{ value: "high", count: 1 }] },
      {
        dimension: "team",
        values: [
          { value: "b", count: 2 },
          { value: "a", count: 1 },
        ],
      },
    ],
    totalFacets: 4,
  });
  expect((await http.ok(facetStats, { targetType: "action" })).totalFacets).toBe(1);
  expect((await http.send("/facets")).status).toBe(400);
});

test("facets are deleted with their record, and imported only where the record exists", async () => {
  const [first, second, third] = [await memory("one"), await memory("two"), await observation("three")];
  const { sketch } = await http.ok(createSketch, { title: "plan" });
  const { action: planned } = await http.ok(addToSketch, { sketchId: sketch.id, title: "maybe" });
  await tag(planned.id, "team:a");
  await http.ok(discardSketch, { sketchId: sketch.id });
  expect((await http.ok(facetStats, {})).totalFacets).toBe(0);
  for (const id of [first, second, third]) await tag(id, "team:a");
  const exportData = (await http.send("/export")).body as Record<string, unknown>;
  expect(exportData.facets).toHaveLength(3);
  await http.ok(deleteMemories, { memoryIds: [first] });
  await http.ok(forget, { memoryId: second });
  await http.ok(forget, { sessionId: "s1" });
  expect((await http.ok(facetStats, {})).totalFacets).toBe(0);

  const { counts, warnings } = await http.ok(importStore, {
    exportData: { ...exportData, memories: (exportData.memories as Record<string, unknown>[]).slice(0, 1) },
  });
  expect(counts.facets).toMatchObject({ written: 2 });
  expect(warnings).toContain("facets: a facet of a record that does not exist was left out");
  expect((await http.ok(importStore, { exportData })).counts.facets).toMatchObject({ written: 1 });
  expect((await http.send("/export")).body.facets).toEqual(exportData.facets);
  expect((await http.ok(importStore, { exportData })).counts.facets).toMatchObject({ written: 0 });
  await http.ok(importStore, {
    strategy: "replace",
    exportData: { ...exportData, memories: [], facets: undefined },
  });
  expect((await http.ok(facetStats, {})).totalFacets).toBe(1);
});
