import { afterEach, expect, test } from "vitest";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { Core } from "../../src/core.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { health } from "../../src/governance/health/operations.ts";
import { graphStats, queryGraph } from "../../src/graph/operations.ts";
import { JobWorker } from "../../src/jobs/worker.ts";
import { consolidatePipeline } from "../../src/knowledge/consolidation/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import { getPrompt } from "../../src/mcp/operations.ts";
import { buildContext } from "../../src/recall/context/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { minuteMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { openModelServer, type SeenRequest } from "../support/model-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { happen } from "../support/workdays.ts";

const server = forEachTest(openModelServer);
let http: TestHttp;
afterEach(() => http.close());

async function open(env: Record<string, string> = {}, home?: string): Promise<void> {
  http = await openTestHttp({
    env: { ...server.env("openai"), MEMSVC_AUTO_COMPRESS: "true", ...env },
    ...(home !== undefined && { home }),
  });
}

async function prompt(sessionId: string, text: string, agentId?: string, project = "shop") {
  return http.ok(observe, {
    project,
    cwd: `/home/dev/${project}`,
    sessionId,
    hookType: "prompt_submit",
    timestamp: new Date(http.now()).toISOString(),
    data: { prompt: text },
    ...(agentId === undefined ? {} : { agentId }),
  });
}

async function compressAll(): Promise<void> {
  http.advance(5_000);
  await http.runDueJobs();
}

/** The ids of the events that a request asks about. */
function idsIn({ prompt: asked }: Pick<SeenRequest, "prompt">): string[] {
  return [...asked.matchAll(/^(obs_\w+):/gmu)].map(([, id = ""]) => id);
}

const entry = {
  type: "decision",
  title: "Webhooks are sent at most once",
  subtitle: "asked by the developer",
  facts: ["a webhook is sent at most once", "duplicates were deleted", "the index is unique"],
  narrative: "The developer decided that a webhook is sent at most once; the index on it became unique.",
  concepts: ["Webhooks", "idempotency"],
  files: ["db/007_index.sql"],
};

function answerAll(change: Partial<Record<keyof typeof entry | "importance", unknown>> = {}): void {
  server.answer((request) => ({
    kind: "json",
    value: { observations: idsIn(request).map((id) => ({ id, ...entry, ...change })) },
  }));
}

async function stored(sessionId: string, raw = false) {
  return (await http.ok(listObservations, { sessionId, raw, agentId: "*" })).observations;
}

test("an event is compressed by rules at once, by the model after five seconds, and keeps its data", async () => {
  await open();
  answerAll();
  const receipt = await prompt("one", "Send each webhook once, see db/007_index.sql");
  expect(receipt).toMatchObject({ compressed: true, compression: "synthetic", queued: true });
  http.advance(4_999);
  await http.runDueJobs();
  expect(server.seen).toHaveLength(0);
  await compressAll();
  const [observation] = await stored("one", true);
  expect(observation).toMatchObject({
    id: receipt.observationId,
    compression: "llm",
    type: "decision",
    title: entry.title,
    subtitle: entry.subtitle,
    facts: entry.facts,
    narrative: entry.narrative,
    concepts: ["webhooks", "idempotency"],
    files: ["db/007_index.sql"],
    importance: 8,
    confidence: 0.9,
    raw: { userPrompt: "Send each webhook once, see db/007_index.sql" },
  });
  const found = await http.ok(smartSearch, { query: "idempotency", project: "shop" });
  expect(found.results[0]).toMatchObject({ obsId: receipt.observationId, title: entry.title });
  const { entries } = await http.ok(listAudit, { operation: "compress" });
  expect(entries).toEqual([
    expect.objectContaining({
      functionId: "observe.compress",
      targetIds: [receipt.observationId],
      details: { model: "gpt-4o-mini", attempts: 1 },
      qualityScore: 90,
    }),
  ]);
  const { functionMetrics, llm } = await http.ok(health, {});
  expect(functionMetrics.find(({ functionId }) => functionId === "observe.compress")).toMatchObject({
    totalCalls: 1,
    avgQualityScore: 90,
  });
  expect(llm.today.byPurpose).toMatchObject({ compression: { calls: 1 } });
});

