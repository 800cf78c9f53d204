import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { createSnapshot, restoreSnapshot } from "../../src/governance/snapshots/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { consolidate, consolidatePipeline, reflect } from "../../src/knowledge/consolidation/operations.ts";
import { listFacts } from "../../src/knowledge/facts/operations.ts";
import { listInsights } from "../../src/knowledge/insights/operations.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { forget, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { listProcedures } from "../../src/knowledge/procedures/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";
import { helpful, sampleAnswers } from "../support/model-answers.ts";
import { openModelServer, type SeenRequest } from "../support/model-server.ts";
import { happen, type Place, workday, workdays } from "../support/workdays.ts";

const server = forEachTest(openModelServer);
let http: TestHttp;
afterEach(() => http.close());

const enabled = { CONSOLIDATION_ENABLED: "true" } as const;

async function open(env: Record<string, string> = enabled): Promise<TestHttp> {
  http = await openTestHttp({ env: { ...server.env("anthropic"), ...env } });
  return http;
}

const memory = sampleAnswers["You distil one lasting memory"];

/** Six sessions with decisions: enough for facts, groups and procedures. */
async function sixDays(place: Place = {}, prefix = ""): Promise<void> {
  await workdays(http, place, `${prefix}x`);
  await workdays(http, place, `${prefix}y`);
}

test("groups of observations become memories with their sources, and no group is used twice", async () => {
  await open();
  await sixDays();
  server.answer(helpful);
  const answer = await http.ok(consolidate, { project: "shop", minObservations: 3 });
  if ("queued" in answer) throw new Error("it took too long");
  expect(answer.consolidated).toBeGreaterThan(0);
  expect(answer.memoryIds).toHaveLength(answer.consolidated);
  expect(answer).not.toHaveProperty("warning");
  expect(answer.results).toMatchObject({
    episodic: { summarized: 6, provider: "anthropic" },
    semantic: { newFacts: 1, totalSummaries: 6, provider: "anthropic" },
    procedural: { newProcedures: 1, provider: "anthropic" },
  });
  const listed = await http.ok(listMemories, { latest: true });
  if (!("memories" in listed)) throw new Error("no list");
  const [made] = listed.memories;
  expect(listed.memories).toHaveLength(1);
  expect(made).toMatchObject({
    type: "architecture",
    title: memory.title,
    content: memory.content,
    files: [],
    strength: 1,
    version: answer.consolidated,
    project: "shop",
    origin: { channel: "consolidation" },
  });
  expect(made?.concepts).toContain("storage");
  expect(made?.sourceObservationIds.length).toBeGreaterThanOrEqual(3);
  expect(made?.sessionIds.length).toBeGreaterThan(1);
  const { entries } = await http.ok(listAudit, { operation: "consolidate" });
  expect(entries).toEqual([
    expect.objectContaining({
      functionId: "memory.consolidate",
      qualityScore: 100,
      details: expect.objectContaining({ memories: answer.consolidated, jobId: expect.any(String) }),
    }),
  ]);
  expect(await http.ok(listAudit, { operation: "remember" })).toMatchObject({ total: 0 });
  const asked = server.seen.length;
  expect(await http.ok(consolidate, { project: "shop" })).toMatchObject({
    consolidated: 0,
    reason: "insufficient_observations",
    results: { working: { skipped: true, reason: "insufficient_observations" } },
  });
  expect(server.seen).toHaveLength(asked);
  const exportData = await http.ok(exportStore, {});
  await http.close();
  await open();
  await http.ok(importStore, { exportData });
  expect(await http.ok(consolidate, { project: "shop", minObservations: 3 })).toMatchObject({
    consolidated: 0,
    totalObservations: 0,
  });
});

test("concurrent runs ask the model once per group and create each memory once", async () => {
  await open();
  await sixDays();
  server.answer(helpful);
  await http.core.consolidations.distilActive();
  const [answer] = await Promise.all([
    http.ok(consolidate, { project: "shop", minObservations: 3 }),
    http.runDueJobs(),
  ]);
  if ("queued" in answer) throw new Error("it took too long");
  await expectAskedOnce();
});

