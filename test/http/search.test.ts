import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { DocumentEmbedder } from "../../src/embedding/document-embedder.ts";
import { putDocuments } from "../../src/index/documents/documents.ts";
import { makeDocument } from "../../src/index/index-fixture.ts";
import { evolve, forget, remember } from "../../src/knowledge/memories/operations.ts";
import { fullSearch, smartSearch } from "../../src/recall/search/operations.ts";
import { tokenEstimate } from "../../src/text/estimate.ts";
import { dayMs } from "../../src/time/durations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { writeTinyStaticModel } from "../support/tiny-model.ts";

const event = { sessionId: "s1", project: "shop", cwd: "/w/shop", hookType: "prompt_submit" };

let http: TestHttp;
beforeEach(async () => {
  http = await openTestHttp();
});
afterEach(() => http.close());

async function observed(prompt: string, given: Readonly<Record<string, unknown>> = {}) {
  const body = { ...event, timestamp: "2026-03-01T11:00:00Z", data: { prompt }, ...given };
  const reply = await http.reply(observe, body);
  return String(reply.body.observationId);
}

async function remembered(content: string, given: Readonly<Record<string, unknown>> = {}) {
  return String((await http.reply(remember, { content, ...given })).body.memoryId);
}

async function smart(query: string, given: Readonly<Record<string, unknown>> = {}) {
  const { results } = await http.ok(smartSearch, { query, ...given });
  return results;
}

async function found(query: string, given: Readonly<Record<string, unknown>> = {}) {
  return (await smart(query, given)).map(({ obsId }) => obsId);
}

