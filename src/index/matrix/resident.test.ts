import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keptChanges } from "../change-log.ts";
import { removeDocuments } from "../documents/documents.ts";
import { openTestIndex, type TestIndex } from "../index-fixture.ts";
import { cosine, makeVectors, putVectors, seededRandom } from "../vectors/vector-fixture.ts";
import { ResidentVectors } from "./resident.ts";
import { headerBytes } from "./row-header.ts";

let index: TestIndex;
let cachePath: string;
let opened: ResidentVectors[];
beforeEach(() => {
  index = openTestIndex();
  cachePath = join(dirname(index.path), "vectors.cache");
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((vectors) => vectors.close()));
  index.close();
});

const random = seededRandom(11);
const dimensions = 32;
const [query = new Float32Array(dimensions)] = makeVectors(1, dimensions, random);

function open(options: { patienceMs?: number } = {}): ResidentVectors {
  const vectors = new ResidentVectors(index.connect(), {
    cachePath,
    leastCachedBytes: 0,
    patienceMs: 60_000,
    ...options,
  });
  opened.push(vectors);
  return vectors;
}

function ask(vectors: ResidentVectors, fingerprint = "m1") {
  return vectors.search({ vector: query, fingerprint, scope: { now: 0 }, limit: 10, minSimilarity: -1 });
}

async function refs(vectors: ResidentVectors): Promise<string[] | undefined> {
  return (await ask(vectors))?.map(({ ref }) => ref);
}

async function seed(count: number, fingerprint = "m1"): Promise<string[]> {
  const documents = makeVectors(count, dimensions, random).map((vector, at) => ({
    ref: `d${at}`,
    chunks: [vector],
  }));
  await putVectors(index, fingerprint, documents);
  return documents
    .map(({ ref, chunks: [vector = query] }) => ({ ref, score: cosine(vector, query) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ ref }) => ref);
}

/** Counts the statements that read rows of vectors in bulk; there are none if the cache file is used. */
function countingLoads(): { vectors: ResidentVectors; loads: () => number } {
  let loads = 0;
  const sql = index.connect();
  const counting: typeof sql = {
    ...sql,
    all: (text, args) => {
      if (text.includes("ORDER BY document_id, chunk")) loads += 1;
      return sql.all(text, args);
    },
  };
  const vectors = new ResidentVectors(counting, { cachePath, leastCachedBytes: 0, patienceMs: 60_000 });
  opened.push(vectors);
  return { vectors, loads: () => loads };
}

test("finds the ten best documents among thousands, across blocks of memory", async () => {
  const best = await seed(5_000);
  expect(await refs(open())).toEqual(best);
});

test("removed rows leave no gaps, and the last block can become empty", async () => {
  await seed(4_100);
  const vectors = open();
  await ask(vectors);
  const gone = Array.from({ length: 4_095 }, (_, at) => `d${at}`);
  await removeDocuments(index, "observation", gone);
  expect(new Set(await refs(vectors))).toEqual(new Set(["d4095", "d4096", "d4097", "d4098", "d4099"]));
  await removeDocuments(index, "observation", ["d4095", "d4096", "d4097", "d4098", "d4099"]);
  expect(await refs(vectors)).toEqual([]);
});

test("a search finds what another process has just written", async () => {
  await seed(20);
  const vectors = open();
  await ask(vectors);
  const bytes = JSON.stringify([...new Uint8Array(query.buffer)]);
  execFileSync(process.execPath, [
    "-e",
    `const Database = require(${JSON.stringify(join(process.cwd(), "node_modules/libsql"))});
     const database = new Database(${JSON.stringify(index.path)});
     database.prepare("UPDATE document_vectors SET vector = ? WHERE document_id = 3").run([new Uint8Array(${bytes})]);
     database.prepare("DELETE FROM documents WHERE id = 4").run();
     database.close();`,
  ]);
  const hits = (await ask(vectors)) ?? [];
  expect(hits[0]).toMatchObject({ id: 3 });
  expect(hits[0]?.score).toBeCloseTo(1, 5);
  expect((await ask(vectors))?.some(({ id }) => id === 4)).toBe(false);
});

