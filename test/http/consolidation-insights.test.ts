import { basename } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createAction, updateAction } from "../../src/coordination/actions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { consolidatePipeline, reflect } from "../../src/knowledge/consolidation/operations.ts";
import { createCrystal } from "../../src/knowledge/crystals/operations.ts";
import { listFacts } from "../../src/knowledge/facts/operations.ts";
import { listInsights } from "../../src/knowledge/insights/operations.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { backoff } from "../support/consolidated.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { happen } from "../support/workdays.ts";

let http: TestHttp;
afterEach(() => http.close());

test("facts name the later one that replaces what they decided", async () => {
  http = await openTestHttp();
  for (const [sessionId, prompt] of [
    ["one", "Let's use Celery for the jobs."],
    ["two", "Never use Celery for mails."],
    ["three", "From now on, use arq instead of Celery for the jobs."],
  ] as const) {
    await happen(http, sessionId, "prompt_submit", { prompt });
    await http.ok(summarizeSession, { sessionId });
  }
  await http.ok(consolidatePipeline, { tier: "semantic" });
  const { semantic } = await http.ok(listFacts, {});
  expect(semantic).toHaveLength(3);
  const idOf = (word: string) => semantic.find(({ fact }) => fact.includes(word))?.id;
  expect(
    semantic.flatMap(({ id, replacedBy }) => (replacedBy === undefined ? [] : [[id, replacedBy]])),
  ).toEqual([[idOf("Let's"), idOf("arq")]]);
});

