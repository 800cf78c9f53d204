import { describe, expect, test } from "vitest";
import { listObservations } from "../../src/capture/observations/operations.ts";
import { endSession, listSessions } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { autoForget, evict } from "../../src/governance/retention/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { consolidatePipeline } from "../../src/knowledge/consolidation/operations.ts";
import { findContradictions } from "../../src/knowledge/memories/duplicates/contradictions.ts";
import {
  evolve,
  forget,
  getMemory,
  listMemories,
  remember,
} from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { contentSimilarity } from "../../src/text/similarity.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";
import { happenNow } from "../support/workdays.ts";

const http = forEachTest(openTestHttp);

const store = async (content: string, more: Readonly<Record<string, unknown>> = {}) =>
  (await http.ok(remember, { content, ...more })).memoryId;

/** Stores an observation of importance 2 (a notification) or 6 (a prompt). */
const happened = (sessionId: string, hookType: "notification" | "prompt_submit", text: string) =>
  happenNow(http, sessionId, hookType, { message: text, prompt: text }, { cwd: "/w/shop" });

const audited = async (operation: string) => (await http.ok(listAudit, { operation })).entries;
const stored = async (sessionId: string) =>
  (await http.ok(listObservations, { sessionId })).observations.map(({ id }) => id);

