import { describe, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { sweeps } from "../../src/jobs/sweeps.ts";
import { consolidatePipeline } from "../../src/knowledge/consolidation/operations.ts";
import {
  deleteLesson,
  listLessons,
  saveLesson,
  searchLessons,
  strengthenLesson,
} from "../../src/knowledge/lessons/operations.ts";
import { buildContext } from "../../src/recall/context/operations.ts";
import { fullSearch, smartSearch } from "../../src/recall/search/operations.ts";
import { weekMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

async function saved(content: string, fields: Readonly<Record<string, unknown>> = {}, from = http) {
  const { lesson } = await from.ok(saveLesson, { content, ...fields });
  return lesson;
}

async function contents(fields: Readonly<Record<string, unknown>> = {}, from = http) {
  return (await from.ok(listLessons, fields)).lessons.map(({ content }) => content);
}

async function sweep(from = http) {
  const faded = sweeps(from.core).find(({ kind }) => kind === "sweep.faded");
  if (faded === undefined) throw new Error("nothing sweeps faded lessons");
  await faded.run({ id: "job_1", kind: faded.kind, key: "", payload: {}, attempts: 1 });
}

describe("saving a lesson", () => {
  test("creates it and returns it as stored", async () => {
    const reply = await http.reply(saveLesson, {
      content: "Copy the store before a migration",
      context: "when the schema grows",
      project: "shop",
      tags: " database, schema ,,database",
      agentId: "builder",
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      success: true,
      action: "created",
      lesson: {
        id: expect.stringMatching(/^lsn_[0-9a-z]{26}$/u),
        content: "Copy the store before a migration",
        context: "when the schema grows",
        confidence: 0.5,
        reinforcements: 0,
        source: "manual",
        sourceIds: [],
        project: "shop",
        agentId: "builder",
        tags: ["database", "schema"],
        createdAt: "2026-03-01T12:00:00.000Z",
        updatedAt: "2026-03-01T12:00:00.000Z",
        decayRate: 0.05,
      },
    });
  });

  test("again in any case and spacing strengthens the known one, with the tags of both", async () => {
    const { id } = await saved("Copy first", { tags: ["a"], context: "old" });
    http.advance(1_000);
    const reply = await http.reply(saveLesson, { content: "  copy FIRST\n", tags: ["b", "a"] });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      action: "strengthened",
      lesson: {
        id,
        content: "Copy first",
        context: "old",
        confidence: 0.55,
        reinforcements: 1,
        tags: ["a", "b"],
        lastReinforcedAt: "2026-03-01T12:00:01.000Z",
      },
    });
    const third = await http.reply(saveLesson, { content: "copy first", context: "new" });
    expect(third.body.lesson).toMatchObject({ context: "new", reinforcements: 2 });
    const { id: accented } = await saved("Ask José first");
    const decomposed = await http.reply(saveLesson, { content: "ask Jose\u0301 first" });
    expect(decomposed.body).toMatchObject({ action: "strengthened", lesson: { id: accented } });
    const { id: dotted } = await saved("İstanbul is never restarted");
    const undotted = await http.reply(saveLesson, { content: "istanbul is never restarted" });
    expect(undotted.body).toMatchObject({ action: "strengthened", lesson: { id: dotted } });
  });

  test("in another project or by another agent creates another one", async () => {
    const ids = [
      (await saved("Copy first")).id,
      (await saved("Copy first", { project: "shop" })).id,
      (await saved("Copy first", { project: "shop", agentId: "tester" })).id,
    ];
    expect(new Set(ids).size).toBe(3);
    expect((await saved("Copy first", { project: "/w/x/../shop" })).id).not.toBe(ids[1]);
  });

  test("that was deleted creates a new one", async () => {
    const { id } = await saved("Copy first");
    await http.ok(deleteLesson, { lessonId: id });
    const reply = await http.reply(saveLesson, { content: "Copy first" });
    expect([reply.status, (reply.body.lesson as { id: string }).id === id]).toEqual([201, false]);
  });

  test("redacts secrets in content, context and tags", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const lesson = await saved(`use ${token}`, { context: `with ${token}`, tags: [token] });
    expect(JSON.stringify(lesson)).not.toContain(token);
    expect(lesson.content).toBe("use [REDACTED_SECRET]");
  });

  test.each([
    ["no content", { content: undefined }],
    ["blank content", { content: " \n" }],
    ["content of 10,001 characters", { content: "x".repeat(10_001) }],
    ["context of 10,001 characters", { context: "x".repeat(10_001) }],
    ["confidence above 1", { confidence: 1.01 }],
    ["a blank project", { project: " " }],
    ["a tag that is no text", { tags: [1] }],
  ])("with %s is a 400", async (_name, fields) => {
    expect((await http.reply(saveLesson, { content: "x", ...fields })).status).toBe(400);
  });

  const look = "tags: must be an array of strings, or one string with commas between the tags";
  test.each([
    [5, look],
    [{ a: 1 }, look],
    [["a", 1], "tags.1: must be a string"],
  ])("with %j for tags is a 400 that says what is wrong with them", async (tags, message) => {
    expect((await http.reply(saveLesson, { content: "x", tags })).body.error).toBe(message);
  });
});

