import { beforeEach, describe, expect, test } from "vitest";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { putDocuments, removeDocuments } from "../documents/documents.ts";
import { readSketches } from "../hits.ts";
import { foundIn, makeDocument, openTestIndex, putInto } from "../index-fixture.ts";
import type { SearchScope } from "../scope.ts";
import { keywordSearch } from "./keyword.ts";

const index = forEachTest(openTestIndex);

const put = (...documents: Parameters<typeof putInto>[1][]) => putInto(index, ...documents);
const found = (...[query, scope, limit]: [string, Partial<SearchScope>?, number?]) =>
  foundIn(index, query, scope, limit);

describe("keyword search", () => {
  test("finds a document by any word, path, part of a path or other form of a word", async () => {
    await put(
      { ref: "a", body: "Fixed flaky connections in src/store/sqlQueue.ts" },
      { ref: "b", body: "unrelated" },
    );
    for (const query of ["connection", "src/store/sqlQueue.ts", "sqlqueue.ts", "queue", "nowhere flaky"]) {
      expect(await found(query)).toEqual(["a"]);
    }
  });

  test("returns what fusion needs, and a sketch with the first 300 characters of the body", async () => {
    await put({
      ref: "a",
      title: "Queue",
      body: "😀 word ".repeat(100),
      files: ["src/a.ts"],
      importance: 0.25,
    });
    const [hit] = await keywordSearch(index.sql, { query: "queue", scope: { now: 0 }, limit: 10 });
    expect(hit).toMatchObject({
      kind: "observation",
      ref: "a",
      sessionId: "session-1",
      createdAt: 1_000,
      importance: 0.25,
    });
    const sketch = (await readSketches(index.sql, [hit?.id ?? 0])).get(hit?.id ?? 0);
    expect(sketch).toMatchObject({ title: "Queue", type: "command", project: "app", files: ["src/a.ts"] });
    expect(Array.from(sketch?.snippet ?? "")).toHaveLength(300);
    expect(hit?.score).toBeGreaterThan(0);
  });

  test("limits a search to a time span, to the millisecond, across months", async () => {
    const at = (iso: string) => Date.parse(iso);
    await put(
      { ref: "january", body: "release", createdAt: at("2026-01-31T23:59:59.999Z") },
      { ref: "february", body: "release", createdAt: at("2026-02-01T00:00:00.000Z") },
      { ref: "march", body: "release", createdAt: at("2026-03-15T12:00:00.000Z") },
    );
    const now = at("2026-04-01T00:00:00.000Z");
    const from = at("2026-02-01T00:00:00.000Z");
    expect(new Set(await found("release", { now, since: from }))).toEqual(new Set(["february", "march"]));
    expect(await found("release", { now, until: from - 1 })).toEqual(["january"]);
    expect(await found("release", { now, since: from, until: from })).toEqual(["february"]);
    expect(await found("release", { now, since: now })).toEqual([]);
    await put({ ref: "ahead", body: "release", createdAt: at("2029-01-01T00:00:00.000Z") });
    expect(await found("release", { now, since: at("2028-06-01T00:00:00.000Z") })).toEqual(["ahead"]);
  });

  test("finds documents dated years ahead if the search has no end", async () => {
    const at = (iso: string) => Date.parse(iso);
    await put(
      { ref: "before", body: "release of C#", createdAt: at("2026-01-01T00:00:00.000Z") },
      { ref: "soon", body: "release of C#", createdAt: at("2028-06-01T00:00:00.000Z") },
      { ref: "far", body: "release of C#", createdAt: at("2099-06-01T00:00:00.000Z") },
      { ref: "further", body: "release of C#", createdAt: at("6000-06-01T00:00:00.000Z") },
    );
    for (const query of ["release", "C#"]) {
      const since = async (time: string) => new Set(await found(query, { now: 5_000, since: at(time) }));
      expect(await since("2026-02-01T00:00:00.000Z")).toEqual(new Set(["soon", "far", "further"]));
      expect(await since("2090-02-01T00:00:00.000Z")).toEqual(new Set(["far", "further"]));
      expect(await since("2099-07-01T00:00:00.000Z")).toEqual(new Set(["further"]));
    }
  });

  test("finds documents in a time span even if most of their month lies outside", async () => {
    const day = (of: number) => Date.UTC(2026, 1, of);
    const at = (ref: string, of: number, body: string) => makeDocument({ ref, createdAt: day(of), body });
    const wanted = at("wanted", 2, "release");
    const others = Array.from({ length: 450 }, (_, other) => at(`o${other}`, 10, "release release"));
    await putDocuments(index.sql, "observation", [wanted, ...others]);
    const now = day(20);
    expect(await found("release", { now, until: day(3) })).toEqual(["wanted"]);
    expect(await found("release", { now, since: day(1), until: day(3) })).toEqual(["wanted"]);
    expect((await found("release", { now, leansTo: { since: day(1), until: day(3) } }))[0]).toBe("wanted");
  });

  test("treats an end in the year 9999 as no end", async () => {
    await put({ ref: "a", body: "release of C#" }, { ref: "b", body: "release of C" });
    for (const query of ["release", "C#"])
      expect(await found(query, { until: Date.UTC(9999, 11, 31) })).toContain("a");
  });

  test("ranks titles above bodies, and short bodies above long ones", async () => {
    await put(
      { ref: "long", title: "note", body: `cache ${"padding filler ".repeat(30)}` },
      { ref: "short", title: "note", body: "cache padding" },
      { ref: "title", title: "cache", body: "padding filler" },
    );
    expect(await found("cache")).toEqual(["title", "short", "long"]);
  });

  test("weighs words by rarity even in a store of two documents", async () => {
    await put({ ref: "rare", body: "shared unusual" }, { ref: "common", body: "shared shared" });
    expect(await found("shared unusual")).toEqual(["rare", "common"]);
  });

  test("uses stop words only if the query has no other words", async () => {
    await put({ ref: "a", body: "What is this about" }, { ref: "b", body: "token refresh" });
    expect(await found("what is this")).toEqual(["a"]);
    expect(await found("what is the token")).toEqual(["b"]);
  });

  test("finds nothing for a query without words or with unknown words", async () => {
    await put({ ref: "a", body: "text" });
    expect(await found(" …?! ")).toEqual([]);
    expect(await found("zebra")).toEqual([]);
  });

  test.each([
    ["Thai", "ฐานข้อมูล ประชุม", "ทีมประชุมเรื่องฐานข้อมูลทุกวันจันทร์"],
    ["Thai beside an unknown word", "ฐานข้อมูล postgres", "ทีมประชุมเรื่องฐานข้อมูลทุกวันจันทร์"],
    ["Lao", "ຖານຂໍ້ມູນ ປະຊຸມ", "ທີມປະຊຸມເລື່ອງຖານຂໍ້ມູນ"],
    ["Khmer", "ទិន្នន័យ ប្រជុំ", "ក្រុមប្រជុំអំពីមូលដ្ឋានទិន្នន័យ"],
    ["Burmese", "ဒေတာဘေ့စ် အစည်းအဝေး", "အဖွဲ့သည်အစည်းအဝေးတွင်ဒေတာဘေ့စ်အကြောင်းပြောသည်"],
  ])("finds words of %s anywhere in a text without spaces", async (_name, query, body) => {
    await put({ ref: "a", body }, { ref: "b", body: "unrelated" });
    expect(await found(query)).toEqual(["a"]);
  });

  test("searches with the most telling words of a long text, even at its end", async () => {
    await put({ ref: "a", body: "the connection pool is exhausted" }, { ref: "b", body: "unrelated" });
    const frames = (count: number) =>
      Array.from({ length: count }, (_, at) => `at frame${at} module${at}`).join("\n");
    expect(await found(`${frames(100)}\nconnection exhausted`)).toEqual(["a"]);
    expect(await found(`${frames(1_000)}\nconnection exhausted`)).toEqual(["a"]);
    expect(await found(`connection exhausted\n${frames(1_000)}`)).toEqual(["a"]);
  });

  test("reads FTS5 operators and quotation marks as text", async () => {
    await put({ ref: "a", body: "alpha NEAR beta" });
    for (const query of [
      '"alpha',
      "alpha AND gamma",
      "alpha*",
      "NEAR(alpha beta)",
      "body:alpha",
      "(alpha OR",
    ]) {
      expect(await found(query)).toEqual(["a"]);
    }
  });

  test("returns at most the limit, newest first among equals", async () => {
    await put({ ref: "a", body: "same" }, { ref: "b", body: "same" }, { ref: "c", body: "same" });
    expect(await found("same", {}, 2)).toEqual(["c", "b"]);
  });

  test("finds the heaviest uses of frequent words among 5 000 documents", async () => {
    for (let number = 0; number < 5_000; number++) {
      await put({
        ref: `n${number}`,
        kind: number === 9 ? "memory" : "observation",
        title: number < 10 ? "often word" : "plain",
        body: "often word and more text",
      });
    }
    expect(await found("often word", {}, 10)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((at) => `n${at}`));
    expect(await found("often", { kinds: ["memory"] })).toEqual(["n9"]);
    expect(await found("often", { kinds: ["observation"] }, 2)).toEqual(["n8", "n7"]);
    expect(await found("often", {}, 500)).toHaveLength(500);
    expect(await found("often", { kinds: ["observation"] }, 333)).toHaveLength(333);
  });
});

