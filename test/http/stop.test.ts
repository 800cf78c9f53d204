import { afterEach, beforeEach, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession, listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { consolidatePipeline } from "../../src/knowledge/consolidation/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { summariesOf } from "../../src/knowledge/summaries/stored-summaries.ts";
import { openTestCore, type TestCore } from "../support/core.ts";

let store: TestCore;
beforeEach(async () => {
  store = await openTestCore();
});
afterEach(() => store.close());

const place = { project: "shop", cwd: "/home/dev/shop" } as const;
const cooldownMs = 300_000;

async function prompt(sessionId: string, text: string): Promise<void> {
  store.advance(1_000);
  const timestamp = new Date(store.now()).toISOString();
  await store.call(observe, {
    ...place,
    sessionId,
    hookType: "prompt_submit",
    timestamp,
    data: { prompt: text },
  });
}

async function summariesMade(): Promise<number> {
  return (await store.call(listAudit, { operation: "summarize" })).total;
}

test("an ended session is summarised by a job, and the next session's context contains it", async () => {
  await prompt("one", "Move the retries into the queue");
  await store.call(endSession, { sessionId: "one" });
  expect(await summariesMade()).toBe(0);
  await store.runDueJobs();
  const { sessions } = await store.call(listSessions, {});
  expect(sessions[0]).toMatchObject({
    status: "completed",
    summary: "Asked: Move the retries into the queue.",
    summaryDetail: { title: "Move the retries into the queue", provider: "extractive", observationCount: 1 },
  });
  const { context } = await store.call(startSession, { ...place, sessionId: "two" });
  expect(context).toContain("Move the retries into the queue");
});

test("a session ended at every turn is summarised once per cooldown, and not without new events", async () => {
  await prompt("one", "First turn");
  await store.call(endSession, { sessionId: "one" });
  await store.runDueJobs();
  for (const turn of ["Second turn", "Third turn"]) {
    await prompt("one", turn);
    await store.call(endSession, { sessionId: "one" });
    await store.runDueJobs();
  }
  expect(await summariesMade()).toBe(1);
  store.advance(cooldownMs);
  await store.runDueJobs();
  expect(await summariesMade()).toBe(2);
  await store.call(startSession, { ...place, sessionId: "one" });
  await store.call(endSession, { sessionId: "one" });
  store.advance(cooldownMs);
  await store.runDueJobs();
  expect(await summariesMade()).toBe(2);
});

test("events and cooldown of one session do not affect another", async () => {
  await prompt("one", "First turn");
  await prompt("two", "Another matter");
  await store.call(endSession, { sessionId: "one" });
  await store.runDueJobs();
  await prompt("two", "And one more");
  await store.call(endSession, { sessionId: "two" });
  await store.runDueJobs();
  expect(await summariesMade()).toBe(2);
  store.advance(cooldownMs);
  await store.call(startSession, { ...place, sessionId: "one" });
  await store.call(endSession, { sessionId: "one" });
  await store.runDueJobs();
  expect(await summariesMade()).toBe(2);
});

test("a session without prompts has no summary and is not in the context", async () => {
  const idle = (hookType: string, sessionId: string) =>
    store.call(observe, {
      ...place,
      sessionId,
      hookType,
      timestamp: new Date(store.now()).toISOString(),
      data: { reason: "other", message: "waiting for input" },
    });
  // An agent's command that reports only an end, and a session without a prompt.
  await idle("session_end", "command");
  for (const hookType of ["session_start", "notification", "session_end"]) await idle(hookType, "opened");
  for (const sessionId of ["command", "opened"]) await store.call(endSession, { sessionId });
  await store.runDueJobs();
  expect(await store.call(consolidatePipeline, { tier: "episodic" })).toMatchObject({
    results: { episodic: { summarized: 0, skipped: 2 } },
  });
  expect(await summariesMade()).toBe(0);
  expect((await store.call(startSession, { ...place, sessionId: "two" })).context).not.toContain(
    "Session end",
  );
  await prompt("opened", "Move the retries into the queue");
  await store.call(endSession, { sessionId: "opened" });
  store.advance(cooldownMs);
  await store.runDueJobs();
  expect(await summariesMade()).toBe(1);
});

test("the renewed profile belongs to the checkout of the session, not to one of the same name", async () => {
  const cwds = ["/home/dev/a/shop", "/home/dev/b/shop"];
  for (const [at, cwd] of cwds.entries()) {
    await store.call(startSession, { project: "shop", cwd, sessionId: `${at}` });
    await prompt(`${at}`, `Work in ${cwd}`);
    await store.call(endSession, { sessionId: `${at}` });
  }
  await store.runDueJobs();
  for (const project of cwds) expect((await store.call(getProfile, { project })).cached).toBe(true);
});

test("the renewed profile is found by project name, by folder and by both", async () => {
  await store.call(startSession, { ...place, sessionId: "one" });
  await prompt("one", "Move the retries into the queue");
  await store.call(endSession, { sessionId: "one" });
  await store.runDueJobs();
  for (const asked of [{ project: "shop" }, { project: place.cwd }, place])
    expect(await store.call(getProfile, asked)).toMatchObject({ cached: true, project: asked.project });
});

test("in isolated scope each agent's profile is renewed, and none for all agents", async () => {
  await store.close();
  store = await openTestCore({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  const agents = ["ann", "bob"];
  for (const agentId of agents) {
    await store.call(startSession, { ...place, sessionId: `of-${agentId}`, agentId });
    await prompt(`of-${agentId}`, `Work of ${agentId}`);
    await store.call(endSession, { sessionId: `of-${agentId}` });
  }
  await store.call(startSession, { ...place, sessionId: "of-nobody" });
  await prompt("of-nobody", "Work of nobody");
  await store.call(endSession, { sessionId: "of-nobody" });
  await store.runDueJobs();
  for (const agentId of agents)
    expect(await store.call(getProfile, { project: place.project, agentId })).toMatchObject({
      cached: true,
      totalObservations: 1,
    });
  expect((await store.call(getProfile, { project: place.project, agentId: "*" })).cached).toBe(false);
});

test("a session can be summarised on request; an empty one is a conflict, an unknown one not found", async () => {
  await prompt("one", "Use fake timers from now on, we decided to drop sleeps");
  const answer = await store.call(summarizeSession, { sessionId: "one" });
  if ("queued" in answer) throw new Error("rules do not outlast a request");
  expect(answer.summary.keyDecisions).toHaveLength(1);
  expect(answer.qualityScore).toBe(answer.summary.qualityScore);
  await store.call(startSession, { ...place, sessionId: "empty" });
  await expect(store.call(summarizeSession, { sessionId: "empty" })).rejects.toMatchObject({
    code: "conflict",
  });
  await expect(store.call(summarizeSession, { sessionId: "none" })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a summary names commands without output filters, failed or not", async () => {
  const runs = [
    ["npm test 2>&1 | tail -20", 1],
    ["npm test | head -5", 1],
    ["npm run build | tail -3", 0],
  ] as const;
  for (const [command, exitCode] of runs) {
    store.advance(1_000);
    const data = { toolName: "Bash", toolInput: { command }, toolOutput: { exitCode } };
    const timestamp = new Date(store.now()).toISOString();
    await store.call(observe, { ...place, sessionId: "one", hookType: "post_tool_use", timestamp, data });
  }
  await store.call(summarizeSession, { sessionId: "one" });
  const [session] = (await store.call(listSessions, {})).sessions;
  expect(session?.summaryDetail?.narrative).toBe("Ran: npm test (exit 1); npm run build.");
});

test("a title given later does not replace a real summary", async () => {
  await prompt("one", "Move the retries");
  await store.call(summarizeSession, { sessionId: "one" });
  const { session } = await store.call(startSession, { ...place, sessionId: "one", title: "another title" });
  expect(session.summary).toBe("Asked: Move the retries.");
});

test("forgetting a session with includeSession deletes its summary", async () => {
  await prompt("one", "Move the retries");
  await store.call(summarizeSession, { sessionId: "one" });
  await store.call(forget, { sessionId: "one", includeSession: true });
  expect(await summariesOf(store.core.ground.store.read, ["one"])).toEqual(new Map());
});

test("a profile does not mention a forgotten session", async () => {
  await prompt("one", "Move the retries");
  await prompt("two", "Paint the shed");
  for (const sessionId of ["one", "two"]) await store.call(summarizeSession, { sessionId });
  await store.call(forget, { sessionId: "one" });
  const activity = async () => (await store.call(getProfile, { project: "shop" })).recentActivity.join();
  expect(await activity()).toContain("Move the retries");
  await store.call(forget, { sessionId: "one", includeSession: true });
  expect(await activity()).toMatch(/^[^,]*Paint the shed$/u);
});