describe("the confidence of a lesson", () => {
  test("falls by the decay rate with each full week, but never below 0.05", async () => {
    await saved("fades");
    const passing = async (milliseconds: number) => {
      http.advance(milliseconds);
      return (await http.ok(listLessons, {})).lessons[0]?.confidence;
    };
    expect(await passing(weekMs - 1)).toBe(0.5);
    expect(await passing(1)).toBe(0.45);
    expect(await passing(2 * weekMs)).toBe(0.35);
    expect(await passing(50 * weekMs)).toBe(0.05);
  });

  test("is raised from its decayed value by a reinforcement, and decays from there", async () => {
    const { id } = await saved("fades", { confidence: 0.8 });
    http.advance(4 * weekMs);
    const { lesson } = await http.ok(strengthenLesson, { lessonId: id });
    expect(lesson).toMatchObject({ confidence: 0.64, reinforcements: 1 });
    http.advance(weekMs);
    expect((await http.ok(listLessons, {})).lessons[0]?.confidence).toBe(0.59);
  });

  test("in its decayed value filters and sorts lists", async () => {
    await saved("old and sure", { confidence: 0.7 });
    http.advance(5 * weekMs);
    await saved("new", { confidence: 0.5 });
    expect(await contents()).toEqual(["new", "old and sure"]);
    expect(await contents({ minConfidence: 0.46 })).toEqual(["new"]);
    expect(await contents({ minConfidence: 0.45 })).toEqual(["new", "old and sure"]);
  });

  test("stays the same when decay is switched off, and the sweep deletes nothing", async () => {
    const still = await openTestHttp({ env: { MEMSVC_LESSON_DECAY_ENABLED: "false" } });
    await saved("stays", { confidence: 0.1 }, still);
    still.advance(20 * weekMs);
    await sweep(still);
    expect((await still.ok(listLessons, {})).lessons).toMatchObject([{ confidence: 0.1 }]);
    await still.close();
  });
});

