import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { endSession, listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { listLessons, saveLesson, searchLessons } from "../../src/knowledge/lessons/operations.ts";
import { evolve, getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { memoryCollection } from "../../src/knowledge/memories/transfer.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { orphansOf } from "../property/orphans.ts";
import { graphContent } from "../support/graph-content.ts";
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";

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

type Exported = Record<string, unknown> & {
  sessions: Record<string, unknown>[];
  observations: Record<string, Record<string, unknown>[]>;
  memories: Record<string, unknown>[];
};

async function exported(from: TestHttp, query: Record<string, string> = {}): Promise<Exported> {
  const reply = await from.send("/export", { query });
  expect(reply.status).toBe(200);
  return reply.body as Exported;
}

async function event(sessionId: string, prompt: string, timestamp = "2026-03-01T10:00:00Z") {
  const base = { sessionId, project: "/w/shop", cwd: "/w/shop", hookType: "prompt_submit", timestamp };
  return (await http.ok(observe, { ...base, data: { prompt } })).observationId;
}

/** A store with something of everything. */
async function fill() {
  await http.ok(startSession, { sessionId: "s1", project: "/w/shop", cwd: "/w/shop", title: "Queues" });
  const first = await event("s1", "the queue loses wakeups when two producers race");
  await event("s1", "we add a condition variable", "2026-03-01T10:01:00Z");
  await event("s2", "a second session about rate limits", "2026-03-02T10:00:00Z");
  const { memoryId } = await http.ok(remember, {
    content: "Queues are drained before shutdown",
    project: "shop",
    sourceObservationIds: [first],
    concepts: ["queue"],
  });
  const evolved = await http.ok(evolve, {
    memoryId,
    newContent: "Queues are drained and flushed on shutdown",
  });
  http.advance(3_700_000);
  await http.ok(getMemory, { id: evolved.memory.id });
  await http.ok(summarizeSession, { sessionId: "s1" });
  await http.ok(endSession, { sessionId: "s1" });
  await http.ok(getProfile, { project: "shop" });
  return { first, memoryId, latestId: evolved.memory.id };
}

/** What two exports of the same content have in common. */
function content({ exportedAt: _at, audit: _audit, ...rest }: Exported) {
  return rest;
}

const memoryInFile = { id: "mem_a", content: "a memory from elsewhere", createdAt: "2026-01-01T00:00:00Z" };

describe("an export", () => {
  test("of an empty store has every collection, empty", async () => {
    const data = await exported(http);
    const arrays = ["sessions", "memories", "summaries", "profiles", "graphNodes", "graphEdges"];
    arrays.push("semanticMemories", "proceduralMemories", "lessons", "insights", "commits", "relations");
    arrays.push("accessLogs", "crystals", "slots", "actions", "actionEdges", "leases", "routines");
    arrays.push("routineRuns", "signals", "checkpoints", "sentinels", "sketches", "facets", "teamItems");
    arrays.push("meshPeers", "audit", "projectAliases", "images", "tombstones");
    for (const name of arrays) expect(data[name], name).toEqual([]);
    expect(data.observations).toEqual({});
    expect(data.pagination).toEqual({ offset: 0, limit: 0, total: 0, hasMore: false });
    expect(data).toMatchObject({ version: expect.any(String), exportedAt: expect.any(String) });
    expect(data).not.toHaveProperty("success");
  });

  test("holds sessions, observations with their events, and memories with the state of their curve", async () => {
    const { first, latestId } = await fill();
    const data = await exported(http);
    expect(data.sessions.map(({ id }) => id)).toEqual(["s1", "s2"]);
    expect(data.observations.s1?.map(({ id }) => id)).toContain(first);
    const listed = await http.ok(listObservations, { sessionId: "s1", raw: true, order: "asc" });
    expect(data.observations.s1).toEqual(listed.observations);
    const memory = data.memories.find(({ id }) => id === latestId);
    expect(memory).toMatchObject({
      strengthAnchor: expect.any(Number),
      strengthAnchorAt: expect.any(String),
    });
    expect(data.memories).toHaveLength(2);
    expect(data).toMatchObject({ summaries: [{ sessionId: "s1" }], relations: [{ type: "supersedes" }] });
  });

  test("in pages holds each session once, and the other collections on the first page only", async () => {
    await fill();
    const [first, second] = [
      await exported(http, { maxSessions: "1" }),
      await exported(http, { maxSessions: "1", offset: "1" }),
    ];
    expect(first.sessions.map(({ id }) => id)).toEqual(["s1"]);
    expect(Object.keys(first.observations)).toEqual(["s1"]);
    expect(first).toMatchObject({ summaries: [{ sessionId: "s1" }] });
    expect(first.pagination).toEqual({ offset: 0, limit: 1, total: 2, hasMore: true });
    expect(first.memories).toHaveLength(2);
    expect(second.sessions.map(({ id }) => id)).toEqual(["s2"]);
    expect(second).toMatchObject({ memories: [], summaries: [], audit: [], projectAliases: [] });
    expect(second.pagination).toEqual({ offset: 1, limit: 1, total: 2, hasMore: false });
  });

  test("clamps a page to 1,000 sessions and refuses what is no number of sessions", async () => {
    expect((await exported(http, { maxSessions: "5000" })).pagination).toMatchObject({ limit: 1000 });
    expect((await exported(http, { offset: "3" })).pagination).toMatchObject({ offset: 3, limit: 1000 });
    for (const maxSessions of ["0", "-1", "x", "1.5"])
      expect((await http.send("/export", { query: { maxSessions } })).status, maxSessions).toBe(400);
  });

  test("of events that are nested as deep as a request may be can be imported", async () => {
    const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
    const event = { sessionId: "s1", project: "/w/shop", cwd: "/w/shop", timestamp: "2026-03-01T10:00:00Z" };
    await http.ok(observe, { ...event, hookType: "post_tool_use", data: nested(63) });
    expect((await http.reply(observe, { ...event, hookType: "stop", data: nested(64) })).status).toBe(400);
    const before = await exported(http);
    await other.ok(importStore, { exportData: before });
    expect((await exported(other)).observations).toEqual(before.observations);
  });

  test("leaves an audit entry", async () => {
    await exported(http);
    const { entries } = await http.ok(listAudit, { operation: "export" });
    expect(entries).toMatchObject([{ functionId: "store.export" }]);
  });

  test("that fails on the way breaks off, so that what arrived is no JSON", async () => {
    await fill();
    const { store } = http.core.ground;
    const openView = store.openView.bind(store);
    store.openView = async () => {
      const view = await openView();
      const sql = {
        ...view.sql,
        values: (text: string, args: never) => {
          if (text.includes("memories")) throw new Error("the disk is gone");
          return view.sql.values(text, args);
        },
      };
      return { sql, orm: view.orm, close: () => view.close() };
    };
    await expect(http.send("/export")).rejects.toThrow();
  });

  test("gives its view of the store back when it was read, broken off, or asked for by HEAD", async () => {
    await fill();
    const { store } = http.core.ground;
    const openView = store.openView.bind(store);
    let open = 0;
    store.openView = async () => {
      const view = await openView();
      open += 1;
      return {
        sql: view.sql,
        orm: view.orm,
        close: async () => {
          open -= 1;
          await view.close();
        },
      };
    };
    const head = await http.send("/export", { method: "HEAD" });
    expect([head.status, head.text, open]).toEqual([200, "", 0]);
    await exported(http);
    expect(open).toBe(0);
    const pieces = http.core.transfer.export({ offset: 0 });
    await pieces.next();
    expect(open).toBe(1);
    await pieces.return(undefined);
    expect(open).toBe(0);
  });

  test("reads fewer rows at once where those before them were long, and all of them", async () => {
    const memories = Array.from({ length: 600 }, (_, at) => ({
      id: `mem_${at}`,
      content: `how till ${at} is opened`,
      createdAt: "2026-03-01T10:00:00Z",
    }));
    await http.ok(importStore, { exportData: { version: "1.0.0", memories } });
    await http.writeSql("UPDATE memories SET content = printf('%.*c', 20000, 'x')");
    const { store, home, settings } = http.core.ground;
    const reading = { connection: store.read, now: http.now(), includeImages: false, home, settings };
    const lengths: number[] = [];
    let read = 0;
    for await (const page of memoryCollection.pages(reading)) {
      lengths.push(page.length);
      read += JSON.parse(`[${page}]`).length;
    }
    expect(read).toBe(600);
    expect(Math.max(...lengths.slice(1))).toBeLessThan(1_100_000);
  });

  test("does not see what is written while it is read", async () => {
    await fill();
    const pieces = await http.core.transfer.export({ offset: 0 });
    let text = textOf((await pieces.next()).value);
    await http.ok(remember, { content: "written in the middle of an export" });
    for await (const piece of pieces) text += textOf(piece);
    expect(JSON.parse(text).memories).toHaveLength(2);
  });
});

describe("an import", () => {
  test("into an empty store makes it equal, and found by words", async () => {
    const { first, latestId } = await fill();
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

  test("leaves what a session did in an earlier project there", async () => {
    const work = async (name: string) => {
      const place = { sessionId: "s1", project: name, cwd: `/w/${name}` };
      await http.ok(startSession, place);
      const when = { hookType: "prompt_submit", timestamp: "2026-03-01T10:00:00Z" };
      await http.ok(observe, { ...place, ...when, data: { prompt: `walrus in ${name} of src/${name}.ts` } });
    };
    await work("alpha");
    await work("beta");
    const data = await exported(http);
    expect((await other.ok(importStore, { exportData: data })).warnings).toEqual([]);
    expect(content(await exported(other))).toEqual(content(data));
    for (const of of [http, other]) {
      for (const name of ["alpha", "beta"]) {
        const { results } = await of.ok(smartSearch, { query: "walrus", project: `/w/${name}` });
        expect(results.map(({ title }) => title)).toEqual([`walrus in ${name} of src/${name}.ts`]);
        const { totalObservations, topConcepts } = await of.ok(getProfile, { project: name });
        expect(totalObservations).toBe(1);
        expect(topConcepts.map(({ concept }) => concept)).toContain(name);
      }
    }
  });

  test.each(["merge", "skip"] as const)("twice under %s writes nothing the second time", async (strategy) => {
    await fill();
    const exportData = await exported(http);
    await other.ok(importStore, { exportData, strategy });
    const before = content(await exported(other));
    const again = await other.ok(importStore, { exportData, strategy });
    expect(Object.values(again.counts).every(({ written }) => written === 0)).toBe(true);
    expect(again.skipped).toBeGreaterThan(5);
    expect(content(await exported(other))).toEqual(before);
  });

  test("gives observations of an agent to that of their session, and a session made for them to theirs", async () => {
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

  test("under merge keeps the later of two, and unites their sets; under skip leaves known ones alone", async () => {
    const known = {
      ...memoryInFile,
      content: "as it was",
      updatedAt: "2026-02-01T00:00:00Z",
      sessionIds: ["a"],
    };
    await http.ok(importStore, { exportData: { memories: [known] } });
    const older = { ...known, content: "older", updatedAt: "2026-01-15T00:00:00Z", sessionIds: ["b"] };
    await http.ok(importStore, { exportData: { memories: [older] } });
    const { memory: kept } = await http.ok(getMemory, { id: "mem_a" });
    expect(kept).toMatchObject({ content: "as it was", sessionIds: ["a", "b"] });
    const newer = { ...known, content: "newer", updatedAt: "2026-02-15T00:00:00Z" };
    const skipped = await http.ok(importStore, { exportData: { memories: [newer] }, strategy: "skip" });
    expect(skipped).toMatchObject({ memories: 0, skipped: 1 });
    await http.ok(importStore, { exportData: { memories: [newer] } });
    expect((await http.ok(getMemory, { id: "mem_a" })).memory.content).toBe("newer");
    expect((await http.ok(smartSearch, { query: "newer" })).results).toHaveLength(1);
  });

  test("leaves an audit entry with its counts", async () => {
    await http.ok(importStore, { exportData: { memories: [memoryInFile] } });
    const { entries } = await http.ok(listAudit, { operation: "import" });
    expect(entries).toMatchObject([
      { functionId: "store.import", details: { strategy: "merge", counts: { memories: { written: 1 } } } },
    ]);
  });

  test("redacts what it stores", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const session = { id: "s9", project: "p", startedAt: 1_767_225_600_000, firstPrompt: `use ${secret}` };
    const observation = {
      id: "obs_9",
      timestamp: 1_767_225_600_000,
      title: `see ${secret}`,
      raw: { data: secret },
    };
    await http.ok(importStore, {
      exportData: {
        sessions: [session],
        observations: { s9: [observation] },
        memories: [{ ...memoryInFile, content: `token ${secret}` }],
      },
    });
    expect(await dumpStore(http)).not.toContain(secret);
    expect((await exported(http)).memories[0]?.content).toContain("[REDACTED_SECRET]");
  });

  test("takes what other programs write, and says what it made of it", async () => {
    const answer = await http.ok(importStore, {
      exportData: {
        sessions: [
          {
            id: "s1",
            project: "shop",
            startedAt: 1_767_225_600_000,
            summary: { title: "Queues", narrative: "We fixed the queue." },
            mood: "good",
          },
        ],
        observations: {
          s1: [
            { id: "o1", timestamp: "2026-01-01T00:00:00Z", type: "dance", title: "a dance" },
            {
              id: "o2",
              timestamp: "2026-01-01T00:01:00Z",
              hookType: "post_tool_use",
              toolName: "Bash",
              toolInput: { command: "npm test" },
              toolOutput: "3 passed",
            },
          ],
        },
        memories: [{ ...memoryInFile, type: "wisdom", strength: 8, relatedIds: ["gone"] }],
        relations: [
          { id: "r1", type: "related", sourceId: "mem_a", targetId: "gone", createdAt: "2026-01-01" },
        ],
        horoscopes: [{ a: 1 }],
      },
    });
    expect(answer.warnings).toEqual(
      expect.arrayContaining([
        "the file names no version",
        "sessions.mood: an unknown field was left out",
        "horoscopes: an unknown collection was left out",
        "observations: an unknown type became other",
        "memories: an unknown type became fact",
        "memories: related ones that do not exist were dropped",
        "relations: a relation of a memory that does not exist was left out",
      ]),
    );
    const data = await exported(http);
    expect(data.memories).toMatchObject([
      { type: "fact", strengthAnchor: 0.8, title: "a memory from elsewhere", relatedIds: [] },
    ]);
    expect(data.observations.s1).toMatchObject([
      { id: "o1", type: "other" },
      { id: "o2", type: "command_run", title: expect.stringContaining("npm test") },
    ]);
    expect(data.sessions).toMatchObject([{ summary: "We fixed the queue.", observationCount: 2 }]);
    expect(data).toMatchObject({
      summaries: [{ sessionId: "s1", title: "Queues", createdAt: "2026-01-01T00:00:00.000Z" }],
      relations: [],
    });
  });

  test("gives observations without a session one that lasted from the first to the last of them", async () => {
    const observation = (id: string, timestamp: string) => ({ id, timestamp, title: id });
    const exportData = {
      observations: {
        s1: [
          observation("o1", "2026-01-01T00:05:00Z"),
          observation("o2", "2026-01-01T00:01:00Z"),
          observation("o3", "2026-01-01T00:09:00Z"),
        ],
      },
    };
    await http.ok(importStore, { exportData });
    const data = await exported(http);
    expect(data.sessions).toMatchObject([
      {
        status: "completed",
        startedAt: "2026-01-01T00:01:00.000Z",
        endedAt: "2026-01-01T00:09:00.000Z",
        observationCount: 3,
      },
    ]);
    await other.ok(importStore, { exportData: data });
    expect((await exported(other)).sessions).toEqual(data.sessions);
  });

  test("takes a memory that supersedes itself without that, and one that is too long not at all", async () => {
    const self = { ...memoryInFile, parentId: "mem_a", supersedes: ["mem_a", "mem_older"] };
    const answer = await http.ok(importStore, { exportData: { version: "0.1.0", memories: [self] } });
    expect(answer.warnings).toContain("memories: a memory that supersedes itself was taken without that");
    const [kept] = (await exported(http)).memories;
    expect(kept).toMatchObject({ id: "mem_a", parentId: "mem_older", supersedes: ["mem_older"] });

    const ofLength = (length: number, mark = "") => ({
      exportData: { version: "0.1.0", memories: [{ ...memoryInFile, content: mark + "é".repeat(length) }] },
    });
    const long = await http.reply(importStore, ofLength(100_001));
    expect([long.status, long.body.issues]).toEqual([
      400,
      [{ path: "exportData.memories.0.content", message: "must be at most 100000 characters" }],
    ]);
    // A secret of that many characters less became this mark when it was first written.
    await http.ok(importStore, ofLength(99_999, "[REDACTED_SECRET]"));
  });

  test("keeps what was concluded as it was, with the state of its fading", async () => {
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

  test("keeps what was named alike in the folder that it was kept under, when another folder has the name by now", async () => {
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

  test("keeps sessions and what they did in the folder that a name led to then", async () => {
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

  test("under replace leaves nothing of the memories that went", async () => {
    const { memoryId } = await http.ok(remember, { content: "read once" });
    await http.ok(getMemory, { id: memoryId });
    expect(await exported(http)).toMatchObject({ accessLogs: [{ memoryId }] });
    const exportData = { version: "0.1.0", memories: [memoryInFile] };
    await http.ok(importStore, { exportData, strategy: "replace" });
    const left = await exported(http);
    expect(left).toMatchObject({ memories: [{ id: "mem_a" }], accessLogs: [] });
    expect((await http.ok(importStore, { exportData: left })).warnings).toEqual([]);
  });

  test.each(["merge", "replace"])(
    "under %s tells other stores that what was deleted is there again",
    async (strategy) => {
      const times = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" };
      const node = (id: string) => ({ id, type: "concept", name: id, origin: "import", ...times });
      const exportData = {
        memories: [{ id: "mem_1", title: "Kept", content: "Queues are drained", ...times }],
        graphNodes: [node("gnd_1"), node("gnd_2")],
        graphEdges: [
          {
            id: "ged_1",
            type: "uses",
            sourceNodeId: "gnd_1",
            targetNodeId: "gnd_2",
            origin: "import",
            ...times,
          },
        ],
        tombstones: [],
      };
      const gone = [
        ["memory", "mem_1"],
        ["graphNode", "gnd_1"],
        ["graphEdge", "ged_1"],
        ["memory", "mem_9"],
      ];
      for (const [kind, id] of gone)
        await http.writeSql("INSERT INTO tombstones (kind, id, deleted_at) VALUES (?, ?, ?)", [
          kind ?? "",
          id ?? "",
          http.now() - 1,
        ]);
      await http.send("/import", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ exportData, strategy }),
      });
      const { memories, graphNodes, graphEdges, tombstones } = await exported(http);
      const now = new Date(http.now()).toISOString();
      expect([memories, graphNodes, graphEdges]).toMatchObject([
        [{ id: "mem_1", updatedAt: now }],
        [
          { id: "gnd_1", updatedAt: now },
          { id: "gnd_2", ...times },
        ],
        [{ id: "ged_1", updatedAt: now }],
      ]);
      expect(tombstones).toMatchObject(strategy === "replace" ? [] : [{ id: "mem_9" }]);
      expect(tombstones).toHaveLength(strategy === "replace" ? 0 : 1);
    },
  );

  test("under replace leaves nothing of the sessions that went", async () => {
    const observationId = await event("s1", "the queue loses wakeups");
    await http.ok(endSession, { sessionId: "s1" });
    await http.ok(summarizeSession, { sessionId: "s1" });
    await http.writeSql("INSERT INTO pending_compressions (observation_id, session_id) VALUES (?, 's1')", [
      observationId,
    ]);
    const exportData = { sessions: [{ id: "s2", project: "/w/shop", startedAt: "2026-03-01" }] };
    const { warnings } = await http.ok(importStore, { exportData, strategy: "replace" });
    expect(warnings).toContain("summaries: those of sessions that are gone were dropped");
    const left = await exported(http);
    expect(left).toMatchObject({ sessions: [{ id: "s2" }], observations: {}, summaries: [] });
    expect(await orphansOf(http)).toEqual([]);
    expect((await http.ok(importStore, { exportData: left })).warnings).toEqual([]);
  });

  test("leaves one latest version, the higher one", async () => {
    const second = { ...memoryInFile, id: "mem_b", version: 2, parentId: "mem_a", supersedes: ["mem_a"] };
    const answer = await http.ok(importStore, { exportData: { memories: [memoryInFile, second] } });
    expect(answer.warnings).toContain("memories: of two latest versions of one memory the higher stays");
    const latest = await http.ok(listMemories, { latest: true });
    expect(latest).toMatchObject({ memories: [{ id: "mem_b" }] });
    expect((await http.ok(smartSearch, { query: "elsewhere" })).results).toHaveLength(1);
  });

  test.each([
    [
      "a wrong type",
      { memories: [memoryInFile, { ...memoryInFile, isLatest: "yes" }] },
      "exportData.memories.1.isLatest",
    ],
    [
      "a missing field",
      { sessions: [{ id: "s", startedAt: "2026-01-01" }] },
      "exportData.sessions.0.project",
    ],
    [
      "a bad time",
      { memories: [{ ...memoryInFile, createdAt: "yesterday" }] },
      "exportData.memories.0.createdAt",
    ],
    ["a list that is none", { memories: { a: 1 } }, "exportData.memories"],
    ["observations in a list", { observations: [] }, "exportData.observations"],
    ["a row that is none", { memories: ["text"] }, "exportData.memories.0"],
    [
      "an observation",
      { observations: { s1: [{ id: 5, timestamp: "2026-01-01" }] } },
      "exportData.observations.s1.0.id",
    ],
  ])("with %s is refused with the place, and changes nothing", async (_what, exportData, path) => {
    await http.ok(importStore, { exportData: { memories: [{ ...memoryInFile, id: "mem_0" }] } });
    const before = await dumpStore(http);
    const reply = await http.reply(importStore, { exportData });
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toMatchObject([{ path }]);
    expect(await dumpStore(http)).toBe(before);
    expect(readdirSync(http.home).filter((name) => name.startsWith("import-"))).toEqual([]);
  });

  test.each([
    ["no export in it", "{}"],
    ["an export that is none", '{"exportData": 5}'],
    ["an unknown strategy", '{"exportData":{},"strategy":"burn"}'],
    ["an array", "[]"],
    ["text", '"exportData"'],
    ["an end in the middle", '{"exportData":{"memories":[{"id":"a","content":"b"'],
    ["an end after a row", '{"exportData":{"memories":[{"id":"a","content":"b","createdAt":"2026-01-01"}]'],
    ["brackets that do not match", '{"exportData":{"memories":[}}}'],
    ["a missing comma", '{"exportData":{} "strategy":"skip"}'],
    ["something behind it", '{"exportData":{}} x'],
    ["a collection given twice", '{"exportData":{"memories":[],"memories":[]}}'],
    ["no UTF-8", new Uint8Array([...Buffer.from('{"exportData":{"version":"'), 0xff, ...Buffer.from('"}}')])],
    ["rows nested too deep", `{"exportData":{"memories":[{"id":${"[".repeat(70)}${"]".repeat(70)}}]}}`],
  ])("with %s is a 400", async (_what, body) => {
    const before = await dumpStore(http);
    const reply = await http.send("/import", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect([reply.status, typeof reply.body.error]).toEqual([400, "string"]);
    expect(await dumpStore(http)).toBe(before);
  });

  test("with faults in several collections tells them in the order of the file, and keeps nothing", async () => {
    const before = await dumpStore(http);
    const exportData = {
      version: "1",
      memories: [memoryInFile, { ...memoryInFile, id: 7 }],
      sessions: [{ id: "s1", project: "/w/shop", startedAt: "2026-01-01T00:00:00Z" }, { id: "s2" }],
    };
    const reply = await http.send("/import", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ exportData }),
    });
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toMatchObject([
      { path: "exportData.memories.1.id" },
      { path: "exportData.sessions.1.project" },
      { path: "exportData.sessions.1.startedAt" },
    ]);
    expect(await dumpStore(http)).toBe(before);
  });

  test("of another content type is a 415", async () => {
    const reply = await http.send("/import", {
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: "{}",
    });
    expect(reply.status).toBe(415);
  });

  test("over the limit is a 413, told or found out", async () => {
    const small = await openTestHttp({ env: { MEMSVC_MAX_IMPORT_BYTES: "1024" } });
    const body = JSON.stringify({
      exportData: { memories: [{ ...memoryInFile, content: "x".repeat(2_000) }] },
    });
    const headers = { "content-type": "application/json" };
    const stream = new Blob([body]).stream();
    expect((await small.send("/import", { method: "POST", headers, body: stream })).status).toBe(413);
    const told = { ...headers, "content-length": String(body.length) };
    expect((await small.send("/import", { method: "POST", headers: told, body })).status).toBe(413);
    expect((await small.ok(listMemories, {})).total).toBe(0);
    await small.close();
  });

  test("queues what it brought for vectors, and what was computed before of its projects is computed anew", async () => {
    await fill();
    expect((await other.ok(getProfile, { project: "/w/shop" })).profile.totalObservations).toBe(0);
    const { counts } = await other.ok(importStore, { exportData: await exported(http) });
    const { health } = (await other.send("/health")).body as { health: { index: Record<string, number> } };
    expect(health.index.pendingEmbeddings).toBeGreaterThanOrEqual(counts.observations?.written ?? 99);
    expect((await other.ok(getProfile, { project: "/w/shop" })).profile.totalObservations).toBe(3);
    for (const name of ["graphNodes", "graphEdges"]) expect(counts[name]?.written).toBeGreaterThan(0);
    expect(counts.images).toEqual({ written: 0, skipped: 0 });
  });

  test("in two pages gives what one whole file gives", async () => {
    await fill();
    const whole = await exported(http);
    other.advance(3_700_000);
    for (const offset of ["1", "0"])
      await other.ok(importStore, { exportData: await exported(http, { maxSessions: "1", offset }) });
    const { profiles: _ours, pagination: _page, graphNodes, graphEdges, ...got } = await exported(other);
    expect(content(whole)).toMatchObject(content(got as Exported));
    expect(graphContent({ graphNodes, graphEdges })).toEqual(graphContent(whole));
  });

  test("keeps a key named __proto__ as data", async () => {
    const body = `{"exportData":{"sessions":[{"id":"__proto__","project":"p","startedAt":"2026-01-01"}],
      "observations":{"__proto__":[{"id":"o1","timestamp":"2026-01-01","title":"t","raw":{"data":{"__proto__":{"x":1}}}}]}}}`;
    const reply = await http.send("/import", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(reply.body).toMatchObject({ sessions: 1, observations: 1 });
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    expect((await http.send("/export")).text).toContain('"__proto__":{"x":1}');
  });
});

function textOf(piece: Uint8Array | undefined): string {
  return new TextDecoder().decode(piece);
}