test("a run started while another is storing its answer does not ask the model again", async () => {
  await open();
  await sixDays();
  server.answer(helpful);
  const { store } = http.core.ground;
  const writeAlone = store.writeAlone.bind(store);
  const slow = vi.spyOn(store, "writeAlone").mockImplementation(async (...write) => {
    await sleep(40);
    return writeAlone(...write);
  });
  const first = http.ok(consolidate, { project: "shop", minObservations: 3 });
  await expect.poll(() => groupsAsked().length, { interval: 1 }).toBeGreaterThan(0);
  slow.mockImplementation(writeAlone);
  await Promise.all([first, http.ok(consolidate, { project: "shop", minObservations: 2 })]);
  await expectAskedOnce();
});

function groupsAsked(): SeenRequest[] {
  return server.seen.filter(({ instructions }) => instructions.startsWith("You distil one lasting memory"));
}

async function expectAskedOnce(): Promise<void> {
  const groups = groupsAsked();
  expect(groups.length).toBeGreaterThan(0);
  expect(new Set(groups.map(({ prompt }) => prompt)).size).toBe(groups.length);
  const listed = await http.ok(listMemories, { latest: true });
  if (!("memories" in listed)) throw new Error("no list");
  expect(listed.memories.map(({ version }) => version)).toEqual([groups.length]);
}

test("a run asks the model about ten groups at most, the largest first", async () => {
  await open();
  server.answer(helpful);
  for (let at = 0; at < 14; at += 1) {
    const name = `module${String.fromCharCode(97 + at)}`;
    for (const verb of ["load", "store", "drop"])
      await happen(http, "one", "prompt_submit", {
        prompt: `We decided that ${name}.ts will ${verb} ${name}`,
      });
  }
  const answer = await http.ok(consolidate, { minObservations: 1 });
  const groups = server.seen.filter(({ instructions }) => instructions.startsWith("You distil"));
  expect(groups).toHaveLength(10);
  const [first] = groups;
  expect(first?.prompt.split("\n")).toHaveLength(9);
  expect(answer).toMatchObject({ consolidated: 10 });
});

test("facts, procedures and insights made by a model name it, and cite only what it was shown", async () => {
  await open();
  await sixDays();
  for (const content of [
    "Mail needs backoff after a timeout",
    "A timeout of mail is retried with backoff",
    "Backoff for mail: two seconds after a timeout",
  ])
    await http.ok(saveLesson, { content, project: "shop", tags: ["mail", "backoff"] });
  server.answer(helpful);
  const answer = await http.ok(consolidatePipeline, { project: "shop" });
  expect(answer).toMatchObject({
    results: {
      semantic: { newFacts: 1, provider: "anthropic" },
      reflect: { provider: "anthropic", clustersSkipped: expect.any(Number) },
      procedural: { newProcedures: 1, provider: "anthropic" },
    },
  });
  const { semantic } = await http.ok(listFacts, {});
  expect(semantic).toEqual([
    expect.objectContaining({
      fact: "Sessions are stored in libSQL",
      confidence: 0.9,
      strength: 0.9,
      provider: "anthropic",
    }),
  ]);
  expect(semantic[0]?.sourceSessionIds).toHaveLength(2);
  const { procedural } = await http.ok(listProcedures, {});
  expect(procedural).toEqual([
    expect.objectContaining({
      name: "Check a change",
      triggerCondition: "before a commit",
      provider: "anthropic",
      sourceSessionIds: expect.arrayContaining(["x1", "y3"]),
    }),
  ]);
  const { insights: found } = await http.ok(listInsights, {});
  expect(found).toEqual([
    expect.objectContaining({ title: "Time-outs rule", confidence: 1, provider: "anthropic" }),
  ]);
});