describe("the sweep of faded lessons", () => {
  test("deletes 33,000 lessons in one run of the decay tier", async () => {
    await http.writeSql(
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 33000)
       INSERT INTO lessons (id, content, context, content_key, confidence, decay_rate, reinforcements, source,
         source_ids, tags, created_at, updated_at, deleted)
       SELECT 'lsn_' || n, 'lesson ' || n, '', 'k' || n, 0.5, 0.05, 0, 'manual', '[]', '[]', ?1, ?1, 0 FROM counted`,
      [http.now() - 60 * weekMs],
    );
    expect((await http.reply(consolidatePipeline, { tier: "decay" })).body.results).toMatchObject({
      decay: { lessons: 33_000 },
    });
    expect((await http.ok(listLessons, {})).total).toBe(0);
  });

  test("deletes lessons decayed to 0.1 that were never reinforced, with one audit entry", async () => {
    const faded = await saved("faded");
    const confirmed = await saved("confirmed");
    await http.ok(strengthenLesson, { lessonId: confirmed.id });
    http.advance(7 * weekMs);
    await sweep();
    expect(await contents()).toHaveLength(2);
    http.advance(weekMs);
    await sweep();
    await sweep();
    expect(await contents()).toEqual(["confirmed"]);
    const { entries } = await http.ok(listAudit, { operation: "sweep" });
    expect(entries).toMatchObject([
      { functionId: "sweep.expire", targetIds: [faded.id], details: { lessons: 1 } },
    ]);
    expect((await http.ok(searchLessons, { query: "faded", minConfidence: 0 })).lessons).toEqual([]);
  });
});

describe("listing lessons", () => {
  test("of a project includes lessons without a project, and is paged", async () => {
    await saved("of the shop", { project: "shop", confidence: 0.9 });
    await saved("of the bank", { project: "bank", confidence: 0.8 });
    await saved("of everything", { confidence: 0.7 });
    expect(await contents({ project: "shop" })).toEqual(["of the shop", "of everything"]);
    expect(await contents({ project: "nowhere" })).toEqual(["of everything"]);
    const page = await http.ok(listLessons, { limit: 1, offset: 1 });
    expect(page).toMatchObject({ total: 3, limit: 1, offset: 1, lessons: [{ content: "of the bank" }] });
    expect(await contents({ source: "crystal" })).toEqual([]);
  });

  test.each([{ source: "rumour" }, { minConfidence: 2 }, { limit: 0 }, { offset: -1 }])(
    "with %j is a 400",
    async (fields) => {
      expect((await http.reply(listLessons, fields)).status).toBe(400);
    },
  );
});

describe("searching lessons", () => {
  test("ranks by words, confidence and time since the last reinforcement", async () => {
    await saved("retry with jitter", { confidence: 0.8 });
    await saved("jitter", { confidence: 0.2, project: "shop" });
    http.advance(weekMs - 1);
    const { lessons } = await http.ok(searchLessons, { query: "jitter" });
    expect(lessons.map(({ content }) => content)).toEqual(["retry with jitter", "jitter"]);
    expect(lessons[1]?.score).toBeCloseTo(0.2 / 1.07, 4);
    expect((await http.ok(searchLessons, { query: "jitter", minConfidence: 0.3 })).lessons).toHaveLength(1);
    expect((await http.ok(searchLessons, { query: "jitter", project: "bank" })).lessons).toHaveLength(1);
    expect((await http.ok(searchLessons, { query: "jitter", project: "shop" })).lessons).toHaveLength(2);
    expect((await http.ok(searchLessons, { query: "jitter", limit: 1 })).lessons).toHaveLength(1);
  });

  test("leaves out lessons that decayed below 0.1", async () => {
    await saved("jitter", { confidence: 0.2 });
    http.advance(3 * weekMs);
    expect((await http.ok(searchLessons, { query: "jitter" })).lessons).toEqual([]);
  });

  test("without a query is a 400", async () => {
    expect((await http.reply(searchLessons, {})).status).toBe(400);
  });
});

describe("lessons in other searches", () => {
  test("are merged into smart search on request, as a ranked list of weight 1", async () => {
    const { id } = await saved("retry with jitter", { project: "shop", tags: ["net"] });
    const plain = await http.ok(smartSearch, { query: "jitter" });
    expect([plain.results, plain.lessons]).toEqual([[], undefined]);
    const answer = await http.ok(smartSearch, { query: "jitter", includeLessons: true });
    expect(answer.streams).toContain("lessons");
    expect(answer.lessons).toEqual([
      {
        lessonId: id,
        content: "retry with jitter",
        confidence: 0.5,
        score: 0.5,
        createdAt: "2026-03-01T12:00:00.000Z",
        project: "shop",
        tags: ["net"],
      },
    ]);
    expect(answer.results).toMatchObject([
      { obsId: id, kind: "lesson", type: "lesson", title: "retry with jitter", sessionId: "" },
    ]);
    // First place, half of the quality bonus, and the whole of the recency bonus.
    expect(answer.results[0]?.score).toBeCloseTo(1 / 61 + 0.00025 + 0.0005, 6);
  });

  test("are all counted, also those beyond the limit of the answer", async () => {
    for (const name of ["amber", "birch", "cedar"]) await saved(`retry with jitter, as ${name} does`);
    const answer = await http.ok(smartSearch, { query: "jitter", includeLessons: true, limit: 2 });
    expect([answer.totalCount, answer.results.length, answer.lessons?.length]).toEqual([3, 2, 2]);
  });

  test("can be expanded by id in smart search, unless they are deleted", async () => {
    const lesson = await saved("retry with jitter");
    const answer = await http.ok(smartSearch, { expandIds: [lesson.id] });
    expect(answer.results).toMatchObject([{ obsId: lesson.id, expanded: true, lesson, neighbors: [] }]);
    await http.ok(deleteLesson, { lessonId: lesson.id });
    expect((await http.reply(smartSearch, { expandIds: [lesson.id] })).status).toBe(404);
  });

  test("are not found by full search", async () => {
    await saved("retry with jitter");
    expect((await http.ok(fullSearch, { query: "jitter" })).results).toEqual([]);
  });
});

describe("lessons in the context block", () => {
  test("are the surest ones of the project and of no project", async () => {
    await saved("of the shop", { project: "shop", confidence: 0.8 });
    await saved("of <everything>", { confidence: 0.6 });
    await saved("of the bank", { project: "bank" });
    const { context } = await http.ok(buildContext, { sessionId: "s", project: "shop" });
    expect(context).toContain("## Lessons\n- (0.80) of the shop\n- (0.60) of &lt;everything&gt;\n");
    expect(context).not.toContain("bank");
  });

  test("do not include faded ones, even if they were reinforced once and are still listed", async () => {
    const { id } = await saved("Copy first", { project: "shop" });
    await http.ok(strengthenLesson, { lessonId: id });
    const shown = async () => (await http.ok(buildContext, { sessionId: "s", project: "shop" })).context;
    http.advance(9 * weekMs);
    expect(await shown()).toContain("- (0.10) Copy first\n");
    http.advance(weekMs);
    await sweep();
    expect(await shown()).toBe("");
    expect(await contents()).toEqual(["Copy first"]);
  });

  test("appear once when several agents learned them, with the highest confidence", async () => {
    for (let at = 0; at < 12; at += 1)
      await saved(at % 2 === 0 ? "Copy first" : "copy FIRST", { confidence: 0.8, agentId: `agent${at}` });
    await saved("Copy first", { confidence: 0.9, project: "shop" });
    await saved("Run the tests", { project: "shop" });
    const { context } = await http.ok(buildContext, { sessionId: "s1", project: "shop" });
    expect(context.match(/^- \(.*$/gmu)).toEqual(["- (0.90) Copy first", "- (0.50) Run the tests"]);
  });
});

describe("strengthening and deleting lessons", () => {
  test.each([strengthenLesson, deleteLesson])(
    "returns a 404 for an unknown or deleted lesson",
    async (operation) => {
      const { id } = await saved("gone");
      await http.ok(deleteLesson, { lessonId: id });
      for (const lessonId of [id, "lsn_none"])
        expect((await http.reply(operation, { lessonId })).status).toBe(404);
      expect((await http.reply(operation, {})).status).toBe(400);
    },
  );

  test("hides a deleted lesson from lists, search and context", async () => {
    const { id } = await saved("gone soon");
    expect((await http.ok(deleteLesson, { lessonId: id })).lesson).toMatchObject({ id, deleted: true });
    expect(await contents()).toEqual([]);
    expect((await http.ok(searchLessons, { query: "gone" })).lessons).toEqual([]);
    expect((await http.ok(buildContext, { sessionId: "s", project: "shop" })).context).toBe("");
  });

  test("keeps a lesson deleted when an import brings a copy dated ahead", async () => {
    const time = new Date(http.now() + 300_000).toISOString();
    const lesson = { id: "lsn_peer", content: "never deploy on Friday", createdAt: time, updatedAt: time };
    const exportData = { version: "1.0.0", lessons: [lesson] };
    await http.ok(importStore, { exportData });
    await http.ok(deleteLesson, { lessonId: "lsn_peer" });
    await http.ok(importStore, { exportData });
    expect(await contents()).toEqual([]);
  });

  test("writes one audit entry for each", async () => {
    const { id } = await saved("x", { agentId: "builder" });
    await http.ok(strengthenLesson, { lessonId: id, agentId: "builder" });
    await http.ok(deleteLesson, { lessonId: id, agentId: "builder" });
    const { entries } = await http.ok(listAudit, { targetId: id });
    expect(entries.map(({ operation, functionId, agentId }) => [operation, functionId, agentId])).toEqual([
      ["lesson_delete", "lesson.delete", "builder"],
      ["lesson_strengthen", "lesson.strengthen", "builder"],
      ["lesson_save", "lesson.save", "builder"],
    ]);
    expect(JSON.stringify(entries)).not.toContain('"x"');
  });
});

describe("agents", () => {
  test("in isolated scope see only their own lessons, on every route", async () => {
    const isolated = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
    const own = await saved("jitter of a", { agentId: "a" }, isolated);
    await saved("jitter of b", { agentId: "b" }, isolated);
    await saved("jitter of none", { agentId: "*" }, isolated);
    expect((await isolated.reply(listLessons, {})).status).toBe(400);
    expect((await isolated.reply(searchLessons, { query: "jitter" })).status).toBe(400);
    expect(await contents({ agentId: "a" }, isolated)).toEqual(["jitter of a"]);
    expect(await contents({ agentId: "a", includeOrphans: true }, isolated)).toHaveLength(2);
    expect(await contents({ agentId: "*" }, isolated)).toHaveLength(3);
    const found = await isolated.ok(searchLessons, { query: "jitter", agentId: "b" });
    expect(found.lessons.map(({ content }) => content)).toEqual(["jitter of b"]);
    const foreign = { lessonId: own.id, agentId: "b" };
    expect((await isolated.reply(strengthenLesson, foreign)).status).toBe(404);
    expect((await isolated.reply(deleteLesson, foreign)).status).toBe(404);
    expect((await isolated.reply(smartSearch, { expandIds: [own.id], agentId: "b" })).status).toBe(404);
    const { context } = await isolated.ok(buildContext, { sessionId: "s", project: "p", agentId: "b" });
    expect(context).toContain("jitter of b");
    expect(context).not.toContain("jitter of a");
    await isolated.close();
  });

  test("in shared scope are filtered only when the request names an agent", async () => {
    await saved("of a", { agentId: "a" });
    await saved("of none");
    expect(await contents()).toHaveLength(2);
    expect(await contents({ agentId: "a" })).toEqual(["of a"]);
  });
});