describe("evict", () => {
  test("deletes decayed memories with their earlier versions and expired ones, as its dry run says", async () => {
    const first = await store("herons nest in tall trees");
    const { memoryId: decayed } = await http.ok(evolve, { memoryId: first, newContent: "herons nest low" });
    const expired = await store("only for today", { ttlDays: 1 });
    http.advance(400 * dayMs);
    const living = await store("quite another matter");
    const before = await dumpStore(http);
    const dry = await http.ok(evict, { dryRun: true });
    expect(dry).toMatchObject({
      dryRun: true,
      decayedMemories: [decayed],
      expiredMemories: [expired],
      nonLatestMemories: [first],
      evicted: 3,
      threshold: 0.15,
      capEvictions: 0,
    });
    expect(await dumpStore(http)).toBe(before);
    expect(await http.ok(evict, {})).toMatchObject({ ...dry, dryRun: false });
    const { body } = await http.reply(listMemories, {});
    expect((body.memories as { id: string }[]).map(({ id }) => id)).toEqual([living]);
    expect((await audited("evict"))[0]).toMatchObject({
      functionId: "memory.evict",
      details: { expired: 1, decayed: 1, nonLatest: 1, lowImportanceObservations: 0 },
    });
    expect(await http.ok(evict, {})).toMatchObject({ evicted: 0 });
    expect(await audited("evict")).toHaveLength(1);
  });

  test("deletes the earlier versions of an expired memory, and does not count one forgotten before", async () => {
    const first = await store("the gate code is one two three four");
    const { memoryId: second } = await http.ok(evolve, {
      memoryId: first,
      newContent: "the gate code is 77",
    });
    const expiring = await store("the gate code is 77 today", { ttlDays: 1 });
    expect((await http.ok(getMemory, { id: expiring })).memory.supersedes).toEqual([second, first]);
    await http.ok(forget, { memoryId: first });
    http.advance(2 * dayMs);
    const gone = {
      decayedMemories: [],
      expiredMemories: [expiring],
      nonLatestMemories: [second],
      evicted: 2,
    };
    expect(await http.ok(evict, { dryRun: true })).toMatchObject(gone);
    expect(await http.ok(evict, {})).toMatchObject(gone);
    expect(await http.reply(listMemories, { count: true })).toMatchObject({ body: { total: 0 } });
    expect((await audited("evict"))[0]).toMatchObject({ details: { expired: 1, decayed: 0, nonLatest: 1 } });
  });

  test("counts a version once that expired together with the one that superseded it", async () => {
    const first = await store("the gate code is 12", { ttlDays: 1 });
    const { memoryId: second } = await http.ok(evolve, {
      memoryId: first,
      newContent: "the gate code is 34",
    });
    http.advance(dayMs);
    const gone = await http.ok(evict, {});
    expect(gone).toMatchObject({ decayedMemories: [], nonLatestMemories: [], evicted: 2 });
    expect(gone.expiredMemories.toSorted()).toEqual([first, second].sort());
  });

  test("keeps a version that a living memory succeeds, when another successor of it fades", async () => {
    const createdAt = new Date(http.now()).toISOString();
    const successor = { createdAt, version: 2, supersedes: ["first"] };
    const memories = [
      { id: "first", content: "on port 80", createdAt, isLatest: false },
      { ...successor, id: "living", content: "on port 8080", stabilityDays: 3_650 },
      // As another store made it of the same version.
      { ...successor, id: "fading", content: "on a socket", isLatest: false },
    ];
    await http.ok(importStore, { exportData: { version: "1.0.0", memories } });
    http.advance(400 * dayMs);
    expect(await http.ok(evict, { dryRun: true })).toMatchObject({ nonLatestMemories: [] });
    expect(await http.ok(evict, {})).toMatchObject({ evicted: 1, decayedMemories: ["fading"] });
  });

  test("keeps earlier versions of a living memory, even if a version between them was forgotten", async () => {
    const first = await http.ok(remember, { content: "the gateway listens on port 8080" });
    const second = await http.ok(evolve, {
      memoryId: first.memoryId,
      newContent: "the gateway listens on 9090",
    });
    http.advance(400 * dayMs);
    const third = await http.ok(evolve, { memoryId: second.memoryId, newContent: "the gateway speaks tls" });
    await http.ok(forget, { memoryId: second.memoryId });
    expect(await http.ok(evict, {})).toMatchObject({ evicted: 0, decayedMemories: [] });
    await http.ok(forget, { memoryId: third.memoryId });
    expect(await http.ok(evict, {})).toMatchObject({ evicted: 1, decayedMemories: [first.memoryId] });
  });

  test("of many rows writes one audit entry and corrects each session's observation count", async () => {
    const memory = await store("herons nest in tall trees", { ttlDays: 1 });
    await Promise.all(
      Array.from({ length: 601 }, (_, at) => happened(`s${at % 3}`, "notification", `number ${at}`)),
    );
    const kept = await happened("s0", "prompt_submit", "what matters");
    for (const sessionId of ["s0", "s1", "s2"]) await http.ok(endSession, { sessionId });
    http.advance(200 * dayMs);
    const dry = await http.ok(evict, { dryRun: true });
    const gone = await http.ok(evict, {});
    expect(gone).toEqual({ ...dry, dryRun: false });
    expect(gone).toMatchObject({ expiredMemories: [memory], lowImportanceObservations: 601, evicted: 602 });
    expect(await audited("evict")).toMatchObject([
      {
        targetIds: [memory, ...gone.observationIds],
        details: { expired: 1, decayed: 0, nonLatest: 0, lowImportanceObservations: 601 },
      },
    ]);
    expect(await stored("s0")).toEqual([kept]);
    const { sessions } = await http.ok(listSessions, {});
    expect(sessions.map(({ observationCount }) => observationCount).sort()).toEqual([0, 0, 1]);
    expect(await http.ok(evict, {})).toMatchObject({ evicted: 0 });
  });

  test("keeps earlier versions of a living memory", async () => {
    const first = await store("a preference of long standing", { type: "preference" });
    await http.ok(evolve, { memoryId: first, newContent: "a preference, evolved" });
    http.advance(300 * dayMs);
    expect(await http.ok(evict, { dryRun: true })).toMatchObject({ evicted: 0 });
  });

  test.each([
    ["parentId", { parentId: "mem_v1" }],
    ["supersedes", { supersedes: ["mem_v1"] }],
  ])("keeps earlier versions that an import without relations links by %s", async (_name, named) => {
    const time = (days: number) => new Date(http.now() - days * dayMs).toISOString();
    const first = { id: "mem_v1", content: "herons nest low", createdAt: time(900), isLatest: false };
    const second = { id: "mem_v2", content: "herons nest high", createdAt: time(1), version: 2, ...named };
    const exportData = { version: "1.0.0", memories: [first, second] };
    await http.ok(importStore, { exportData });
    expect(await http.ok(evict, {})).toMatchObject({ evicted: 0 });
    expect((await http.ok(getMemory, { id: "mem_v2" })).memory).toMatchObject({
      parentId: "mem_v1",
      supersedes: ["mem_v1"],
    });
    const again = await http.ok(importStore, { exportData });
    expect(again).toMatchObject({ memories: 0, warnings: [] });
  });

  test("deletes observations that only a decayed memory cites, so a second run finds nothing", async () => {
    const noise = await happened("s1", "notification", "waiting for input");
    await http.ok(endSession, { sessionId: "s1" });
    const decayed = await store("rests on an observation", { sourceObservationIds: [noise] });
    http.advance(400 * dayMs);
    const gone = { decayedMemories: [decayed], observationIds: [noise], evicted: 2 };
    expect(await http.ok(evict, { dryRun: true })).toMatchObject(gone);
    expect(await http.ok(evict, {})).toMatchObject(gone);
    expect(await http.ok(evict, {})).toMatchObject({ evicted: 0 });
  });

  test("deletes old unimportant observations of ended sessions, unless a memory cites them", async () => {
    const noise = await happened("s1", "notification", "waiting for input");
    const cited = await happened("s1", "notification", "waiting for approval");
    const prompt = await happened("s1", "prompt_submit", "please use the blue theme from now on");
    await http.ok(endSession, { sessionId: "s1" });
    const running = await happened("s2", "notification", "still waiting");
    await store("rests on an observation", { sourceObservationIds: [cited], type: "architecture" });
    http.advance(91 * dayMs);
    expect(await http.ok(evict, {})).toMatchObject({
      lowImportanceObservations: 1,
      lowImportanceObs: 1,
      observationIds: [noise],
      staleSessions: 1,
      evicted: 1,
    });
    expect(await audited("evict")).toMatchObject([{ targetIds: [noise] }]);
    expect(await stored("s1")).toEqual([cited, prompt]);
    expect(await stored("s2")).toEqual([running]);
    const [session] = (await http.ok(listSessions, { status: "completed" })).sessions;
    expect(session?.observationCount).toBe(2);
    expect(
      (await http.ok(smartSearch, { query: "waiting input" })).results.map(({ obsId }) => obsId),
    ).not.toContain(noise);
  });

  test("refuses a dryRun that is neither true nor false", async () => {
    expect((await http.reply(evict, {}, { query: { dryRun: "1" } })).status).toBe(400);
    expect((await http.reply(autoForget, { dryRun: "maybe" })).status).toBe(400);
  });
});

