import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { observeInputFrom } from "../../src/capture/observations/hooks/hook-payload.ts";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { importTranscripts } from "../../src/capture/replay/operations.ts";
import { listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { sweeps } from "../../src/jobs/sweeps.ts";
import { listLessons } from "../../src/knowledge/lessons/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import {
  call,
  conversation,
  type Line,
  line,
  openForTranscripts,
  result,
  transcriptSteps,
} from "../support/transcripts.ts";

const place = forEachTest(openForTranscripts);
const { load, observed, only, write } = transcriptSteps(place);

const sweepTombstones = () =>
  sweeps(place.http.core)
    .find(({ kind }) => kind === "sweep.tombstones")
    ?.run({ id: "job_1", kind: "sweep.tombstones", key: "", payload: {}, attempts: 1 });

describe("importing a transcript again", () => {
  test("adds only what was appended since", async () => {
    const lines = conversation();
    const path = write("one.jsonl", lines);
    await load({ path });
    place.http.advance(30 * 86_400_000);
    expect(await load({ path })).toMatchObject({ imported: 1, observations: 0, skippedDuplicates: 6 });
    expect((await place.http.ok(listAudit, { operation: "import" })).total).toBe(1);
    write("one.jsonl", [...lines, result("t3", "watching"), line("user", "Thanks")]);
    expect(await load({ path })).toMatchObject({ observations: 2, skippedDuplicates: 5 });
    expect(await only()).toMatchObject({ observationCount: 8, endedAt: "2026-02-01T09:00:10.000Z" });
  });

  test("adds nothing to a store that imported its events from an export", async () => {
    const path = write("one.jsonl", conversation());
    await load({ path });
    const [first] = await observed();
    await place.http.ok(forget, { sessionId: "told", observationIds: [first?.id ?? ""] });
    const { body: exportData } = await place.http.send("/export");
    const other = await openTestHttp({ env: { MEMSVC_ALLOWED_ROOTS: join(place.folder, "projects") } });
    try {
      await other.ok(importStore, { exportData });
      const again = await other.ok(importTranscripts, { path });
      expect(again).toMatchObject({ observations: 0, skippedDuplicates: 5, leftDeleted: 1 });
      const [second] = (await other.ok(listObservations, { sessionId: "told" })).observations;
      await other.ok(forget, { sessionId: "told", observationIds: [second?.id ?? ""] });
      const third = await other.ok(importTranscripts, { path });
      expect(third).toMatchObject({ observations: 0, skippedDuplicates: 4, leftDeleted: 2 });
    } finally {
      await other.close();
    }
  });

  test("completes an import that was cut short", async () => {
    const path = write("one.jsonl", conversation());
    await load({ path });
    await place.http.core.ground.store.write(async (tx) => {
      await tx.sql.run("DELETE FROM jobs");
      await tx.sql.run("UPDATE sessions SET ended_at = NULL");
    });
    expect((await load({ path })).observations).toBe(0);
    expect((await only())?.endedAt).toBe("2026-02-01T09:00:08.000Z");
    await place.http.runDueJobs();
    expect((await only())?.summaryDetail).toBeDefined();
  });

  test("after a killed import saves the lessons of all its events", async () => {
    const said = [line("user", "Always drain the queue before shutdown."), line("assistant", "Done.")];
    const path = write("one.jsonl", said);
    const { store } = place.http.core.ground;
    await store.write(({ sql }) =>
      sql.run(
        "CREATE TRIGGER killed BEFORE INSERT ON audit_entries BEGIN SELECT RAISE(ABORT, 'killed'); END",
      ),
    );
    expect((await place.http.reply(importTranscripts, { path })).status).toBe(500);
    await store.write(({ sql }) => sql.run("DROP TRIGGER killed"));
    await load({ path });
    const { lessons } = await place.http.ok(listLessons, { project: "shop" });
    expect(lessons.map(({ content }) => content)).toEqual(["Always drain the queue before shutdown."]);
  });

  test("adds nothing, even for lines without ids, times and session", async () => {
    const bare = ["Move the retries", "Move the retries", "Then the locks"].map((text) => ({
      type: "user",
      message: { role: "user", content: text },
    }));
    const path = write("bare.jsonl", bare);
    const first = await load({ path });
    expect(first.sessionIds).toEqual([expect.stringMatching(/^ses_[0-9a-z]{26}$/u)]);
    expect(first.observations).toBe(3);
    expect(await load({ path })).toMatchObject({ observations: 0, skippedDuplicates: 3 });
    expect((await only())?.project).toBe("projects");
  });

  test("leaves project, agent and status of a session known from hooks", async () => {
    await place.http.ok(startSession, {
      sessionId: "told",
      project: "mine",
      cwd: "/home/dev/shop",
      agentId: "ann",
    });
    await load({ path: write("one.jsonl", conversation()), agentId: "bob", project: "other" });
    expect(await only()).toMatchObject({
      status: "active",
      project: "mine",
      agentId: "ann",
      tags: ["claude-code"],
    });
    expect(new Set((await observed()).map(({ agentId }) => agentId))).toEqual(new Set(["ann"]));
  });

  test("skips each event known from hooks once, and adds the others", async () => {
    const hook = (hookType: string, timestamp: string, data: Line) =>
      place.http.ok(observe, {
        hookType,
        sessionId: "told",
        project: "shop",
        cwd: "/home/dev/shop",
        timestamp,
        data,
      });
    const lines = [
      line("user", "Run the tests twice"),
      call("t1", "Bash", { command: "npm test" }),
      result("t1", "2 passed"),
      call("t2", "Bash", { command: "npm test" }),
      result("t2", "2 passed"),
      line("assistant", "They pass."),
    ] as const;
    const [prompt, , first, , , last] = lines.map(({ timestamp }) => String(timestamp));
    await hook("prompt_submit", prompt ?? "", { prompt: "Run the tests twice" });
    await hook("post_tool_use", first ?? "", {
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      tool_response: { stdout: "2 passed" },
    });
    await hook("stop", last ?? "", { last_assistant_message: "They pass." });
    // As the compression by a model leaves it.
    await place.http.core.ground.store.write(({ sql }) =>
      sql.run(
        "UPDATE observations SET compression = 'llm', narrative = 'All is well.' WHERE hook_type = 'stop'",
      ),
    );
    const path = write("one.jsonl", lines);
    expect(await load({ path })).toMatchObject({ imported: 1, observations: 1, skippedDuplicates: 3 });
    expect(await load({ path })).toMatchObject({ observations: 0, skippedDuplicates: 4 });
    const channels = (await observed()).map(({ origin }) => origin?.channel);
    expect(channels.sort()).toEqual(["agent", "import", "tool", "user"]);
    const again = write("two.jsonl", [
      line("user", "Run the tests twice", { timestamp: "2026-02-02T09:00:00Z" }),
    ]);
    expect(await load({ path: again })).toMatchObject({ observations: 1, skippedDuplicates: 0 });
  });

  test("skips commands, compactions and failed turns known from hooks, which transcripts tell in other words", async () => {
    const lead =
      "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n<system-reminder>\n<tools-used-before-summary>Bash</tools-used-before-summary>\n</system-reminder>";
    const advice =
      "If you need specific details from before compaction (like exact code snippets), read the full transcript at: /t.jsonl\nContinue the conversation from where it left off without asking the user any further questions.";
    const summary = `1. Primary request: a cart page.\n\n2. ${"We decided to use Redis. ".repeat(80)}`.trim();
    const lines = [
      line(
        "user",
        "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the cart</command-args>",
      ),
      line("user", "Review what the user names, with care: the cart", { isMeta: true }),
      line("user", "<local-command-stdout>Compacted</local-command-stdout>"),
      line("user", `${lead}\nSummary:\n${summary}\n\n${advice}`, { isCompactSummary: true }),
      line("assistant", "API Error: 529 Overloaded", { isApiErrorMessage: true }),
    ];
    const told = async (at: number, payload: Line) => {
      const read = observeInputFrom(
        { session_id: "told", cwd: "/home/dev/shop", ...payload },
        { now: () => new Date(String(lines[at]?.timestamp)), projectOf: () => "shop", fallbackCwd: "/" },
      );
      if (read.kind === "event") await place.http.ok(observe, read.input);
    };
    await told(0, { hook_event_name: "UserPromptSubmit", prompt: "/review the cart" });
    const compact_summary = `<analysis>\nWe go through it.\n</analysis>\n\n<summary>\n${summary}\n</summary>`;
    await told(3, { hook_event_name: "PostCompact", trigger: "auto", compact_summary });
    await told(4, {
      hook_event_name: "StopFailure",
      error: "overloaded",
      last_assistant_message: "API Error: 529 Overloaded",
    });
    const path = write("one.jsonl", lines);
    expect(await load({ path })).toMatchObject({ observations: 2, skippedDuplicates: 3 });
    const added = (await observed()).filter(({ origin }) => origin?.channel === "import");
    expect(added.map(({ hookType, title }) => [hookType, title])).toEqual([
      ["notification", "Notification: Review what the user names, with care: the cart"],
      ["notification", "Notification: Compacted"],
    ]);
  });

  test("skips a call known from hooks that a model compressed, however long its output is", async () => {
    const output = `/home/dev/shop/a.ts:3:5: error: no\n${"0123456789abcdef ".repeat(5_000)}\n2 failed`;
    const lines = [call("t1", "Bash", { command: "npm test" }), result("t1", output)] as const;
    await place.http.ok(observe, {
      ...{ hookType: "post_tool_use", sessionId: "told", project: "shop", cwd: "/home/dev/shop" },
      timestamp: String(lines[1].timestamp),
      data: { tool_name: "Bash", tool_input: { command: "npm test" }, tool_response: { stdout: output } },
    });
    // As the compression by a model leaves it.
    await place.http.core.ground.store.write(({ sql }) =>
      sql.run("UPDATE observations SET compression = 'llm', narrative = 'Two failed.'"),
    );
    const path = write("one.jsonl", lines);
    expect(await load({ path })).toMatchObject({ observations: 0, skippedDuplicates: 1 });
  });

  test("skips as many equal events as hooks reported in the same session", async () => {
    const lines = ["t1", "t2", "t3"].flatMap((id) => [
      call(id, "Bash", { command: "npm test" }),
      result(id, "2 passed"),
    ]);
    for (const [at, sessionId] of ["told", "told", "other"].entries())
      await place.http.ok(observe, {
        hookType: "post_tool_use",
        sessionId,
        project: "shop",
        cwd: "/home/dev/shop",
        timestamp: String(lines[2 * at + 1]?.timestamp),
        data: {
          tool_name: "Bash",
          tool_input: { command: "npm test" },
          tool_response: { stdout: "2 passed" },
          tool_use_id: `h${at}`,
        },
      });
    const path = write("one.jsonl", lines);
    expect(await load({ path })).toMatchObject({ observations: 1, skippedDuplicates: 2 });
  });

  test("skips a call known from hooks by its id, however its input is written", async () => {
    const input = { file_path: "/home/dev/shop/a.ts", old_string: "100", new_string: "250" };
    const lines = [
      call("t1", "Edit", { replace_all: false, ...input }),
      result("t1", "done"),
      call("t2", "Edit", input),
      result("t2", "done"),
    ];
    const told = (hookType: string, at: number, data: Line) =>
      place.http.ok(observe, {
        hookType,
        sessionId: "told",
        project: "shop",
        cwd: "/home/dev/shop",
        timestamp: String(lines[at]?.timestamp),
        data: { tool_name: "Edit", tool_input: { ...input, replace_all: false }, tool_use_id: "t1", ...data },
      });
    await told("pre_tool_use", 0, {});
    await told("post_tool_use", 1, { tool_response: "done" });
    const path = write("one.jsonl", lines);
    expect(await load({ path })).toMatchObject({ observations: 1, skippedDuplicates: 1 });
    const ids = (await observed()).map(({ raw }) => raw?.data).map((data) => (data as Line).tool_use_id);
    expect(ids).toEqual(["t1", "t1", "t2"]);
  });

  test("does not bring back a forgotten event or session", async () => {
    const path = write("one.jsonl", conversation());
    await load({ path });
    const [first] = await observed();
    await place.http.ok(forget, { sessionId: "told", observationIds: [first?.id ?? ""] });
    expect(await load({ path })).toMatchObject({ observations: 0, skippedDuplicates: 5, leftDeleted: 1 });
    expect((await only())?.observationCount).toBe(5);
    await place.http.ok(forget, { sessionId: "told", includeSession: true });
    place.http.advance(200 * dayMs);
    await sweepTombstones();
    expect(await load({ path })).toMatchObject({
      imported: 0,
      sessionIds: [],
      observations: 0,
      leftDeleted: 6,
    });
    expect((await place.http.ok(listSessions, {})).sessions).toEqual([]);
    const more = write("two.jsonl", [line("user", "Now the dead letters")]);
    expect(await load({ path: more })).toMatchObject({ observations: 1 });
  });

  test("does not bring back a forgotten event of a hook, but adds an equal one of another time", async () => {
    const lines = ["yes", "go on", "yes"].map((text, minutes) => {
      const timestamp = new Date(Date.UTC(2026, 1, 1, 9, 10 * minutes)).toISOString();
      return line("user", text, { timestamp });
    });
    for (const { timestamp: written, message } of lines.slice(0, 2)) {
      const hook = { hookType: "prompt_submit", sessionId: "told", project: "shop", cwd: "/home/dev/shop" };
      const data = { prompt: (message as { content: string }).content };
      // The hook reports it in the minute before that of the line.
      const timestamp = new Date(Date.parse(String(written)) - 5_000).toISOString();
      await place.http.ok(observe, { ...hook, timestamp, data });
    }
    // As the compression by a model leaves it.
    await place.http.core.ground.store.write(({ sql }) =>
      sql.run("UPDATE observations SET compression = 'llm', narrative = 'Agreed.' WHERE title = 'go on'"),
    );
    const ids = (await observed()).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    await place.http.ok(forget, { sessionId: "told", observationIds: ids });
    const path = write("one.jsonl", lines);
    expect(await load({ path })).toMatchObject({ observations: 1, skippedDuplicates: 0, leftDeleted: 2 });
    expect((await observed()).map(({ timestamp }) => timestamp)).toEqual(["2026-02-01T09:20:00.000Z"]);
  });
});