describe("asking", () => {
  test.each([
    ["an emoji", "🚀", "The title with 🚀 broke the changelog", "The title broke the parser"],
    ["a language of one letter", "C#", "Interfaces start with I in C# code", "ABC#4 is a chord, c is not"],
    ["one letter", "x", "set x to seven", "exit with six"],
    ["one character of a word", "本", "日本の翻訳", "中国の翻訳"],
    ["a word of a text without spaces", "ประชุม", "ทีมประชุมทุกวันจันทร์", "ทีมทุกวันจันทร์"],
    ["signs and single digits", "0 3 * * *", "cron `0 3 * * *` exports", "cron `0 4 * * *` imports"],
    ["signs that mean something in patterns", "%_%", "the marks %_% stand for all", "100 per cent"],
  ])("for %s finds what is written so, and not what is not", async (_name, query, content, other) => {
    const wanted = await remembered(content, { project: "shop" });
    await remembered(other, { project: "shop" });
    expect(await found(query)).toEqual([wanted]);
    expect(await found(query, { project: "elsewhere" })).toEqual([]);
  });

  test.each([
    ["--filter", "use the filter", "run the suite with --filter unit, which keeps the run short enough"],
    ["--no-verify", "no verify", "whoever commits in a hurry reaches for --no-verify, which is forbidden"],
    ["tests --filter", "filter tests", "the suite of tests runs with `--filter unit` on every machine"],
    ["rsync --exclude-from=list", "rsync exclude from list", "rsync backs it up with --exclude-from=list"],
  ])("for the flag in %s finds first what has it, and its words after that", async (query, words, flag) => {
    const plain = await remembered(words);
    const wanted = await remembered(flag);
    expect(await found(query)).toEqual([wanted, plain]);
  });

  test.each(["C# importer", "C++ importer", "🚀 importer"])(
    "for %s finds first what has both, then what has either",
    async (query) => {
      const [name] = query.split(" ");
      for (let number = 0; number < 60; number += 1)
        await observed(`The importer reads importer files, take ${number}`, { sessionId: `s${number}` });
      const both = await remembered(
        `All of the ${name} code that we have is there for the old importer alone`,
      );
      const named = await remembered(`No ${name} here, never`);
      const hits = await found(query);
      expect(hits[0]).toBe(both);
      expect(hits).toContain(named);
    },
  );

  test.each([
    ["猫", "黑猫警长的故事", "the 猫 is alone"],
    ["ประชุม", "ทีมประชุมทุกวันจันทร์", "ประชุม"],
  ])(
    "for %s finds it inside a longer run of letters, also when it is a word elsewhere",
    async (query, content, other) => {
      const wanted = await remembered(content, { project: "shop", agentId: "ann" });
      await remembered(other, { project: "elsewhere", agentId: "bob" });
      expect(await found(query, { project: "shop" })).toEqual([wanted]);
      expect(await found(query, { agentId: "ann" })).toEqual([wanted]);
      expect(await found(query, { project: "nowhere" })).toEqual([]);
    },
  );

  test("letter by letter finds an old text of a project that others have overtaken", async () => {
    const wanted = await remembered("Old rule about F# in alpha", { project: "alpha" });
    const { store } = http.core.ground;
    const beta = Array.from({ length: 501 }, (_, at) =>
      makeDocument({ kind: "memory", ref: `b${at}`, projectKey: "beta", body: `F# thing ${at}` }),
    );
    await store.write((tx) => putDocuments(tx.sql, "memory", beta));
    expect(await found("F#", { project: "alpha" })).toEqual([wanted]);
  });

  test("letter by letter looks into concepts and files too, and not at how lists are kept", async () => {
    const wanted = await remembered("Interfaces start with I", {
      concepts: ["C#", 'a"#"b'],
      files: ["w\\x.c"],
    });
    for (const query of ["C#", 'a"#', "w\\x"]) expect(await found(query)).toEqual([wanted]);
    for (const query of ["[]", '","', '["']) expect(await found(query)).toEqual([]);
  });

  test.each([
    ["oncall", "who is on-call this week"],
    ["groesse", "die Größe der Warteschlange"],
    ["Größe", "die Groesse der Warteschlange"],
  ])("for %s, which nobody wrote so, finds it in another spelling", async (query, content) => {
    const wanted = await remembered(content);
    await remembered("quite another matter");
    expect(await found(`${query}?`)).toEqual([wanted]);
    const exact = await remembered(`${query} as asked for`);
    expect((await found(query))[0]).toBe(exact);
  });

  test.each([
    ["nothing", {}],
    ["a blank query", { query: "  " }],
    ["an empty list of ids", { expandIds: [] }],
    ["a blank query and an empty list", { query: "", expandIds: [] }],
    ["21 ids", { expandIds: Array.from({ length: 21 }, (_, at) => `obs_${at}`) }],
    ["a query of 10001 characters", { query: "x".repeat(10_001) }],
    ["limit 0", { query: "x", limit: 0 }],
    ["a negative limit", { query: "x", limit: -1 }],
    ["half a limit", { query: "x", limit: 1.5 }],
    ["a limit in quotes", { query: "x", limit: "5" }],
    ["an end before its beginning", { query: "x", since: "2026-03-02", until: "2026-03-01" }],
  ])("with %s is a 400", async (_name, input) => {
    expect((await http.reply(smartSearch, input)).status).toBe(400);
  });

  test("for what nobody knows finds nothing, which is no error", async () => {
    const reply = await http.reply(smartSearch, { query: "unicorn" });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      success: true,
      mode: "compact",
      results: [],
      totalCount: 0,
      streams: ["keyword"],
    });
  });

  test.each([
    '"',
    "a AND",
    "NEAR(",
    "* OR",
    "col:x",
    "-",
    "(((",
    "'; DROP TABLE memories; --",
    "\u{1F642}",
    "\\",
    "^x",
    "{a}",
  ])("for %j is an ordinary search", async (query) => {
    await remembered("a heron near the col");
    expect((await http.reply(smartSearch, { query })).status).toBe(200);
    expect((await http.reply(fullSearch, { query })).status).toBe(200);
  });
});

