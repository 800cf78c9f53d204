import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { listLessons, saveLesson, searchLessons } from "../../src/knowledge/lessons/operations.ts";
import { listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { content, type Exported, exported, fill } from "../support/exported-store.ts";
import { graphContent } from "../support/graph-content.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";

let http: TestHttp;
let other: TestHttp;
beforeEach(async () => {
  http = await openTestHttp();
  other = await openTestHttp();
});
afterEach(async () => {
  await http.close();
  await other.close();
});

describe("an import", () => {
  test("into an empty store reproduces it, and its records are found by words", async () => {
    const { first, latestId } = await fill(http);
    const data = await exported(http);
    other.advance(3_700_000);
    const answer = await other.ok(importStore, { exportData: data });
    expect(answer).toMatchObject({ sessions: 2, observations: 3, memories: 2, summaries: 1, warnings: [] });
    expect(content(await exported(other))).toEqual(content(data));
    const { results } = await other.ok(smartSearch, { query: "drained flushed shutdown" });
    expect(results[0]?.obsId).toBe(latestId);
    const found = async (of: TestHttp) =>
      (await of.ok(smartSearch, { query: "wakeups producers race" })).results.map(({ obsId }) => obsId);
    expect((await found(other))[0]).toBe(first);
    expect(await found(other)).toEqual(await found(http));
    const { sessions } = await other.ok(listSessions, {});
    expect(sessions.map(({ id, observationCount }) => [id, observationCount])).toEqual([
      ["s2", 1],
      ["s1", 2],
    ]);
  });

  test("of an old backup tells which memories the next sweep deletes again, because they expired or faded", async () => {
    await http.ok(remember, { content: "the walrus sleeps", ttlDays: 30 });
    await http.ok(remember, { content: "queues are drained at shutdown" });
    await http.ok(remember, { content: "events leave through one door", type: "architecture" });
    const exportData = await exported(http);
    other.advance(400 * 86_400_000);
    const { memories, warnings } = await other.ok(importStore, { exportData });
    expect([memories, warnings]).toEqual([
      3,
      [
        "memories: one has expired, so the daemon's next sweep deletes it again",
        "memories: one has faded below MEMSVC_RETENTION_THRESHOLD, so the daemon's next sweep deletes it again; 0 keeps it",
      ],
    ]);
    expect(await other.core.evictFaded()).toBe(2);
  });

  test("keeps what a session did in an earlier project under that project", async () => {
    const topics = { alpha: "payments", beta: "delivery" };
    const work = async (name: keyof typeof topics) => {
      const place = { sessionId: "s1", project: name, cwd: `/w/${name}` };
      await http.ok(startSession, place);
      const when = { hookType: "prompt_submit", timestamp: "2026-03-01T10:00:00Z" };
      await http.ok(observe, { ...place, ...when, data: { prompt: `walrus in src/${topics[name]}.ts` } });
    };
    await work("alpha");
    await work("beta");
    const data = await exported(http);
    expect((await other.ok(importStore, { exportData: data })).warnings).toEqual([]);
    expect(content(await exported(other))).toEqual(content(data));
    for (const of of [http, other]) {
      for (const [name, topic] of Object.entries(topics)) {
        const { results } = await of.ok(smartSearch, { query: "walrus", project: `/w/${name}` });
        expect(results.map(({ title }) => title)).toEqual([`walrus in src/${topic}.ts`]);
        const { totalObservations, topConcepts } = await of.ok(getProfile, { project: name });
        expect(totalObservations).toBe(1);
        expect(topConcepts.map(({ concept }) => concept)).toContain(topic);
      }
    }
  });

  test("gives observations their session's agent, and a missing session its observations' agent", async () => {
    const event = { timestamp: "2026-01-01T00:00:00Z", title: "herons" };
    const session = { project: "/w/shop", startedAt: event.timestamp };
    const { warnings } = await http.ok(importStore, {
      exportData: {
        version: "1",
        sessions: [
          { ...session, id: "s1", agentId: "alpha" },
          { ...session, id: "s2" },
        ],
        observations: {
          s1: [
            { ...event, id: "o1", agentId: "beta" },
            { ...event, id: "o2" },
          ],
          s2: [{ ...event, id: "o3", agentId: "beta" }],
          lost: [{ ...event, id: "o4", agentId: "beta" }],
        },
      },
    });
    expect(warnings.join("\n")).toContain("observations: they are of their session's agent, not of another");
    const { observations, sessions } = await exported(http);
    const agents = Object.values(observations)
      .flat()
      .map(({ id, agentId }) => [id, agentId]);
    expect(agents.toSorted()).toEqual([
      ["o1", "alpha"],
      ["o2", undefined],
      ["o3", undefined],
      ["o4", "beta"],
    ]);
    expect(sessions.find(({ id }) => id === "lost")).toMatchObject({ agentId: "beta" });
    const seen = await http.ok(smartSearch, { query: "herons", agentId: "alpha" });
    expect(seen.results).toMatchObject([{ obsId: "o1" }]);
  });

  test("keeps lessons, insights, facts, procedures, slots and commits with their decay state", async () => {
    const times = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-02T00:00:00.000Z" };
    const drawn = { project: "shop", provider: "extractive", ...times };
    const given = {
      lessons: [
        { id: "lsn_1", content: "Check the lock first", confidence: 0.4, confidenceAnchor: 0.9, ...times },
        { id: "lsn_2", content: "An old lesson", deleted: true, ...times },
      ],
      insights: [
        { id: "ins_1", title: "Locks", content: "Locks are where time goes", tags: ["lock"], ...drawn },
      ],
      semanticMemories: [{ id: "sem_1", fact: "The queue is in memory", strength: 7, ...drawn }],
      proceduralMemories: [{ id: "prc_1", name: "Deploy", steps: ["build", "push"], frequency: 3, ...drawn }],
      slots: [{ label: "plan", content: "ship it", project: "shop", ...times }],
      commits: [{ sha: "3f2a91c", branch: "main", sessionIds: ["s1", "s2"], linkedAt: times.createdAt }],
    };
    const answer = await http.ok(importStore, { exportData: { version: "1", ...given } });
    expect(answer.warnings).toEqual([]);
    const data = await exported(http);
    expect(data).toMatchObject({
      lessons: [
        { id: "lsn_1", confidenceAnchor: 0.9 },
        { id: "lsn_2", deleted: true },
      ],
      insights: given.insights,
      semanticMemories: [{ id: "sem_1", strengthAnchor: 0.7 }],
      proceduralMemories: given.proceduralMemories,
      slots: given.slots,
      commits: [{ sha: "3f2a91c", shortSha: "3f2a91c", sessionIds: ["s1", "s2"], message: "" }],
    });
    await other.ok(importStore, { exportData: data });
    expect(content(await exported(other))).toEqual(content(data));
    const { lessons } = await other.ok(searchLessons, { query: "lock" });
    expect(lessons.map(({ id }) => id)).toEqual(["lsn_1"]);
    const again = await other.ok(importStore, { exportData: data });
    expect(Object.values(again.counts).every(({ written }) => written === 0)).toBe(true);
    await other.ok(importStore, { exportData: { commits: [], lessons: [] }, strategy: "replace" });
    expect(await exported(other)).toMatchObject({ commits: [], lessons: [], insights: given.insights });
  });

  test("keeps records under the folder that their project name meant then, not now", async () => {
    const at = (cwd: string) => ({ sessionId: `in ${cwd}`, project: "shop", cwd });
    const found = async (from: TestHttp, project: string) => [
      (await from.ok(listMemories, { project })).total,
      (await from.ok(listLessons, { project })).total,
    ];
    await http.ok(startSession, at("/w/shop"));
    await http.ok(remember, { content: "tills open at nine", project: "shop" });
    await http.ok(saveLesson, { content: "count twice", project: "shop" });
    await http.ok(startSession, at("/x/shop"));
    const other = await openTestHttp();
    try {
      await other.ok(importStore, { exportData: await exported(http) });
      for (const store of [http, other]) {
        expect(await found(store, "/w/shop")).toEqual([1, 1]);
        expect(await found(store, "/x/shop")).toEqual([0, 0]);
      }
    } finally {
      await other.close();
    }
  });

  test("keeps sessions and observations under the folder that their project name meant then", async () => {
    const seen = { hookType: "prompt_submit", timestamp: "2026-03-01T10:00:00Z" };
    await http.ok(startSession, { sessionId: "s1", project: "/w/shop", cwd: "/w/shop" });
    const named = { sessionId: "s2", project: "shop", cwd: "/tmp" };
    await http.ok(startSession, named);
    await http.ok(observe, { ...named, ...seen, data: { prompt: "walrus of the shop" } });
    const moved = { sessionId: "s2", project: "/w/till", cwd: "/w/till" };
    await http.ok(startSession, moved);
    await http.ok(observe, { ...moved, ...seen, data: { prompt: "walrus of the till" } });
    await http.ok(startSession, { ...named, sessionId: "s3" });
    await http.ok(observe, { ...named, sessionId: "s3", ...seen, data: { prompt: "walrus once more" } });
    const loft = { sessionId: "s5", project: "loft", cwd: "/tmp" };
    await http.ok(startSession, loft);
    await http.ok(observe, { ...loft, ...seen, data: { prompt: "walrus of the loft" } });
    await http.ok(startSession, { ...moved, sessionId: "s5" });
    await http.ok(startSession, { sessionId: "s6", project: "/w/loft", cwd: "/w/loft" });
    await http.ok(startSession, { sessionId: "s4", project: "/x/shop", cwd: "/x/shop" });
    const data = await exported(http);
    expect((await other.ok(importStore, { exportData: data })).warnings).toEqual([]);
    expect(content(await exported(other))).toEqual(content(data));
    for (const of of [http, other]) {
      expect((await of.ok(listSessions, { project: "/w/shop" })).sessions.map(({ id }) => id)).toEqual([
        "s3",
        "s1",
      ]);
      const { results } = await of.ok(smartSearch, { query: "walrus", project: "/w/shop" });
      expect(results.map(({ title }) => title).sort()).toEqual(["walrus of the shop", "walrus once more"]);
    }
  });

  test("queues embeddings for what it brought, and renews the profile of its projects", async () => {
    await fill(http);
    expect((await other.ok(getProfile, { project: "/w/shop" })).profile.totalObservations).toBe(0);
    const { counts } = await other.ok(importStore, { exportData: await exported(http) });
    const { health } = (await other.send("/health")).body as { health: { index: Record<string, number> } };
    expect(health.index.pendingEmbeddings).toBeGreaterThanOrEqual(counts.observations?.written ?? 99);
    expect((await other.ok(getProfile, { project: "/w/shop" })).profile.totalObservations).toBe(3);
    for (const name of ["graphNodes", "graphEdges"]) expect(counts[name]?.written).toBeGreaterThan(0);
    expect(counts.images).toEqual({ written: 0, skipped: 0 });
  });

  test("of two pages gives the same store as one whole file", async () => {
    await fill(http);
    const whole = await exported(http);
    other.advance(3_700_000);
    for (const offset of ["1", "0"])
      await other.ok(importStore, { exportData: await exported(http, { maxSessions: "1", offset }) });
    const { profiles: _ours, pagination: _page, graphNodes, graphEdges, ...got } = await exported(other);
    expect(content(whole)).toMatchObject(content(got as Exported));
    expect(graphContent({ graphNodes, graphEdges })).toEqual(graphContent(whole));
  });
});
