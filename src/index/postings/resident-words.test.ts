import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeCorpus, makeQueries } from "../../../bench/corpus.ts";
import { putDocuments, removeDocuments } from "../documents/documents.ts";
import { makeDocument, openTestIndex, putInto, type TestIndex } from "../index-fixture.ts";
import { keywordSearch } from "../keyword/keyword.ts";
import type { SearchScope } from "../scope.ts";
import { ResidentWords } from "./resident-words.ts";

let index: TestIndex;
let words: ResidentWords;
beforeEach(() => {
  index = openTestIndex();
  words = new ResidentWords(index.connect());
});
afterEach(async () => {
  await words.close();
  index.close();
});

async function inMemory(query: string, scope: SearchScope = { now: 0 }, limit = 10) {
  await words.current();
  await words.follow();
  const current = await words.current();
  expect(current).toBeDefined();
  return keywordSearch(index.sql, { query, scope, limit }, { index: current });
}

const refsOf = (hits: readonly { readonly ref: string }[]) => hits.map(({ ref }) => ref);

describe("a search in memory", () => {
  const corpus = makeCorpus({ documents: 380, vocabulary: 900, wordsPerDocument: 25, seed: 5 });
  const scopes: readonly SearchScope[] = [
    { now: 0 },
    { now: 0, projectKeys: ["/code/project-0"], includeWithoutProject: true },
    { now: 0, kinds: ["memory"] },
    { now: 0, agent: { agentId: "agent-1", includeOrphans: false } },
    { now: 0, since: Date.UTC(2026, 0, 1, 2), until: Date.UTC(2026, 0, 1, 5) },
    { now: 0, leansTo: { since: Date.UTC(2026, 0, 1, 1), until: Date.UTC(2026, 0, 1, 3) } },
    {
      now: 0,
      since: Date.UTC(2026, 0, 1, 2),
      leansTo: { since: Date.UTC(2026, 0, 1, 1), until: Date.UTC(2026, 0, 1, 3) },
    },
  ];

  test.each(scopes)("finds the same hits with the same scores as one in the database: %j", async (scope) => {
    await putDocuments(index.sql, "observation", [...corpus.documents()]);
    const queries = (["rare", "mixed", "frequent"] as const).flatMap((kind) =>
      makeQueries(corpus.vocabulary, kind, 12, 3),
    );
    let found = 0;
    for (const query of [...queries, "database db repo repository"]) {
      const stored = await keywordSearch(index.sql, { query, scope, limit: 10 });
      const held = await inMemory(query, scope);
      found += stored.length;
      expect(refsOf(held)).toEqual(refsOf(stored));
      for (const [at, hit] of held.entries()) {
        expect(hit.score).toBeCloseTo(stored[at]?.score ?? 0, 9);
        expect({ ...hit, score: 0 }).toEqual({ ...stored[at], score: 0 });
      }
    }
    expect(found).toBeGreaterThan(30);
  });
});

test("a preferred time finds nothing outside the time that limits the search", async () => {
  await putInto(
    index,
    { ref: "early", body: "heron", createdAt: 1_000 },
    { ref: "middle", body: "heron", createdAt: 2_000 },
    { ref: "late", body: "heron", createdAt: 3_000 },
  );
  const early = { since: 500, until: 2_500 };
  expect(refsOf(await inMemory("heron", { now: 0, since: 3_000, leansTo: early }))).toEqual(["late"]);
  expect(refsOf(await inMemory("heron", { now: 0, since: 1_500, leansTo: early }))).toEqual([
    "middle",
    "late",
  ]);
  expect(refsOf(await inMemory("heron", { now: 0, until: 1_500, leansTo: early }))).toEqual(["early"]);
});

test("a search that fails for want of memory hides nothing from later ones", async () => {
  await putInto(index, { ref: "a", body: "heron in the reeds" }, { ref: "b", body: "a db of herons" });
  expect(refsOf(await inMemory("heron"))).toHaveLength(2);
  const tooMany = Number.MAX_SAFE_INTEGER;
  await expect(inMemory("heron database", { now: 0 }, tooMany)).rejects.toThrow(RangeError);
  expect(refsOf(await inMemory("heron"))).toHaveLength(2);
  expect(refsOf(await inMemory("database"))).toEqual(["b"]);
});

test("nothing is read before the first search", async () => {
  await putInto(index, { ref: "a", body: "heron" });
  await words.follow();
  expect(await words.current()).toBeUndefined();
  await words.follow();
  expect(await words.current()).toBeDefined();
});