describe("a word that is frequent outside of the scope", () => {
  const inside = { projectKey: "/code/app", agentId: "ann" };
  const outside = { projectKey: "/code/other", agentId: "bob" };
  const padding = "padding filler ".repeat(20);
  const scopes: Partial<SearchScope>[] = [
    { projectKeys: ["/code/app"], includeWithoutProject: true },
    { agent: { agentId: "ann", includeOrphans: false } },
    { kinds: ["observation"] },
    { projectKeys: ["/code/app"], leansTo: { since: 0, until: 1_500 } },
  ];

  test.each([450, 4_100])("is found within the scope, among %i others", async (others) => {
    await put({ ref: "old", body: `webhook ${padding}`, ...inside });
    const filler = Array.from({ length: 4.2 * others }, (_, at) =>
      makeDocument({ ref: `f${at}`, ...inside }),
    );
    await putDocuments(index.sql, "observation", filler);
    const crowd = Array.from({ length: others }, (_, at) =>
      makeDocument({ ref: `o${at}`, kind: "memory", title: "webhook", ...outside }),
    );
    await putDocuments(index.sql, "memory", crowd);
    for (const scope of scopes) expect(await found("webhook", scope)).toEqual(["old"]);
    await put({ ref: "new", body: `webhook ${padding}`, ...inside });
    for (const scope of scopes) expect(await found("webhook", scope)).toEqual(["new", "old"]);
    expect(await found("webhook", { projectKeys: ["/code/other"] })).toHaveLength(10);
  });
});