test("null for what a model may leave out counts as left out", async () => {
  await open();
  answerAll({ subtitle: null, importance: null });
  await prompt("one", "Send each webhook once");
  await compressAll();
  const [observation] = await stored("one");
  expect(observation).toMatchObject({ compression: "llm", type: "decision", importance: 8 });
  expect(observation).not.toHaveProperty("subtitle");
});

test("the graph replaces the concepts found by rules with those of the model's compression", async () => {
  await open();
  answerAll();
  await prompt("one", "Send each parcel_hook once");
  const concepts = async () => {
    await http.ok(graphStats, {});
    const rows = await http.core.ground.store.read.sql.values(
      "SELECT name FROM graph_nodes WHERE type = 'concept' ORDER BY name",
    );
    return rows.map(([name]) => name);
  };
  expect(await concepts()).toContain("parcel_hook");
  await compressAll();
  expect(await concepts()).toEqual(["idempotency", "webhooks"]);
});

test("graph nodes and edges that a model extracted from an event outlive its compression", async () => {
  await open({ GRAPH_EXTRACTION_ENABLED: "true" });
  const [from, to] = ["Redis", "Lua"].map((name) => ({ type: "library", name, properties: {}, aliases: [] }));
  // The rules find this concept too, by a word that is not in the model's compression.
  const hook = { type: "concept", name: "parcel_hook", properties: {}, aliases: [] };
  const relations = [
    { type: "depends_on", source: "Redis", target: "Lua", weight: 0.9, context: "said so" },
    { type: "uses", source: "parcel_hook", target: "Redis", weight: 0.8, context: "said so" },
  ];
  let readings = 0;
  server.answer((request) => {
    if (request.instructions.includes("knowledge graph")) {
      readings += 1;
      return { kind: "json", value: { entities: [from, to, hook], relations } };
    }
    const ids = idsIn(request);
    if (ids.length > 0) return { kind: "json", value: { observations: ids.map((id) => ({ id, ...entry })) } };
    return { kind: "status", status: 400, message: "nothing else" };
  });
  const { observationId } = await prompt("one", "Send each parcel_hook and each other_hook once");
  await http.ok(endSession, { sessionId: "one" });
  await http.runDueJobs();
  const found = async () => {
    const { nodes, edges } = await http.ok(queryGraph, { limit: 5_000 });
    const name = (id: string) => nodes.find((node) => node.id === id)?.name;
    return {
      nodes: nodes.filter(({ type }) => type !== "project").map((node) => node.name),
      told: edges
        .filter(({ properties }) => properties?.context === "said so")
        .map((edge) => `${name(edge.sourceNodeId)} ${edge.type} ${name(edge.targetNodeId)} ${edge.weight}`),
      sources: new Set(nodes.map(({ sourceObservationIds }) => sourceObservationIds.join())),
    };
  };
  const before = await found();
  expect(before.nodes).toEqual(expect.arrayContaining(["Redis", "Lua", "parcel_hook", "other_hook"]));
  expect(readings).toBe(1);
  await compressAll();
  expect((await stored("one"))[0]?.compression).toBe("llm");
  const after = await found();
  expect([...after.nodes].sort()).toEqual(["Lua", "Redis", "idempotency", "parcel_hook", "webhooks"]);
  expect(after.told.sort()).toEqual(before.told.sort());
  expect(after.sources).toEqual(new Set([observationId]));
  http.advance(10 * 60_000);
  await http.ok(endSession, { sessionId: "one" });
  await http.runDueJobs();
  expect(readings).toBe(1);
  await http.ok(forget, { sessionId: "one" });
  expect(await http.ok(graphStats, {})).toMatchObject({ nodes: 0, edges: 0 });
});

test("a call compresses up to ten events of one session, and never mixes sessions", async () => {
  await open();
  answerAll();
  for (let at = 0; at < 12; at += 1) await prompt("one", `wish number ${at} of the first`);
  for (let at = 0; at < 3; at += 1) await prompt("two", `wish number ${at} of the second`);
  await compressAll();
  expect(server.seen.map((request) => idsIn(request).length).sort((a, b) => a - b)).toEqual([2, 3, 10]);
  for (const { prompt: asked } of server.seen)
    expect(asked.includes("of the first") && asked.includes("of the second")).toBe(false);
  for (const sessionId of ["one", "two"])
    expect((await stored(sessionId)).every(({ compression }) => compression === "llm")).toBe(true);
});