describe("a hit", () => {
  test("of an observation has its session, first 300 characters and files", async () => {
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

  test("of a memory has its first source session, or none", async () => {
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

  test("in first place by keyword alone scores 1/61 and bonuses of at most 0.001", async () => {
    await remembered("heron");
    const [hit] = await smart("heron");
    expect(hit?.score).toBeGreaterThanOrEqual(0.016393);
    expect(hit?.score).toBeLessThanOrEqual(0.016393 + 0.001);
    expect(hit?.score).toBe(Number(hit?.score.toFixed(6)));
  });

  test("explains its score when asked to", async () => {
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

describe("ranking", () => {
  test("takes at most three results of a session and fills nothing up", async () => {
    for (let number = 0; number < 6; number += 1) await observed(`heron number ${number}`);
    const other = await observed("heron elsewhere", { sessionId: "s2" });
    const reply = await http.reply(smartSearch, { query: "heron" });
    const ids = (reply.body.results as { sessionId: string; obsId: string }[]).map(
      ({ sessionId }) => sessionId,
    );
    expect(ids.filter((id) => id === "s1")).toHaveLength(3);
    expect(reply.body.totalCount).toBe(4);
    expect(await found("heron")).toContain(other);
  });

  test("takes a tool call, told before and after it ran, for one result: its end", async () => {
    const call = { toolName: "Bash", toolInput: { command: "npm run heron" } };
    await observed("", { hookType: "pre_tool_use", data: call });
    const end = await observed("", {
      hookType: "post_tool_use",
      data: { ...call, toolOutput: { stdout: "a long tale of many other things ".repeat(10) } },
    });
    expect(await found("heron")).toEqual([end]);
  });

  test("leans to the time that the query names, and hides nothing", async () => {
    const yesterday = await observed("the heron build failed", { timestamp: "2026-02-28T12:00:00Z" });
    const earlier = await observed("the heron build failed again", {
      timestamp: "2026-02-20T12:00:00Z",
      sessionId: "s2",
    });
    expect(await found("heron build failed")).toContain(earlier);
    expect(await found("which heron build failed yesterday")).toEqual([yesterday, earlier]);
    expect(await found("which heron build failed on 20 February")).toEqual([earlier, yesterday]);
  });

  test.each([
    ["yesterday()", "the helper yesterday() gives midnight", "the wren helper gives noon"],
    ["today.ts", "calendars are in src/dates/today.ts", "wrens are in ts, other.ts, src/ts"],
    ["least-recently-used", "entries go least-recently-used first", "the least used go first"],
  ])("a name such as %s, which has a time in it, is found as a name", async (query, named, other) => {
    const wanted = await remembered(named);
    http.advance(20 * dayMs);
    await remembered(other);
    expect((await found(query))[0]).toBe(wanted);
  });

  test.each([
    "2026-02-28",
    "yesterday",
    "what happened yesterday?",
    "what did we do on 28 February",
    "what changed on 2026-02-28?",
    "what did we work on yesterday",
    "show me everything from yesterday",
  ])("asked for a time alone, as %s, tells what happened then", async (query) => {
    const early = await observed("the heron build failed", {
      timestamp: "2026-02-28T10:00:00Z",
      sessionId: "s2",
    });
    const late = await observed("28 wrens were counted", { timestamp: "2026-02-28T12:00:00Z" });
    await observed("28 wrens were counted again", { timestamp: "2026-02-20T12:00:00Z", sessionId: "s3" });
    await observed("work on changes of everything", { timestamp: "2026-02-20T13:00:00Z", sessionId: "s4" });
    expect(await found(query)).toEqual([late, early]);
    expect(await found(query, { project: "elsewhere" })).toEqual([]);
    expect(await found(query, { since: "2026-02-28T11:00:00Z" })).toEqual([late]);
    expect(await found(query, { until: "2026-02-28T11:00:00Z" })).toEqual([early]);
    expect(await found(query, { until: "2026-02-01" })).toEqual([]);
    expect(await found(query, { until: "2026-02-28" })).toEqual([late, early]);
    const named = await remembered(
      "Nothing was deployed yesterday, 2026-02-28, nor on any other February day",
    );
    http.advance(2 * dayMs);
    for (const of of query.includes("yesterday") ? ["the wrens", "an owl", "a stork"] : [])
      await remembered(`What happened yesterday concerns ${of}`);
    const later = query.includes("yesterday") ? "what happened before yesterday" : query;
    expect((await found(later)).slice(0, 3)).toEqual(expect.arrayContaining([named, late, early]));
  });

  test.each([
    ["14.2.3", "heron is pinned to v14.2.3"],
    ["node v20", "node 20 is required"],
    ["JWT", "tokens are JWTs"],
    ["CSVs", "a vendor's CSV has tabs"],
    ["800ms", "wait for 800 ms"],
    ["250 ms", "the budget is 250ms"],
    ["ts 2345", "the compiler says TS2345"],
    ["pg16", "the store runs on postgres 16"],
    ["sanitiser", "the sanitizer comes first"],
    ["i18n", "internationalisation comes first"],
    ["authorisation", "authz comes first"],
    ["behaviour of the heron", "the behavior of birds"],
    ["timezone", "time zones are names such as Europe/Berlin"],
    ["plimit", "p-limit bounds the calls"],
    ["mono herons", "all code is in one monoheron"],
    ["Datenschutz", "wegen der Datenschutzvorgaben"],
    ["murmur", "users are spread by murmur3"],
  ])("%j finds what is written as %j", async (query, content) => {
    for (let number = 100; number < 160; number += 1)
      await observed(`wren ${number} sang`, { sessionId: `s${number}` });
    const wanted = await remembered(content);
    expect(await found(query)).toEqual([wanted]);
  });

  test.each(["v99.1.7", "a bluebird"])("%j is at best weakly matched by a part of it", async (query) => {
    for (let number = 100; number < 160; number += 1)
      await observed(`wren ${number} sang`, { sessionId: `s${number}` });
    for (const content of ["a bird", "blue", "number 99"]) await remembered(content);
    for (const { match } of await smart(query)) expect(match).toBe("weak");
  });

  test("calls a hit weak that shares little with the query, and a full one strong", async () => {
    await remembered("the heron stands in the wetland at dawn");
    await remembered("dawn comes late in winter");
    const hits = await smart("heron in the wetland at dawn with seven unseen quokkas");
    expect(hits.map(({ match }) => match)).toEqual(["strong", "weak"]);
  });

  test("calls what names another ticket of the project weak, and what names the ticket strong", async () => {
    for (let number = 100; number < 160; number += 1)
      await observed(`wren ${number} sang`, { sessionId: `s${number}` });
    await remembered("HERON-1423: nests are counted anew");
    const tiers = async (query: string) => (await smart(query)).map(({ match }) => match);
    expect(await tiers("HERON-1423")).toEqual(["strong"]);
    expect(await tiers("heron 1423")).toEqual(["strong"]);
    expect(await tiers("HERON-9999")).toEqual(["weak"]);
    expect(await tiers("the heron of HERON-9999")).toEqual(["strong"]);
  });

  test.each([
    ["issue 482", "issue 999", "issue 482: nests are counted anew"],
    ["port 6380", "port 7001", "the cache listens on port 6380"],
    ["version 1.2", "version 1.7", "herons came with version 1.2"],
    ["pull request #77", "pull request #78", "nests are counted since pull request #77"],
  ])("calls what has %j strong, and for %j weak", async (written, unwritten, content) => {
    for (let number = 100; number < 160; number += 1)
      await observed(`wren ${number} sang on ${number}.2`, { sessionId: `s${number}` });
    await remembered(content);
    const tiers = async (query: string) => (await smart(query)).map(({ match }) => match);
    expect(await tiers(written)).toEqual(["strong"]);
    expect(await tiers(unwritten)).toEqual(["weak"]);
  });

  test("finds nothing, or what the graph ties to it and calls it weak, where only a frequent word is known", async () => {
    for (let number = 0; number < 60; number += 1) {
      await observed(`server started, take ${number}`, { sessionId: `s${number}` });
    }
    const reply = await http.reply(smartSearch, {
      query: "which quokka ate the manual of the server room",
      explain: true,
    });
    const hits = reply.body.results as { match: string; explanation: { streams: object } }[];
    for (const { match, explanation } of hits) {
      expect(match).toBe("weak");
      expect(Object.keys(explanation.streams)).toEqual(["graph"]);
    }
  });

  test("counts a memory for its first source session", async () => {
    for (let number = 0; number < 3; number += 1) await observed(`heron number ${number}`);
    await remembered("heron heron heron", { sessionId: "s1" });
    expect(await smart("heron")).toHaveLength(3);
  });

  test("leans towards the named session", async () => {
    const near = await observed("heron by the lake", { sessionId: "near", timestamp: "2026-01-01" });
    const far = await observed("heron by the lake", { sessionId: "far", timestamp: "2026-03-01" });
    expect(await found("heron lake")).toEqual([far, near]);
    expect(await found("heron lake", { sessionId: "near" })).toEqual([near, far]);
    expect(await found("heron lake", { sessionId: "nobody" })).toEqual([far, near]);
  });

  test("leans towards the folder, for search", async () => {
    const inside = await observed("heron by the lake", {
      sessionId: "a",
      cwd: "/w/in/deep",
      timestamp: "2026-01-01",
    });
    const outside = await observed("heron by the lake", {
      sessionId: "b",
      cwd: "/w/inside",
      timestamp: "2026-03-01",
    });
    const order = async (cwd?: string) =>
      (await http.ok(fullSearch, { query: "heron lake", format: "compact", cwd })).results.map((hit) =>
        "obsId" in hit ? hit.obsId : "",
      );
    expect(await order()).toEqual([outside, inside]);
    expect(await order("/w/in")).toEqual([inside, outside]);
  });

  test("takes relative files of a memory from its project, and knows the paths of Windows", async () => {
    const api = await remembered("heron notes", { project: "/w/shop", files: ["api/heron.ts"] });
    const web = await remembered("heron plans", { project: "C:\\w\\shop", files: ["Web\\heron.ts"] });
    const first = async (cwd: string) => {
      const { results } = await http.ok(fullSearch, { query: "heron", format: "compact", cwd });
      return results.flatMap((hit) => ("obsId" in hit ? hit.obsId : []))[0];
    };
    expect(await first("/w/shop/api/")).toBe(api);
    expect(await first("c:\\w\\shop\\Web")).toBe(web);
  });

  test("puts an old exact match before new ones that share a word with it, whatever else speaks for them", async () => {
    const exact = await remembered("MAX_HERON_COUNT is seven in production");
    http.advance(300 * dayMs);
    for (const topic of ["the count of invoices", "a max of ten seats", "count the max of both lists"])
      await remembered(topic, { sessionId: `s-${topic}` });
    const asking = { sessionId: "s-a max of ten seats" };
    expect((await found("MAX_HERON_COUNT", asking))[0]).toBe(exact);
    expect((await found("max heron count"))[0]).toBe(exact);
  });

  test("puts an old address before a new text that has one of its numbers", async () => {
    const address = await remembered("10.20.30.40 was the build machine", { project: "/w/shop" });
    http.advance(300 * dayMs);
    await remembered("call the office at 49 30 1234567", { project: "/w/shop" });
    const hits = await smart("10.20.30.40");
    expect(hits.map(({ match }) => match)).toEqual(["strong", "weak"]);
    expect(hits[0]?.obsId).toBe(address);
  });

  test("never shows a superseded, a deleted or an expired memory", async () => {
    const old = await remembered("heron old");
    await http.ok(evolve, { memoryId: old, newContent: "stork new", newTitle: "stork" });
    const gone = await remembered("a heron that will be deleted soon");
    await http.ok(forget, { memoryId: gone });
    await remembered("heron of a day, which then is nobody's business", { ttlDays: 1 });
    http.advance(dayMs);
    expect(await found("heron")).toEqual([]);
  });

  test("shows the limit's worth and counts the rest", async () => {
    for (let number = 0; number < 12; number += 1)
      await remembered(`heron ${"abcdefghijkl"[number]}${number}zz alone`, { project: `p${number}` });
    const reply = await http.reply(smartSearch, { query: "heron" });
    expect(reply.body.results).toHaveLength(10);
    expect(reply.body.totalCount).toBe(12);
    expect(await smart("heron", { limit: 100_000 })).toHaveLength(12);
    expect(await smart("heron", { limit: 2 })).toHaveLength(2);
  });

  test("can be confined to kinds of records and to a span of time", async () => {
    const memory = await remembered("heron");
    const early = await observed("heron", { timestamp: "2026-01-10", sessionId: "a" });
    const late = await observed("heron", { timestamp: "2026-02-10", sessionId: "b" });
    expect(await found("heron", { kinds: ["memory"] })).toEqual([memory]);
    expect(await found("heron", { kinds: ["observation"], until: "2026-01-31" })).toEqual([early]);
    expect(await found("heron", { since: "2026-02-01", until: "2026-02-28" })).toEqual([late]);
  });
});

describe("expanding", () => {
  test("gives the full observation with its raw event and two neighbours on either side", async () => {
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

  test("gives the full memory with the observations that it comes from", async () => {
    const source = await observed("why");
    const id = await remembered("because", { sourceObservationIds: [source] });
    const [result] = (await http.ok(smartSearch, { expandIds: [{ obsId: id, sessionId: "s1" }] })).results;
    expect(result).toMatchObject({ kind: "memory", memory: { content: "because" } });
    expect(result?.neighbors?.map(({ obsId }) => obsId)).toEqual([source]);
  });

  test("of ids that nobody knows is a 404 that names them, but tells only what is missing beside known ones", async () => {
    const missing = await http.reply(smartSearch, { expandIds: ["obs_x", "mem_y"] });
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual({ error: expect.any(String), notFound: ["obs_x", "mem_y"] });
    const known = await remembered("heron");
    const some = await http.reply(smartSearch, { expandIds: ["obs_x", known] });
    expect(some.body).toMatchObject({ totalCount: 1, notFound: ["obs_x"] });
    const asked = await http.reply(smartSearch, { query: "heron", expandIds: ["obs_x"] });
    expect([asked.status, asked.body.mode]).toEqual([200, "mixed"]);
  });

  test("and asking at once puts the records first and no record twice", async () => {
    const [a, b] = [
      await remembered("heron alpha"),
      await remembered("a long text that also names the heron"),
    ];
    const answer = await http.ok(smartSearch, { query: "heron", expandIds: [b ?? ""], limit: 1 });
    expect(answer.results.map(({ obsId }) => obsId)).toEqual([b, a]);
    expect(answer.totalCount).toBe(2);
    expect(answer.results[0]?.score).toBeLessThan(1);
  });

  test.each([[5], [{ sessionId: "s" }], [""]])("of what is no id says what one is: %j", async (id) => {
    const { status, body } = await http.reply(smartSearch, { expandIds: [id] });
    const message = id === "" ? "must not be blank" : "must be an id, or an object with an obsId";
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("expandIds.0"), issues: [{ message }] },
    });
  });

  test.each([
    ["one long string", { text: "🙂".repeat(60_000) }],
    ["many short ones", { list: Array.from({ length: 9_000 }, (_, at) => `item ${at}`) }],
    ["many numbers", { list: Array.from({ length: 40_000 }, (_, at) => at) }],
  ])("cuts a record of more than 64 KiB by %s, and says so", async (_name, data) => {
    const id = await observed("", { data });
    const reply = await http.reply(smartSearch, { expandIds: [id] });
    expect(reply.body.truncated).toBe(true);
    expect(Buffer.byteLength(reply.text)).toBeLessThan(66_000);
  });

  test("does not speak of cutting when nothing was cut", async () => {
    const id = await observed("short");
    expect((await http.reply(smartSearch, { expandIds: [id] })).body).not.toHaveProperty("truncated");
  });
});

describe("searching for records", () => {
  test("needs a query, and knows three formats in any case", async () => {
    expect((await http.reply(fullSearch, {})).body.error).toBe("query required");
    expect((await http.reply(fullSearch, { query: " " })).status).toBe(400);
    expect((await http.reply(fullSearch, { query: "x", format: "short" })).status).toBe(400);
    expect((await http.ok(fullSearch, { query: "x", format: "COMPACT" })).format).toBe("compact");
  });

  test("gives whole observations, and memories in the same shape", async () => {
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

  test("as narratives gives a numbered list too", async () => {
    await remembered("heron at dawn", { title: "Birds" });
    const answer = await http.ok(fullSearch, { query: "heron", format: "narrative" });
    expect(answer.text).toBe("1. Birds — heron at dawn");
    expect(Object.keys(answer.results[0] ?? {}).sort()).toEqual(
      ["kind", "narrative", "obsId", "score", "sessionId", "timestamp", "title"].sort(),
    );
  });

  test("takes items while they fit the budget and counts tokens as thirds of characters", async () => {
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

  test("cuts the narrative of the first item when not even that fits", async () => {
    await remembered(`heron ${"feather ".repeat(900)}`);
    const answer = await http.ok(fullSearch, { query: "heron", format: "compact", token_budget: 150 });
    expect(answer.results).toHaveLength(1);
    expect(answer.truncated).toBe(true);
    expect(answer.tokensUsed).toBeLessThanOrEqual(150);
  });

  test("gives a memory without its record where that leaves no room for the text", async () => {
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

  test.each(["full", "narrative"])("uses most of a budget in format %s", async (format) => {
    await remembered(Array.from({ length: 60 }, (_, at) => `Take ${at} of the heron at the lake.`).join(" "));
    const { tokensUsed } = await http.ok(fullSearch, { query: "heron", format, token_budget: 600 });
    expect(tokensUsed).toBeGreaterThan(500);
    expect(tokensUsed).toBeLessThanOrEqual(600);
  });

  test.each([0, -1, 1.5, 100_001, "100", true])("refuses a budget of %j", async (budget) => {
    expect((await http.reply(fullSearch, { query: "x", token_budget: budget })).status).toBe(400);
  });
});

test("what is deleted right after it was found leaves no trace of having been found", async () => {
  const memoryId = await remembered("heron at dawn");
  await observed("heron at dusk");
  expect((await http.ok(fullSearch, { query: "heron" })).totalCount).toBe(2);
  await http.ok(forget, { memoryId, sessionId: "s1" });
  await http.settled();
  expect((await http.send("/export")).body).toMatchObject({ memories: [], accessLogs: [] });
});

describe("with a model of embeddings", () => {
  beforeEach(async () => {
    await http.close();
    const env = { MEMSVC_EMBEDDING_PROVIDER: "static", MEMSVC_EMBEDDING_MODEL: "tiny" };
    http = await openTestHttp({ env });
    writeTinyStaticModel(join(http.home, "models", "tiny"));
  });

  test("records are found by their vectors too, and the answer says which streams took part", async () => {
    const id = await remembered("deploy the staging database");
    await DocumentEmbedder.runOnce(http.core.ground, http.core.embeddings);
    const { results, streams } = await http.ok(smartSearch, { query: "staging database", explain: true });
    expect(streams).toEqual(["keyword", "vector"]);
    expect(results[0]?.obsId).toBe(id);
    expect(results[0]?.explanation?.streams).toMatchObject({ keyword: { rank: 1 }, vector: { rank: 1 } });
  });

  test("vectors find what shares no word with the query, inside the project that was asked for", async () => {
    // The tiny model knows letters; to the keywords these are two words.
    const here = await remembered("qqqq", { project: "shop" });
    await remembered("qqqq and more", { project: "other" });
    await DocumentEmbedder.runOnce(http.core.ground, http.core.embeddings);
    const { results } = await http.ok(smartSearch, { query: "qqq", project: "shop", explain: true });
    expect(results.map(({ explanation }) => Object.keys(explanation?.streams ?? {}))).toEqual([["vector"]]);
    expect(results.map(({ obsId }) => obsId)).toEqual([here]);
  });

  test("before anything has a vector the words search alone", async () => {
    await remembered("deploy the staging database");
    expect((await http.ok(smartSearch, { query: "staging" })).streams).toEqual(["keyword"]);
  });
});
