import { afterEach, expect, test, vi } from "vitest";
import { linkCommit } from "../../src/capture/commits/operations.ts";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { createAction, updateAction } from "../../src/coordination/actions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { consolidate, consolidatePipeline, reflect } from "../../src/knowledge/consolidation/operations.ts";
import { createCrystal, listCrystals } from "../../src/knowledge/crystals/operations.ts";
import { listFacts } from "../../src/knowledge/facts/operations.ts";
import { listInsights } from "../../src/knowledge/insights/operations.ts";
import { listLessons, saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { listProcedures } from "../../src/knowledge/procedures/operations.ts";
import { fullSearch } from "../../src/recall/search/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { happen, workday, workdays } from "../support/workdays.ts";

let http: TestHttp;
afterEach(() => http.close());

const libsql = "We decided to keep sessions in libSQL.";

async function factsOf(filter: Record<string, string> = {}) {
  const { semantic } = await http.ok(listFacts, filter);
  return semantic;
}

test("without a model and without any flag every tier works by rules and says so", async () => {
  http = await openTestHttp();
  await workdays(http);
  expect(await http.ok(consolidatePipeline, {})).toEqual({
    results: {
      working: { processed: 0, llmCompressed: 0, pending: 0, provider: "extractive" },
      episodic: { summarized: 3, alreadySummarized: 0, skipped: 0, provider: "extractive" },
      semantic: { newFacts: 4, reinforced: 0, totalSummaries: 3, provider: "extractive" },
      reflect: expect.objectContaining({ usedFallback: true, provider: "extractive" }),
      procedural: { newProcedures: 1, reinforced: 0, patternsAnalyzed: 1, provider: "extractive" },
      decay: { semantic: 0, procedural: 0, lessons: 0, insights: 0, provider: "extractive" },
    },
  });
  const second = await http.ok(consolidatePipeline, {});
  expect(second).toMatchObject({
    results: {
      episodic: { summarized: 0, alreadySummarized: 3 },
      semantic: { newFacts: 0, reinforced: 4 },
      procedural: { newProcedures: 0, reinforced: 1 },
    },
  });
});

test("a command is one fact however its output is cut, and an error of what succeeded is none", async () => {
  http = await openTestHttp();
  const bash = (command: string, stdout: string) => ({
    tool_name: "Bash",
    tool_input: { command },
    tool_response: { stdout, exit_code: 0 },
  });
  for (const sessionId of ["one", "two"]) {
    for (const command of ["npm test 2>&1", "npm test | tail -5", "npm test"])
      await happen(http, sessionId, "post_tool_use", bash(command, "- show the error"));
    await happen(http, sessionId, "post_tool_failure", { tool_name: "Bash", error: "Error: lost" });
  }
  await http.ok(consolidatePipeline, { tier: "semantic" });
  expect((await factsOf()).map(({ fact }) => fact).sort()).toEqual([
    "command: npm test",
    "error: Error: lost",
  ]);
});

test("a decision is a fact of all sessions that took it, surer for each further one", async () => {
  http = await openTestHttp();
  await workdays(http);
  await http.ok(consolidatePipeline, {});
  const decided = (await factsOf()).filter(({ fact }) => fact.startsWith("We decided"));
  expect(decided).toHaveLength(2);
  expect(decided.find(({ fact }) => fact === libsql)).toMatchObject({
    confidence: 0.5,
    strength: 0.5,
    accessCount: 0,
    project: "shop",
    provider: "extractive",
    sourceSessionIds: expect.arrayContaining(["1", "2"]),
  });
  await workday(http, "4", "keep sessions in libSQL");
  await http.ok(consolidatePipeline, {});
  const again = (await factsOf()).find(({ fact }) => fact === libsql);
  expect(again).toMatchObject({ confidence: 0.6, accessCount: 1 });
  expect(new Set(again?.sourceSessionIds)).toEqual(new Set(["1", "2", "4"]));
});

test("decisions are facts however much recurs, and what recurs becomes one a hundred at a time", async () => {
  http = await openTestHttp();
  for (const sessionId of ["one", "two"]) {
    for (let at = 0; at < 130; at += 1) {
      const input = { tool_name: "Bash", tool_input: { command: `npm test -- part${at}` } };
      const tool_response = { stdout: "ok", exit_code: 0 };
      await happen(http, sessionId, "post_tool_use", { ...input, tool_response });
    }
    const prompt = `We decided to keep ${sessionId === "one" ? "invoices in Postgres" : "mails in Redis"}.`;
    await happen(http, sessionId, "prompt_submit", { prompt });
    await http.ok(endSession, { sessionId });
  }
  await http.ok(consolidatePipeline, { tier: "episodic" });
  const semantic = async () => (await http.reply(consolidatePipeline, { tier: "semantic" })).body.results;
  expect(await semantic()).toMatchObject({ semantic: { newFacts: 102, reinforced: 0 } });
  const decisions = (await factsOf({ limit: "1000" })).filter(({ fact }) => fact.startsWith("We decided"));
  expect(decisions).toHaveLength(2);
  expect(await semantic()).toMatchObject({ semantic: { newFacts: 30, reinforced: 102 } });
});

test("commands that follow each other in three sessions become a procedure, stronger each time", async () => {
  http = await openTestHttp();
  await workdays(http);
  await http.ok(consolidatePipeline, {});
  await http.ok(consolidatePipeline, { tier: "procedural" });
  const { procedural } = await http.ok(listProcedures, {});
  expect(procedural).toEqual([
    expect.objectContaining({
      name: "npm install → npm test",
      steps: ["npm install", "npm test"],
      triggerCondition: expect.stringMatching(/\S/u),
      frequency: 2,
      strength: 0.6,
      sourceSessionIds: ["3", "2", "1"],
      sourceObservationIds: expect.arrayContaining([expect.stringMatching(/^obs_/u)]),
      provider: "extractive",
    }),
  ]);
});

test("a procedure names the runs of its steps, and none that failed", async () => {
  http = await openTestHttp();
  const run = (sessionId: string, command: string, exitCode: number) =>
    happen(http, sessionId, "post_tool_use", {
      tool_name: "Bash",
      tool_input: { command },
      tool_response: { stdout: "", exit_code: exitCode },
    });
  await run("1", "npm test", 1);
  await run("1", "ls -l", 0);
  await workdays(http);
  await http.ok(consolidatePipeline, { tier: "procedural" });
  const { procedural } = await http.ok(listProcedures, {});
  const sources =
    procedural.find(({ name }) => name === "npm install → npm test")?.sourceObservationIds ?? [];
  const titles = await http.core.ground.store.read.sql.values(
    "SELECT title FROM observations WHERE id IN (SELECT value FROM json_each(?)) ORDER BY title",
    [JSON.stringify(sources)],
  );
  expect(titles.flat()).toEqual([...Array(3).fill("npm install"), ...Array(3).fill("npm test")]);
});

test("only the tier that is named runs, and one without input says why", async () => {
  http = await openTestHttp();
  expect(await http.ok(consolidatePipeline, { tier: "semantic" })).toEqual({
    results: { semantic: { skipped: true, reason: "no_projects" } },
  });
  await http.ok(remember, { content: "The deploy script needs a token", project: "shop" });
  expect(await http.ok(consolidatePipeline, { tier: "procedural" })).toEqual({
    results: { procedural: { skipped: true, reason: "no_patterns" } },
  });
  expect(await http.ok(consolidatePipeline, { tier: "reflect" })).toEqual({
    results: { reflect: { skipped: true, reason: "too_few_statements" } },
  });
  expect((await http.reply(consolidatePipeline, { tier: "dreaming" })).status).toBe(400);
});

const backoff = [
  "Mail retries use exponential backoff after a timeout",
  "A timeout of the mail server needs backoff in the worker",
  "Backoff of mail jobs starts at two seconds after a timeout",
];

test("statements about the same concepts become an insight with all its sources, found again the next time", async () => {
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

test("an insight says what a crystal and its lesson have in common once", async () => {
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

test("without concepts in the graph, words and tags that come up together take their place", async () => {
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

test("facts in whatever number hide no memory from insights", async () => {
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

test("an isolated agent's insights follow nothing but the concepts of its own part of the graph", async () => {
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

test("more than fifty projects are looked at by runs that name them, and the answer says so", async () => {
  http = await openTestHttp();
  for (let at = 0; at < 52; at += 1)
    await http.ok(remember, { content: `Note ${at} of its project`, project: `project-${at}` });
  expect(await http.ok(consolidatePipeline, { tier: "reflect" })).toEqual({
    results: { reflect: { skipped: true, reason: "too_few_statements" } },
    warning: "projects that wait for a run that names them: 2",
  });
});

test("reflecting on nothing finds nothing and leaves no trail", async () => {
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

test("each run leaves one audit entry that tells its tiers and its job", async () => {
  http = await openTestHttp();
  await workdays(http);
  await http.ok(consolidatePipeline, { tier: "semantic" });
  const { entries } = await http.ok(listAudit, { operation: "consolidate" });
  expect(entries).toEqual([
    expect.objectContaining({
      functionId: "memory.pipeline",
      targetIds: (await factsOf()).map(({ id }) => id).reverse(),
      details: {
        tiers: { semantic: expect.objectContaining({ newFacts: 3, provider: "extractive" }) },
        jobId: expect.stringMatching(/^job_/u),
      },
    }),
  ]);
});

test("decay counts what became weak and drops lessons that nothing ever confirmed", async () => {
  http = await openTestHttp();
  await workdays(http);
  await http.ok(consolidatePipeline, {});
  await http.ok(saveLesson, { content: "Say please to the compiler", confidence: 0.2, project: "shop" });
  await http.ok(saveLesson, { content: "Say thanks to the linter", confidence: 0.2, project: "other" });
  http.advance(500 * dayMs);
  expect(await http.ok(consolidatePipeline, { tier: "decay", project: "shop" })).toEqual({
    results: {
      decay: { semantic: 4, procedural: 1, lessons: 1, insights: expect.any(Number), provider: "extractive" },
    },
  });
  const { lessons } = await http.ok(listLessons, {});
  expect(lessons.map(({ content }) => content)).toEqual(["Say thanks to the linter"]);
});

test("observations that lost their index entry or their fields get them back", async () => {
  http = await openTestHttp();
  await workdays(http);
  const { ground } = http.core;
  await ground.store.write(async ({ sql }) => {
    await sql.run("DELETE FROM documents WHERE kind = 'observation'");
    await sql.run("UPDATE observations SET title = '', facts = '[]' WHERE type = 'conversation'");
  });
  expect(await http.ok(fullSearch, { query: "libSQL" })).toMatchObject({ results: [] });
  expect(await http.ok(consolidatePipeline, { tier: "working" })).toEqual({
    results: { working: { processed: 9, llmCompressed: 0, pending: 0, provider: "extractive" } },
  });
  const { results } = await http.ok(fullSearch, { query: "libSQL" });
  expect(results.length).toBeGreaterThan(0);
  expect(await http.ok(consolidatePipeline, { tier: "working" })).toMatchObject({
    results: { working: { processed: 0 } },
  });
});

test("projects are never mixed, although they decide the same", async () => {
  http = await openTestHttp();
  await workdays(http, { project: "shop" }, "s");
  await workdays(http, { project: "blog" }, "b");
  await http.ok(consolidatePipeline, { project: "blog" });
  expect(await factsOf({ project: "shop" })).toEqual([]);
  await http.ok(consolidatePipeline, {});
  for (const [project, prefix] of [
    ["shop", "s"],
    ["blog", "b"],
  ] as const) {
    const facts = await factsOf({ project });
    expect(facts).toHaveLength(4);
    for (const { sourceSessionIds } of facts)
      expect(sourceSessionIds.every((id) => id.startsWith(prefix))).toBe(true);
    const { procedural } = await http.ok(listProcedures, { project });
    expect(procedural.map(({ sourceSessionIds }) => sourceSessionIds)).toEqual([
      [`${prefix}3`, `${prefix}2`, `${prefix}1`],
    ]);
  }
});

test("isolated agents each get facts and insights of their own, from nothing but their own rows", async () => {
  http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  await workdays(http, { agentId: "ann" }, "a");
  await workdays(http, { agentId: "bob" }, "b");
  for (const agentId of ["ann", "bob"])
    for (const content of backoff)
      await http.ok(saveLesson, { content, project: "shop", tags: ["backoff", "mail"], agentId });
  await http.ok(consolidatePipeline, {});
  for (const [agentId, prefix] of [
    ["ann", "a"],
    ["bob", "b"],
  ] as const) {
    const facts = await factsOf({ agentId });
    expect(facts).toHaveLength(4);
    for (const fact of facts) {
      expect(fact.agentId).toBe(agentId);
      expect(fact.sourceSessionIds.every((id) => id.startsWith(prefix))).toBe(true);
    }
    const { lessons } = await http.ok(listLessons, { agentId });
    const own = new Set(lessons.map(({ id }) => id));
    const { insights } = await http.ok(listInsights, { agentId });
    expect(insights.length).toBeGreaterThan(0);
    expect(insights.flatMap(({ sourceLessonIds }) => sourceLessonIds).every((id) => own.has(id))).toBe(true);
  }
  expect((await http.reply(reflect, {})).status).toBe(400);
  expect(await http.ok(reflect, { agentId: "ann" })).toMatchObject({ newInsights: 0 });
});

test("one agent's run leaves the other agent's rows alone", async () => {
  http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  await workdays(http, { agentId: "ann" }, "a");
  await workdays(http, { agentId: "bob" }, "b");
  await http.ok(consolidatePipeline, { agentId: "ann" });
  expect(await factsOf({ agentId: "ann" })).toHaveLength(4);
  expect(await factsOf({ agentId: "bob" })).toEqual([]);
});

test.each([
  ["of another agent keeps agents apart", { MEMSVC_AGENT_SCOPE: "isolated", AGENT_ID: "ann" }],
  ["of nobody keeps agents apart", { MEMSVC_AGENT_SCOPE: "isolated" }],
  ["of another agent lets agents share", { MEMSVC_AGENT_SCOPE: "shared", AGENT_ID: "ann" }],
])("a run is its caller's where a daemon %s", async (_name, env: Readonly<Record<string, string>>) => {
  const byBob = { headers: { "x-memsvc-agent": "bob" } };
  http = await openTestHttp({ env });
  await workdays(http, { agentId: "ann" }, "a");
  await workdays(http, { agentId: "bob" }, "b");
  for (const agentId of ["ann", "bob"])
    for (const content of backoff)
      await http.ok(saveLesson, { content, project: "shop", tags: ["backoff", "mail"], agentId });
  await http.ok(consolidatePipeline, {}, byBob);
  await http.ok(reflect, {}, byBob);
  expect(await factsOf({ agentId: "ann" })).toEqual([]);
  expect(await http.ok(listInsights, { agentId: "ann" })).toMatchObject({ total: 0 });
  const sources = (await factsOf({ agentId: "bob" })).flatMap(({ sourceSessionIds }) => sourceSessionIds);
  const isIsolated = env.MEMSVC_AGENT_SCOPE === "isolated";
  expect(sources.some((id) => id.startsWith("b"))).toBe(true);
  expect(sources.some((id) => id.startsWith("a"))).toBe(!isIsolated);
  const { entries } = await http.ok(listAudit, {});
  const runs = entries.filter(({ operation }) => ["consolidate", "reflect"].includes(operation));
  expect(new Set(runs.map(({ agentId }) => agentId))).toEqual(new Set(["bob"]));
});

test("a commit that is linked to a session makes its summary no older, what happens in it then does", async () => {
  http = await openTestHttp();
  await workday(http, "1", "keep sessions in libSQL");
  const episodic = () => http.ok(consolidatePipeline, { tier: "episodic" });
  expect(await episodic()).toMatchObject({ results: { episodic: { summarized: 1 } } });
  http.advance(60_000);
  await http.ok(linkCommit, { sha: "3f2a91c", sessionId: "1" });
  expect(await episodic()).toMatchObject({ results: { episodic: { summarized: 0, alreadySummarized: 1 } } });
  await workday(http, "1", "retry mails with backoff");
  expect(await episodic()).toMatchObject({ results: { episodic: { summarized: 1, alreadySummarized: 0 } } });
});

test("a run that is cut short goes on where it was and does nothing twice", async () => {
  http = await openTestHttp({ env: { CONSOLIDATION_ENABLED: "true" } });
  await workdays(http);
  await http.writeSql("DELETE FROM jobs WHERE kind = 'session.stop'");
  expect(await http.core.consolidations.distilActive()).toBe(1);
  const cut = vi.spyOn(http.core.procedures, "add").mockRejectedValueOnce(new Error("cut short"));
  await http.runDueJobs();
  expect(cut).toHaveBeenCalledTimes(1);
  expect(await factsOf()).toHaveLength(4);
  expect(await http.ok(listProcedures, {})).toMatchObject({ total: 0 });
  expect(await http.ok(listAudit, { operation: "consolidate" })).toMatchObject({ total: 0 });
  http.advance(31_000);
  await http.runDueJobs();
  expect((await factsOf()).map(({ accessCount }) => accessCount)).toEqual([0, 0, 0, 0]);
  expect(await http.ok(listProcedures, {})).toMatchObject({ total: 1, procedural: [{ frequency: 1 }] });
  const { entries } = await http.ok(listAudit, { operation: "consolidate" });
  expect(entries).toHaveLength(1);
  expect(entries[0]?.details).toMatchObject({
    tiers: { semantic: { newFacts: 4 }, procedural: { newProcedures: 1 } },
  });
});

test("the timer runs for projects in which something happened, and for no other", async () => {
  http = await openTestHttp({
    env: { CONSOLIDATION_ENABLED: "true", MEMSVC_CONSOLIDATION_COOLDOWN_MS: "0" },
  });
  await workdays(http, { project: "shop" }, "s");
  await workdays(http, { project: "blog" }, "b");
  http.advance(1_000);
  expect(await http.core.consolidations.distilActive()).toBe(2);
  await http.runDueJobs();
  expect(await factsOf({ project: "shop" })).toHaveLength(4);
  expect(await http.core.consolidations.distilActive()).toBe(0);
  http.advance(1_000);
  await workday(http, "b4", "keep drafts for ever", { project: "blog" });
  expect(await http.core.consolidations.distilActive()).toBe(1);
});

test("stops have their project distilled once per cooldown, and only with the setting", async () => {
  http = await openTestHttp({ env: { CONSOLIDATION_ENABLED: "true" } });
  await workdays(http);
  await http.runDueJobs();
  await http.runDueJobs();
  const runs = async () => (await http.ok(listAudit, { operation: "consolidate" })).entries;
  expect((await runs()).map(({ details }) => Object.keys(details.tiers as object))).toEqual([
    ["semantic", "reflect", "procedural"],
  ]);
  expect(await factsOf()).toHaveLength(4);
  await workday(http, "4", "write tests first");
  await http.runDueJobs();
  expect(await runs()).toHaveLength(1);
  http.advance(300_000);
  await http.runDueJobs();
  expect(await runs()).toHaveLength(2);
  expect((await factsOf()).map(({ fact }) => fact)).toContain("We decided to write tests first.");
});

test("what a run finds that nobody asked for grows stronger only by something new", async () => {
  http = await openTestHttp({
    env: { CONSOLIDATION_ENABLED: "true", MEMSVC_CONSOLIDATION_COOLDOWN_MS: "0" },
  });
  for (const content of backoff)
    await http.ok(saveLesson, { content, project: "shop", tags: ["backoff", "mail"] });
  await workdays(http);
  const found = async () => {
    http.advance(1_000);
    await http.core.consolidations.distilActive();
    await http.runDueJobs();
    const { insights } = await http.ok(listInsights, { project: "shop" });
    const { procedural } = await http.ok(listProcedures, { project: "shop" });
    return {
      insights: insights.map(({ content, reinforcements }) => ({ content, reinforcements })),
      procedures: procedural.map(({ frequency, strength }) => ({ frequency, strength })),
    };
  };
  const first = await found();
  expect(first.insights.length).toBeGreaterThan(0);
  expect(first.procedures).toEqual([{ frequency: 1, strength: 0.5 }]);
  for (let again = 1; again <= 3; again += 1) {
    await happen(http, "talk", "prompt_submit", { prompt: `What does it look like today, ${again}?` });
    expect(await found()).toEqual(first);
  }
  await workday(http, "4", "keep sessions in libSQL");
  expect((await found()).procedures).toEqual([{ frequency: 2, strength: 0.6 }]);
});

test("all that is distilled by itself where agents share is the daemon's agent's, crystals and their lessons too", async () => {
  http = await openTestHttp({ env: { CONSOLIDATION_ENABLED: "true", AGENT_ID: "ann" } });
  const { action } = await http.ok(createAction, { title: "Split the queue", project: "shop" });
  const result = "Done. Next time stop the old worker first.";
  await http.ok(updateAction, { actionId: action.id, status: "done", result });
  http.advance(8 * dayMs);
  await workdays(http);
  await http.core.consolidations.distilActive();
  await http.runDueJobs();
  const { crystals } = await http.ok(listCrystals, {});
  const { lessons } = await http.ok(listLessons, { source: "crystal" });
  expect([crystals.length, lessons.length]).toEqual([1, 1]);
  const owners = [...(await factsOf()), ...crystals, ...lessons].map(({ agentId }) => agentId);
  expect(new Set(owners)).toEqual(new Set(["ann"]));
});

test("without the setting nothing is distilled by itself", async () => {
  http = await openTestHttp();
  await workdays(http);
  await http.runDueJobs();
  http.advance(dayMs);
  await http.runDueJobs();
  expect(await http.ok(listAudit, { operation: "consolidate" })).toMatchObject({ total: 0 });
  expect(await factsOf()).toEqual([]);
});

test("making memories needs the flag and a provider, and says how to get them", async () => {
  http = await openTestHttp({ env: { CONSOLIDATION_ENABLED: "true" } });
  const withoutFlag = await openTestHttp({ env: { ANTHROPIC_API_KEY: "sk-not-used" } });
  const replies = [await http.reply(consolidate, {}), await withoutFlag.reply(consolidate, {})];
  await withoutFlag.close();
  for (const { status, body } of replies) {
    expect(status).toBe(503);
    expect(body).toMatchObject({
      flag: "CONSOLIDATION_ENABLED",
      enableHow: expect.stringContaining("CONSOLIDATION_ENABLED=true"),
      docsHref: "docs/config.md#consolidation_enabled",
    });
  }
});

test("what was finished a week ago in a project is condensed when its sessions stop, once", async () => {
  http = await openTestHttp({ env: { CONSOLIDATION_ENABLED: "true" } });
  const finished = async (project: string) => {
    const { action } = await http.ok(createAction, { title: `ship ${project}`, project });
    await http.ok(updateAction, { actionId: action.id, status: "done" });
    return action.id;
  };
  const old = await finished("shop");
  await finished("blog");
  http.advance(7 * dayMs);
  await finished("shop");
  const condensed = async () =>
    (await http.ok(listCrystals, {})).crystals.map(({ sourceActionIds }) => sourceActionIds);
  for (const day of ["1", "2"]) {
    await workday(http, day, "keep sessions in libSQL");
    for (let turns = 0; turns < 3; turns += 1) {
      await http.runDueJobs();
      http.advance(600_000);
    }
    expect(await condensed()).toEqual([[old]]);
  }
});
