import { expect, test } from "vitest";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { fullSearch, smartSearch } from "../../src/recall/search/operations.ts";
import { timeline } from "../../src/recall/timeline/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { searchSteps } from "../support/search-steps.ts";

const http = forEachTest(openTestHttp);

const { observed, remembered, smart } = searchSteps(() => http);
const many = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test("smart search returns 10 hits by default, full search 20, and both at most 100", async () => {
  await Promise.all(many(101).map((n) => remembered(`heron n${n}00`)));
  const smartly = async (limit?: number) => (await smart("heron", { limit })).length;
  const fully = async (limit?: number) =>
    (await http.ok(fullSearch, { query: "heron", limit })).results.length;
  expect([await smartly(), await smartly(1_000)]).toEqual([10, 100]);
  expect([await fully(), await fully(1_000)]).toEqual([20, 100]);
});

test("a query has at most 10,000 characters, and at most twenty ids are expanded", async () => {
  const query = (length: number) => ({ query: "q".repeat(length) });
  for (const operation of [smartSearch, fullSearch])
    expect([
      (await http.reply(operation, query(10_000))).status,
      (await http.reply(operation, query(10_001))).status,
    ]).toEqual([200, 400]);
  const expand = async (count: number) =>
    (await http.reply(smartSearch, { query: "heron", expandIds: many(count).map((n) => `mem_${n}`) })).status;
  expect([await expand(20), await expand(21)]).toEqual([200, 400]);
});

test("the token budget of full search is from 1 to 100,000", async () => {
  const status = async (budget: number) =>
    (await http.reply(fullSearch, { query: "heron", token_budget: budget })).status;
  expect([await status(0), await status(1), await status(100_000), await status(100_001)]).toEqual([
    400, 200, 200, 400,
  ]);
});

test("a hit shows 300 characters of its text, expanded or not, and a lesson 240", async () => {
  const text = (length: number) => `heron ${"x".repeat(length - 6)}`;
  const whole = await remembered(text(300));
  const longer = await remembered(text(301));
  await http.ok(saveLesson, { content: `heron ${"y".repeat(235)}` });
  const narratives = async (given: Readonly<Record<string, unknown>>) => {
    const { results } = await http.ok(smartSearch, given);
    return Object.fromEntries(results.map(({ obsId, narrative }) => [obsId, [...narrative].length]));
  };
  expect(await narratives({ query: "heron" })).toEqual({ [whole]: 300, [longer]: 300 });
  expect(await narratives({ expandIds: [whole, longer] })).toEqual({ [whole]: 300, [longer]: 300 });
  const { lessons } = await http.ok(smartSearch, { query: "heron", includeLessons: true });
  expect(lessons?.map(({ content }) => [...content].length)).toEqual([240]);
});

test("in full search a memory's importance is ten times its strength, rounded up", async () => {
  await remembered("heron", { type: "bug" });
  http.advance(216 * dayMs);
  const { results } = await http.ok(fullSearch, { query: "heron", source: "viewer" });
  expect(results).toMatchObject([{ memory: { strength: 0.4066 }, observation: { importance: 5 } }]);
});

test("a timeline shows five observations before and five after its anchor by default", async () => {
  const ids: string[] = [];
  for (const n of many(13))
    ids.push(await observed(`step ${n}`, { timestamp: `2026-03-01T10:${10 + n}:00Z` }));
  const { entries } = await http.ok(timeline, { anchor: ids[6] ?? "" });
  expect(entries.map(({ relativePosition }) => relativePosition)).toEqual(many(11).map((n) => n - 6));
});