test.each([
  ["without the setting", { MEMSVC_AUTO_COMPRESS: "false" }],
  ["without a provider", { MEMSVC_PROVIDER: "noop" }],
])("%s nothing is queued and no model is asked", async (_, env) => {
  await open(env);
  expect(await prompt("one", "hello there")).toMatchObject({ queued: false });
  await compressAll();
  expect(server.seen).toHaveLength(0);
});

test("what was queued stays as the rules tell it once compression is turned off, also if it is on again later", async () => {
  const home = temporaryFolder();
  await open({}, home);
  answerAll();
  await prompt("one", "hello there");
  await http.close();
  await open({ MEMSVC_AUTO_COMPRESS: "false" }, home);
  await compressAll();
  await http.close();
  await open({}, home);
  http.advance(minuteMs);
  await prompt("one", "and hello again");
  await compressAll();
  expect((await stored("one")).map(({ compression }) => compression).sort()).toEqual(["llm", "synthetic"]);
  expect(server.seen).toHaveLength(1);
});

test("a repeated delivery is not queued again, and reports how the first is compressed by now", async () => {
  await open();
  answerAll();
  await prompt("one", "the same event");
  await compressAll();
  http.advance(-5_000);
  expect(await prompt("one", "the same event")).toMatchObject({
    deduplicated: true,
    compression: "llm",
    queued: false,
  });
});

test("an answer that omits an event is asked for again, then each event is asked for alone", async () => {
  await open();
  server.answer((request) => {
    const ids = idsIn(request);
    const answered = ids.length > 1 ? ids.slice(1) : ids;
    return { kind: "json", value: { observations: answered.map((id) => ({ id, ...entry })) } };
  });
  const { observationId } = await prompt("one", "first of them");
  await prompt("one", "second of them");
  await compressAll();
  expect(server.seen.map((request) => idsIn(request).length)).toEqual([2, 2, 1, 1]);
  expect((await stored("one")).map(({ compression }) => compression)).toEqual(["llm", "llm"]);
  const { entries } = await http.ok(listAudit, { operation: "compress", targetId: observationId });
  expect(entries[0]?.details).toMatchObject({ attempts: 2 });
});

test("a batch that times out is asked for event by event, without delaying later events", async () => {
  await open({ MEMSVC_LLM_TIMEOUT_MS: "2000" });
  server.answer((request) => {
    const ids = idsIn(request);
    if (ids.length > 1) return { kind: "never" };
    return { kind: "json", value: { observations: ids.map((id) => ({ id, ...entry })) } };
  });
  for (const text of ["one", "two", "three"]) await prompt("slow", text);
  await compressAll();
  expect(server.seen.map((request) => idsIn(request).length)).toEqual([3, 1, 1, 1]);
  expect((await stored("slow")).map(({ compression }) => compression)).toEqual(["llm", "llm", "llm"]);
});

test("after two useless answers an event keeps its compression by rules for good", async () => {
  await open();
  server.answer({ kind: "text", text: "as a language model I cannot" });
  await prompt("one", "Use fake timers");
  await compressAll();
  expect(server.seen).toHaveLength(2);
  expect((await stored("one"))[0]).toMatchObject({ compression: "synthetic", title: "Use fake timers" });
  answerAll();
  await prompt("one", "And drop the sleeps");
  await compressAll();
  expect((await stored("one")).map(({ compression }) => compression)).toEqual(["synthetic", "llm"]);
});

test("the working tier compresses all waiting events of the named project, or of all projects", async () => {
  await open();
  const finish = async (project?: string) =>
    http.ok(consolidatePipeline, {
      tier: "working",
      force: true,
      ...(project === undefined ? {} : { project }),
    });
  await prompt("one", "send each webhook once");
  await prompt("two", "a prompt of another session");
  await prompt("three", "a post of another project", undefined, "blog");
  server.answer({ kind: "status", status: 500 });
  expect(await finish("shop")).toMatchObject({
    results: { working: { processed: 0, llmCompressed: 0, pending: 2, provider: "extractive" } },
    warning: expect.stringContaining("compressions wait"),
  });
  answerAll();
  expect(await finish("shop")).toMatchObject({
    results: { working: { processed: 2, llmCompressed: 2, pending: 0, provider: "openai" } },
  });
  const compressions = async () =>
    (await Promise.all(["one", "two", "three"].map((id) => stored(id)))).flat().map((row) => row.compression);
  expect(await compressions()).toEqual(["llm", "llm", "synthetic"]);
  expect(await finish()).toMatchObject({ results: { working: { llmCompressed: 1, pending: 0 } } });
  expect(await compressions()).toEqual(["llm", "llm", "llm"]);
});