test("insights draw nothing from a decision that a later fact or a memory replaces", async () => {
  http = await openTestHttp();
  for (const [sessionId, prompt] of [
    ["one", "Let's use Celery for the jobs."],
    ["two", "We will use cron for the mails of jobs."],
    ["three", "From now on, use arq instead of Celery for the jobs."],
    ["four", "We will use Redis for the queue of jobs."],
  ] as const) {
    await happen(http, sessionId, "prompt_submit", { prompt });
    await http.ok(summarizeSession, { sessionId });
  }
  http.advance(1_000);
  const content = "Use timers instead of cron for the mails of jobs";
  await http.ok(remember, { content, project: "shop", concepts: ["jobs"] });
  await http.ok(consolidatePipeline, { tier: "semantic" });
  await http.ok(consolidatePipeline, { tier: "reflect" });
  const { semantic } = await http.ok(listFacts, {});
  const { insights } = await http.ok(listInsights, {});
  expect([semantic.length, insights.length]).toEqual([4, 1]);
  const drawnFrom = insights[0]?.sourceMemoryIds ?? [];
  expect(semantic.filter(({ id }) => drawnFrom.includes(id)).map(({ fact }) => fact)).toEqual(
    expect.arrayContaining([expect.stringContaining("arq"), expect.stringContaining("Redis")]),
  );
  expect(insights[0]?.content).not.toMatch(/Let's use Celery|We will use cron/u);
});

test("facts and search results name no replacement of another project", async () => {
  http = await openTestHttp();
  for (const [cwd, prompt] of [
    ["/a/shop", "Let's use Celery for the jobs."],
    ["/b/shop", "From now on, use arq instead of Celery for the jobs."],
    ["/b/bank", "From now on, use cron instead of Celery for the jobs."],
  ] as const)
    await happen(http, `in ${cwd}`, "prompt_submit", { prompt }, { project: basename(cwd), cwd });
  const { results } = await http.ok(smartSearch, { query: "Celery for the jobs" });
  for (const { sessionId } of results) await http.ok(summarizeSession, { sessionId });
  await http.ok(consolidatePipeline, { tier: "semantic" });
  const { semantic } = await http.ok(listFacts, {});
  expect([results.length, semantic.length]).toEqual([3, 3]);
  for (const one of [...results, ...semantic]) expect(one).not.toHaveProperty("replacedBy");
});

test("commands that recur become facts, but no insight", async () => {
  http = await openTestHttp();
  for (const sessionId of ["one", "two"])
    for (const part of ["prices", "taxes", "coupons"])
      await happen(http, sessionId, "post_tool_use", {
        tool_name: "Bash",
        tool_input: { command: `npx vitest run cart-${part}` },
        tool_response: { stdout: "ok", exit_code: 0 },
      });
  await http.ok(consolidatePipeline, { tier: "semantic" });
  expect(await http.ok(listFacts, {})).toMatchObject({ total: 3 });
  await http.ok(consolidatePipeline, { tier: "reflect" });
  expect(await http.ok(listInsights, {})).toMatchObject({ total: 0 });
});

test("statements that share concepts become an insight, which the next run reinforces", async () => {
  http = await openTestHttp();
  const [first = "", second = "", third = ""] = backoff;
  const { memoryId } = await http.ok(remember, {
    content: first,
    project: "shop",
    concepts: ["backoff", "mail"],
  });
  const lessons = [];
  for (const content of [second, third]) {
    const { lesson } = await http.ok(saveLesson, { content, project: "shop", tags: ["backoff", "mail"] });
    lessons.push(lesson.id);
  }
  const answer = await http.ok(reflect, { project: "shop" });
  expect(answer).toMatchObject({
    newInsights: 1,
    reinforced: 0,
    clustersProcessed: 1,
    usedFallback: false,
    provider: "extractive",
  });
  expect(answer).not.toHaveProperty("warning");
  const { insights } = await http.ok(listInsights, { project: "shop" });
  expect(insights).toEqual([
    expect.objectContaining({
      title: "Recurring: backoff, mail",
      sourceConceptCluster: ["backoff", "mail"],
      confidence: 0.3,
      sourceMemoryIds: [memoryId],
      sourceLessonIds: expect.arrayContaining(lessons),
      provider: "extractive",
      project: "shop",
    }),
  ]);
  expect(new Set(insights[0]?.content.split("\n"))).toEqual(new Set(backoff));
  expect(await http.ok(reflect, { project: "shop" })).toMatchObject({ newInsights: 0, reinforced: 1 });
  const { entries } = await http.ok(listAudit, { operation: "reflect" });
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({
    functionId: "insight.reflect",
    targetIds: [insights[0]?.id],
    details: { reinforced: 1 },
  });
});

test("an insight needs three statements, and quotes three of its concepts and three statements", async () => {
  http = await openTestHttp();
  const learn = (content: string) =>
    http.ok(saveLesson, { content, project: "shop", tags: ["backoff", "mail", "queue", "retry"] });
  await learn("Herons nest in tall trees");
  await learn("Otters swim in cold rivers");
  expect(await http.ok(reflect, { project: "shop" })).toMatchObject({ newInsights: 0 });
  await learn("Badgers dig under old walls");
  await learn("Swifts sleep while they fly");
  expect(await http.ok(reflect, { project: "shop" })).toMatchObject({ newInsights: 1 });
  const [insight] = (await http.ok(listInsights, { project: "shop" })).insights;
  expect(insight?.sourceConceptCluster).toHaveLength(4);
  expect(insight?.title.split(", ")).toHaveLength(3);
  expect(insight?.content.split("\n")).toHaveLength(3);
});

test("an insight quotes a sentence that a crystal shares with its lesson once", async () => {
  http = await openTestHttp();
  for (const [what, result] of [
    ["Repair the mail queue", "Mail retries need a backoff. Lesson: mail retries wait for the queue."],
    ["Repair the mail login", "Mail login waits. Lesson: mail retries of a login wait for the queue."],
  ] as const) {
    const { action } = await http.ok(createAction, { title: what, project: "shop" });
    await http.ok(updateAction, { actionId: action.id, status: "done", result });
    await http.ok(createCrystal, { actionIds: [action.id], project: "shop" });
  }
  await http.ok(reflect, { project: "shop" });
  const { insights } = await http.ok(listInsights, { project: "shop" });
  const lines = insights[0]?.content.split("\n") ?? [];
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(lines.filter((other) => other.includes(line))).toEqual([line]);
});

test("an insight is about one topic: words with which decisions are said make none", async () => {
  http = await openTestHttp();
  const statements = [
    "We decided to use Postgres instead of MySQL.",
    "We decided to use zod instead of yup.",
    "We decided to use tags instead of branches.",
    "Wir haben uns für Polars statt Pandas entschieden.",
    "Wir haben uns für uv statt pip entschieden.",
    "Wir nehmen Dagster für die Orchestrierung, statt cron.",
    "Bitte nie Kundendaten loggen.",
    "Ab sofort Kundendaten nur verschlüsselt speichern.",
    "Wir haben beschlossen, Kundendaten nach zwei Jahren zu löschen.",
  ];
  for (const [at, prompt] of statements.entries()) {
    await happen(http, `s${at}`, "prompt_submit", { prompt });
    await http.ok(summarizeSession, { sessionId: `s${at}` });
  }
  await http.ok(consolidatePipeline, {});
  const { insights } = await http.ok(listInsights, {});
  expect(insights.map(({ title }) => title)).toEqual(["Recurring: kundendaten"]);
  expect(insights[0]?.content.split("\n").sort()).toEqual(statements.slice(-3).sort());
});

test("statements of which each two share a concept make an insight, though none is in all", async () => {
  http = await openTestHttp();
  for (const tags of [
    ["login", "tokens"],
    ["tokens", "proxy"],
    ["proxy", "login"],
    ["lunch", "garden"],
  ])
    await http.ok(saveLesson, { content: `Beware: ${tags.join(" ")} ${tags.length}`, project: "shop", tags });
  await http.ok(reflect, { project: "shop" });
  const { insights } = await http.ok(listInsights, { project: "shop" });
  expect(insights.map(({ sourceLessonIds }) => sourceLessonIds.length)).toEqual([3]);
});

test("an insight is reinforced even when another statement has become its most typical", async () => {
  http = await openTestHttp();
  const save = (content: string) =>
    http.ok(saveLesson, { content, project: "shop", tags: ["backoff", "mail"] });
  for (const content of backoff) await save(content);
  await http.ok(reflect, { project: "shop" });
  const { insights: before } = await http.ok(listInsights, { project: "shop" });
  const last = before[0]?.content.split("\n").at(-1) ?? "";
  await save(`${last}, always`);
  expect(await http.ok(reflect, { project: "shop" })).toMatchObject({ newInsights: 0, reinforced: 1 });
  const { insights } = await http.ok(listInsights, { project: "shop" });
  expect(insights.map(({ content }) => content)).toEqual(before.map(({ content }) => content));
});

test("without concepts in the graph, insights group statements by shared words and tags", async () => {
  http = await openTestHttp();
  for (const content of backoff) await http.ok(saveLesson, { content, project: "shop" });
  expect(await http.ok(reflect, { project: "shop" })).toMatchObject({
    newInsights: 1,
    clustersProcessed: 1,
    usedFallback: true,
  });
  const { insights } = await http.ok(listInsights, { project: "shop" });
  expect(insights[0]?.title).toMatch(/^Recurring: .*timeout/u);
  expect(insights[0]?.sourceLessonIds).toHaveLength(3);
});

test("a large number of facts does not keep memories out of insights", async () => {
  http = await openTestHttp();
  await http.writeSql(
    `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 600)
     INSERT INTO semantic_memories (id, fact, fact_key, confidence, strength, project, project_key,
       source_session_ids, source_memory_ids, access_count, last_accessed_at, provider, created_at, updated_at)
     SELECT 'sem_' || n, 'command: only' || n || 'x', 'k' || n, 0.5, 0.5, 'shop', 'shop', '[]', '[]', 0, ?1,
       'extractive', ?1, ?1 FROM counted`,
    [http.now() + dayMs],
  );
  for (const content of [
    "Mailer retries need backoff after smtp timeout",
    "Queue for the mailer drops smtp messages on timeout",
    "Staging mailer has another smtp timeout than production",
  ])
    await http.ok(remember, { content, project: "shop", concepts: ["mailer", "smtp"] });
  expect(await http.ok(reflect, { project: "shop" })).toMatchObject({ newInsights: 1 });
});

test("an isolated agent's insights use only the concepts of its own part of the graph", async () => {
  http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  for (const content of backoff) {
    await http.ok(remember, { content, project: "shop", concepts: ["backoff", "mail"], agentId: "bob" });
    await http.ok(saveLesson, { content, project: "shop", agentId: "ann" });
  }
  expect(await http.ok(reflect, { agentId: "ann" })).toMatchObject({ newInsights: 1, usedFallback: true });
  expect(await http.ok(reflect, { agentId: "bob" })).toMatchObject({ newInsights: 1, usedFallback: false });
  const { insights } = await http.ok(listInsights, { agentId: "ann" });
  expect(insights).toEqual([expect.objectContaining({ agentId: "ann", sourceMemoryIds: [] })]);
});

test("a run covers at most fifty projects and says how many need a run of their own", async () => {
  http = await openTestHttp();
  for (let at = 0; at < 52; at += 1)
    await http.ok(remember, { content: `Note ${at} of its project`, project: `project-${at}` });
  expect(await http.ok(consolidatePipeline, { tier: "reflect" })).toEqual({
    results: { reflect: { skipped: true, reason: "too_few_statements" } },
    warning: "projects that wait for a run that names them: 2",
  });
});

test("reflecting on an empty store finds nothing and writes no audit entry", async () => {
  http = await openTestHttp();
  expect(await http.ok(reflect, {})).toEqual({
    newInsights: 0,
    reinforced: 0,
    clustersProcessed: 0,
    clustersSkipped: 0,
    usedFallback: true,
    provider: "extractive",
  });
  expect(await http.ok(listAudit, { operation: "reflect" })).toMatchObject({ total: 0 });
});
