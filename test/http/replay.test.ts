import { describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { loadReplay, replaySessions } from "../../src/capture/replay/operations.ts";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

describe("a replay", () => {
  const event = (hookType: string, data: unknown, timestamp: string) => ({
    hookType,
    sessionId: "live",
    project: "shop",
    cwd: "/home/dev/shop",
    timestamp,
    data,
  });

  test("is a session's timeline, with the kind, text and duration of each event", async () => {
    const apart = await openTestHttp();
    for (const [hookType, data, seconds] of [
      ["session_start", { source: "startup" }, 0],
      ["prompt_submit", { prompt: "x".repeat(80) }, 1],
      ["pre_tool_use", { tool_name: "Bash", tool_input: { command: "ls" } }, 2],
      ["post_tool_use", { tool_name: "Bash", tool_input: { command: "ls" }, tool_response: "a.ts" }, 3],
      ["post_tool_use", { tool_name: "Bash", tool_input: { command: "no" }, error: "not found" }, 4],
      ["post_tool_failure", { tool_name: "Bash", error: "failed" }, 5],
      ["subagent_stop", { last_assistant_message: "y".repeat(4_000) }, 6],
      ["custom_hook", { note: "some words" }, 7],
      ["session_end", { reason: "exit" }, 8],
    ] as const) {
      await apart.ok(observe, event(hookType, data, `2026-02-01T09:00:0${seconds}.000Z`));
    }
    const { timeline, session } = await apart.ok(loadReplay, { sessionId: "live" });
    expect(session.id).toBe("live");
    expect(timeline).toMatchObject({
      sessionId: "live",
      startedAt: "2026-02-01T09:00:00.000Z",
      endedAt: "2026-02-01T09:00:08.000Z",
      totalDurationMs: 8_000,
      eventCount: 9,
    });
    expect(timeline).not.toHaveProperty("truncated");
    expect(timeline.events.map(({ kind, offsetMs, durationMs }) => [kind, offsetMs, durationMs])).toEqual([
      ["session_start", 0, 300],
      ["prompt", 1_000, 2_000],
      ["tool_call", 2_000, 300],
      ["tool_result", 3_000, 300],
      ["tool_error", 4_000, 300],
      ["tool_error", 5_000, 300],
      ["response", 6_000, 20_000],
      ["hook", 7_000, 300],
      ["session_end", 8_000, 300],
    ]);
    expect(timeline.events[3]).toMatchObject({
      label: "ls",
      toolName: "Bash",
      toolInput: { command: "ls" },
      toolOutput: "a.ts",
      ts: "2026-02-01T09:00:03.000Z",
    });
    expect(timeline.events[3]).not.toHaveProperty("body");
    expect([4, 5, 7].map((place) => timeline.events[place]?.body)).toEqual([
      "not found",
      "failed",
      "some words",
    ]);
    await apart.close();
  });

  test("shows the text of each hook, whichever field of its data holds it", async () => {
    const apart = await openTestHttp();
    for (const [hookType, data, seconds] of [
      ["subagent_start", { agent_id: "a1", agent_type: "Explore", prompt: "Find the retries" }, 0],
      ["notification", { notification_type: "permission_prompt", message: "May I run it?" }, 1],
      ["task_completed", { task_id: "7", task_subject: "Ship it", task_description: "To the shop" }, 2],
      ["pre_compact", { trigger: "manual", custom_instructions: "Keep the plan" }, 3],
      ["custom_hook", { mode: "fast", note: "some words" }, 4],
      ["custom_hook", { mode: "slow" }, 5],
    ] as const) {
      await apart.ok(observe, event(hookType, data, `2026-02-01T09:00:0${seconds}.000Z`));
    }
    const { timeline } = await apart.ok(loadReplay, { sessionId: "live" });
    expect(timeline.events.map(({ kind, body }) => [kind, body])).toEqual([
      ["hook", "Find the retries"],
      ["hook", "May I run it?"],
      ["hook", "Ship it\nTo the shop"],
      ["hook", "Keep the plan"],
      ["hook", "some words"],
      ["hook", undefined],
    ]);
    await apart.close();
  });

  test("of an unknown or another agent's session is a 404; sessions without events are not listed", async () => {
    const apart = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
    await apart.ok(startSession, { sessionId: "empty", project: "shop", cwd: "/w", agentId: "ann" });
    await apart.ok(observe, {
      ...event("prompt_submit", { prompt: "hello" }, "2026-02-01T09:00:00Z"),
      agentId: "ann",
    });
    const listed = await apart.ok(replaySessions, { agentId: "ann" });
    expect(listed).toMatchObject({ total: 1, limit: 100, offset: 0, sessions: [{ id: "live" }] });
    expect((await apart.ok(replaySessions, { agentId: "bob" })).total).toBe(0);
    expect((await apart.reply(loadReplay, { sessionId: "live", agentId: "ann" })).status).toBe(200);
    expect((await apart.reply(loadReplay, { sessionId: "live", agentId: "bob" })).status).toBe(404);
    expect((await apart.reply(loadReplay, { sessionId: "none", agentId: "ann" })).status).toBe(404);
    await apart.close();
  });

  test("is truncated when it is too large, and does not block the event loop while it is built", async () => {
    const apart = await openTestHttp();
    for (let second = 0; second < 160; second += 1) {
      const timestamp = new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString();
      await apart.ok(observe, event("prompt_submit", { prompt: `question ${second}` }, timestamp));
    }
    await apart.core.ground.store.write((tx) =>
      tx.sql.run(
        "UPDATE raw_events SET event = json_set(event, '$.userPrompt', printf('%.*c', 500000, 'x'))",
      ),
    );
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    });
    // Not over HTTP, where also sending the answer, and reading it, would let others have their turn.
    const { timeline } = await apart.core.call(loadReplay, { sessionId: "live" }, { face: "library" });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(0);
    expect(timeline).toMatchObject({ truncated: true, eventCount: 134 });
    expect(timeline.events.map(({ id }) => id)).toHaveLength(134);
    await apart.close();
  });

  test("shows the first 10,000 events of a longer session", async () => {
    const apart = await openTestHttp();
    const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString();
    const live = Array.from({ length: 10_001 }, (_, second) => ({
      id: `obs_${second}`,
      sessionId: "live",
      timestamp: at(second),
      type: "other",
      title: "worked",
    }));
    const session = { id: "live", project: "shop", cwd: "/w", startedAt: at(0), status: "active" };
    const exportData = { version: "1.0.0", exportedAt: at(0), sessions: [session], observations: { live } };
    await apart.ok(importStore, { exportData });
    const { timeline } = await apart.ok(loadReplay, { sessionId: "live" });
    expect(timeline).toMatchObject({ truncated: true, eventCount: 10_000, endedAt: at(9_999) });
    await apart.close();
  });

  test("of a session without events is empty", async () => {
    await http.ok(startSession, { sessionId: "empty", project: "shop", cwd: "/w" });
    const { timeline } = await http.ok(loadReplay, { sessionId: "empty" });
    expect(timeline).toMatchObject({ eventCount: 0, totalDurationMs: 0, events: [] });
  });
});
