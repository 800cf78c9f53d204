import { join } from "node:path";
import { createClient } from "@libsql/client/sqlite3";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { RemoteDriver } from "../../store/remote-driver.ts";
import type { Sql } from "../../store/sql.ts";
import { removeDocuments } from "../documents/documents.ts";
import { openTestIndex, type TestIndex } from "../index-fixture.ts";
import { ResidentVectors } from "../matrix/resident.ts";
import { isInScope, type SearchScope } from "../scope.ts";
import type { SearchStreams } from "../search-streams.ts";
import { cosine, makeVectors, putVectors, seededRandom, type VectorDocument } from "./vector-fixture.ts";
import { scanVectors } from "./vector-scan.ts";

const index = forEachTest(openTestIndex);

const everything: SearchScope = { now: 5_000 };
const [east, north] = [Float32Array.of(1, 0, 0, 0), Float32Array.of(0, 1, 0, 0)];
const between = Float32Array.of(0.8, 0.6, 0, 0);
const likeEast = { vector: east, fingerprint: "m1", scope: everything, limit: 10, minSimilarity: 0.25 };

interface VectorSearch extends Pick<SearchStreams, "vector"> {
  close(): Promise<void>;
}

function scanIn(sql: Sql, close: () => void = () => undefined): VectorSearch {
  return { vector: (question) => scanVectors(sql, question), close: async () => close() };
}

/** A scan through the client library, as for a store on a server. */
function scanThroughClient(at: TestIndex): VectorSearch {
  const driver = new RemoteDriver(createClient({ url: `file:${at.path}` }), "a file");
  return scanIn(driver.reader, () => driver.close());
}

function residentSearch(at: TestIndex): VectorSearch {
  const cachePath = join(at.path, "..", "vectors.cache");
  const resident = new ResidentVectors(at.connect(), { cachePath, patienceMs: 60_000 });
  return { vector: (question) => resident.search(question), close: () => resident.close() };
}

const kinds = [
  { name: "the scan in SQL", open: (at: TestIndex) => scanIn(at.connect()) },
  { name: "the scan in SQL, through the client library", open: scanThroughClient },
  { name: "the matrix in memory", open: residentSearch },
];

describe.each(kinds)("$name", ({ open }) => {
  let vectors: VectorSearch;
  beforeEach(() => {
    vectors = open(index);
  });
  afterEach(() => vectors.close());

  async function found(vector: Float32Array, scope: Partial<SearchScope> = {}, fingerprint = "m1") {
    const hits = await vectors.vector({
      ...likeEast,
      ...{ vector, fingerprint, scope: { ...everything, ...scope } },
    });
    return hits?.map(({ ref }) => ref);
  }

  const put = (...documents: VectorDocument[]) => putVectors(index, "m1", documents);

  test("finds nothing in an empty store, and then what is written to it", async () => {
    expect(await found(east)).toEqual([]);
    await put({ ref: "a", chunks: [east] });
    expect(await found(east)).toEqual(["a"]);
  });

  test("returns what fusion needs, scored by the cosine of the best chunk", async () => {
    await put(
      { ref: "a", chunks: [north, between], sessionId: "s1", createdAt: 5, importance: 0.7 },
      { ref: "b", chunks: [between.map((value) => 8 * value), north, north] },
      { ref: "c", chunks: [east] },
    );
    const hits = (await vectors.vector(likeEast)) ?? [];
    expect(hits.map(({ ref }) => ref)).toEqual(["c", "b", "a"]);
    expect(hits[2]).toMatchObject({ kind: "observation", sessionId: "s1", createdAt: 5, importance: 0.7 });
    expect(hits[2]?.score).toBeCloseTo(0.8, 5);
    expect(hits[0]?.score).toBeCloseTo(1, 5);
  });

  test("omits vectors below the minimum similarity and vectors without a direction", async () => {
    await put(
      { ref: "a", chunks: [between] },
      { ref: "b", chunks: [north] },
      { ref: "c", chunks: [new Float32Array(4)] },
    );
    const above = async (minSimilarity: number) =>
      (await vectors.vector({ ...likeEast, minSimilarity }))?.map(({ ref }) => ref);
    expect(await above(0.81)).toEqual([]);
    expect(await above(0.79)).toEqual(["a"]);
    expect(await above(-1)).toEqual(["a", "b"]);
  });

  test("sees updates, deletions and changes of scope made after it was opened", async () => {
    await put({ ref: "a", chunks: [east] }, { ref: "b", chunks: [between] }, { ref: "c", chunks: [between] });
    expect(await found(east)).toEqual(["a", "c", "b"]);
    await removeDocuments(index, "observation", ["c"]);
    expect(await found(east)).toEqual(["a", "b"]);
    await put({ ref: "b", chunks: [east, north] });
    expect(await found(north)).toEqual(["b"]);
    await put({ ref: "a", chunks: [east], projectKey: "/code/moved" });
    expect(await found(east, { projectKeys: ["/code/app"] })).toEqual(["b"]);
    expect(await found(east, { projectKeys: ["/code/moved"] })).toEqual(["a"]);
    await index.sql.run("UPDATE documents SET hidden_after = 4000 WHERE ref = 'a'");
    expect(await found(east)).toEqual(["b"]);
    expect(await found(east, { now: 3_999 })).toEqual(["b", "a"]);
  });

  test("forgets a vector when its document's text changes", async () => {
    await put({ ref: "a", chunks: [east], body: "one" });
    expect(await found(east)).toEqual(["a"]);
    await index.sql.run("UPDATE documents SET body = 'two' WHERE ref = 'a'");
    expect(await found(east)).toEqual([]);
  });

  test("compares only vectors of the same model, and follows a change of model", async () => {
    await putVectors(index, "m1", [
      { ref: "a", chunks: [east] },
      { ref: "b", chunks: [between] },
    ]);
    expect(await found(east)).toEqual(["a", "b"]);
    await putVectors(index, "m2", [
      { ref: "b", chunks: [Float32Array.of(1, 0)] },
      { ref: "c", chunks: [Float32Array.of(0.9, 0.1)] },
    ]);
    expect(await found(east)).toEqual(["a"]);
    expect(await found(Float32Array.of(1, 0), {}, "m2")).toEqual(["b", "c"]);
    expect(await found(east)).toEqual(["a"]);
    expect(await found(Float32Array.of(1, 0))).toEqual([]);
  });

  test("ranks the newer of equally similar documents first", async () => {
    const refs = Array.from({ length: 300 }, (_, at) => `n${at}`);
    await put(...refs.map((ref) => ({ ref, chunks: [between] })));
    expect(await found(east)).toEqual(refs.slice(-10).reverse());
  });

  test("finds what is less similar beside long documents whose every part is more similar", async () => {
    const long = Array.from({ length: 32 }, () => east);
    await put({ ref: "a", chunks: [between] }, { ref: "b", chunks: long }, { ref: "c", chunks: long });
    expect(await found(east)).toEqual(["c", "b", "a"]);
  });

  test("is exact: the first ten are complete, for any store and any scope", async () => {
    await fc.assert(
      fc.asyncProperty(exactness, (given) => isExact(given, open)),
      { numRuns: 25 },
    );
  });
});

