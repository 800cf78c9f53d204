import { describe, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { exportStore } from "../../src/governance/transfer/operations.ts";
import { evolve, getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { buildContext } from "../../src/recall/context/operations.ts";
import { enrich } from "../../src/recall/enrich/operations.ts";
import { fullSearch, smartSearch } from "../../src/recall/search/operations.ts";
import { dayMs, hourMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);
let ids: string[] = [];
const herons = { sessionId: "s1", files: ["src/heron.ts"] };
const ofViewer = { headers: { "x-memsvc-source": "viewer" } };

/** Reads a memory through the list, which is not a recall. */
async function listed(id: string) {
  const answer = await http.ok(listMemories, {});
  const found = "memories" in answer ? answer.memories.find((memory) => memory.id === id) : undefined;
  if (found === undefined) throw new Error(`${id} is not listed`);
  return found;
}

async function recall(id: string) {
  return (await http.ok(getMemory, { id })).memory;
}

const table = [
  ["architecture", 730, [0.9905, 0.9597, 0.884, 0.7815, 0.6065], 1_384.9],
  ["preference", 730, [0.9905, 0.9597, 0.884, 0.7815, 0.6065], 1_384.9],
  ["pattern", 365, [0.981, 0.9211, 0.7815, 0.6107, 0.3679], 692.4],
  ["workflow", 365, [0.981, 0.9211, 0.7815, 0.6107, 0.3679], 692.4],
  ["bug", 240, [0.9713, 0.8825, 0.6873, 0.4724, 0.2185], 455.3],
  ["fact", 180, [0.9619, 0.8465, 0.6065, 0.3679, 0.1316], 341.5],
] as const;

describe.each(table)("a memory of type %s", (type, stabilityDays, strengths, evictedAfterDays) => {
  test(`fades with a stability of ${stabilityDays} days as the table says`, async () => {
    const { memoryId, memory } = await http.ok(remember, { content: "x", type });
    expect([memory.strength, memory.stabilityDays]).toEqual([1, stabilityDays]);
    const read: number[] = [];
    let day = 0;
    for (const wanted of [7, 30, 90, 180, 365]) {
      http.advance((wanted - day) * dayMs);
      day = wanted;
      read.push((await listed(memoryId)).strength);
    }
    expect(read).toEqual(strengths);
  });

  test(`is evicted after ${evictedAfterDays} days without a recall, not a tenth of a day earlier`, async () => {
    const { memoryId } = await http.ok(remember, { content: "x", type });
    http.advance((evictedAfterDays - 0.1) * dayMs);
    expect(await http.core.evictFaded()).toBe(0);
    http.advance(0.2 * dayMs);
    expect(await http.core.evictFaded()).toBe(1);
    expect((await http.reply(getMemory, { id: memoryId })).status).toBe(404);
    const { entries } = await http.ok(listAudit, { operation: "evict" });
    expect(entries).toEqual([expect.objectContaining({ functionId: "memory.evict", targetIds: [memoryId] })]);
  });
});

describe("recalling a memory", () => {
  test("of type fact on days 90 and 180 gives the worked figures, and 407.8 more days until eviction", async () => {
    const { memoryId: id } = await http.ok(remember, { content: "x" });
    http.advance(90 * dayMs);
    expect(await recall(id)).toMatchObject({
      strength: 0.6852,
      stabilityDays: 234,
      recallCount: 1,
      lastRecalledAt: "2026-05-30T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
    });
    http.advance(90 * dayMs);
    expect((await listed(id)).strength).toBe(0.4664);
    expect(await recall(id)).toMatchObject({ strength: 0.5732, stabilityDays: 304.2, recallCount: 2 });
    http.advance(407.7 * dayMs);
    expect(await http.core.evictFaded()).toBe(0);
    http.advance(0.2 * dayMs);
    expect(await http.core.evictFaded()).toBe(1);
  });

  test("of type bug first on day 200 gives the worked figures", async () => {
    const { memoryId: id } = await http.ok(remember, { content: "x", type: "bug" });
    http.advance(200 * dayMs);
    expect((await listed(id)).strength).toBe(0.4346);
    expect(await recall(id)).toMatchObject({ strength: 0.5477, stabilityDays: 312 });
    http.advance(100 * dayMs);
    expect((await listed(id)).strength).toBe(0.3975);
  });

  test("twice within one hour counts once, and again after the hour", async () => {
    const { memoryId: id } = await http.ok(remember, { content: "x" });
    http.advance(dayMs);
    const first = await recall(id);
    http.advance(hourMs - 1);
    expect(await recall(id)).toMatchObject({ recallCount: 1, lastRecalledAt: first.lastRecalledAt });
    http.advance(1);
    expect((await recall(id)).recallCount).toBe(2);
  });

  test("never raises the stability above 3,650 days or the strength above 1", async () => {
    const { memoryId: id } = await http.ok(remember, { content: "x", type: "preference" });
    let memory = await recall(id);
    for (let times = 0; times < 10; times += 1) {
      http.advance(hourMs);
      memory = await recall(id);
    }
    expect(memory.stabilityDays).toBe(3_650);
    expect(memory.strength).toBeLessThanOrEqual(1);
  });

  test.each([
    ["smart-search", () => http.ok(smartSearch, { query: "heron" })],
    ["expanding", () => http.ok(smartSearch, { expandIds: [ids[0] ?? ""] })],
    ["search", () => http.ok(fullSearch, { query: "heron" })],
    ["an enrichment", () => http.ok(enrich, herons)],
    ["a context block", () => http.ok(buildContext, { sessionId: "s1", project: "lake" })],
  ])("happens in %s", async (_name, ask) => {
    ids = [(await http.ok(remember, { content: "a heron stood there" })).memoryId];
    await ask();
    await http.settled();
    expect((await listed(ids[0] ?? "")).recallCount).toBe(1);
  });

  test("is included in an export right after the search", async () => {
    const { memoryId } = await http.ok(remember, { content: "a heron stood there" });
    expect(await http.ok(exportStore, {})).toMatchObject({ accessLogs: [] });
    await http.ok(smartSearch, { query: "heron" });
    expect(await http.ok(exportStore, {})).toMatchObject({
      memories: [{ id: memoryId, recallCount: 1 }],
      accessLogs: [{ memoryId, count: 1 }],
    });
  });

  test("is logged with its newest twenty times", async () => {
    const { memoryId } = await http.ok(remember, { content: "a heron stood there" });
    const times: string[] = [];
    for (let recalls = 0; recalls < 21; recalls += 1) {
      http.advance(hourMs);
      times.unshift(new Date(http.now()).toISOString());
      await recall(memoryId);
    }
    expect(await http.ok(exportStore, {})).toMatchObject({
      accessLogs: [{ memoryId, count: 21, lastAt: times[0], recent: times.slice(0, 20) }],
    });
  });

  test("does not delay a list during a long write, and is stored after it", async () => {
    const { memoryId } = await http.ok(remember, { content: "a heron stood there" });
    let end: () => void = () => undefined;
    const long = http.core.ground.store.writeAlone(() => new Promise<void>((resolve) => (end = resolve)));
    const passing = setInterval(() => http.advance(1_000), 20);
    await http.ok(smartSearch, { query: "heron" });
    expect((await http.ok(listMemories, {})).total).toBe(1);
    clearInterval(passing);
    end();
    await long;
    expect((await listed(memoryId)).recallCount).toBe(1);
  });

  test.each([
    ["lists", () => http.ok(listMemories, {})],
    ["counts", () => http.ok(listMemories, { count: true })],
    ["smart-search from the viewer", () => http.ok(smartSearch, { query: "heron", source: "viewer" })],
    ["search from the viewer", () => http.ok(fullSearch, { query: "heron", source: "viewer" })],
    ["an enrichment for the viewer", () => http.ok(enrich, herons, ofViewer)],
    [
      "a context block for the viewer",
      () => http.ok(buildContext, { sessionId: "s1", project: "lake" }, ofViewer),
    ],
    ["a read that says so in its header", () => http.ok(getMemory, { id: ids[0] ?? "" }, ofViewer)],
    ["a search that finds others", () => http.ok(smartSearch, { query: "stork" })],
  ])("does not happen in %s", async (_name, ask) => {
    ids = [(await http.ok(remember, { content: "a heron stood there" })).memoryId];
    await http.ok(remember, { content: "one stork flew by" });
    await ask();
    await http.settled();
    expect((await listed(ids[0] ?? "")).recallCount).toBe(0);
  });

  test("happens only for hits within the limit", async () => {
    await http.ok(remember, { content: "heron heron heron", title: "heron" });
    await http.ok(remember, {
      content: "one heron in a long text about many other things that live in the reeds",
    });
    const { results } = await http.ok(smartSearch, { query: "heron", limit: 1 });
    await http.settled();
    const answer = await http.ok(listMemories, {});
    const recalled = "memories" in answer ? answer.memories.filter(({ recallCount }) => recallCount > 0) : [];
    expect(recalled.map(({ id }) => id)).toEqual(results.map(({ obsId }) => obsId));
  });
});

test("reading a memory never lowers its strength, at any age", async () => {
  const { memoryId: id } = await http.ok(remember, { content: "x" });
  for (const days of [0, 0.5, 3, 40, 200, 1_000]) {
    http.advance(days * dayMs);
    const before = (await listed(id)).strength;
    expect((await recall(id)).strength).toBeGreaterThanOrEqual(before);
  }
});

test("evicting a faded latest version deletes its earlier versions too", async () => {
  const { memoryId } = await http.ok(remember, { content: "one" });
  await http.ok(evolve, { memoryId, newContent: "two" });
  http.advance(342 * dayMs);
  expect(await http.core.evictFaded()).toBe(2);
  expect((await http.reply(listMemories, {})).body.total).toBe(0);
});