test("a provider that is down is asked again later, and no event is lost", async () => {
  await open();
  server.answer({ kind: "status", status: 503 });
  await prompt("one", "Use fake timers");
  await compressAll();
  expect((await stored("one"))[0]?.compression).toBe("synthetic");
  answerAll();
  http.advance(30_000);
  await http.runDueJobs();
  expect((await stored("one"))[0]?.compression).toBe("llm");
});

test("while the circuit breaker is open the job waits without using up its attempts", async () => {
  await open();
  server.answer({ kind: "status", status: 401 });
  await prompt("one", "Use fake timers");
  await compressAll();
  for (let time = 0; time < 6; time += 1) {
    http.advance(60_000);
    await http.runDueJobs();
  }
  expect(server.seen).toHaveLength(1);
  answerAll();
  http.advance(600_000);
  await http.runDueJobs();
  expect((await stored("one"))[0]?.compression).toBe("llm");
});

test("running a job twice changes and audits nothing the second time", async () => {
  await open();
  answerAll();
  await prompt("one", "Use fake timers");
  http.advance(5_000);
  const handlers = http.core.jobHandlers().filter(({ kind }) => kind === "observation.compress");
  const job = { id: "job_x", kind: "observation.compress", key: "one", payload: {}, attempts: 1 };
  await Promise.all([...handlers, ...handlers].map(({ run }) => run(job)));
  expect((await http.ok(listAudit, { operation: "compress" })).total).toBe(1);
});

