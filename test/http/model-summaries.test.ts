import { afterEach, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession, listSessions } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { health } from "../../src/governance/health/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { summariesOf } from "../../src/knowledge/summaries/stored-summaries.ts";
import { getPrompt } from "../../src/mcp/operations.ts";
import { hourMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { openModelServer } from "../support/model-server.ts";
import { happen } from "../support/workdays.ts";

const server = forEachTest(openModelServer);
let http: TestHttp;
afterEach(() => http.close());

async function open(env: Record<string, string> = {}): Promise<void> {
  http = await openTestHttp({ env: { ...server.env("anthropic"), ...env } });
}

const place = { project: "shop", cwd: "/home/dev/shop" } as const;

function edit(sessionId: string, file: string, agentId?: string): Promise<string> {
  const data = { tool_name: "Edit", tool_input: { file_path: `/home/dev/shop/${file}` } };
  return happen(http, sessionId, "post_tool_use", data, { agentId });
}

const summary = {
  title: "Retries moved into the queue",
  narrative:
    "The retries of the mail job were moved into the queue, and its tests run with fake timers from now on.",
  keyDecisions: ["Retries belong to the queue, because the job is restarted with it"],
  filesModified: ["src/queue.ts", "src/made-up.ts"],
  concepts: ["Retries", "queue"],
};
const good = { kind: "json", value: summary } as const;
const broken = { kind: "status", status: 500 } as const;

test("a configured model writes the summary, and the answer and the audit entry name it", async () => {
  await open();
  await edit("one", "src/queue.ts");
  server.answer(good);
  const answer = await http.ok(summarizeSession, { sessionId: "one" });
  expect(answer).toMatchObject({
    provider: "anthropic",
    qualityScore: 100,
    summary: {
      title: summary.title,
      narrative: summary.narrative,
      keyDecisions: summary.keyDecisions,
      filesModified: ["src/queue.ts"],
      concepts: ["retries", "queue"],
      observationCount: 1,
      provider: "anthropic",
    },
  });
  expect(answer).not.toHaveProperty("warning");
  const { sessions } = await http.ok(listSessions, {});
  expect(sessions[0]).toMatchObject({ summary: summary.narrative, summaryDetail: { provider: "anthropic" } });
  const { entries } = await http.ok(listAudit, { operation: "summarize" });
  expect(entries).toEqual([
    expect.objectContaining({
      functionId: "session.summarize",
      targetIds: ["one"],
      details: { provider: "anthropic", jobId: expect.stringMatching(/^job_/u) },
      qualityScore: 100,
    }),
  ]);
  const { functionMetrics } = await http.ok(health, {});
  expect(functionMetrics.find(({ functionId }) => functionId === "session.summarize")).toMatchObject({
    avgQualityScore: 100,
  });
});

test("a file that the session only read or searched is not told as changed, though a model says so", async () => {
  await open();
  await edit("one", "src/queue.ts");
  const input = { file_path: "/home/dev/shop/src/mail.ts" };
  await happen(http, "one", "post_tool_use", { tool_name: "Read", tool_input: input }, place);
  const search = { pattern: "retry", path: "/home/dev/shop/src/cart.ts" };
  await happen(http, "one", "post_tool_use", { tool_name: "Grep", tool_input: search }, place);
  const filesModified = ["src/mail.ts", "src/queue.ts", "src/cart.ts"];
  server.answer({ kind: "json", value: { ...summary, filesModified } });
  expect(await http.ok(summarizeSession, { sessionId: "one" })).toMatchObject({
    summary: { filesModified: ["src/queue.ts"] },
  });
});

test("a model's repeated files and concepts appear once in the summary, in any case", async () => {
  await open();
  await edit("one", "src/queue.ts");
  const filesModified = ["src/queue.ts", "src/queue.ts"];
  const concepts = ["Retries", "retries", "queue"];
  server.answer({ kind: "json", value: { ...summary, filesModified, concepts } });
  expect(await http.ok(summarizeSession, { sessionId: "one" })).toMatchObject({
    summary: { filesModified: ["src/queue.ts"], concepts: ["retries", "queue"] },
  });
});

test("a long session is summarised in parallel parts, which one more call merges", async () => {
  await open({ MEMSVC_SUMMARIZE_CHUNK_SIZE: "2" });
  for (const file of ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"]) await edit("one", file);
  server.answer(({ prompt }) =>
    prompt.startsWith("{") ? good : { kind: "json", value: { ...summary, title: `part: ${prompt}` } },
  );
  const answer = await http.ok(summarizeSession, { sessionId: "one" });
  expect(answer).toMatchObject({ summary: { title: summary.title, observationCount: 5 } });
  expect(server.seen).toHaveLength(4);
  const merging = server.seen[3]?.prompt ?? "";
  expect(merging.split("\n").map((line) => JSON.parse(line).title)).toEqual([
    expect.stringMatching(/a\.ts.*b\.ts/su),
    expect.stringMatching(/c\.ts.*d\.ts/su),
    expect.stringContaining("e.ts"),
  ]);
});

test("a prompt to the model contains a tool call once, although hooks reported its start and end", async () => {
  await open();
  const call = { tool_name: "Edit", tool_input: { file_path: "/home/dev/shop/a.ts" } };
  const told = { ...place, sessionId: "one", timestamp: new Date(http.now()).toISOString() };
  const other = { ...call, tool_input: { file_path: "/home/dev/shop/running.ts" } };
  for (const data of [call, other]) await http.ok(observe, { ...told, hookType: "pre_tool_use", data });
  await http.ok(observe, { ...told, hookType: "post_tool_use", data: call });
  server.answer(good);
  await http.ok(summarizeSession, { sessionId: "one" });
  const lines = server.seen[0]?.prompt.split("\n") ?? [];
  expect(lines).toEqual([expect.stringContaining("running.ts"), expect.stringContaining(" a.ts")]);
});

test("a failed part is retried once, and left out with a warning if it fails again", async () => {
  await open({ MEMSVC_SUMMARIZE_CHUNK_SIZE: "1" });
  for (const file of ["a.ts", "b.ts", "c.ts", "d.ts"]) await edit("one", file);
  server.answer(({ prompt }) => (prompt.includes("b.ts") && !prompt.startsWith("{") ? broken : good));
  const answer = await http.ok(summarizeSession, { sessionId: "one" });
  expect(answer).toMatchObject({
    provider: "anthropic",
    warning: "1 of 4 parts could not be summarised",
  });
  expect(server.seen.filter(({ prompt }) => prompt.includes("b.ts"))).toHaveLength(2);
});

test("rules write the summary, with a warning, when more than half of the parts fail", async () => {
  await open({ MEMSVC_SUMMARIZE_CHUNK_SIZE: "1" });
  for (const file of ["a.ts", "b.ts", "c.ts"]) await edit("one", file);
  server.answer(({ prompt }) => (prompt.includes("c.ts") ? good : { kind: "status", status: 400 }));
  const answer = await http.ok(summarizeSession, { sessionId: "one" });
  expect(answer).toMatchObject({
    provider: "extractive",
    summary: { provider: "extractive", filesModified: expect.arrayContaining(["a.ts", "b.ts", "c.ts"]) },
    warning: expect.stringMatching(/^made by rules: .*400/u),
  });
});

test.each([
  ["a broken provider", broken, "HTTP 500"],
  ["an answer of no use", { kind: "text", text: "no" }, "not a JSON object"],
  ["a refused key", { kind: "status", status: 403 }, "HTTP 403"],
] as const)(
  "after %s rules write the summary, with a warning that gives the reason",
  async (_, reply, reason) => {
    await open();
    await edit("one", "a.ts");
    server.answer(reply);
    const answer = await http.ok(summarizeSession, { sessionId: "one" });
    expect(answer).toMatchObject({
      provider: "extractive",
      warning: expect.stringMatching(new RegExp(`^made by rules: .*${reason}`, "u")),
    });
  },
);

test("a summary longer than the sync wait continues as a job, which its audit entry names", async () => {
  await open({ MEMSVC_SYNC_WAIT_MS: "1" });
  await edit("one", "a.ts");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.answer(async () => {
    await held;
    return good;
  });
  const reply = await http.reply(summarizeSession, { sessionId: "one" });
  expect(reply).toMatchObject({ status: 202, body: { success: true, queued: true } });
  release();
  await http.core.longRuns.settled();
  const { entries } = await http.ok(listAudit, { operation: "summarize" });
  expect(entries[0]?.details).toEqual({ provider: "anthropic", jobId: reply.body.jobId });
});

test("an observation forgotten while the model reads it does not appear in the summary", async () => {
  await open();
  const doomed = await edit("one", "secret-plan.ts");
  await edit("one", "a.ts");
  server.answer(async () => {
    await http.ok(forget, { sessionId: "one", observationIds: [doomed] });
    return { kind: "json", value: { ...summary, narrative: "It was all about secret-plan.ts and a.ts." } };
  });
  const answer = await http.ok(summarizeSession, { sessionId: "one" });
  expect(answer).toMatchObject({
    provider: "extractive",
    warning: "made by rules: the session lost observations meanwhile",
    summary: { observationCount: 1 },
  });
  expect(JSON.stringify(answer)).not.toContain("secret-plan");
});

test("a session forgotten while the model reads it is a 404 and leaves no summary", async () => {
  await open();
  await edit("one", "a.ts");
  server.answer(async () => {
    await http.ok(forget, { sessionId: "one", includeSession: true });
    return good;
  });
  expect((await http.reply(summarizeSession, { sessionId: "one" })).status).toBe(404);
  expect(await summariesOf(http.core.ground.store.read, ["one"])).toEqual(new Map());
});

test("an event that arrives while the model reads is left to the next summary", async () => {
  await open();
  await edit("one", "a.ts");
  server.answer(async () => {
    if (server.seen.length === 1) await edit("one", "b.ts");
    return good;
  });
  expect(await http.ok(summarizeSession, { sessionId: "one" })).toMatchObject({
    provider: "anthropic",
    summary: { observationCount: 1 },
  });
  expect(await http.ok(summarizeSession, { sessionId: "one" })).toMatchObject({
    summary: { observationCount: 2 },
  });
});

test("the model is not asked about unknown sessions or sessions of other agents", async () => {
  await open({ MEMSVC_AGENT_SCOPE: "isolated" });
  await edit("one", "a.ts", "ann");
  expect((await http.reply(summarizeSession, { sessionId: "one", agentId: "bob" })).status).toBe(404);
  expect((await http.reply(summarizeSession, { sessionId: "none", agentId: "ann" })).status).toBe(404);
  expect(server.seen).toHaveLength(0);
  server.answer(good);
  expect((await http.reply(summarizeSession, { sessionId: "one", agentId: "ann" })).status).toBe(200);
});

test("secrets in the model's answer are redacted", async () => {
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  await open();
  await edit("one", "a.ts");
  server.answer({ kind: "json", value: { ...summary, narrative: `The token ${secret} was renewed.` } });
  expect(await http.ok(summarizeSession, { sessionId: "one" })).toMatchObject({
    summary: { narrative: "The token [REDACTED_SECRET] was renewed." },
  });
});

test("a model's answer is cut to the limits of a summary", async () => {
  await open();
  await edit("one", "a.ts");
  const long = "ü".repeat(5_000);
  const many = Array.from({ length: 60 }, (_, at) => `${at}`);
  server.answer({
    kind: "json",
    value: { title: long, narrative: long, keyDecisions: many, filesModified: ["a.ts"], concepts: many },
  });
  const answer = await http.ok(summarizeSession, { sessionId: "one" });
  if ("queued" in answer) throw new Error("it was queued");
  expect([...answer.summary.title]).toHaveLength(120);
  expect([...answer.summary.narrative]).toHaveLength(4_000);
  expect(answer.summary.keyDecisions).toHaveLength(20);
  expect(answer.summary.concepts).toHaveLength(20);
  const [session] = (await http.ok(listSessions, {})).sessions;
  expect([...(session?.summary ?? "")]).toHaveLength(500);
});

test("a model summarises a session after it has ended", async () => {
  await open();
  await edit("one", "src/queue.ts");
  server.answer(good);
  await http.ok(endSession, { sessionId: "one" });
  expect(server.seen).toHaveLength(0);
  await http.runDueJobs();
  const { sessions } = await http.ok(listSessions, {});
  expect(sessions[0]?.summaryDetail).toMatchObject({ provider: "anthropic", title: summary.title });
});

test("a session with more parts than the hourly call limit is summarised by rules, once", async () => {
  const limits = { MEMSVC_SUMMARIZE_CHUNK_SIZE: "1", MEMSVC_LLM_MAX_CALLS_PER_HOUR: "3" };
  await open(limits);
  for (const file of ["a.ts", "b.ts", "c.ts"]) await edit("one", file);
  server.answer(good);
  await http.ok(endSession, { sessionId: "one" });
  for (let hour = 0; hour < 3; hour += 1) {
    await http.runDueJobs();
    http.advance(hourMs);
  }
  expect(server.seen).toHaveLength(0);
  const { sessions } = await http.ok(listSessions, {});
  expect(sessions[0]?.summaryDetail).toMatchObject({ provider: "extractive", observationCount: 3 });
});

test("while the model is down a session gets a summary by rules, and the model's when it is back", async () => {
  await open();
  server.answer(broken);
  for (const id of ["x", "y"]) {
    await edit(id, "a.ts");
    await http.ok(summarizeSession, { sessionId: id });
  }
  await edit("one", "src/queue.ts");
  await http.ok(endSession, { sessionId: "one" });
  const asked = server.seen.length;
  await http.runDueJobs();
  expect(server.seen).toHaveLength(asked);
  expect((await summariesOf(http.core.ground.store.read, ["one"])).get("one")?.provider).toBe("extractive");
  server.answer(good);
  http.advance(60_000);
  await http.runDueJobs();
  expect((await summariesOf(http.core.ground.store.read, ["one"])).get("one")?.provider).toBe("anthropic");
  const { total } = await http.ok(listAudit, { operation: "summarize", targetId: "one" });
  expect(total).toBe(2);
});

test("a session that a model has summarised since its end is not summarised again", async () => {
  await open();
  await edit("one", "src/queue.ts");
  await http.ok(endSession, { sessionId: "one" });
  server.answer(good);
  await http.ok(summarizeSession, { sessionId: "one" });
  await http.runDueJobs();
  expect(server.seen).toHaveLength(1);
  await edit("one", "src/mail.ts");
  await http.ok(endSession, { sessionId: "one" });
  http.advance(600_000);
  await http.runDueJobs();
  expect(server.seen).toHaveLength(2);
  expect((await summariesOf(http.core.ground.store.read, ["one"])).get("one")?.observationCount).toBe(2);
});

test("the handoff of a session tells a model's summary, but not of what was forgotten since", async () => {
  await open();
  const doomed = await edit("one", "src/secret-plan.ts");
  await edit("one", "src/queue.ts");
  server.answer(good);
  await http.ok(summarizeSession, { sessionId: "one" });
  const handoff = async () => {
    const given = { name: "session_handoff", arguments: { session_id: "one" } };
    return (await http.ok(getPrompt, given)).messages[0]?.content.text;
  };
  expect(await handoff()).toContain(`> ${summary.narrative}`);
  expect(await handoff()).toContain(`- ${summary.keyDecisions[0]}`);
  await http.ok(forget, { sessionId: "one", observationIds: [doomed] });
  expect(await handoff()).not.toContain(summary.narrative);
  expect(await handoff()).toContain("src/queue.ts");
});