const projects: [string | null, ...string[]] = [null, "/code/app", "/code/lib"];
const agents: [string | null, ...string[]] = [null, "builder", "tester"];
const documentKinds: [string, ...string[]] = ["observation", "memory", "lesson"];

const exactness = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  dimensions: fc.constantFrom(1, 5, 16, 64, 100, 384),
  documents: fc.integer({ min: 1, max: 250 }),
  centres: fc.constantFrom(0, 1, 4),
  mostChunks: fc.integer({ min: 1, max: 4 }),
  scope: fc.record(
    {
      projectKeys: fc.subarray(["/code/app", "/code/lib", "/code/none"]),
      includeWithoutProject: fc.boolean(),
      agent: fc.record({ agentId: fc.constantFrom("builder", "tester"), includeOrphans: fc.boolean() }),
      kinds: fc.subarray([...documentKinds]),
      since: fc.integer({ min: 0, max: 300 }),
      until: fc.integer({ min: 0, max: 300 }),
    },
    { requiredKeys: [] },
  ),
});

type Exactness = typeof exactness extends fc.Arbitrary<infer Given> ? Given : never;

async function isExact(given: Exactness, open: (at: TestIndex) => VectorSearch): Promise<void> {
  const random = seededRandom(given.seed);
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
  const store = openTestIndex();
  const vectors = open(store);
  const scope: SearchScope = { now: 200, ...given.scope };
  const documents = Array.from({ length: given.documents }, (_, at) => ({
    ref: `d${at}`,
    kind: pick(documentKinds),
    projectKey: pick(projects),
    agentId: pick(agents),
    createdAt: Math.floor(random() * 300),
    hiddenAfter: random() < 0.2 ? Math.floor(random() * 400) : null,
    chunks: makeVectors(1 + Math.floor(random() * given.mostChunks), given.dimensions, random, given.centres),
  }));
  const [vector = new Float32Array(given.dimensions)] = makeVectors(1, given.dimensions, random);
  await putVectors(store, "m1", documents);

  const best = documents
    .filter((document) => isInScope(scope, document))
    .map(({ ref, chunks }) => ({ ref, score: Math.max(...chunks.map((chunk) => cosine(chunk, vector))) }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => b.score - a.score);
  const hits = (await vectors.vector({ ...likeEast, vector, scope, minSimilarity: 0 })) ?? [];
  await vectors.close();
  store.close();

  const scores = new Map(best.map(({ ref, score }) => [ref, score]));
  expect(hits).toHaveLength(Math.min(10, best.length));
  hits.forEach((hit, at) => {
    expect(scores.has(hit.ref)).toBe(true);
    expect(hit.score).toBeCloseTo(best[at]?.score ?? Number.NaN, 5);
    expect(hit.score).toBeCloseTo(scores.get(hit.ref) ?? Number.NaN, 5);
  });
}