test("a service that stops midway leaves the remaining events to the next one", async () => {
  await open({ MEMSVC_LLM_MAX_CALLS_PER_HOUR: "0" });
  for (let at = 0; at < 11; at += 1) await prompt("one", `wish number ${at}`);
  server.answer((request) => {
    const observations = idsIn(request).map((id) => ({ id, ...entry }));
    return server.seen.length === 1 ? { kind: "json", value: { observations } } : { kind: "never" };
  });
  const running = compressAll();
  while (server.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  await http.core.ground.llm.close();
  await running;
  const { settings } = http.core.ground;
  answerAll();
  http.advance(1_000);
  const next = await Core.open({ home: http.home, settings, now: http.now });
  await JobWorker.runDue(next.ground, next.jobHandlers());
  await next.close();
  expect((await stored("one")).map(({ compression }) => compression)).toEqual(Array(11).fill("llm"));
  expect((await http.ok(listAudit, { operation: "compress" })).total).toBe(11);
});

test("an observation forgotten while the model reads it stays forgotten", async () => {
  await open();
  const { observationId } = await prompt("one", "the doomed wish");
  await prompt("one", "the other wish");
  server.answer(async (request) => {
    await http.ok(forget, { sessionId: "one", observationIds: [observationId] });
    return { kind: "json", value: { observations: idsIn(request).map((id) => ({ id, ...entry })) } };
  });
  await compressAll();
  expect((await stored("one")).map(({ compression }) => compression)).toEqual(["llm"]);
  const { results } = await http.ok(smartSearch, { query: "idempotency", project: "shop" });
  expect(results.map(({ obsId }) => obsId)).not.toContain(observationId);
  expect((await http.ok(listAudit, { operation: "compress", targetId: observationId })).total).toBe(0);
});

test("a compressed observation keeps its agent", async () => {
  await open({ MEMSVC_AGENT_SCOPE: "isolated" });
  answerAll();
  await prompt("one", "Use fake timers", "ann");
  await compressAll();
  const found = await http.ok(smartSearch, { query: "idempotency", agentId: "bob" });
  expect(found.results).toEqual([]);
  expect((await http.ok(smartSearch, { query: "idempotency", agentId: "ann" })).results).toHaveLength(1);
});

test("the model is sent redacted text, and secrets in its answer are not stored", async () => {
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  await open();
  answerAll({ narrative: `The token is ${secret}, which everybody knows.` });
  await prompt("one", `use ${secret} for the release`);
  await compressAll();
  expect(JSON.stringify(server.seen)).not.toContain(secret);
  expect((await stored("one"))[0]?.narrative).toBe("The token is [REDACTED_SECRET], which everybody knows.");
});

test("a model's answer is cut to the limits of an observation", async () => {
  await open();
  const many = Array.from({ length: 30 }, (_, at) => `${"x".repeat(300)}${at}`);
  answerAll({
    title: "t".repeat(300),
    facts: many,
    narrative: "n".repeat(5_000),
    concepts: many,
    files: ["made-up.ts"],
    importance: 99,
  });
  await prompt("one", "Use fake timers");
  await compressAll();
  const [observation] = await stored("one");
  expect(observation?.title).toHaveLength(120);
  expect(observation?.facts).toHaveLength(1);
  expect(observation?.facts[0]).toHaveLength(200);
  expect(observation?.narrative).toHaveLength(4_000);
  expect(observation).toMatchObject({ files: [], importance: 10 });
});

test("lone surrogates in a model's answer are stored as U+FFFD and the text is found", async () => {
  await open();
  answerAll({ concepts: ["a\ud800b"], facts: ["\udc00 is half a pair"], title: "Half \ud83d a pair" });
  await prompt("one", "Send each webhook once");
  await compressAll();
  expect(await stored("one")).toMatchObject([
    {
      compression: "llm",
      title: "Half \uFFFD a pair",
      concepts: ["a\uFFFDb"],
      facts: ["\uFFFD is half a pair"],
    },
  ]);
  expect((await http.ok(smartSearch, { query: "half pair", project: "shop" })).results).toHaveLength(1);
});

test("an answer that the model takes for a decision is the answer of its session all the same", async () => {
  await open();
  answerAll({ narrative: "Webhooks are sent at most once from now on. Still to do: the docs of the index." });
  await prompt("one", "Send each webhook once");
  await happen(http, "one", "stop", { assistant_response: "Webhooks are sent at most once." });
  await compressAll();
  expect((await stored("one")).map(({ type }) => type)).toEqual(["decision", "decision"]);
  const { messages } = await http.ok(getPrompt, {
    name: "session_handoff",
    arguments: { session_id: "one" },
  });
  const handoff = messages[0]?.content.text ?? "";
  expect(handoff).toContain("## Last answer\n> Webhooks are sent at most once from now on.");
  expect(handoff).not.toContain("broke off");
  await http.ok(endSession, { sessionId: "one" });
  const { context } = await http.ok(buildContext, { sessionId: "next", project: "shop" });
  expect(context).toContain("Left to do: the docs of the index");
  expect(context).not.toContain("Broke off");
  await prompt("two", "Drop the index again");
  await happen(http, "two", "stop", { assistant_response: "It is dropped." });
  await prompt("two", "And the column");
  await compressAll();
  const broken = await http.ok(getPrompt, { name: "session_handoff", arguments: { session_id: "two" } });
  expect(broken.messages[0]?.content.text).toContain("broke off without an answer to the last prompt");
});

test("the end of a turn that only has a status is no answer, whatever the model makes of it", async () => {
  await open();
  await happen(http, "one", "stop", { assistant_response: "Webhooks are sent at most once." });
  answerAll({ type: "notification", narrative: "The agent's turn was completed without any further text." });
  await happen(http, "one", "stop", { stopReason: "completed" });
  await http.writeSql(
    "DELETE FROM pending_compressions WHERE observation_id = (SELECT min(id) FROM observations)",
  );
  await compressAll();
  expect((await stored("one")).map(({ type }) => type)).toEqual(["conversation", "notification"]);
  const { messages } = await http.ok(getPrompt, {
    name: "session_handoff",
    arguments: { session_id: "one" },
  });
  expect(messages[0]?.content.text).toContain("## Last answer\n> Webhooks are sent at most once.\n");
});

test("the handoff tells a decision that stands behind the shown part of a model's long answer", async () => {
  await open();
  const decision = "The index stays unique from now on, because retries came twice";
  answerAll({
    narrative: `${"It was looked at. ".repeat(80)}${decision}.`,
    facts: [`decision: ${decision}`],
  });
  await happen(http, "one", "stop", { assistant_response: "It was looked at." });
  await compressAll();
  const { messages } = await http.ok(getPrompt, {
    name: "session_handoff",
    arguments: { session_id: "one" },
  });
  expect(messages[0]?.content.text).toMatch(/## Last answer\n> It was looked at\. .+…\n/u);
  expect(messages[0]?.content.text).toContain(`## Decisions\n- ${decision}`);
});