test("the model derives procedures from pattern memories of several sessions, newest first", async () => {
  await open({ ...enabled, MEMSVC_AGENT_SCOPE: "isolated" });
  const keep = async (content: string, fields: object = {}, sessions = ["s1", "s2", "s3"]) => {
    for (const sessionId of sessions) {
      http.advance(1_000);
      const memory = { content, sessionId, type: "pattern", project: "shop", agentId: "ann" } as const;
      await http.ok(remember, { ...memory, ...fields });
    }
  };
  await keep("Migrations are tried on a copy first");
  await keep("Releases begin with the changelog");
  await keep("Seen in one session alone", {}, ["s1"]);
  await keep("Invoices are rounded once", { type: "fact" });
  await keep("Kernels are booted in a virtual machine", { project: "bank" });
  await keep("Bob asks before every deploy", { agentId: "bob" });
  await keep("Freeze until Monday", { ttlDays: 0.001 });
  http.advance(120_000);
  server.answer(helpful);
  await http.ok(consolidatePipeline, { tier: "procedural", project: "shop", agentId: "ann" });
  expect(server.seen.map(({ prompt }) => prompt.split("\n").map((line) => JSON.parse(line)))).toEqual([
    [
      { number: 1, pattern: "Releases begin with the changelog", sessions: 3 },
      { number: 2, pattern: "Migrations are tried on a copy first", sessions: 3 },
    ],
  ]);
  const { procedural } = await http.ok(listProcedures, { agentId: "ann" });
  expect(procedural).toMatchObject([{ name: "Check a change", sourceSessionIds: ["s3", "s2", "s1"] }]);
});

test("a procedure that the model draws again under its name has the steps that were drawn last", async () => {
  await open();
  await sixDays();
  const drawn = (steps: readonly string[], trigger: string, expectedOutcome?: string) => {
    const procedures = [{ name: "Release the shop", steps, trigger, expectedOutcome, patterns: [1] }];
    server.answer(() => ({ kind: "json", value: { procedures } }));
    return http.ok(consolidatePipeline, { tier: "procedural", project: "shop" });
  };
  await drawn(["make build", "scp build shop:"], "on Fridays", "the shop answers");
  http.advance(90 * 24 * 3_600_000);
  await drawn(["docker push shop", "helm upgrade shop"], "when main is green");
  expect((await http.ok(listProcedures, {})).procedural).toMatchObject([
    {
      steps: ["docker push shop", "helm upgrade shop"],
      triggerCondition: "when main is green",
      expectedOutcome: "the shop answers",
      frequency: 2,
    },
  ]);
});

test("a model's endless steps are cut, and repeated ones stay", async () => {
  await open();
  await sixDays();
  const long = "check it again ".repeat(400);
  const steps = ["npm test", long, "npm test"];
  const procedures = [{ name: "Check", steps, trigger: long, expectedOutcome: long, patterns: [1] }];
  server.answer(() => ({ kind: "json", value: { procedures } }));
  await http.ok(consolidatePipeline, { tier: "procedural", project: "shop" });
  const cut = long.slice(0, 500);
  expect((await http.ok(listProcedures, {})).procedural).toMatchObject([
    { steps: ["npm test", cut, "npm test"], triggerCondition: cut, expectedOutcome: cut },
  ]);
});

test("no model is asked without the setting, unless the caller forces it", async () => {
  await open({});
  await sixDays();
  server.answer(helpful);
  await http.ok(consolidatePipeline, {});
  await http.core.consolidations.distilActive();
  expect(server.seen).toEqual([]);
  expect(await http.ok(consolidatePipeline, { tier: "semantic", force: true })).toMatchObject({
    results: { semantic: { provider: "anthropic" } },
  });
  expect(server.seen).toHaveLength(1);
});

test.each([
  ["answers 500", { kind: "status", status: 500 }],
  ["answers nonsense", { kind: "text", text: "I would rather talk about the weather" }],
  ["answers in another shape", { kind: "json", value: { facts: "none", procedures: 3, insights: {} } }],
  ["breaks off", { kind: "malformed" }],
] as const)("when a model %s, rules do the work, with a warning", async (_, reply) => {
  await open();
  await sixDays();
  server.answer(reply);
  const answer = await http.ok(consolidatePipeline, {});
  expect(answer).toMatchObject({
    warning: expect.stringContaining("facts were drawn by rules"),
    results: {
      episodic: { summarized: 6, provider: "extractive" },
      semantic: { newFacts: 4, provider: "extractive" },
      procedural: { newProcedures: 1, provider: "extractive" },
    },
  });
});