describe("documents written or deleted meanwhile", () => {
  test("are found, also when another connection wrote them", async () => {
    await putInto(index, { ref: "first", body: "heron" });
    expect(refsOf(await inMemory("heron"))).toEqual(["first"]);
    const other = { ...index, sql: index.connect() };
    await putInto(other, { ref: "second", title: "heron" });
    expect(refsOf(await inMemory("heron"))).toEqual(["second", "first"]);
  });

  test("are found by their new words and no longer by their old ones", async () => {
    await putInto(index, { ref: "a", body: "heron" }, { ref: "b", body: "heron wetland" });
    expect(refsOf(await inMemory("heron"))).toHaveLength(2);
    await putInto(index, { ref: "a", body: "wetland reed" });
    expect(refsOf(await inMemory("heron"))).toEqual(["b"]);
    expect(refsOf(await inMemory("reed"))).toEqual(["a"]);
    await putInto(index, { ref: "a", body: "heron reed" });
    expect(refsOf(await inMemory("reed"))).toEqual(["a"]);
  });

  test("no longer count for the weight of their words once they are deleted", async () => {
    const named = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word}${at}`);
    await putInto(index, ...named("heron", 100).map((ref) => ({ ref, body: "heron" })));
    await putInto(index, ...named("crane", 60).map((ref) => ({ ref, body: "crane" })));
    await inMemory("heron");
    await removeDocuments(index, "observation", named("heron", 98));
    const stored = await keywordSearch(index.sql, { query: "heron", scope: { now: 0 }, limit: 10 });
    const held = await inMemory("heron");
    expect(refsOf(held)).toEqual(refsOf(stored));
    expect(held[0]?.score).toBeCloseTo(stored[0]?.score ?? 0, 9);
  });

  test("are gone once they are deleted, and hidden once their time has come", async () => {
    await putInto(index, { ref: "gone", body: "heron" }, { ref: "kept", body: "heron" });
    expect(await inMemory("heron")).toHaveLength(2);
    await removeDocuments(index, "observation", ["gone"]);
    expect(refsOf(await inMemory("heron"))).toEqual(["kept"]);
    await putInto(index, { ref: "kept", body: "heron", hiddenAfter: 5_000 });
    expect(refsOf(await inMemory("heron", { now: 4_999 }))).toEqual(["kept"]);
    expect(await inMemory("heron", { now: 5_000 })).toEqual([]);
  });

  test("are found after a reconnect, although the new connection counts versions anew", async () => {
    const connections = { first: index.connect(), second: index.connect() };
    let sql = connections.first;
    const held = new ResidentWords({
      all: (text, args) => sql.all(text, args),
      values: (text, args) => sql.values(text, args),
      run: (text, args) => sql.run(text, args),
    });
    const refs = async () =>
      refsOf(
        await keywordSearch(
          index.sql,
          { query: "heron", scope: { now: 0 }, limit: 10 },
          { index: await held.current() },
        ),
      );
    await putInto(index, { ref: "first", body: "heron" });
    await held.current();
    await held.follow();
    expect(await refs()).toEqual(["first"]);
    await putInto(index, { ref: "second", body: "heron" });
    sql = connections.second;
    held.reconnected();
    expect(await refs()).toEqual(["second", "first"]);
    await held.close();
  });

  test("are left out of a search under way once they are deleted", async () => {
    await putInto(index, { ref: "gone", body: "heron" }, { ref: "kept", body: "heron" });
    await inMemory("heron");
    const current = await words.current();
    await removeDocuments(index, "observation", ["gone"]);
    expect(
      refsOf(
        await keywordSearch(index.sql, { query: "heron", scope: { now: 0 }, limit: 10 }, { index: current }),
      ),
    ).toEqual(["kept"]);
  });

  test("are found by a search under way while their change is read", async () => {
    const sql = index.connect();
    let whenRead: (() => Promise<void>) | undefined;
    const held = new ResidentWords({
      ...sql,
      values: async (text, args) => {
        const once = whenRead;
        whenRead = undefined;
        await once?.();
        return sql.values(text, args);
      },
    });
    await putInto(index, { ref: "a", body: "heron" });
    await held.current();
    await held.follow();
    const current = await held.current();
    await putInto(index, { ref: "a", body: "heron reed" });
    let found: readonly string[] = [];
    whenRead = async () => {
      const question = { query: "heron", scope: { now: 0 }, limit: 10 };
      found = refsOf(await keywordSearch(index.sql, question, { index: current }));
    };
    await held.follow();
    await held.close();
    expect(found).toEqual(["a"]);
  });

  test("are searched in the database while many of them are read", async () => {
    const hasty = new ResidentWords(index.connect(), { patienceMs: 0 });
    await putInto(index, { ref: "first", body: "heron" });
    await hasty.current();
    await hasty.follow();
    expect(await hasty.current()).toBeDefined();
    const many = Array.from({ length: 1_500 }, (_, at) =>
      makeDocument({ ref: `r${at}`, body: `heron h${at}` }),
    );
    await index.together(() => putDocuments(index.sql, "observation", many));
    expect(await hasty.current()).toBeUndefined();
    await hasty.follow();
    expect(await hasty.current()).toBeDefined();
    await hasty.close();
  });

  test("are all read again if the log is too short or most of them are gone", async () => {
    const many = Array.from({ length: 1_500 }, (_, at) =>
      makeDocument({ ref: `r${at}`, body: `heron h${at}` }),
    );
    await putDocuments(index.sql, "observation", many);
    expect(await inMemory("h3")).toHaveLength(1);
    await removeDocuments(
      index,
      "observation",
      many.slice(100).map(({ ref }) => ref),
    );
    await words.follow();
    expect(await words.current()).toBeUndefined();
    expect(await inMemory("heron", { now: 0 }, 200)).toHaveLength(100);
    await putInto(index, { ref: "r3", body: "wetland" });
    await index.sql.run("DELETE FROM document_changes");
    await words.follow();
    expect(await words.current()).toBeUndefined();
    expect(refsOf(await inMemory("wetland"))).toEqual(["r3"]);
  });
});
