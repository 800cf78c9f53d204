import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { graphStats } from "../../graph/operations.ts";
import { removeDocuments } from "../../index/documents/documents.ts";
import { openTestIndex, putInto } from "../../index/index-fixture.ts";
import { makeVectors, putVectors, seededRandom } from "../../index/vectors/vector-fixture.ts";
import { remember } from "../../knowledge/memories/operations.ts";
import { meansDamage } from "../../store/faults.ts";
import { version } from "../../version.ts";
import { fullSearch } from "../search/operations.ts";
import { threadedStreams, vectorCacheName } from "./threaded-streams.ts";

const threadFile = join(process.cwd(), "dist", "search-thread.cjs");

const index = forEachTest(openTestIndex);

const [east, north] = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
const about = (query: string) => ({ query, scope: { now: 0 }, limit: 10 });
const likeEast = { vector: east, fingerprint: "m1", scope: { now: 0 }, limit: 10, minSimilarity: 0.25 };

async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
}

test("keywords and vectors are searched in threads that see what this one writes", async () => {
  await putVectors(index, "m1", [{ ref: "a", chunks: [east], body: "apple" }]);
  const streams = threadedStreams(threadFile, index.path);
  const refs = async () => (await eventually(() => streams.vector(likeEast))).map(({ ref }) => ref);
  expect(await refs()).toEqual(["a"]);
  await putVectors(index, "m1", [{ ref: "b", chunks: [north, east], body: "banana" }]);
  expect(await refs()).toEqual(["b", "a"]);
  expect((await streams.keyword(about("banana"))).map(({ ref }) => ref)).toEqual(["b"]);
  await removeDocuments(index, "observation", ["a"]);
  expect(await refs()).toEqual(["b"]);
  await streams.close();
});

test("the keyword thread returns matching passages before and after its index is in memory", async () => {
  const body = `${"It rained that day. ".repeat(20)}A heron came by. ${"It rained that day. ".repeat(20)}`;
  await putInto(index, { ref: "a", body });
  await putInto(index, { ref: "b", body: "heron" });
  const streams = threadedStreams(threadFile, index.path);
  const hits = await streams.keyword(about("herons"));
  const ids = hits.map(({ id }) => id);
  const row = hits.find(({ ref }) => ref === "a")?.id ?? 0;
  const passage = expect.stringContaining("… A heron came by. It rained");
  expect(await streams.passages({ query: "herons", ids })).toEqual(new Map([[row, passage]]));
  await pause(1_200);
  expect(await streams.passages({ query: "herons", ids })).toEqual(new Map([[row, passage]]));
  await streams.close();
});

test("documents are found as soon as they are written, before and after the index is in memory", async () => {
  const streams = threadedStreams(threadFile, index.path);
  const refs = async () => (await streams.keyword(about("heron"))).map(({ ref }) => ref);
  const written: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    await putInto(index, { ref: `r${round}`, body: "heron" });
    written.unshift(`r${round}`);
    expect(await refs()).toEqual(written);
    await pause(400);
  }
  await removeDocuments(index, "observation", ["r0"]);
  expect(await refs()).toEqual(written.slice(0, -1));
  await streams.close();
});

test("a removed store is reported as such, with a hint", async () => {
  const streams = threadedStreams(threadFile, join(dirname(index.path), "gone.db"));
  await expect(streams.keyword(about("heron"))).rejects.toMatchObject({
    code: "store_damaged",
    message: expect.stringContaining("gone.db was removed"),
    hint: expect.stringContaining("snapshot"),
  });
  await streams.close();
});

test("damage that a thread meets is reported to the caller and to the failure handler", async () => {
  await putInto(index, { ref: "a", body: "heron" });
  const [table] = await index.sql.all<{ page: number }>(
    "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'documents'",
  );
  const file = openSync(index.path, "r+");
  writeSync(file, Buffer.alloc(4_096, 0xa5), 0, 4_096, ((table?.page ?? 0) - 1) * 4_096);
  closeSync(file);
  const failures: unknown[] = [];
  const streams = threadedStreams(threadFile, index.path, (error) => failures.push(error));
  await expect(streams.keyword(about("heron"))).rejects.toThrow("malformed");
  expect(failures.map(meansDamage)).toEqual([true]);
  await streams.close();
});

