import { describe, expect, test } from "vitest";
import { forget } from "../../src/knowledge/memories/operations.ts";
import { fullSearch } from "../../src/recall/search/operations.ts";
import { tokenEstimate } from "../../src/text/token-estimate.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { searchSteps } from "../support/search-steps.ts";

const http = forEachTest(openTestHttp);

const { observed, remembered } = searchSteps(() => http);

describe("full search", () => {
  test("needs a query, and accepts three formats in any case", async () => {
    expect((await http.reply(fullSearch, {})).body.error).toBe("query required");
    expect((await http.reply(fullSearch, { query: " " })).status).toBe(400);
    expect((await http.reply(fullSearch, { query: "x", format: "short" })).status).toBe(400);
    expect((await http.ok(fullSearch, { query: "x", format: "COMPACT" })).format).toBe("compact");
  });

  test("returns whole observations, and memories in the same shape", async () => {
    const observation = await observed("heron", { sessionId: "s3" });
    const memory = await remembered("heron", { concepts: ["bird"], files: ["a.ts"] });
    const { results } = await http.ok(fullSearch, { query: "heron" });
    expect(results.find((item) => "observation" in item && item.kind === "observation")).toMatchObject({
      sessionId: "s3",
      observation: { id: observation, hookType: "prompt_submit", importance: expect.any(Number) },
    });
    expect(results.find((item) => "observation" in item && item.kind === "memory")).toMatchObject({
      sessionId: "",
      memory: { id: memory, content: "heron" },
      observation: {
        id: memory,
        sessionId: "",
        type: "fact",
        title: "heron",
        narrative: "heron",
        facts: [],
        concepts: ["bird"],
        files: ["a.ts"],
        importance: 10,
        timestamp: "2026-03-01T12:00:00.000Z",
      },
    });
  });

  test("in narrative format adds a numbered list", async () => {
    await remembered("heron at dawn", { title: "Birds" });
    const answer = await http.ok(fullSearch, { query: "heron", format: "narrative" });
    expect(answer.text).toBe("1. Birds — heron at dawn");
    expect(Object.keys(answer.results[0] ?? {}).sort()).toEqual(
      ["kind", "narrative", "obsId", "score", "sessionId", "timestamp", "title"].sort(),
    );
  });

  test("returns items while they fit the token budget, estimated by their length", async () => {
    for (let at = 0; at < 5; at += 1)
      await remembered(`heron ${"wing ".repeat(20)} ${at}`, { project: `p${at}` });
    const all = await http.ok(fullSearch, { query: "heron" });
    const cost = (items: readonly unknown[]) =>
      items.reduce<number>((sum, item) => sum + tokenEstimate(JSON.stringify(item)), 0);
    expect(all.tokensUsed).toBe(cost(all.results));
    expect(all).toMatchObject({ truncated: false, tokens_used: all.tokensUsed, totalCount: 5 });
    expect(all).not.toHaveProperty("tokens_budget");
    const budget = cost(all.results.slice(0, 2)) + 5;
    for (const name of ["token_budget", "tokenBudget"]) {
      const some = await http.ok(fullSearch, { query: "heron", [name]: budget });
      expect(some.results).toHaveLength(2);
      expect(some).toMatchObject({ truncated: true, tokens_budget: budget, totalCount: 5 });
      expect(some.tokensUsed).toBeLessThanOrEqual(budget);
    }
  });

  test("cuts the narrative of the first item when even that does not fit", async () => {
    await remembered(`heron ${"feather ".repeat(900)}`);
    const answer = await http.ok(fullSearch, { query: "heron", format: "compact", token_budget: 150 });
    expect(answer.results).toHaveLength(1);
    expect(answer.truncated).toBe(true);
    expect(answer.tokensUsed).toBeLessThanOrEqual(150);
  });

  test("drops the record of a memory when it leaves no room for the text", async () => {
    await remembered(`heron ${"feather ".repeat(90)}`);
    const answer = await http.ok(fullSearch, { query: "heron", token_budget: 250 });
    expect(answer).toMatchObject({
      truncated: true,
      results: [{ kind: "memory", observation: { narrative: expect.stringContaining("heron") } }],
    });
    expect(answer.results[0]).not.toHaveProperty("memory");
    expect(answer.tokensUsed).toBeLessThanOrEqual(250);
  });

  describe.each([
    [
      "sentences",
      Array.from({ length: 60 }, (_, at) => `Sentence ${at} about the heron at lake ${at}.`).join(" "),
    ],
    ["what JSON quotes", '"heron"\t\\ '.repeat(400)],
    ["emoji", `heron ${"\u{1F642}".repeat(4_000)}`],
  ])("cuts a long memory of %s", (_name, content) => {
    test.each([
      ["full", 400],
      ["full", 1_000],
      ["narrative", 250],
      ["narrative", 600],
    ])("in format %s to a budget of %i", async (format, budget) => {
      await remembered(content, { title: "Heron" });
      const answer = await http.ok(fullSearch, { query: "heron", format, token_budget: budget, limit: 1 });
      expect(answer).toMatchObject({ truncated: true, results: [expect.anything()] });
      expect(answer.tokensUsed).toBeLessThanOrEqual(budget);
      const [item] = answer.results;
      const narrative = item === undefined || "obsId" in item ? item?.narrative : item.observation.narrative;
      expect(narrative).toContain("heron");
      expect(narrative?.isWellFormed()).toBe(true);
      if (format === "full") expect(item).toMatchObject({ memory: { content: narrative } });
    });
  });

  test.each(["full", "narrative"])("uses most of the budget in format %s", async (format) => {
    await remembered(Array.from({ length: 60 }, (_, at) => `Take ${at} of the heron at the lake.`).join(" "));
    const { tokensUsed } = await http.ok(fullSearch, { query: "heron", format, token_budget: 600 });
    expect(tokensUsed).toBeGreaterThan(500);
    expect(tokensUsed).toBeLessThanOrEqual(600);
  });

  test.each([0, -1, 1.5, 100_001, "100", true])("refuses a budget of %j", async (budget) => {
    expect((await http.reply(fullSearch, { query: "x", token_budget: budget })).status).toBe(400);
  });
});

test("a memory deleted right after it was found leaves no access log", async () => {
  const memoryId = await remembered("heron at dawn");
  await observed("heron at dusk");
  expect((await http.ok(fullSearch, { query: "heron" })).totalCount).toBe(2);
  await http.ok(forget, { memoryId, sessionId: "s1" });
  await http.settled();
  expect((await http.send("/export")).body).toMatchObject({ memories: [], accessLogs: [] });
});