test("a cluster that the model fails on is skipped with a warning, and retried by the next run", async () => {
  await open({});
  for (const content of [
    "Mail needs backoff after a timeout",
    "A timeout of mail is retried with backoff",
    "Backoff for mail: two seconds after a timeout",
  ])
    await http.ok(saveLesson, { content, project: "shop", tags: ["mail", "backoff"] });
  server.answer({ kind: "status", status: 500 });
  expect(await http.ok(reflect, {})).toMatchObject({
    newInsights: 0,
    clustersProcessed: 0,
    clustersSkipped: 1,
    provider: "anthropic",
    warning: expect.stringContaining("some clusters gave no insight"),
  });
  http.advance(120_000);
  server.answer(helpful);
  expect(await http.ok(reflect, {})).toMatchObject({
    newInsights: 1,
    clustersProcessed: 1,
    provider: "anthropic",
  });
});

test("secrets in a model's answers are redacted before they are stored", async () => {
  await open();
  await sixDays();
  const token = "ghp_1234567890abcdefghijklmnopqrstuvwxyzAB";
  server.answer((request) => {
    const text = JSON.stringify(helpful(request).value).replaceAll("libSQL", `libSQL ${token}`);
    return { kind: "text", text: text.replace("npm test", `npm test ${token}`) };
  });
  await http.ok(consolidate, { minObservations: 1 });
  await http.ok(consolidatePipeline, {});
  expect(await http.ok(listFacts, {})).toMatchObject({ total: 1 });
  expect(await dumpStore(http)).not.toContain(token);
});

test("observations forgotten while the model works do not become facts or memories", async () => {
  await open();
  const sessions = ["x1", "x2", "x3", "y1", "y2", "y3"];
  for (const [tier, total] of [
    ["semantic", listFacts],
    ["memories", listMemories],
  ] as const) {
    await sixDays();
    server.answer(helpful);
    await http.ok(consolidatePipeline, { tier: "episodic" });
    server.answer(async (request) => {
      for (const sessionId of sessions) await http.reply(forget, { sessionId, includeSession: true });
      return helpful(request);
    });
    const asked = server.seen.length;
    const answer =
      tier === "semantic"
        ? await http.ok(consolidatePipeline, { tier })
        : await http.ok(consolidate, { minObservations: 1 });
    expect(server.seen.length).toBeGreaterThan(asked);
    expect(answer).not.toHaveProperty("reason");
    expect((await http.reply(total, {})).body).toMatchObject({ total: 0 });
  }
});

test("the same model answers make the same rows, except for ids and times", async () => {
  const dumps: unknown[] = [];
  for (const _ of [1, 2]) {
    await open();
    await sixDays();
    server.answer(helpful);
    await http.ok(consolidate, { minObservations: 3 });
    await http.ok(consolidatePipeline, {});
    const tables = [
      "SELECT fact, confidence, strength, access_count, source_session_ids FROM semantic_memories ORDER BY id",
      "SELECT name, steps, trigger_condition, frequency, strength, source_session_ids FROM procedural_memories ORDER BY id",
      "SELECT title, content, confidence FROM insights ORDER BY id",
      "SELECT title, content, type, concepts, version, is_latest, session_ids FROM memories ORDER BY id",
    ];
    const { sql } = http.core.ground.store.read;
    dumps.push(await Promise.all(tables.map((text) => sql.values(text))));
    await http.close();
  }
  await open();
  expect(dumps[0]).toEqual(dumps[1]);
  expect(JSON.stringify(dumps[0])).toContain("libSQL");
});

