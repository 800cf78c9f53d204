import { describe, expect, test } from "vitest";
import { branchSessions } from "../../src/capture/branches/operations.ts";
import { listCommits } from "../../src/capture/commits/operations.ts";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { replaySessions } from "../../src/capture/replay/operations.ts";
import { listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { listCrystals } from "../../src/knowledge/crystals/operations.ts";
import { listFacts } from "../../src/knowledge/facts/operations.ts";
import { listInsights } from "../../src/knowledge/insights/operations.ts";
import { listLessons } from "../../src/knowledge/lessons/operations.ts";
import { evolve, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { listRelations } from "../../src/knowledge/memories/relations/operations.ts";
import { listProcedures } from "../../src/knowledge/procedures/operations.ts";
import type { Operation } from "../../src/operation/define.ts";
import { forAllTests, forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

interface List {
  readonly operation: Operation;
  readonly rows: string;
  readonly query: Readonly<Record<string, string>>;
  readonly defaultLimit: number;
  readonly cap: number;
}

const lists: readonly (readonly [string, List])[] = [
  ["sessions", { operation: listSessions, rows: "sessions", query: {}, defaultLimit: 1_000, cap: 5_000 }],
  [
    "observations",
    {
      operation: listObservations,
      rows: "observations",
      query: { sessionId: "s0" },
      defaultLimit: 5_000,
      cap: 10_000,
    },
  ],
  ["memories", { operation: listMemories, rows: "memories", query: {}, defaultLimit: 5_000, cap: 5_000 }],
  ["audit", { operation: listAudit, rows: "entries", query: {}, defaultLimit: 50, cap: 1_000 }],
];

/** Three records of each kind; memories and sessions write six audit entries. No test writes to it. */
const filled = forAllTests(async () => {
  const http = await openTestHttp();
  for (const at of [0, 1, 2]) {
    await http.ok(startSession, { sessionId: `s${at}`, project: "p", cwd: "/p" });
    await http.ok(remember, { content: `${"abc"[at]}lone memory`, project: `p${at}` });
    await http.ok(observe, {
      sessionId: "s0",
      project: "p",
      cwd: "/p",
      hookType: "prompt_submit",
      timestamp: `2026-01-0${at + 1}`,
      data: { prompt: `${at}` },
    });
    http.advance(1_000);
  }
  return http;
});

describe.each(lists)("the list of %s", (_name, { operation, rows, query, defaultLimit, cap }) => {
  const list = (given: Readonly<Record<string, string>> = {}) =>
    filled.reply(operation, { ...query, ...given });
  const ids = (body: Readonly<Record<string, unknown>>) =>
    (body[rows] as { id: string }[]).map(({ id }) => id);

  test(`has a default limit of ${defaultLimit} and a maximum of ${cap}`, async () => {
    expect((await list()).body).toMatchObject({ success: true, limit: defaultLimit, offset: 0 });
    expect((await list({ limit: String(cap + 1) })).body.limit).toBe(cap);
    expect((await list({ limit: "99999999999999999999" })).body.limit).toBe(cap);
    expect((await list({ limit: "1" })).body.limit).toBe(1);
  });

  test("is paged without gaps or repeats, and total counts all rows", async () => {
    const whole = await list();
    const total = Number(whole.body.total);
    expect(ids(whole.body)).toHaveLength(total);
    const pages: string[] = [];
    for (let offset = 0; offset < total; offset += 2) {
      const page = await list({ limit: "2", offset: String(offset) });
      expect(page.body).toMatchObject({ total, offset, limit: 2 });
      pages.push(...ids(page.body));
    }
    expect(pages).toEqual(ids(whole.body));
    expect((await list({ offset: "99999999999999999999" })).body).toMatchObject({ [rows]: [], total });
  });

  test.each(["0", "-1", "1.5", "0x10", "ten", "", "NaN", "Infinity", "1 2"])(
    "refuses limit=%s",
    async (limit) => {
      const reply = await list({ limit });
      expect(reply.status).toBe(400);
      expect(reply.body.issues).toMatchObject([{ path: "limit" }]);
    },
  );

  test.each(["-1", "0.5", "ten", ""])("refuses offset=%s", async (offset) => {
    expect((await list({ offset })).status).toBe(400);
  });
});

test.each(lists.filter(([name]) => name !== "observations"))(
  "the list of %s is newest first",
  async (_name, { operation, rows }) => {
    const { body } = await filled.reply(operation, {});
    const times = (body[rows] as Record<string, string>[]).map(
      (row) => row.createdAt ?? row.startedAt ?? row.timestamp ?? "",
    );
    expect(times.length).toBeGreaterThanOrEqual(3);
    expect(times).toEqual([...times].sort().reverse());
  },
);

test.each([
  ["commits", 100, 500, listCommits],
  ["sessions to replay", 100, 1_000, replaySessions],
  ["a branch's sessions", 100, 1_000, branchSessions],
  ["facts", 100, 1_000, listFacts],
  ["procedures", 100, 1_000, listProcedures],
  ["relations", 100, 1_000, listRelations],
  ["lessons", 50, 500, listLessons],
  ["insights", 50, 500, listInsights],
  ["crystals", 20, 200, listCrystals],
] as const)("the list of %s has a default limit of %d and a maximum of %d", async (...list) => {
  const [, defaultLimit, cap, operation] = list;
  expect((await filled.reply(operation, {})).body.limit).toBe(defaultLimit);
  expect((await filled.reply(operation, { limit: cap + 1 })).body.limit).toBe(cap);
});

test("filters with an unknown value give an empty list, and with an unknown enum value a 400", async () => {
  expect((await filled.reply(listMemories, { project: "nobody" })).body).toMatchObject({
    memories: [],
    total: 0,
  });
  expect((await filled.reply(listSessions, { project: "nobody" })).body).toMatchObject({
    sessions: [],
    total: 0,
  });
  expect((await filled.reply(listMemories, { type: "opinion" })).status).toBe(400);
  expect((await filled.reply(listSessions, { status: "asleep" })).status).toBe(400);
});

describe("of what a test stores", () => {
  const http = forEachTest(openTestHttp);

  test("rows of the same moment are sorted by id, later ids first", async () => {
    for (const content of ["one", "two other", "three more words"]) await http.ok(remember, { content });
    const { body } = await http.reply(listMemories, {});
    const ids = (body.memories as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  describe("filters", () => {
    test("of memories by type, project and latest can be combined", async () => {
      const { memoryId } = await http.ok(remember, { content: "one", type: "bug", project: "p" });
      await http.ok(evolve, { memoryId, newContent: "two" });
      await http.ok(remember, { content: "three", type: "fact", project: "p" });
      const total = async (query: Readonly<Record<string, unknown>>) =>
        (await http.reply(listMemories, query)).body.total;
      expect(await total({})).toBe(3);
      expect(await total({ type: "bug" })).toBe(2);
      expect(await total({ type: "bug", latest: true })).toBe(1);
      expect(await total({ project: "p", latest: true })).toBe(2);
    });

    test("treat only the literal `true` as true", async () => {
      const { memoryId } = await http.ok(remember, { content: "one" });
      await http.ok(evolve, { memoryId, newContent: "two" });
      const total = async (latest: string) => (await http.reply(listMemories, { latest })).body.total;
      expect(await total("true")).toBe(1);
      for (const other of ["True", "1", "yes", "false", ""]) expect(await total(other)).toBe(2);
    });
  });

  describe("counting memories", () => {
    test("returns the total and the number of latest versions, after filters", async () => {
      const { memoryId } = await http.ok(remember, { content: "one", project: "p" });
      await http.ok(evolve, { memoryId, newContent: "two" });
      await http.ok(remember, { content: "three" });
      expect((await http.reply(listMemories, { count: true })).body).toEqual({ total: 3, latestCount: 2 });
      expect((await http.reply(listMemories, { count: true, project: "p" })).body).toEqual({
        total: 2,
        latestCount: 1,
      });
    });

    test("does not happen with count=false", async () => {
      expect((await http.reply(listMemories, { count: "false" })).body).toHaveProperty("memories", []);
    });
  });

  test("a listed session without a summary has an empty text as summary", async () => {
    await http.ok(startSession, { sessionId: "a", project: "p", cwd: "/p" });
    await http.ok(startSession, { sessionId: "b", project: "p", cwd: "/p", title: "about" });
    const { sessions } = await http.ok(listSessions, {});
    expect(sessions.map(({ summary }) => summary)).toEqual(["about", ""]);
  });
});