describe("a search for a single letter", () => {
  test("finds it behind hundreds of newer texts that contain it only inside words", async () => {
    await put({ ref: "language", body: "We use R for the statistics." });
    const newer = Array.from({ length: 501 }, (_, at) => makeDocument({ ref: `n${at}`, body: "a parser" }));
    await index.together(() => putDocuments(index.sql, "observation", newer));
    expect(await found("R")).toEqual(["language"]);
  });
});

describe("query coverage", () => {
  test("is 1 for a hit with all words, and lower the more telling the missing word is", async () => {
    await put(
      { ref: "all", sessionId: null, body: "heron wetland common" },
      { ref: "most", sessionId: null, body: "heron wetland" },
      { ref: "least", sessionId: null, body: "common" },
      { ref: "other", sessionId: null, body: "common" },
    );
    const hits = await keywordSearch(index.sql, {
      query: "heron wetland common",
      scope: { now: 0 },
      limit: 10,
    });
    const coverages = new Map(hits.map(({ ref, coverage }) => [ref, coverage]));
    expect(coverages.get("all")).toBe(1);
    expect(coverages.get("most")).toBeGreaterThan(0.6);
    expect(coverages.get("least")).toBeLessThan(0.4);
  });

  test("is lower for unknown words, but not for unknown numbers", async () => {
    await put({ ref: "a", sessionId: null, body: "heron" });
    const coverage = async (query: string) =>
      (await keywordSearch(index.sql, { query, scope: { now: 0 }, limit: 10 }))[0]?.coverage;
    expect(await coverage("heron 2026-03-01")).toBe(1);
    expect(await coverage("heron unheard")).toBeLessThan(1);
  });

  test.each([
    ["issue 48291", "ticket 48291 was closed"],
    ["which server is 10.0.12.7", "the machine 10.0.12.7 is slow"],
    ["upgrade to 2.31.4", "pinned at 2.31.4 because of a leak"],
  ])("%j finds the document that has the number beside other words", async (query, body) => {
    for (let number = 0; number < 60; number++) {
      await put({ ref: `n${number}`, sessionId: null, body: `take ${number}` });
    }
    await put({ ref: "a", sessionId: null, body });
    expect((await found(query))[0]).toBe("a");
  });

  test.each(["ฐานข้อมูลเซิร์ฟเวอร์ heron", "接続プールの設定 heron"])(
    "%j finds its known word beside a long unknown one without spaces",
    async (query) => {
      for (let number = 0; number < 60; number++) {
        await put({ ref: `n${number}`, sessionId: null, body: `take ${number}` });
      }
      for (const ref of ["a", "b", "c"]) await put({ ref, sessionId: null, body: `heron ${ref}` });
      expect(new Set(await found(query))).toEqual(new Set(["a", "b", "c"]));
    },
  );

  test("a question that shares only a frequent word finds nothing, unlike a word or a long text", async () => {
    for (let number = 0; number < 60; number++) {
      await put({ ref: `n${number}`, sessionId: null, body: `server started ${number}` });
    }
    expect(await found("which quokka ate the server manual")).toEqual([]);
    expect(await found("server")).toHaveLength(10);
    const long = Array.from({ length: 20 }, (_, at) => `quokka${"abcdefghijklmnopqrstuvwxyz"[at]}`).join(" ");
    expect(await found(`${long} server`)).toHaveLength(10);
  });
});

