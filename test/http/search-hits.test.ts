import { describe, expect, test } from "vitest";
import { forget } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { searchSteps } from "../support/search-steps.ts";

const http = forEachTest(openTestHttp);

const { observed, remembered, smart } = searchSteps(() => http);

describe("a search hit", () => {
  test("of an observation has its session and at most its first 300 characters", async () => {
    const id = await observed(`heron ${"🙂".repeat(400)}`, { project: "shop" });
    const [hit] = await smart("heron");
    expect(hit).toMatchObject({
      obsId: id,
      sessionId: "s1",
      type: "conversation",
      kind: "observation",
      timestamp: "2026-03-01T11:00:00.000Z",
      project: "shop",
    });
    expect([...(hit?.narrative ?? "")].length).toBeLessThanOrEqual(300);
    expect(hit?.narrative.isWellFormed()).toBe(true);
  });

  test("of an edit or a command omits the facts that repeat its title or text", async () => {
    const call = { hookType: "post_tool_use", sessionId: "s1" };
    const input = { file_path: "/w/shop/heron.ts", old_string: "old", new_string: "heron = 2" };
    await observed("", { ...call, data: { tool_name: "Edit", tool_input: input, tool_response: {} } });
    const ran = { tool_name: "Bash", tool_input: { command: "npm test heron" } };
    await observed("", { ...call, data: { ...ran, tool_response: { stdout: "3 passed, heron" } } });
    const texts = (await smart("heron")).map(({ narrative }) => narrative);
    expect(new Set(texts)).toEqual(new Set(["old: old new: heron = 2", "npm test heron → 3 passed, heron"]));
  });

  test("of a command contains no part of a fact that is cut", async () => {
    const ran = { tool_name: "Bash", tool_input: { command: "npm test heron" } };
    const stdout = `${"owl ".repeat(53)}\nTests  46 passed (46)`;
    await observed("", {
      ...{ hookType: "post_tool_use", sessionId: "s1" },
      data: { ...ran, tool_response: { stdout } },
    });
    const [hit] = await smart("heron");
    expect(hit?.narrative).toMatch(/ owl\s+Tests\s+46 passed \(46\)$/u);
  });

  test("of a memory has its first source session, or none, and its files", async () => {
    const id = await remembered("heron one", { sessionId: "s7", files: ["a.ts"] });
    const lone = await remembered("a completely different text about the heron");
    const hits = await smart("heron");
    expect(hits.find(({ obsId }) => obsId === id)).toMatchObject({
      sessionId: "s7",
      kind: "memory",
      files: ["a.ts"],
    });
    expect(hits.find(({ obsId }) => obsId === lone)).toMatchObject({ sessionId: "", type: "fact" });
  });

  test("of a memory has its text as it was given, also where it repeats itself", async () => {
    const content = "The heron build fails: no disk\nerror: no disk\ncommand: no disk";
    await remembered(content);
    expect(await smart("heron")).toMatchObject([{ narrative: content }]);
  });

  test("that is first by keyword alone scores 1/61 plus at most 0.001", async () => {
    await remembered("heron");
    const [hit] = await smart("heron");
    expect(hit?.score).toBeGreaterThanOrEqual(0.016393);
    expect(hit?.score).toBeLessThanOrEqual(0.016393 + 0.001);
    expect(hit?.score).toBe(Number(hit?.score.toFixed(6)));
  });

  test("explains its score on request", async () => {
    await remembered("heron");
    const [hit] = await smart("heron", { explain: true });
    const { streams, bonuses } = hit?.explanation ?? { streams: {}, bonuses: {} };
    const parts = [
      ...Object.values(streams).map(({ contribution }) => contribution),
      ...Object.values(bonuses),
    ];
    expect(streams).toMatchObject({ keyword: { rank: 1, contribution: 1 / 61 } });
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(hit?.score ?? 0, 6);
  });
});