test("a search that may not wait gets no answer while vectors are loaded, and one later", async () => {
  await seed(2_000);
  const vectors = open({ patienceMs: 0 });
  expect(await ask(vectors)).toBeUndefined();
  await vectors.warm();
  expect(await ask(vectors)).toHaveLength(10);
  await seed(1_000, "m2");
  expect(await ask(vectors, "m2")).toBeUndefined();
  await vectors.warm();
  expect(await ask(vectors, "m2")).toHaveLength(10);
});

test("concurrent searches see a whole index while a document is deleted", async () => {
  const best = await seed(3_000);
  const vectors = open();
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      if (at === 10) await removeDocuments(index, "observation", [best[0] ?? ""]);
      return refs(vectors);
    }),
  );
  for (const answer of answers) {
    expect(answer?.filter((ref) => best.includes(ref)).length).toBeGreaterThanOrEqual(9);
  }
  expect(await refs(vectors)).not.toContain(best[0]);
});

test("a truncated change log makes the index read all rows again", async () => {
  await seed(10);
  const vectors = open();
  await ask(vectors);
  const last = await index.sql.all<{ change: number }>("SELECT max(change) AS change FROM vector_changes");
  await index.sql.run("DELETE FROM documents WHERE id = 1");
  await index.sql.run("DELETE FROM vector_changes WHERE change <= ?", [last[0]?.change ?? 0]);
  expect(await refs(vectors)).toHaveLength(9);
});