test("evict and auto-forget leave records that are too young or have not expired", async () => {
  const lasting = await store("until next year", { ttlDays: 300 });
  const noise = await happened("s1", "notification", "waiting for input");
  await http.ok(endSession, { sessionId: "s1" });
  http.advance(89 * dayMs);
  expect(await http.ok(evict, {})).toMatchObject({ evicted: 0 });
  http.advance(90 * dayMs);
  expect(await http.ok(autoForget, {})).toMatchObject({ ttlExpired: [], lowValueObs: [] });
  expect((await http.ok(getMemory, { id: lasting })).memory).toMatchObject({ isLatest: true });
  expect(await stored("s1")).toEqual([noise]);
});

describe("auto-forget", () => {
  const text =
    "the checkout service retries payments five times with full jitter and gives up after thirty seconds overall";

  test("supersedes the older of two matching memories by the newer, without deleting it", async () => {
    // A near-duplicate is superseded at once; matching memories only come from imports or from isolated agents.
    const older = await store(text, { project: "shop", concepts: ["retry"], agentId: "ann" });
    http.advance(1_000);
    const newer = await store(`${text}.`, { project: "shop", concepts: ["retry", "payments"] });
    const apart = await store(text, { project: "bank", concepts: ["retry"] });
    const ofTwoAgents = await http.ok(autoForget, { dryRun: true });
    expect(ofTwoAgents.contradictions).toEqual([]);
    await http.writeSql("UPDATE memories SET agent_id = NULL");
    const dry = await http.ok(autoForget, { dryRun: true });
    expect(dry.contradictions).toEqual([{ memoryA: newer, memoryB: older, similarity: 1 }]);
    expect(await http.ok(autoForget, {})).toMatchObject({ ...dry, dryRun: false });
    const { memory } = await http.ok(getMemory, { id: older });
    expect(memory.isLatest).toBe(false);
    expect((await http.ok(getMemory, { id: newer })).memory).toMatchObject({
      isLatest: true,
      supersedes: [older],
      parentId: older,
      relatedIds: [older],
    });
    expect((await http.ok(getMemory, { id: apart })).memory.isLatest).toBe(true);
    expect(await http.ok(autoForget, {})).toMatchObject({ contradictions: [] });
    expect((await audited("auto_forget"))[0]).toMatchObject({ targetIds: [older] });
    expect(await audited("auto_forget")).toHaveLength(1);
  });

  test("does not block the event loop while it compares many long memories", async () => {
    const time = new Date(http.now()).toISOString();
    const words = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `word${from + at}`).join(" ");
    const memories = Array.from({ length: 300 }, (_, at) => ({
      id: `mem_long_${at}`,
      type: "fact",
      title: `Long ${at}`,
      content: `${words(0, 800)} ${words(1_000 + 150 * Math.floor(at / 2), 150)}`,
      concepts: ["retry"],
      project: "shop",
      createdAt: time,
      updatedAt: time,
    }));
    await http.ok(importStore, { exportData: { version: "1.0.0", memories } });
    let turns = 0;
    let over = false;
    const turn = () => {
      turns += 1;
      if (!over) setImmediate(turn);
    };
    setImmediate(turn);
    const found = await findContradictions(http.core.ground.store.read.sql);
    over = true;
    expect(turns).toBeGreaterThan(10);
    expect(found).toHaveLength(150);
    expect(found.every(({ similarity }) => similarity === 1)).toBe(true);
  });

  test("finds the same older memories as comparing each one with all newer ones that stay", async () => {
    // Copies of 30 words in which up to two are others: of two copies, 26 to 30 of all their words are the same.
    const memories = Array.from({ length: 90 }, (_, at) => {
      const words = Array.from({ length: 30 }, (__, word) => `word${word + 100 * (at % 3)}`);
      for (let other = 0; other < at % 4 && other < 2; other += 1)
        words[(at * (7 + other)) % 30] = `own${at}x${other}`;
      return {
        id: `mem_copy_${String(at).padStart(2, "0")}`,
        // Each begins with another word, and some lack one.
        content: [...words.slice(at % 29), ...words.slice(at % 5 === 0 ? 1 : 0, at % 29)].join(" "),
        concepts: at % 7 === 0 ? ["retry"] : ["retry", "payments"],
        createdAt: new Date(http.now() - at * 1_000).toISOString(),
      };
    });
    await http.ok(importStore, { exportData: { version: "1.0.0", memories } });
    const staying: typeof memories = [];
    const contradicted = new Set<string>();
    for (const memory of memories) {
      if (staying.some(({ content }) => contentSimilarity(content, memory.content) > 0.9))
        contradicted.add(memory.id);
      else staying.push(memory);
    }
    expect(contradicted.size).toBeGreaterThan(20);
    expect(staying.length).toBeGreaterThan(20);
    const found = await findContradictions(http.core.ground.store.read.sql);
    expect(found.map(({ memoryB }) => memoryB).sort()).toEqual([...contradicted].sort());
    const contentOf = new Map(memories.map(({ id, content }) => [id, content]));
    for (const { memoryA, memoryB, similarity } of found)
      expect(similarity).toBeCloseTo(
        contentSimilarity(contentOf.get(memoryA) ?? "", contentOf.get(memoryB) ?? ""),
        4,
      );
  });

  test("compares concepts regardless of case", async () => {
    const older = await store(text, { concepts: ["Größe", "Retry"], agentId: "ann" });
    http.advance(1_000);
    const newer = await store(text, { concepts: ["GRÖßE"] });
    await http.writeSql("UPDATE memories SET agent_id = NULL");
    const { contradictions } = await http.ok(autoForget, { dryRun: true });
    expect(contradictions).toEqual([{ memoryA: newer, memoryB: older, similarity: 1 }]);
  });

  test("takes as the newer memory the one that was made later, though an import brought it first", async () => {
    const made = (id: string, days: number) => ({
      id,
      content: text,
      concepts: ["retry"],
      createdAt: new Date(http.now() - days * dayMs).toISOString(),
    });
    const memories = [made("mem_1", 1), made("mem_2", 2)];
    await http.ok(importStore, { exportData: { version: "1.0.0", memories } });
    const { contradictions } = await http.ok(autoForget, { dryRun: true });
    expect(contradictions).toEqual([{ memoryA: "mem_1", memoryB: "mem_2", similarity: 1 }]);
  });

  test("finds no contradiction between similar memories without a common concept", async () => {
    const older = await store(text, { concepts: ["retry"], agentId: "ann" });
    await store(text, { concepts: ["payments"] });
    await http.writeSql("UPDATE memories SET agent_id = NULL");
    expect((await http.ok(autoForget, { dryRun: true })).contradictions).toEqual([]);
    expect((await http.ok(getMemory, { id: older })).memory.isLatest).toBe(true);
  });

  test("deletes expired memories and unimportant observations older than half a year", async () => {
    const expired = await store("only for today", { ttlDays: 1 });
    const noise = await happened("s1", "notification", "waiting for input");
    await http.ok(endSession, { sessionId: "s1" });
    http.advance(dayMs);
    expect(await http.ok(autoForget, {})).toMatchObject({ ttlExpired: [expired], lowValueObs: [] });
    expect((await http.reply(getMemory, { id: expired })).status).toBe(404);
    http.advance(180 * dayMs);
    expect(await http.ok(autoForget, {})).toMatchObject({ ttlExpired: [], lowValueObs: [noise] });
    expect(await stored("s1")).toEqual([]);
    expect(await audited("auto_forget")).toMatchObject([
      { targetIds: [noise], details: { ttlExpired: 0, contradictions: 0, lowValueObs: 1 } },
      { targetIds: [expired], details: { ttlExpired: 1, contradictions: 0, lowValueObs: 0 } },
    ]);
  });

  test("leaves summaries as they are; forgetting renews one at once, new events do later", async () => {
    const session = async (id: string) => {
      await happened(id, "notification", "waiting for input");
      const prompt = await happened(id, "prompt_submit", `make the cart of ${id} faster`);
      await happened(id, "prompt_submit", `and test the cart of ${id}`);
      await http.ok(endSession, { sessionId: id });
      return prompt;
    };
    await session("kept");
    const forgotten = await session("forgotten");
    await session("went on");
    const episodic = async () =>
      (await http.reply(consolidatePipeline, { tier: "episodic" })).body.results as unknown;
    await episodic();
    http.advance(181 * dayMs);
    expect((await http.ok(autoForget, {})).lowValueObs).toHaveLength(3);
    expect(await episodic()).toMatchObject({ episodic: { summarized: 0, alreadySummarized: 3 } });
    await http.ok(forget, { sessionId: "forgotten", observationIds: [forgotten] });
    await happened("went on", "prompt_submit", "and make it prettier");
    await http.ok(endSession, { sessionId: "went on" });
    expect(await episodic()).toMatchObject({ episodic: { summarized: 1, alreadySummarized: 2 } });
  });
});