describe("expanding ids", () => {
  test("returns the full observation with its raw event and two neighbours on each side", async () => {
    const ids: string[] = [];
    for (let at = 0; at < 6; at += 1)
      ids.push(await observed(`step ${at}`, { timestamp: `2026-03-01T10:0${at}:00Z` }));
    const [, one, two, three, four, five] = ids;
    const answer = await http.ok(smartSearch, { expandIds: [three ?? ""] });
    expect(answer).toMatchObject({ mode: "expanded", totalCount: 1, streams: [] });
    expect(answer.results[0]).toMatchObject({
      obsId: three,
      score: 1,
      expanded: true,
      observation: { id: three, raw: { userPrompt: "step 3" } },
    });
    expect(answer.results[0]?.neighbors?.map(({ obsId }) => obsId)).toEqual([one, two, four, five]);
  });

  test("counts a tool call that was reported before and after it as one neighbour", async () => {
    const reported = (hookType: string, minute: number, command: string) =>
      observed("", {
        hookType,
        timestamp: `2026-03-01T10:0${minute}:00Z`,
        data: { toolName: "Bash", toolInput: { command } },
      });
    const ends: string[] = [];
    for (const [at, command] of ["make a", "make b", "make c", "make d", "make e"].entries()) {
      await reported("pre_tool_use", at, command);
      ends.push(await reported("post_tool_use", at, command));
    }
    const [result] = (await http.ok(smartSearch, { expandIds: [ends[2] ?? ""] })).results;
    expect(result?.neighbors?.map(({ obsId }) => obsId)).toEqual(ends.toSpliced(2, 1));
  });

  test("returns the full memory with its source observations", async () => {
    const source = await observed("why");
    const id = await remembered("because", { sourceObservationIds: [source] });
    const [result] = (await http.ok(smartSearch, { expandIds: [{ obsId: id, sessionId: "s1" }] })).results;
    expect(result).toMatchObject({ kind: "memory", sessionId: "s1", memory: { content: "because" } });
    expect(result?.neighbors?.map(({ obsId }) => obsId)).toEqual([source]);
  });

  test("accepts a hit without a session as a search returned it", async () => {
    const obsId = await remembered("heron");
    const [hit] = await smart("heron");
    expect(hit).toMatchObject({ obsId, sessionId: "" });
    const { results } = await http.ok(smartSearch, { expandIds: [{ obsId, sessionId: hit?.sessionId }] });
    expect(results).toMatchObject([{ obsId, sessionId: "", kind: "memory" }]);
  });

  test("returns the first four source observations of a memory that still exist", async () => {
    const sources: string[] = [];
    for (let at = 1; at <= 6; at += 1) sources.push(await observed(`reason ${at}`, { sessionId: `s${at}` }));
    const id = await remembered("because", { sourceObservationIds: sources });
    const neighbors = async () => {
      const [result] = (await http.ok(smartSearch, { expandIds: [id] })).results;
      return result?.neighbors?.map(({ obsId }) => obsId);
    };
    expect(await neighbors()).toEqual(sources.slice(0, 4));
    await http.ok(forget, { sessionId: "s1" });
    expect(await neighbors()).toEqual(sources.slice(1, 5));
  });

  test("is a 404 when all are unknown, and otherwise lists the unknown ones", async () => {
    const missing = await http.reply(smartSearch, { expandIds: ["obs_x", "mem_y"] });
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual({ error: expect.any(String), notFound: ["obs_x", "mem_y"] });
    const known = await remembered("heron");
    const some = await http.reply(smartSearch, { expandIds: ["obs_x", known] });
    expect(some.body).toMatchObject({ totalCount: 1, notFound: ["obs_x"] });
    const asked = await http.reply(smartSearch, { query: "heron", expandIds: ["obs_x"] });
    expect([asked.status, asked.body.mode]).toEqual([200, "mixed"]);
  });

  test("together with a query returns the records first, and none twice", async () => {
    const [a, b] = [
      await remembered("heron alpha"),
      await remembered("a long text that also names the heron"),
    ];
    const answer = await http.ok(smartSearch, { query: "heron", expandIds: [b ?? ""], limit: 1 });
    expect(answer.results.map(({ obsId }) => obsId)).toEqual([b, a]);
    expect(answer.totalCount).toBe(2);
    expect(answer.results[0]?.score).toBeLessThan(1);
  });

  test.each([
    [5, "expandIds.0: must be an id, or an object with an obsId"],
    [{ sessionId: "s" }, "expandIds.0.obsId required"],
    [{ obsId: 5 }, "expandIds.0.obsId: must be a string"],
    ["", "expandIds.0: must not be blank"],
  ])("is a 400 that says what is wrong with an invalid one: %j", async (id, message) => {
    const { status, body } = await http.reply(smartSearch, { expandIds: [id] });
    expect([status, body.error]).toEqual([400, message]);
  });

  test.each([
    ["one long string", { text: "🙂".repeat(60_000) }],
    ["many short ones", { list: Array.from({ length: 9_000 }, (_, at) => `item ${at}`) }],
    ["many numbers", { list: Array.from({ length: 40_000 }, (_, at) => at) }],
  ])("cuts a record over 64 KiB with %s, and marks it as truncated", async (_name, data) => {
    const id = await observed("", { data });
    const reply = await http.reply(smartSearch, { expandIds: [id] });
    expect(reply.body.truncated).toBe(true);
    expect(Buffer.byteLength(reply.text)).toBeLessThan(66_000);
  });

  test("does not mark a short record as truncated", async () => {
    const id = await observed("short");
    expect((await http.reply(smartSearch, { expandIds: [id] })).body).not.toHaveProperty("truncated");
  });
});