test("the change log keeps a bounded number of changes", async () => {
  await seed(1);
  await index.sql.run(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 80000)
     INSERT INTO vector_changes (document_id, stamp) SELECT 1, n FROM numbers`,
  );
  const [kept] = await index.sql.all<{ n: number }>("SELECT count(*) AS n FROM vector_changes");
  expect(kept?.n).toBeGreaterThanOrEqual(keptChanges);
  expect(kept?.n).toBeLessThan(1.1 * keptChanges);
});

describe("the cache file", () => {
  /** Opens and closes an index, which leaves its cache file; returns the file's bytes. */
  async function leaveFile(): Promise<Buffer> {
    const vectors = open();
    await ask(vectors);
    await vectors.close();
    return readFileSync(cachePath);
  }

  /** The number of bytes after the header. The header's own length varies with the digits of the log's random stamp. */
  function bytesOfRows(file: Buffer): number {
    const lengthAt = 16;
    return file.length - lengthAt - 4 - file.readUInt32LE(lengthAt);
  }

  test("saves the next start from reading rows, is its owner's alone, and replaces unfinished ones", async () => {
    const best = await seed(3_000);
    const nobody = 2 ** 22 + 1;
    writeFileSync(`${cachePath}.${nobody}`, "left by a process that was killed while it wrote the file");
    await leaveFile();
    expect(statSync(cachePath).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(cachePath)).filter((name) => name.startsWith("vectors.cache"))).toHaveLength(
      1,
    );
    const { vectors, loads } = countingLoads();
    expect(await refs(vectors)).toEqual(best);
    expect(loads()).toBe(0);
  });

  test("is brought up to date with the changes since it was written", async () => {
    const best = await seed(500);
    await leaveFile();
    await putVectors(index, "m1", [{ ref: "new", chunks: [query] }]);
    await removeDocuments(index, "observation", [best[0] ?? ""]);
    const { vectors, loads } = countingLoads();
    expect(await refs(vectors)).toEqual(["new", ...best.slice(1)]);
    expect(loads()).toBe(0);
  });

  test("has no vector of a deleted document after the index is closed", async () => {
    await seed(300);
    await putVectors(index, "m1", [{ ref: "secret", chunks: [query], projectKey: "/code/secret" }]);
    const before = await leaveFile();
    const vectors = open();
    await ask(vectors);
    await removeDocuments(index, "observation", ["secret"]);
    await ask(vectors);
    await vectors.close();
    expect(bytesOfRows(readFileSync(cachePath))).toBe(bytesOfRows(before) - headerBytes - dimensions);
  });

  const damages: [string, (bytes: Buffer) => Buffer | Uint8Array][] = [
    ["torn", (bytes) => bytes.subarray(0, bytes.length - 100)],
    ["torn in its header", (bytes) => bytes.subarray(0, 40)],
    ["empty", () => new Uint8Array(0)],
    ["longer than it says", (bytes) => Buffer.concat([bytes, Buffer.alloc(4)])],
    ["flipped in one bit", (bytes) => Buffer.from(bytes).fill((bytes[2_000] ?? 0) ^ 4, 2_000, 2_001)],
    ["of another version", (bytes) => Buffer.from(bytes).fill("9", 15, 16)],
    ["another program's", (bytes) => Buffer.alloc(bytes.length, "x")],
    ["of a header that promises too much", (bytes) => Buffer.from(bytes).fill(0xff, 16, 20)],
  ];
  test.each(damages)("that is %s is ignored", async (_name, damage) => {
    const best = await seed(300);
    writeFileSync(cachePath, damage(await leaveFile()));
    const { vectors, loads } = countingLoads();
    expect(await refs(vectors)).toEqual(best);
    expect(loads()).toBeGreaterThan(0);
  });

  test("of another database is ignored", async () => {
    await seed(300);
    const bytes = await leaveFile();
    index.close();
    index = openTestIndex();
    cachePath = join(dirname(index.path), "vectors.cache");
    opened = [];
    const best = await seed(300);
    writeFileSync(cachePath, bytes);
    const { vectors, loads } = countingLoads();
    expect(await refs(vectors)).toEqual(best);
    expect(loads()).toBeGreaterThan(0);
  });

  test("that is older than the kept change log is ignored", async () => {
    const best = await seed(300);
    await leaveFile();
    await index.sql.run("UPDATE documents SET hidden_after = 1 WHERE id = 1");
    await index.sql.run("DELETE FROM vector_changes WHERE change < (SELECT max(change) FROM vector_changes)");
    const { vectors, loads } = countingLoads();
    expect(await refs(vectors)).toEqual(best);
    expect(loads()).toBeGreaterThan(0);
  });

  test("written without an axis is ignored once the store has enough vectors, then replaced", async () => {
    await seed(20);
    const vectors = open();
    await ask(vectors);
    const best = await seed(400);
    await ask(vectors);
    await vectors.close();
    for (const wanted of [true, false]) {
      const { vectors: next, loads } = countingLoads();
      expect(await refs(next)).toEqual(best);
      expect(loads() > 0).toBe(wanted);
      await removeDocuments(index, "observation", ["d19"]);
      await putVectors(index, "m1", [{ ref: "d19", chunks: [query.map((value) => -value)] }]);
      await ask(next);
      await next.close();
    }
  });

  test("is not used in a search for another model's vectors", async () => {
    await seed(300);
    await leaveFile();
    await seed(20, "m2");
    const { vectors } = countingLoads();
    expect(await ask(vectors, "m2")).toHaveLength(10);
    expect(await ask(vectors, "m1")).toHaveLength(10);
  });

  test("is not written for few vectors, and a failed write does no harm", async () => {
    await seed(50);
    const small = new ResidentVectors(index.connect(), { cachePath, patienceMs: 60_000 });
    await ask(small);
    await small.close();
    expect(existsSync(cachePath)).toBe(false);
    const nowhere = new ResidentVectors(index.connect(), {
      cachePath: join(dirname(cachePath), "missing", "vectors.cache"),
      leastCachedBytes: 0,
      patienceMs: 60_000,
    });
    expect(await ask(nowhere)).toHaveLength(10);
    await nowhere.close();
  });
});
