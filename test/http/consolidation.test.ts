import { afterEach, expect, test, vi } from "vitest";
import { linkCommit } from "../../src/capture/commits/operations.ts";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { consolidate, consolidatePipeline } from "../../src/knowledge/consolidation/operations.ts";
import { listLessons, saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { listProcedures } from "../../src/knowledge/procedures/operations.ts";
import { fullSearch } from "../../src/recall/search/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { factsOf } from "../support/consolidated.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { happen, workday, workdays } from "../support/workdays.ts";

let http: TestHttp;
afterEach(() => http.close());

const libsql = "We decided to keep sessions in libSQL.";

test("without a model or any flag every tier works by rules and reports it", async () => {
  http = await openTestHttp();
  await workdays(http);
  await workday(http, "4", "send mails at night");
  await workday(http, "5", "sign mails");
  expect(await http.ok(consolidatePipeline, {})).toEqual({
    results: {
      working: { processed: 0, llmCompressed: 0, pending: 0, provider: "extractive" },
      episodic: { summarized: 5, alreadySummarized: 0, skipped: 0, provider: "extractive" },
      semantic: { newFacts: 6, reinforced: 0, totalSummaries: 5, provider: "extractive" },
      reflect: expect.objectContaining({ newInsights: 1, usedFallback: false, provider: "extractive" }),
      procedural: { newProcedures: 1, reinforced: 0, patternsAnalyzed: 1, provider: "extractive" },
      decay: { semantic: 0, procedural: 0, lessons: 0, insights: 0, provider: "extractive" },
    },
  });
  const second = await http.ok(consolidatePipeline, {});
  expect(second).toMatchObject({
    results: {
      episodic: { summarized: 0, alreadySummarized: 5 },
      semantic: { newFacts: 0, reinforced: 6 },
      procedural: { newProcedures: 0, reinforced: 1 },
    },
  });
});

test("a command is one fact whatever filters its output, and neither its output nor what one run counts is one", async () => {
  http = await openTestHttp();
  const bash = (command: string, stdout: string) => ({
    tool_name: "Bash",
    tool_input: { command },
    tool_response: { stdout, exit_code: 0 },
  });
  for (const sessionId of ["one", "two"]) {
    for (const command of ["npm test 2>&1", "npm test | tail -5", "npm test", "git commit -m wip"])
      await happen(http, sessionId, "post_tool_use", bash(command, "- show the error"));
    const error = "Exit code 1\nError: lost\n Tests  1 failed | 6 passed (7)";
    await happen(http, sessionId, "post_tool_failure", { tool_name: "Bash", error });
  }
  await http.ok(consolidatePipeline, { tier: "semantic" });
  expect((await factsOf(http)).map(({ fact }) => fact).sort()).toEqual([
    "command: npm test",
    "error: Error: lost",
  ]);
});

test("a decision is one fact with all its sessions, and each further session raises its confidence", async () => {
  http = await openTestHttp();
  await workdays(http);
  await http.ok(consolidatePipeline, {});
  const decided = (await factsOf(http)).filter(({ fact }) => fact.startsWith("We decided"));
  expect(decided).toHaveLength(2);
  expect(decided.find(({ fact }) => fact === libsql)).toMatchObject({
    confidence: 0.5,
    strength: 0.5,
    accessCount: 0,
    project: "shop",
    provider: "extractive",
    sourceSessionIds: expect.arrayContaining(["1", "2"]),
    lastStatedAt: "2026-03-01T12:00:04.000Z",
  });
  await workday(http, "4", "keep sessions in libSQL");
  await http.ok(consolidatePipeline, {});
  const again = (await factsOf(http)).find(({ fact }) => fact === libsql);
  expect(again).toMatchObject({ confidence: 0.6, accessCount: 1 });
  expect(new Set(again?.sourceSessionIds)).toEqual(new Set(["1", "2", "4"]));
  for (const [session, confidence] of [
    ["5", 0.7],
    ["6", 0.8],
    ["7", 0.8],
  ] as const) {
    await workday(http, session, "keep sessions in libSQL");
    await http.ok(consolidatePipeline, {});
    expect((await factsOf(http)).find(({ fact }) => fact === libsql)).toMatchObject({ confidence });
  }
});

test("a question is no fact, even with a decision cue", async () => {
  http = await openTestHttp();
  await workday(http, "1", "take libSQL. If we are going with Redis, what must we back up? That is all");
  await http.ok(consolidatePipeline, {});
  const facts = (await factsOf(http)).map(({ fact }) => fact);
  expect(facts.join()).toContain("libSQL");
  expect(facts.join()).not.toContain("Redis");
});

test("a phrase with a decision cue is no fact, nor what an agent only describes, advises or offers", async () => {
  http = await openTestHttp();
  const stop = (lastAssistantMessage: string) => happen(http, "1", "stop", { lastAssistantMessage });
  const ask = (prompt: string) => happen(http, "1", "prompt_submit", { prompt });
  await ask("let's take a look at the logs, it must be something with the cache");
  await ask("never mind, add a dropdown so that users can choose the currency");
  await ask("switch to the dev branch. Amounts are always cents.");
  await stop("Let's keep an eye on the memory. You must restart the server once. The cache is never stale.");
  await stop("First we will look at the handlers. Let me know if you'd prefer tabs instead of a list.");
  await stop("Tokens must never be stored in localStorage. We'll use a cookie.");
  await http.ok(endSession, { sessionId: "1" });
  await http.ok(consolidatePipeline, {});
  expect((await factsOf(http)).map(({ fact }) => fact).sort()).toEqual([
    "Amounts are always cents.",
    "Tokens must never be stored in localStorage.",
    "We'll use a cookie.",
  ]);
});

test("every decision becomes a fact, while other recurring patterns become facts a hundred per run", async () => {
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
  const decisions = (await factsOf(http, { limit: "1000" })).filter(({ fact }) =>
    fact.startsWith("We decided"),
  );
  expect(decisions).toHaveLength(2);
  expect(await semantic()).toMatchObject({ semantic: { newFacts: 30, reinforced: 102 } });
});

test("commands that follow each other in three sessions become a procedure, reinforced by each run", async () => {
  http = await openTestHttp();
  await workdays(http);
  // What else recurs is no procedure.
  for (const sessionId of ["1", "2", "3"])
    for (const file_path of ["src", "test", "docs", "tools", "sql"].map((folder) => `${folder}/invoice.ts`))
      await happen(http, sessionId, "post_tool_use", { tool_name: "Edit", tool_input: { file_path } });
  const seen = ["1", "2"].map((id) => happen(http, id, "prompt_submit", { prompt: `Check ${id}0 invoices` }));
  const pattern = { type: "pattern", content: "Invoices are checked twice", project: "shop" } as const;
  await http.ok(remember, { ...pattern, sourceObservationIds: await Promise.all(seen) });
  await http.ok(consolidatePipeline, {});
  await http.ok(consolidatePipeline, { tier: "procedural" });
  const { procedural } = await http.ok(listProcedures, {});
  expect(procedural).toEqual([
    expect.objectContaining({
      name: "npm install → npm test",
      steps: ["npm install", "npm test"],
      triggerCondition: "invoice",
      frequency: 2,
      strength: 0.6,
      sourceSessionIds: ["3", "2", "1"],
      sourceObservationIds: expect.arrayContaining([expect.stringMatching(/^obs_/u)]),
      provider: "extractive",
    }),
  ]);
});

test("a procedure is about its sessions, not about a word of its steps or of every project", async () => {
  http = await openTestHttp();
  for (const sessionId of ["one", "two", "three"]) {
    for (const command of ["npm run lint", "git commit -m wip"])
      await happen(http, sessionId, "post_tool_use", {
        tool_name: "Bash",
        tool_input: { command },
        tool_response: { stdout: "", exit_code: 0 },
      });
    for (const prompt of ["lint the shop", "does every test of the shop pass?", "lint it, then commit"])
      await happen(http, sessionId, "prompt_submit", { prompt: `${prompt} (${sessionId})` });
    await happen(http, sessionId, "prompt_submit", { prompt: "round invoices" });
  }
  await http.ok(consolidatePipeline, { tier: "procedural" });
  const { procedural } = await http.ok(listProcedures, {});
  expect(procedural).toMatchObject([
    { name: "npm run lint → git commit", triggerCondition: expect.stringMatching(/^(?:round|invoices)$/u) },
  ]);
});

test("a procedure names the observations that ran its steps successfully as its sources", async () => {
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

test("only the named tier runs, and a tier without input says why it was skipped", async () => {
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

test("each run writes one audit entry with its tiers and its job", async () => {
  http = await openTestHttp();
  await workdays(http);
  await http.ok(consolidatePipeline, { tier: "semantic" });
  const { entries } = await http.ok(listAudit, { operation: "consolidate" });
  expect(entries).toEqual([
    expect.objectContaining({
      functionId: "memory.pipeline",
      targetIds: (await factsOf(http)).map(({ id }) => id).reverse(),
      details: {
        tiers: { semantic: expect.objectContaining({ newFacts: 3, provider: "extractive" }) },
        jobId: expect.stringMatching(/^job_/u),
      },
    }),
  ]);
});

test("decay counts what became weak and deletes faded lessons that were never reinforced", async () => {
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

test("the working tier restores missing index entries and fields of observations", async () => {
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

test("a summary becomes outdated by new events in its session, but not by a linked commit", async () => {
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

test("a run that is cut short continues where it stopped and repeats nothing", async () => {
  http = await openTestHttp({ env: { CONSOLIDATION_ENABLED: "true" } });
  await workdays(http);
  await http.writeSql("DELETE FROM jobs WHERE kind = 'session.stop'");
  expect(await http.core.consolidations.distilActive()).toBe(1);
  const cut = vi.spyOn(http.core.procedures, "add").mockRejectedValueOnce(new Error("cut short"));
  await http.runDueJobs();
  expect(cut).toHaveBeenCalledTimes(1);
  expect(await factsOf(http)).toHaveLength(4);
  expect(await http.ok(listProcedures, {})).toMatchObject({ total: 0 });
  expect(await http.ok(listAudit, { operation: "consolidate" })).toMatchObject({ total: 0 });
  http.advance(31_000);
  await http.runDueJobs();
  expect((await factsOf(http)).map(({ accessCount }) => accessCount)).toEqual([0, 0, 0, 0]);
  expect(await http.ok(listProcedures, {})).toMatchObject({ total: 1, procedural: [{ frequency: 1 }] });
  const { entries } = await http.ok(listAudit, { operation: "consolidate" });
  expect(entries).toHaveLength(1);
  expect(entries[0]?.details).toMatchObject({
    tiers: { semantic: { newFacts: 4 }, procedural: { newProcedures: 1 } },
  });
});

test("creating memories needs the flag and a provider, and says how to enable it", async () => {
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