test("a query after closing is rejected as unavailable", async () => {
  const streams = threadedStreams(threadFile, index.path);
  await streams.close();
  await expect(streams.keyword(about("heron"))).rejects.toMatchObject({ code: "unavailable" });
  await expect(streams.graph(about("heron"))).rejects.toMatchObject({ code: "unavailable" });
  await expect(streams.vector(likeEast)).rejects.toMatchObject({
    code: "unavailable",
  });
});

test("queries are answered while the threads reopen the database", async () => {
  await putVectors(index, "m1", [{ ref: "a", chunks: [east], body: "heron" }]);
  const streams = threadedStreams(threadFile, index.path);
  const refs = async () => (await streams.keyword(about("heron"))).map(({ ref }) => ref);
  const ask = () => [
    refs(),
    eventually(() => streams.vector(likeEast)).then((hits) => hits.map(({ ref }) => ref)),
  ];
  await Promise.all(ask());
  const before = [ask(), ask()].flat();
  const reopened = streams.reopen();
  const meanwhile = [...ask(), streams.graph(about("heron")).then(() => ["a"])];
  await Promise.all([reopened, streams.reopen()]);
  expect(await Promise.all([...before, ...meanwhile, ...ask()])).toEqual(Array(9).fill(["a"]));
  await streams.close();
});

test("after an upgrade no thread of the new version is started, and every query is told so", async () => {
  const installation = temporaryFolder();
  const file = join(installation, "dist", "thread.cjs");
  const install = (installed: string) =>
    writeFileSync(join(installation, "package.json"), JSON.stringify({ version: installed }));
  mkdirSync(dirname(file));
  install(version);
  writeFileSync(
    file,
    `const { parentPort } = require("node:worker_threads");
    parentPort.on("message", ({ kind, id }) => kind === "ask" ? parentPort.postMessage({ id, found: [] }) : parentPort.close());`,
  );
  const streams = threadedStreams(file, index.path);
  expect(await streams.keyword(about("heron"))).toEqual([]);
  install("99.0.0");
  const upgraded = { code: "unavailable", hint: "memsvc daemon restart" };
  const meanwhile = [streams.reopen(), streams.keyword(about("heron"))];
  await Promise.all(meanwhile.map((one) => expect(one).rejects.toMatchObject(upgraded)));
  await expect(streams.keyword(about("heron"))).rejects.toMatchObject(upgraded);
  await streams.close();
});

test("the graph stream finds the same hits in a thread as in process", async () => {
  const store = await openTestCore();
  await store.call(remember, { content: "Invoices are numbered per year", concepts: ["billing"] });
  await store.call(remember, { content: "Reminders go out on Mondays", concepts: ["billing", "dunning"] });
  const asked = { ...about("what about billing"), scope: { now: store.now() } };
  await store.call(graphStats, {});
  const streams = threadedStreams(threadFile, store.core.ground.store.path);
  const found = await streams.graph(asked);
  expect(found).toHaveLength(2);
  expect(found).toEqual(await store.core.streams.graph(asked));
  await streams.close();
  await store.close();
});

test("a search in threads finds through the graph what was stored just before", async () => {
  const store = await openTestCore({ searchIndexes: (path) => threadedStreams(threadFile, path) });
  // With fake timers nothing but the search places pending rows, however slow the machine is.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  await store.call(remember, { content: "Invoices are numbered", concepts: ["billing"], files: ["due.ts"] });
  await store.call(remember, { content: "Letters are sent as PDF", files: ["due.ts"] });
  vi.useRealTimers();
  const { streams, results } = await store.call(fullSearch, { query: "billing", format: "narrative" });
  expect(streams).toContain("graph");
  expect(results).toMatchObject([{ title: "Invoices are numbered" }, { title: "Letters are sent as PDF" }]);
  await store.close();
});

test("the vector thread writes its cache file when it is closed", async () => {
  await putVectors(
    index,
    "m1",
    makeVectors(2_800, 1_536, seededRandom(5)).map((vector, at) => ({ ref: `d${at}`, chunks: [vector] })),
  );
  const streams = threadedStreams(threadFile, index.path);
  const vector = new Float32Array(1_536).fill(1);
  expect(await eventually(() => streams.vector({ ...likeEast, vector, minSimilarity: -1 }))).toHaveLength(10);
  await streams.close();
  expect(existsSync(join(dirname(index.path), vectorCacheName))).toBe(true);
});