describe("search scope", () => {
  beforeEach(() =>
    put(
      { ref: "app", body: "word", agentId: "ann" },
      { ref: "other", body: "word", projectKey: "/code/other", agentId: "bob" },
      { ref: "loose-memory", kind: "memory", body: "word", projectKey: null },
      { ref: "loose-summary", kind: "summary", body: "word", projectKey: null },
    ),
  );

  test.each<[string, Partial<SearchScope>, string[]]>([
    ["none", {}, ["loose-summary", "loose-memory", "other", "app"]],
    ["one project", { projectKeys: ["/code/app"] }, ["app"]],
    ["two projects", { projectKeys: ["/code/app", "/code/other"] }, ["other", "app"]],
    [
      "a project and memories without one",
      { projectKeys: ["/code/app"], includeWithoutProject: true },
      ["loose-memory", "app"],
    ],
    ["only memories without a project", { projectKeys: [], includeWithoutProject: true }, ["loose-memory"]],
    ["no project at all", { projectKeys: [] }, []],
    ["an agent", { agent: { agentId: "ann", includeOrphans: false } }, ["app"]],
    [
      "an agent and orphans",
      { agent: { agentId: "ann", includeOrphans: true } },
      ["loose-summary", "loose-memory", "app"],
    ],
    ["orphans", { agent: { includeOrphans: true } }, ["loose-summary", "loose-memory"]],
    ["kinds", { kinds: ["observation", "summary"] }, ["loose-summary", "other", "app"]],
    ["no kind", { kinds: [] }, []],
    [
      "all at once",
      {
        projectKeys: ["/code/other"],
        kinds: ["observation"],
        agent: { agentId: "bob", includeOrphans: false },
      },
      ["other"],
    ],
  ])("of %s returns exactly the matching documents", async (_, scope, refs) => {
    expect(await found("word", scope)).toEqual(refs);
  });

  test("cannot be set by the words of a query", async () => {
    expect(await found(".np .na .kmemory np na")).toEqual([]);
  });

  test("excludes a document from the moment it is hidden", async () => {
    await put({ ref: "fleeting", body: "brief", hiddenAfter: 5_000 });
    expect(await found("brief", { now: 4_999 })).toEqual(["fleeting"]);
    expect(await found("brief", { now: 5_000 })).toEqual([]);
  });
});

describe("documents", () => {
  test("are found only by their new words after an update", async () => {
    await put({ ref: "a", body: "before" });
    await put({ ref: "a", body: "after", projectKey: "/code/moved" });
    expect(await found("before")).toEqual([]);
    expect(await found("after", { projectKeys: ["/code/moved"] })).toEqual(["a"]);
    expect(await found("after", { projectKeys: ["/code/app"] })).toEqual([]);
  });

  test("are found at once, even by a word that was searched for in vain before", async () => {
    await put(...Array.from({ length: 200 }, (_, at) => ({ ref: `n${at}`, body: "filler" })));
    expect(await found("novelty filler", {}, 1)).not.toContain("late");
    await put({ ref: "late", body: "novelty" });
    expect(await found("novelty")).toEqual(["late"]);
  });

  test("leave no row in the inverted index when they are deleted", async () => {
    await put(
      { ref: "a", body: "gone" },
      { ref: "b", body: "gone" },
      { ref: "a", kind: "memory", body: "kept" },
    );
    expect(await removeDocuments(index, "observation", ["a", "b", "unknown"])).toBe(2);
    expect(await found("gone kept")).toEqual(["a"]);
    expect(await index.sql.all("SELECT id FROM documents_fts_docsize")).toHaveLength(1);
    expect(await index.sql.all("SELECT term FROM documents_terms WHERE term = 'gone'")).toEqual([]);
  });
});
