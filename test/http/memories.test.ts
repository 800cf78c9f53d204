import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { linkCommit, listCommits } from "../../src/capture/commits/operations.ts";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { endSession, listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import {
  evolve,
  forget,
  getMemory,
  listMemories,
  remember,
} from "../../src/knowledge/memories/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { dumpStore, openTestHttp, type Reply, type TestHttp } from "../support/http.ts";

let http: TestHttp;
beforeEach(async () => {
  http = await openTestHttp();
});
afterEach(() => http.close());

/** Ten words of which so many are those of every other such text. */
function words(own: string, shared: number): string {
  return Array.from({ length: 10 }, (_, at) => (at < shared ? `shared${at}` : `${own}${at}`)).join(" ");
}

async function remembered(content: string) {
  return (await http.ok(remember, { content })).memoryId;
}

async function memory(id: string) {
  return (await http.ok(getMemory, { id })).memory;
}

async function found(query: string) {
  return (await http.ok(smartSearch, { query })).results.map(({ obsId }) => obsId);
}

async function observed(sessionId: string, ...texts: string[]) {
  const ids: string[] = [];
  for (const prompt of texts) {
    const event = {
      sessionId,
      project: "shop",
      cwd: "/w/shop",
      hookType: "prompt_submit",
      timestamp: "2026-03-01",
    };
    ids.push((await http.ok(observe, { ...event, data: { prompt } })).observationId);
  }
  return ids;
}

describe("remembering", () => {
  test("makes version 1 of full strength and gives it back as stored", async () => {
    const reply = await http.reply(remember, {
      content: "\n  Retries use exponential backoff\nand at most five tries",
      type: "architecture",
      project: "shop",
      concepts: [" retry ", "", "retry", "backoff"],
      files: ["src/retry.ts"],
      sessionId: "s9",
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ success: true, strength: 1, version: 1, isLatest: true });
    expect(reply.body).not.toHaveProperty("superseded");
    expect(reply.body).not.toHaveProperty("similarTo");
    expect(reply.body.memory).toEqual({
      id: reply.body.memoryId,
      title: "Retries use exponential backoff",
      content: "\n  Retries use exponential backoff\nand at most five tries",
      type: "architecture",
      concepts: ["retry", "backoff"],
      files: ["src/retry.ts"],
      strength: 1,
      version: 1,
      isLatest: true,
      project: "shop",
      sourceObservationIds: [],
      createdAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
      sessionIds: ["s9"],
      supersedes: [],
      relatedIds: [],
      recallCount: 0,
      stabilityDays: 730,
      origin: { channel: "agent", capturedAt: "2026-03-01T12:00:00.000Z" },
    });
  });

  test("takes the title from the first line that is not blank, cut at 80 characters", async () => {
    const { memory } = await http.ok(remember, { content: ` \n${"🙂".repeat(90)}\nmore` });
    expect(memory.title).toBe("🙂".repeat(80));
  });

  test("takes 100,000 characters of any width and not one more", async () => {
    expect((await http.reply(remember, { content: "🙂".repeat(100_000) })).status).toBe(201);
    expect((await http.reply(remember, { content: "🙂".repeat(100_001) })).status).toBe(400);
  });

  test.each([
    ["content missing", { content: undefined }],
    ["content blank", { content: " \n\t" }],
    ["type unknown", { type: "opinion" }],
    ["title blank", { title: "  " }],
    ["title of 301 characters", { title: "x".repeat(301) }],
    ["project blank", { project: " " }],
    ["a tag that is no string", { concepts: ["a", 1] }],
    ["201 tags", { concepts: Array.from({ length: 201 }, String) }],
    ["a tag of 201 characters", { files: ["x".repeat(201)] }],
    ["201 sources", { sourceObservationIds: Array.from({ length: 201 }, String) }],
    ["ttlDays 0", { ttlDays: 0 }],
    ["ttlDays negative", { ttlDays: -1 }],
    ["ttlDays above 36500", { ttlDays: 36_500.5 }],
    ["agentId of 257 characters", { agentId: "x".repeat(257) }],
  ])("refuses %s with 400", async (_name, wrong) => {
    const reply = await http.reply(remember, { content: "something", ...wrong });
    expect(reply.status).toBe(400);
    expect(reply.body.error).toEqual(expect.any(String));
    expect((await http.ok(listAudit, {})).total).toBe(0);
  });

  test("is forgotten after ttlDays: out of every recall at once, readable until the sweep, then gone", async () => {
    const { memoryId, memory: stored } = await http.ok(remember, {
      content: "temporary falcon",
      ttlDays: 0.5,
    });
    expect(stored.forgetAfter).toBe("2026-03-02T00:00:00.000Z");
    expect(await found("falcon")).toEqual([memoryId]);
    http.advance(dayMs / 2);
    expect(await found("falcon")).toEqual([]);
    expect((await memory(memoryId)).id).toBe(memoryId);
    expect((await http.reply(listMemories, {})).body.total).toBe(1);
    await http.core.evictFaded();
    expect((await http.reply(getMemory, { id: memoryId })).status).toBe(404);
    expect((await http.ok(listAudit, { operation: "evict" })).entries[0]?.targetIds).toEqual([memoryId]);
  });

  test("is shown from an offset on without the characters before it", async () => {
    const id = await remembered("🧠 walrus");
    const from = async (offset: number) => (await http.ok(getMemory, { id, offset })).memory.content;
    expect([await from(0), await from(2), await from(99)]).toEqual(["🧠 walrus", "walrus", ""]);
  });

  test("takes its sessions from the given one and from known sources", async () => {
    const [known] = await observed("s1", "hello");
    const { memory } = await http.ok(remember, {
      content: "sourced",
      sessionId: "s0",
      sourceObservationIds: [known ?? "", "obs_unknown"],
    });
    expect(memory.sessionIds).toEqual(["s0", "s1"]);
    expect(memory.sourceObservationIds).toEqual([known, "obs_unknown"]);
  });

  test("redacts content, title and tags", async () => {
    const secret = "sk-proj-abcdefghij0123456789KLMNOP";
    await http.ok(remember, { content: `key ${secret}`, title: `t ${secret}`, concepts: [`c ${secret}`] });
    expect(await dumpStore(http)).not.toContain(secret);
  });

  test("leaves one audit entry without any content", async () => {
    const id = await remembered("walrus");
    const { entries } = await http.ok(listAudit, {});
    expect(entries).toMatchObject([
      {
        operation: "remember",
        functionId: "memory.remember",
        targetIds: [id],
        details: { type: "fact", version: 1 },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain("walrus");
  });
});

describe("a near-duplicate", () => {
  test.each([
    // Jaccard of two sets of ten with n members in common: n / (20 − n).
    [4, 0.25, "is another memory"],
    [6, 6 / 14, "is another memory that names the one it resembles"],
    [8, 8 / 12, "is another memory that names the one it resembles"],
    [9, 9 / 11, "is a new version"],
    [10, 1, "is a new version"],
  ])("with %i of 10 words in common (%d) %s", async (shared, similarity, effect) => {
    const first = await http.ok(remember, { content: words("old", shared), title: "Old" });
    const second = await http.ok(remember, { content: words("new", shared) });
    expect(second.version).toBe(effect === "is a new version" ? 2 : 1);
    expect(second.superseded).toBe(effect === "is a new version" ? first.memoryId : undefined);
    expect(second.similarTo).toEqual(
      effect.includes("names")
        ? { id: first.memoryId, title: "Old", similarity: Math.round(similarity * 10_000) / 10_000 }
        : undefined,
    );
  });

  test("at exactly 0.7 is only alike, and at exactly 0.4 not even that", async () => {
    // 7 of 10: the one text has seven words, the other these and three more. 4 of 10 likewise.
    await http.ok(remember, { content: words("alpha", 7).split(" ").slice(0, 7).join(" ") });
    const alike = await http.ok(remember, { content: words("alpha", 7) });
    expect([alike.version, alike.similarTo?.similarity]).toEqual([1, 0.7]);
    const other = await openTestHttp();
    await other.ok(remember, { content: words("beta", 4).split(" ").slice(0, 4).join(" ") });
    const apart = await other.ok(remember, { content: words("beta", 4) });
    expect([apart.version, apart.similarTo]).toEqual([1, undefined]);
    await other.close();
  });

  test("is none for sharing a name where the other words are written with marks", async () => {
    for (const [first, second] of [
      ["Postgres की बैकअप रात में लो", "Postgres से पुराना डेटा हटाओ"],
      ["אַל תַּפְעִיל Postgres בַּשֶּׁרֶת", "גַּבֵּה אֶת Postgres בַּלַּיְלָה"],
    ]) {
      await remembered(first ?? "");
      const other = await http.ok(remember, { content: second ?? "" });
      expect([other.version, other.similarTo]).toEqual([1, undefined]);
      expect((await http.ok(remember, { content: `${second} !` })).superseded).toBe(other.memoryId);
    }
  });

  test("keeps the old row and ties the new one to it", async () => {
    const first = await http.ok(remember, {
      content: "use tabs here",
      title: "Tabs",
      type: "preference",
      concepts: ["style"],
      files: ["a.ts"],
      sessionId: "s1",
      ttlDays: 3,
    });
    http.advance(dayMs);
    const second = await http.ok(remember, {
      content: "use tabs here",
      concepts: ["tabs"],
      files: ["b.ts"],
      sessionId: "s2",
    });
    expect(second.memory).toMatchObject({
      title: "Tabs",
      type: "preference",
      concepts: ["tabs", "style"],
      files: ["b.ts", "a.ts"],
      sessionIds: ["s2", "s1"],
      version: 2,
      strength: 1,
      isLatest: true,
      parentId: first.memoryId,
      supersedes: [first.memoryId],
      relatedIds: [first.memoryId],
    });
    expect(second.memory).not.toHaveProperty("forgetAfter");
    expect(await memory(first.memoryId)).toMatchObject({
      isLatest: false,
      version: 1,
      relatedIds: [second.memoryId],
    });
    expect(await found("tabs")).toEqual([second.memoryId]);
    const { entries } = await http.ok(listAudit, { operation: "remember" });
    expect(entries[0]).toMatchObject({
      targetIds: [second.memoryId, first.memoryId],
      details: { version: 2, superseded: first.memoryId },
    });
  });

  test("takes type and title where they are given", async () => {
    await http.ok(remember, { content: "use tabs here", title: "Tabs", type: "preference" });
    const { memory } = await http.ok(remember, {
      content: "use tabs here",
      title: "Tabs!",
      type: "workflow",
    });
    expect(memory).toMatchObject({ title: "Tabs!", type: "workflow" });
  });

  test("lists all earlier versions, nearest first", async () => {
    const ids = [await remembered("same text"), await remembered("same text"), await remembered("same text")];
    expect((await memory(ids[2] ?? "")).supersedes).toEqual([ids[1], ids[0]]);
  });

  test.each([
    ["another project", { project: "a" }, { project: "b" }],
    ["no project", { project: "a" }, {}],
    ["another agent", { agentId: "ann" }, { agentId: "bob" }],
    ["no agent", { agentId: "ann" }, {}],
  ])("is not looked for in memories of %s", async (_name, one, other) => {
    await http.ok(remember, { content: "use tabs here", ...one });
    expect((await http.ok(remember, { content: "use tabs here", ...other })).version).toBe(1);
    expect((await http.ok(remember, { content: "use tabs here", ...one })).version).toBe(2);
  });

  test.each(["?!", "  …  ", "the", "ab", "日本語", "한국어 문장"])(
    "is %j again, words or no words",
    async (content) => {
      await http.ok(remember, { content });
      expect((await http.ok(remember, { content })).version).toBe(2);
    },
  );

  const common =
    "nightly benchmark of the importer on the staging machine, latency per stage in milliseconds";
  const numbered = (own: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${own}${String.fromCharCode(97 + (at % 26))}${at}`).join(" ");
  test.each([
    ["short numbers", `${common}: 11 12 13 14 15 16`, `${common}: 21 22 23 24 25 26`, 2],
    [
      "parts of names",
      `${common} see alpha_beta_gamma_delta alphaBetaGamma`,
      `${common} see zeta_eta_theta_iota zetaEtaTheta`,
      2,
    ],
    ["many new words", numbered("old", 500), `${numbered("new", 140)}\n${numbered("old", 500)}`, 2],
    ["too many new words", numbered("old", 500), `${numbered("new", 260)}\n${numbered("old", 500)}`, 1],
    ["few words in common", words("old", 6), words("new", 6), 1],
    ["marks that end a token", "İSTANBUL şehir", "i̇stanbul şehir", 2],
    ["no words, in another case", "É !", "é !", 2],
    ["no words, with a blank more", "!!", "!!\n", 2],
    ["underscores", "___ ___", "(___)", 2],
  ])("is the same one whatever the process holds in memory: %s", async (_name, first, second, version) => {
    const known = `table of ports 21 22 23 24 25 26, zeta eta theta iota beta, ${numbered("new", 260)}`;
    await http.ok(remember, { content: known, project: "other" });
    for (const project of ["held", "fresh"]) {
      for (let at = 0; at < 3; at += 1) {
        const content = `${common} ${numbered(`thing${at}x`, 20)}`;
        await http.ok(remember, { content, project });
      }
      await http.ok(remember, { content: first, project });
    }
    const held = await http.ok(remember, { content: second, project: "held" });
    const process = await openTestHttp({ home: http.home });
    const fresh = await process.ok(remember, { content: second, project: "fresh" });
    await process.close();
    expect([held.version, fresh.version]).toEqual([version, version]);
    expect(fresh.similarTo?.similarity).toBe(held.similarTo?.similarity);
  });

  test("is not found for a long text that shares one word with what is known", async () => {
    await http.ok(remember, { content: "heron" });
    const long = `heron ${Array.from({ length: 40 }, (_, at) => `unheard${at}`).join(" ")}`;
    expect(await http.ok(remember, { content: long })).toMatchObject({ version: 1 });
  });

  test.each(["🙂", "temporary falcon"])(
    "is none whose time is over, from its last instant on: %s",
    async (content) => {
      await http.ok(remember, { content, ttlDays: 1 });
      http.advance(dayMs - 1);
      const { memoryId, ...early } = await http.ok(remember, { content, ttlDays: 1 });
      expect(early.version).toBe(2);
      http.advance(dayMs);
      const late = await http.ok(remember, { content });
      expect([late.version, late.superseded]).toEqual([1, undefined]);
      expect((await memory(memoryId)).isLatest).toBe(true);
    },
  );

  test("of two equal calls at once: versions 1 and 2", async () => {
    const both = await Promise.all([1, 2].map(() => http.ok(remember, { content: "said twice at once" })));
    expect(both.map(({ version }) => version).sort()).toEqual([1, 2]);
    expect((await http.reply(listMemories, { latest: true })).body.total).toBe(1);
    expect(await found("said twice")).toEqual([both.find(({ version }) => version === 2)?.memoryId]);
    const { checks } = await http.ok(diagnose, {});
    expect(checks.filter(({ status }) => status === "fail")).toEqual([]);
  });

  test("of ten equal calls at once: one chain of ten", async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, () => http.ok(remember, { content: "said ten times" })),
    );
    expect(all.map(({ version }) => version).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

describe("evolving", () => {
  test("makes the next version with the new text and everything else as it was", async () => {
    const first = await http.ok(remember, {
      content: "jitter half",
      title: "Jitter",
      type: "bug",
      project: "shop",
      concepts: ["retry"],
      files: ["r.ts"],
      ttlDays: 10,
      agentId: "ann",
    });
    http.advance(dayMs);
    const reply = await http.reply(evolve, { memoryId: first.memoryId, newContent: "jitter full" });
    expect(reply.status).toBe(200);
    const { memoryId } = reply.body;
    expect(reply.body).toMatchObject({
      success: true,
      previousId: first.memoryId,
      version: 2,
      isLatest: true,
      strength: 1,
    });
    expect(reply.body.memory).toEqual({
      ...first.memory,
      id: memoryId,
      content: "jitter full",
      version: 2,
      parentId: first.memoryId,
      supersedes: [first.memoryId],
      relatedIds: [first.memoryId],
      createdAt: "2026-03-02T12:00:00.000Z",
      updatedAt: "2026-03-02T12:00:00.000Z",
    });
    expect(await found("jitter")).toEqual([memoryId]);
    const { entries } = await http.ok(listAudit, { operation: "evolve" });
    expect(entries).toMatchObject([
      { targetIds: [memoryId, first.memoryId], details: { previousId: first.memoryId, version: 2 } },
    ]);
  });

  test("of a memory whose time is over, makes one that stays", async () => {
    const { memoryId: first } = await http.ok(remember, { content: "staging uses falcon", ttlDays: 1 });
    http.advance(2 * dayMs);
    const { memoryId, memory } = await http.ok(evolve, {
      memoryId: first,
      newContent: "staging keeps falcon",
    });
    expect(memory).not.toHaveProperty("forgetAfter");
    expect(await found("falcon")).toEqual([memoryId]);
    await http.core.evictFaded();
    expect(await found("falcon")).toEqual([memoryId]);
  });

  test("takes a new title, and keeps the stability that was earned", async () => {
    const id = await remembered("crow");
    await memory(id);
    const { memory: evolved } = await http.ok(evolve, {
      memoryId: id,
      newContent: "raven",
      newTitle: "Birds",
    });
    expect(evolved).toMatchObject({ title: "Birds", stabilityDays: 234, strength: 1, recallCount: 0 });
    expect(evolved).not.toHaveProperty("lastRecalledAt");
  });

  test("an unknown memory is a 404", async () => {
    expect((await http.reply(evolve, { memoryId: "mem_x", newContent: "y" })).status).toBe(404);
  });

  test("an outdated version is a 409 that names the latest", async () => {
    const first = await remembered("one");
    const second = (await http.ok(evolve, { memoryId: first, newContent: "two" })).memoryId;
    const third = (await http.ok(evolve, { memoryId: second, newContent: "three" })).memoryId;
    const reply = await http.reply(evolve, { memoryId: first, newContent: "four" });
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual({ error: expect.any(String), latestId: third });
  });

  test("a chain that lost its latest version goes on from its highest one", async () => {
    const first = await remembered("one");
    const second = (await http.ok(evolve, { memoryId: first, newContent: "two" })).memoryId;
    const third = (await http.ok(evolve, { memoryId: second, newContent: "three" })).memoryId;
    await http.ok(forget, { memoryId: third });
    expect((await http.reply(evolve, { memoryId: first, newContent: "x" })).status).toBe(409);
    expect(await http.ok(evolve, { memoryId: second, newContent: "x" })).toMatchObject({
      version: 3,
      previousId: second,
    });
  });

  test("of one version by two at once succeeds for one and is a 409 for the other", async () => {
    const id = await remembered("one");
    const replies = await Promise.all(
      ["a", "b"].map((newContent) => http.reply(evolve, { memoryId: id, newContent })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe("forgetting a memory", () => {
  test("removes it with its relations and index entry, and leaves an entry and a tombstone", async () => {
    const first = await remembered("condor");
    const second = (await http.ok(evolve, { memoryId: first, newContent: "condor two" })).memoryId;
    const reply = await http.reply(forget, { memoryId: second });
    expect(reply.body).toEqual({
      success: true,
      deleted: 1,
      notFound: [],
      deletedMemories: 1,
      deletedObservations: 0,
    });
    expect(await found("condor")).toEqual([]);
    expect(await memory(first)).toMatchObject({ isLatest: false, relatedIds: [] });
    const { sql } = http.core.ground.store.read;
    expect(await sql.values("SELECT kind, id FROM tombstones")).toEqual([["memory", second]]);
    expect(await sql.values("SELECT * FROM memory_relations")).toEqual([]);
    expect((await http.ok(listAudit, { operation: "forget" })).entries).toMatchObject([
      { targetIds: [second], details: { deletedMemories: 1, deletedObservations: 0 } },
    ]);
  });

  test("with restorePrevious makes the highest earlier version the latest again", async () => {
    const first = await remembered("condor");
    const second = (await http.ok(evolve, { memoryId: first, newContent: "condor two" })).memoryId;
    const third = (await http.ok(evolve, { memoryId: second, newContent: "condor three" })).memoryId;
    await http.ok(forget, { memoryId: second });
    const reply = await http.reply(forget, { memoryId: third, restorePrevious: true });
    expect(reply.body).toMatchObject({ deleted: 1, restored: first });
    expect(await found("condor")).toEqual([first]);
    expect((await memory(first)).isLatest).toBe(true);
  });

  test("with restorePrevious restores nothing when it was not the latest, or the first", async () => {
    const first = await remembered("condor");
    const second = (await http.ok(evolve, { memoryId: first, newContent: "condor two" })).memoryId;
    const older = await http.reply(forget, { memoryId: first, restorePrevious: true });
    expect(older.body).not.toHaveProperty("restored");
    const last = await http.reply(forget, { memoryId: second, restorePrevious: true });
    expect(last.body).not.toHaveProperty("restored");
    expect((await http.reply(listMemories, {})).body.total).toBe(0);
  });

  test("that is unknown is a 404 that names it", async () => {
    const reply = await http.reply(forget, { memoryId: "mem_x" });
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ error: expect.any(String), notFound: ["mem_x"] });
  });
});

const hintOf = ({ headers }: Reply) => decodeURIComponent(headers.get("x-memsvc-hint") ?? "");

describe("forgetting a session", () => {
  test("removes all its observations and keeps the session with the count that is left", async () => {
    const ids = await observed("s1", "osprey one", "osprey two");
    const reply = await http.reply(forget, { sessionId: "s1" });
    expect(reply.body).toMatchObject({
      deleted: 2,
      deletedMemories: 0,
      deletedObservations: 2,
      notFound: [],
    });
    expect(await found("osprey")).toEqual([]);
    expect((await http.ok(listSessions, {})).sessions[0]?.observationCount).toBe(0);
    const { sql } = http.core.ground.store.read;
    expect(await sql.values("SELECT * FROM raw_events")).toEqual([]);
    const noted = await sql.values("SELECT kind, id FROM tombstones ORDER BY kind DESC, id");
    expect(noted.slice(0, 2)).toEqual(ids.sort().map((id) => ["observation", id]));
    // By which a transcript would tell of them again.
    expect(noted.slice(2).map(([kind]) => kind)).toEqual(["forgottenEvent", "forgottenEvent"]);
  });

  test("leaves one audit entry that names the observations and their session", async () => {
    const ids = await observed("s1", "osprey one", "osprey two");
    await http.ok(forget, { sessionId: "s1" });
    const { entries } = await http.ok(listAudit, { operation: "forget" });
    expect(entries).toHaveLength(1);
    expect(entries[0]?.targetIds.toSorted()).toEqual(ids.toSorted());
    expect(entries[0]?.details).toMatchObject({ sessionId: "s1", deletedObservations: 2 });
    await http.ok(forget, { sessionId: "s1", includeSession: true });
    expect((await http.ok(listAudit, { operation: "forget" })).entries[0]?.targetIds).toEqual(["s1"]);
  });

  test("with ids removes those, and tells which are not of this session", async () => {
    const [one, two] = await observed("s1", "a", "b");
    const [foreign] = await observed("s2", "c");
    const observationIds = [one ?? "", foreign ?? "", "obs_x"];
    const reply = await http.reply(forget, { sessionId: "s1", observationIds });
    expect(reply.body).toMatchObject({ deleted: 1, notFound: [foreign, "obs_x"] });
    expect((await http.ok(listObservations, { sessionId: "s1" })).observations.map(({ id }) => id)).toEqual([
      two,
    ]);
    expect(
      (await http.ok(listSessions, {})).sessions.map(({ observationCount }) => observationCount),
    ).toEqual([1, 1]);
  });

  test("with ids of which none is known is a 404, whose hint is of what is not known", async () => {
    await observed("s1", "a");
    const observationIds = ["obs_x", "obs_x"];
    const reply = await http.reply(forget, { sessionId: "s1", observationIds });
    expect([reply.status, reply.body.notFound]).toEqual([404, ["obs_x"]]);
    expect(hintOf(reply)).toContain("session show");
    expect(hintOf(await http.reply(forget, { sessionId: "s2", observationIds }))).toContain("session list");
  });

  test("without observations deletes nothing, is no error and leaves no audit entry", async () => {
    await http.ok(startSession, { sessionId: "s1", project: "p", cwd: "/p" });
    const reply = await http.reply(forget, { sessionId: "s1" });
    expect([reply.status, reply.body.deleted]).toEqual([200, 0]);
    expect((await http.ok(listAudit, { operation: "forget" })).total).toBe(0);
  });

  test("with its first prompt leaves nothing of that behind: the next prompt names it", async () => {
    const [secret = ""] = await observed("s1", "the wifi code of Aunt Petra is blue-elephant", "/model");
    await observed("s1", "now refactor the login form please");
    await http.ok(forget, { sessionId: "s1", observationIds: [secret] });
    const next = "now refactor the login form please";
    expect((await http.ok(listSessions, {})).sessions[0]?.firstPrompt).toBe(next);
    await http.ok(endSession, { sessionId: "s1" });
    expect(await http.ok(summarizeSession, { sessionId: "s1" })).toMatchObject({ summary: { title: next } });
    const begun = { sessionId: "s2", project: "shop", cwd: "/w/shop" };
    expect((await http.ok(startSession, begun)).context).toContain("refactor the login form");
    expect(JSON.stringify((await http.send("/export")).body)).not.toContain("blue-elephant");
  });

  test("with another prompt leaves its name; with all of them it has none, and a later one names it", async () => {
    const [, second = ""] = await observed("s1", "paint the shed", "and the fence");
    const name = async () => (await http.ok(listSessions, {})).sessions[0]?.firstPrompt;
    await http.ok(forget, { sessionId: "s1", observationIds: [second] });
    expect(await name()).toBe("paint the shed");
    await http.ok(forget, { sessionId: "s1" });
    expect(await name()).toBeUndefined();
    await observed("s1", "mow the lawn");
    expect(await name()).toBe("mow the lawn");
  });

  test("leaves the title that it was started with, whatever its prompts said", async () => {
    const title = "paint the shed";
    await http.ok(startSession, { sessionId: "s1", project: "shop", cwd: "/w/shop", title });
    await observed("s1", title, "and the fence");
    await http.ok(forget, { sessionId: "s1" });
    expect((await http.ok(listSessions, {})).sessions[0]?.firstPrompt).toBe(title);
  });

  test("with includeSession removes the session too and counts it, unless ids are given", async () => {
    const [one] = await observed("s1", "a", "b");
    await http.ok(forget, { sessionId: "s1", observationIds: [one ?? ""], includeSession: true });
    expect((await http.ok(listSessions, {})).total).toBe(1);
    const reply = await http.reply(forget, { sessionId: "s1", includeSession: true });
    expect(reply.body).toMatchObject({ deleted: 2, deletedObservations: 1 });
    expect((await http.ok(listSessions, {})).total).toBe(0);
    expect((await http.reply(listObservations, { sessionId: "s1" })).status).toBe(404);
  });

  test("with includeSession leaves its commits, but not as those of a session", async () => {
    await observed("s1", "a");
    await observed("s2", "b");
    for (const sessionId of ["s1", "s2"]) await http.ok(linkCommit, { sha: "3f2a91c", sessionId });
    await http.ok(linkCommit, { sha: "aaaaaaa", sessionId: "s1" });
    http.advance(1_000);
    await http.ok(forget, { sessionId: "s1", includeSession: true });
    const { commits } = await http.ok(listCommits, {});
    expect(commits.map(({ sha, sessionIds }) => [sha, sessionIds])).toEqual([
      ["aaaaaaa", []],
      ["3f2a91c", ["s2"]],
    ]);
    expect(new Set(commits.map(({ updatedAt }) => updatedAt))).toEqual(
      new Set([new Date(http.now()).toISOString()]),
    );
    await observed("s1", "c");
    const { sessions } = await http.ok(listSessions, {});
    expect(Object.fromEntries(sessions.map(({ id, commitShas }) => [id, commitShas]))).toEqual({
      s1: [],
      s2: ["3f2a91c"],
    });
  });

  test("and a memory in one call carries out both, and one of them may be unknown", async () => {
    await observed("s1", "a");
    const id = await remembered("x");
    expect((await http.reply(forget, { memoryId: id, sessionId: "s1" })).body).toMatchObject({
      deleted: 2,
      notFound: [],
    });
    expect((await http.reply(forget, { memoryId: id, sessionId: "s1" })).body).toMatchObject({
      deleted: 0,
      notFound: [id],
    });
    expect((await http.reply(forget, { memoryId: id, sessionId: "s2" })).status).toBe(404);
  });

  test.each([
    ["nothing", {}],
    ["only ids of observations", { observationIds: ["obs_1"] }],
    ["ids with a memory but no session", { memoryId: "mem_1", observationIds: ["obs_1"] }],
    ["an empty list of ids", { sessionId: "s1", observationIds: [] }],
    ["1001 ids", { sessionId: "s1", observationIds: Array.from({ length: 1_001 }, String) }],
  ])("is a 400 with %s", async (_name, input) => {
    expect((await http.reply(forget, input)).status).toBe(400);
  });
});