test("isolated agents are consolidated separately, and no prompt mixes their records", async () => {
  await open({ ...enabled, MEMSVC_AGENT_SCOPE: "isolated" });
  await sixDays({ agentId: "ann" }, "ann");
  for (const day of [1, 2, 3, 4, 5])
    await workday(http, `bob${day}`, "keep drafts in etcd", { agentId: "bob" });
  server.answer(({ instructions, prompt }) => {
    if (!instructions.startsWith("You draw")) return helpful({ instructions });
    return {
      kind: "json",
      value: {
        facts: [{ fact: prompt.includes("etcd") ? "of bob" : "of ann", confidence: 1, sessions: [1] }],
      },
    };
  });
  await http.core.consolidations.consolidate({ minObservations: 1 }, Number.POSITIVE_INFINITY);
  for (const { prompt } of server.seen) expect(/libSQL/u.test(prompt) && /etcd/u.test(prompt)).toBe(false);
  expect(await http.ok(listMemories, { agentId: "bob", latest: true })).toMatchObject({
    memories: [{ agentId: "bob" }],
  });
});

test("a background run waits for the hourly call limit, and then repeats nothing", async () => {
  await open({ ...enabled, MEMSVC_LLM_MAX_CALLS_PER_HOUR: "8" });
  await sixDays();
  await http.writeSql("DELETE FROM jobs");
  server.answer(helpful);
  await http.core.consolidations.distilActive();
  await http.runDueJobs();
  expect(server.seen).toHaveLength(8);
  expect(await http.ok(listProcedures, {})).toMatchObject({ total: 0 });
  expect(await http.ok(listAudit, { operation: "consolidate" })).toMatchObject({ total: 0 });
  for (let hours = 0; hours < 6; hours += 1) {
    http.advance(3_600_000);
    await http.runDueJobs();
  }
  expect(await http.ok(listProcedures, {})).toMatchObject({
    total: 1,
    procedural: [{ frequency: 1, provider: "anthropic" }],
  });
  expect(await http.ok(listAudit, { operation: "consolidate" })).toMatchObject({ total: 1 });
  const prompts = server.seen
    .filter(({ instructions }) => !instructions.startsWith("You summarise"))
    .map(({ prompt }) => prompt);
  expect(prompts.length).toBeGreaterThan(2);
  expect(new Set(prompts).size).toBe(prompts.length);
});

test("what happens while a background run waits for the model is left to a run after it", async () => {
  await open({ ...enabled, MEMSVC_LLM_MAX_CALLS_PER_HOUR: "8" });
  await sixDays();
  server.answer(helpful);
  await http.writeSql("DELETE FROM jobs");
  const runs = async () => (await http.ok(listAudit, { operation: "consolidate" })).total;
  const { consolidations } = http.core;
  await consolidations.distilActive();
  await http.runDueJobs();
  await happen(http, "x1", "prompt_submit", { prompt: "We decided to keep drafts in etcd." });
  expect(await runs()).toBe(0);
  for (let hours = 0; hours < 6; hours += 1) {
    http.advance(3_600_000);
    await http.runDueJobs();
  }
  expect(await runs()).toBe(1);
  expect(await consolidations.distilActive()).toBe(1);
  await http.runDueJobs();
  expect([await runs(), await consolidations.distilActive()]).toEqual([2, 0]);
});

test("a background run that waited counts each memory once, although its group is not used up", async () => {
  await open({ ...enabled, MEMSVC_LLM_MAX_CALLS_PER_HOUR: "1" });
  for (const [tag, times] of Object.entries({ payments: 16, ledger: 4 }))
    for (let time = 0; time < times; time += 1)
      await happen(http, "s1", "prompt_submit", { prompt: `We decided to change #${tag}.`, time });
  server.answer(helpful);
  await http.core.consolidations.distilActive();
  for (let hours = 0; hours < 4; hours += 1) {
    await http.runDueJobs();
    http.advance(3_600_000);
  }
  const [entry] = (await http.ok(listAudit, { operation: "consolidate" })).entries;
  expect(entry?.details.memories).toBe((await http.ok(listMemories, {})).total);
  expect(new Set(entry?.targetIds).size).toBe(entry?.targetIds.length);
});

