import { describe, expect, test } from "vitest";
import { enrich } from "../../src/recall/enrich/operations.ts";
import { fullSearch, smartSearch } from "../../src/recall/search/operations.ts";
import { tokenEstimate } from "../../src/text/token-estimate.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { searchSteps } from "../support/search-steps.ts";

const http = forEachTest(openTestHttp);

const { observed, remembered, smart } = searchSteps(() => http);

const asides = [
  "The settings page was moved to its own route.",
  "Its old styles are gone, and so is the sidebar.",
  "Nobody asked for a darker theme so far.",
];
const aside = (repeated: number) => asides.join(" ").concat(" ").repeat(repeated);
const said = "Payments are retried three times with exponential backoff.";
const long = `${aside(5)}\n${said} Then an alert goes out.\n${aside(20)}`;

describe("the passage of a search hit", () => {
  test("shows the match when it lies beyond the first 300 characters of the text", async () => {
    await remembered(long, { title: "Notes of a Tuesday" });
    const [hit] = await smart("how often do we retry a payment with a backoff");
    expect(hit?.narrative).toBe(long.slice(0, 300));
    expect(hit?.passage).toBe(`… ${said} Then an alert goes out. ${asides[0]} ${asides[1]} …`);
  });

  test.each([
    ["a text is shown as a whole", "heron", `A heron stood there. ${aside(1)}`.slice(0, 299)],
    ["the beginning matches as well", "heron", `A heron stood there. ${aside(9)} And the heron flew.`],
    ["the title says it", "heron", `Herons\n${aside(9)}`],
    ["no word of the query stands in the text", "heron", aside(9)],
  ])("is absent where %s", async (_where, query, content) => {
    await remembered(content, { title: "Of a heron" });
    const [hit] = await smart(query);
    expect(hit).toMatchObject({ title: "Of a heron" });
    expect(hit).not.toHaveProperty("passage");
  });

  test("of an observation may come from one of its facts", async () => {
    await observed(`${aside(5)} At last: the kestrel flag turns the cache off. ${aside(2)}`);
    const [hit] = await smart("kestrel cache");
    expect(hit?.passage).toContain("the kestrel flag turns the cache off.");
  });

  test("matches words like the search: in other forms, in identifiers and without spaces", async () => {
    const ofText = async (query: string, sentence: string) => {
      await remembered(`${aside(5)}${sentence} ${aside(5)}`, { title: `Notes ${query.length}` });
      return (await smart(query))[0]?.passage;
    };
    expect(await ofText("database", "The db is vacuumed weekly.")).toContain("The db is vacuumed weekly.");
    expect(await ofText("tax rate", "It calls getTaxRate first.")).toContain("getTaxRate");
    expect(await ofText("用户认证", "用户的认证使用令牌。")).toContain("用户的认证使用令牌。");
    expect(await ofText("uber raum", "Ein Überraum ist über dem Räum.")).toContain("über dem Räum");
    expect(await ofText("C#", "It is written in C# by now.")).toContain("written in C# by now.");
  });

  test("has at most 300 characters on one line, and splits no surrogate pair", async () => {
    await remembered(`${aside(5)}${"🙂\n\t".repeat(200)} heron ${"👩‍👩‍👧".repeat(200)}`, { title: "Faces" });
    const [hit] = await smart("heron");
    const passage = hit?.passage ?? "";
    expect(passage).toContain("heron");
    expect(passage).not.toMatch(/[\n\t]/u);
    expect(Array.from(passage).length).toBeLessThanOrEqual(300);
    expect(passage.isWellFormed()).toBe(true);
  });

  test("has secrets redacted like the text itself", async () => {
    await remembered(`${aside(5)}The heron logs in with password: hunter2xyz! there. ${aside(5)}`, {
      title: "Notes",
    });
    const [hit] = await smart("heron");
    expect(hit?.passage).toContain("heron logs in");
    expect(JSON.stringify(hit)).not.toContain("hunter2xyz");
  });

  test("is included in compact results of full search, but not beside the whole text", async () => {
    await remembered(long, { title: "Notes of a Tuesday" });
    const results = async (format: string) =>
      (await http.ok(fullSearch, { query: "retried payments", format })).results;
    expect(await results("compact")).toMatchObject([{ passage: expect.stringContaining(said) }]);
    for (const format of ["full", "narrative"])
      expect(JSON.stringify(await results(format))).not.toContain('"passage"');
    const [{ obsId = "" } = {}] = await smart("retried payments");
    const expanded = await http.ok(smartSearch, { query: "retried payments", expandIds: [obsId] });
    expect(expanded.results).toHaveLength(1);
    expect(expanded.results[0]).not.toHaveProperty("passage");
  });

  test("counts against the token budget, and is dropped before its hit", async () => {
    await remembered(long, { title: "Notes of a Tuesday" });
    const asked = { query: "retried payments", format: "compact" };
    const whole = await http.ok(fullSearch, asked);
    expect(whole.tokensUsed).toBe(tokenEstimate(JSON.stringify(whole.results[0])));
    const fits = await http.ok(fullSearch, { ...asked, token_budget: whole.tokensUsed });
    expect(fits.results).toEqual(whole.results);
    const less = await http.ok(fullSearch, { ...asked, token_budget: whole.tokensUsed - 1 });
    const { passage: _left, ...bare } = whole.results[0] as { passage?: string };
    expect(less.results).toEqual([bare]);
    expect(less.truncated).toBe(false);
  });

  test("is not included in memories related to a file", async () => {
    await remembered(`${aside(5)}The pool in src/pool.ts has ten connections. ${aside(5)}`, {
      title: "Notes",
      files: ["src/pool.ts"],
    });
    const { relatedMemories } = await http.ok(enrich, { sessionId: "s1", files: ["src/pool.ts"] });
    expect(relatedMemories).toHaveLength(1);
    expect(relatedMemories[0]).not.toHaveProperty("passage");
  });
});