test("a run longer than the sync wait continues as a job, which its audit entry names", async () => {
  await open({ ...enabled, MEMSVC_SYNC_WAIT_MS: "20" });
  await sixDays();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.answer(async (request) => {
    await held;
    return helpful(request);
  });
  const reply = await http.reply(consolidatePipeline, { project: "shop" });
  expect(reply.status).toBe(202);
  expect(reply.body).toMatchObject({ queued: true, jobId: expect.stringMatching(/^job_/u) });
  const joined = await http.reply(consolidatePipeline, { project: "shop" });
  expect(joined.body.jobId).toBe(reply.body.jobId);
  release();
  await http.core.longRuns.settled();
  expect(await http.ok(listFacts, {})).toMatchObject({ total: 1 });
  expect(await http.ok(listAudit, { operation: "consolidate" })).toMatchObject({
    total: 1,
    entries: [{ details: { jobId: reply.body.jobId } }],
  });
});

/** Ways to save the store, each with the way back. */
const waysBack: readonly (readonly [string, () => Promise<() => Promise<unknown>>])[] = [
  [
    "a restore",
    async () => {
      const { snapshot } = await http.ok(createSnapshot, {});
      return () => http.ok(restoreSnapshot, { snapshotId: snapshot.id });
    },
  ],
  [
    "an import that replaces",
    async () => {
      const exportData = await http.ok(exportStore, {});
      return () => http.ok(importStore, { exportData, strategy: "replace" });
    },
  ],
];

test.each(waysBack)("automatic runs ask again for what %s took away", async (_name, save) => {
  await open();
  await sixDays();
  server.answer(helpful);
  const dayGoesOn = async (text: string) => {
    await happen(http, "z1", "prompt_submit", { prompt: text });
    http.advance(600_000);
    await http.core.consolidations.distilActive();
    await http.runDueJobs();
    http.advance(600_000);
    await http.runDueJobs();
  };
  const goBack = await save();
  await dayGoesOn("please look at the colours");
  const { total } = await http.ok(listFacts, {});
  expect(total).toBeGreaterThan(0);
  await goBack();
  expect(await http.ok(listFacts, {})).toMatchObject({ total: 0 });
  await dayGoesOn("please look at the colours");
  expect(await http.ok(listFacts, {})).toMatchObject({ total });
});

test("automatic runs ask the model for insights, facts and procedures only on new evidence", async () => {
  await open();
  for (const content of [
    "Mail needs backoff after a timeout",
    "A timeout of mail is retried with backoff",
    "Backoff for mail: two seconds after a timeout",
  ])
    await http.ok(saveLesson, { content, project: "shop", tags: ["mail", "backoff"] });
  await sixDays();
  server.answer((request) => {
    const answer = JSON.stringify(helpful(request).value);
    // A model does not repeat itself word for word.
    return { kind: "text", text: answer.replace("begins with", `${server.seen.length} begins with`) };
  });
  const asked = (beginning: string) =>
    server.seen.filter(({ instructions }) => instructions.startsWith(beginning)).length;
  const dayGoesOn = async (sessionId: string, text: string) => {
    await happen(http, sessionId, "prompt_submit", { prompt: text });
    http.advance(600_000);
    await http.core.consolidations.distilActive();
    await http.runDueJobs();
    http.advance(600_000);
    await http.runDueJobs();
  };
  await dayGoesOn("z1", "please look at the colours");
  const { total } = await http.ok(listInsights, {});
  const before = ["You find what", "You describe the recurring", "You draw lasting"].map(asked);
  expect(before.every((count) => count > 0)).toBe(true);
  await dayGoesOn("z1", "please look at the margins");
  expect(["You find what", "You describe the recurring", "You draw lasting"].map(asked)).toEqual(before);
  expect(await http.ok(listInsights, {})).toMatchObject({ total });
  for (const content of [
    "A cache of redis is cold at first",
    "Warm the redis cache",
    "Redis drops its cache",
  ])
    await http.ok(saveLesson, { content, project: "shop", tags: ["redis", "cache"] });
  await dayGoesOn("z1", "please look at the fonts");
  expect(asked("You find what")).toBeGreaterThan(before[0] ?? 0);
  const prompts = server.seen.map(({ prompt }) => prompt).filter((prompt) => prompt.includes("two seconds"));
  expect(prompts).toHaveLength(1);
});
