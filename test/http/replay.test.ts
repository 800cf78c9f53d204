import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { importTranscripts, loadReplay, replaySessions } from "../../src/capture/replay/operations.ts";
import { endSession, listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { sweeps } from "../../src/jobs/sweeps.ts";
import { listLessons } from "../../src/knowledge/lessons/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { fullSearch } from "../../src/recall/search/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";

let folder: string;
let http: TestHttp;
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "memsvc-replay-")));
  mkdirSync(join(folder, "projects"));
  http = await openTestHttp({
    env: { MEMSVC_ALLOWED_ROOTS: join(folder, "projects"), MEMSVC_MAX_OBS_PER_SESSION: "3" },
  });
});
afterEach(async () => {
  await http.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, "projects", name);

type Line = Readonly<Record<string, unknown>>;

function write(name: string, lines: readonly (Line | string)[]): string {
  mkdirSync(dirname(at(name)), { recursive: true });
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  writeFileSync(at(name), `${text}\n`);
  return at(name);
}

let second = 0;
/** A line of a transcript; each is a second later than the one before. */
function line(role: "user" | "assistant", content: unknown, more: Line = {}): Line {
  second += 1;
  return {
    type: role,
    uuid: `line-${second}`,
    sessionId: "told",
    cwd: "/home/dev/shop",
    timestamp: new Date(Date.UTC(2026, 1, 1, 9, 0, second)).toISOString(),
    message: { role, content },
    ...more,
  };
}
beforeEach(() => {
  second = 0;
});

const call = (id: string, name: string, input: unknown) =>
  line("assistant", [{ type: "tool_use", id, name, input }]);
const result = (id: string, content: unknown, more: Line = {}) =>
  line("user", [{ type: "tool_result", tool_use_id: id, content, ...more }]);

const conversation = () => [
  { type: "file-history-snapshot", snapshot: {} },
  line("user", "Move the retries into the queue"),
  line("assistant", [
    { type: "thinking", thinking: "hm" },
    { type: "text", text: "I will read the worker first." },
  ]),
  call("t1", "Read", { file_path: "/home/dev/shop/src/worker.ts" }),
  result("t1", "export const retries = 3;"),
  call("t2", "Bash", { command: "npm test" }),
  result("t2", "Error: 2 tests failed", { is_error: true }),
  call("t3", "Bash", { command: "npm run watch" }),
  { type: "progress", timestamp: "2026-02-01T09:10:00Z" },
  line("assistant", "The retries are in the queue now."),
];

const load = (input: Line) => http.ok(importTranscripts, input as { path: string });
const observed = async () => (await http.ok(listObservations, { sessionId: "told", raw: true })).observations;
const sweepTombstones = () =>
  sweeps(http.core)
    .find(({ kind }) => kind === "sweep.tombstones")
    ?.run({ id: "job_1", kind: "sweep.tombstones", key: "", payload: {}, attempts: 1 });
const only = async () => {
  const { sessions } = await http.ok(listSessions, {});
  expect(sessions).toHaveLength(1);
  return sessions[0];
};

describe("importing a transcript", () => {
  test("answers 202 with what was found, and makes a completed session of it", async () => {
    const path = write("one.jsonl", conversation());
    const reply = await http.reply(importTranscripts, { path });
    expect(reply.status).toBe(202);
    expect(reply.body).toEqual({
      success: true,
      imported: 1,
      sessionIds: ["told"],
      observations: 6,
      skippedDuplicates: 0,
      lessons: 0,
      discovered: 1,
      truncated: false,
      traversalCapped: false,
      maxFiles: 200,
      maxFilesUpperBound: 1_000,
      errors: [],
    });
    expect(await only()).toMatchObject({
      id: "told",
      project: "shop",
      cwd: "/home/dev/shop",
      status: "completed",
      tags: ["jsonl-import"],
      startedAt: "2026-02-01T09:00:01.000Z",
      endedAt: "2026-02-01T09:00:08.000Z",
      observationCount: 6,
      firstPrompt: "Move the retries into the queue",
    });
  });

  test("maps texts to prompts and ends of turns, and each tool call with its result to one event", async () => {
    await load({ path: write("one.jsonl", conversation()) });
    const events = await observed();
    expect(events.map(({ hookType, type, title }) => [hookType, type, title])).toEqual([
      ["prompt_submit", "conversation", "Move the retries into the queue"],
      ["stop", "conversation", "I will read the worker first."],
      ["post_tool_use", "file_read", "Read src/worker.ts"],
      ["post_tool_failure", "error", "Bash failed: Error: 2 tests failed"],
      ["pre_tool_use", "command_run", "npm run watch"],
      ["stop", "conversation", "The retries are in the queue now."],
    ]);
    expect(events[2]?.raw).toMatchObject({
      toolName: "Read",
      toolInput: { file_path: "/home/dev/shop/src/worker.ts" },
      toolOutput: "export const retries = 3;",
    });
    expect(new Set(events.map(({ origin }) => origin?.channel))).toEqual(new Set(["import"]));
    const { results } = await http.ok(fullSearch, { query: "retries queue worker" });
    expect(results.length).toBeGreaterThan(0);
  });

  test("a second time adds nothing, at whatever time; what was appended is added", async () => {
    const lines = conversation();
    const path = write("one.jsonl", lines);
    await load({ path });
    http.advance(30 * 86_400_000);
    expect(await load({ path })).toMatchObject({ imported: 1, observations: 0, skippedDuplicates: 6 });
    expect((await http.ok(listAudit, { operation: "import" })).total).toBe(1);
    write("one.jsonl", [...lines, result("t3", "watching"), line("user", "Thanks")]);
    expect(await load({ path })).toMatchObject({ observations: 2, skippedDuplicates: 5 });
    expect(await only()).toMatchObject({ observationCount: 8, endedAt: "2026-02-01T09:00:10.000Z" });
  });

  test("adds nothing to a store that has its events from an export", async () => {
    const path = write("one.jsonl", conversation());
    await load({ path });
    const [first] = await observed();
    await http.ok(forget, { sessionId: "told", observationIds: [first?.id ?? ""] });
    const { body: exportData } = await http.send("/export");
    const other = await openTestHttp({ env: { MEMSVC_ALLOWED_ROOTS: join(folder, "projects") } });
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

  test("that was cut short is brought to its end by the next one", async () => {
    const path = write("one.jsonl", conversation());
    await load({ path });
    await http.core.ground.store.write(async (tx) => {
      await tx.sql.run("DELETE FROM jobs");
      await tx.sql.run("UPDATE sessions SET ended_at = NULL");
    });
    expect((await load({ path })).observations).toBe(0);
    expect((await only())?.endedAt).toBe("2026-02-01T09:00:08.000Z");
    await http.runDueJobs();
    expect((await only())?.summaryDetail).toBeDefined();
  });

  test("that was killed leaves the lessons of all that it stored", async () => {
    const said = [line("user", "Always drain the queue before shutdown."), line("assistant", "Done.")];
    const path = write("one.jsonl", said);
    const { store } = http.core.ground;
    await store.write(({ sql }) =>
      sql.run(
        "CREATE TRIGGER killed BEFORE INSERT ON audit_entries BEGIN SELECT RAISE(ABORT, 'killed'); END",
      ),
    );
    expect((await http.reply(importTranscripts, { path })).status).toBe(500);
    await store.write(({ sql }) => sql.run("DROP TRIGGER killed"));
    await load({ path });
    const { lessons } = await http.ok(listLessons, { project: "shop" });
    expect(lessons.map(({ content }) => content)).toEqual(["Always drain the queue before shutdown."]);
  });

  test("also of lines without ids, times and a session, whose session is told by its content", async () => {
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

  test("leaves a session that hooks have told of in its state, and counts no cap", async () => {
    await http.ok(startSession, {
      sessionId: "told",
      project: "mine",
      cwd: "/home/dev/shop",
      agentId: "ann",
    });
    await load({ path: write("one.jsonl", conversation()), agentId: "bob", project: "other" });
    expect(await only()).toMatchObject({ status: "active", project: "mine", agentId: "ann", tags: [] });
    expect(new Set((await observed()).map(({ agentId }) => agentId))).toEqual(new Set(["ann"]));
  });

  test("leaves out what hooks have told of, each once, and takes what they have not", async () => {
    const hook = (hookType: string, timestamp: string, data: Line) =>
      http.ok(observe, {
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
    // As a model leaves it.
    await http.core.ground.store.write(({ sql }) =>
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

  test("does not bring back what was forgotten, be it an event or a session", async () => {
    const path = write("one.jsonl", conversation());
    await load({ path });
    const [first] = await observed();
    await http.ok(forget, { sessionId: "told", observationIds: [first?.id ?? ""] });
    expect(await load({ path })).toMatchObject({ observations: 0, skippedDuplicates: 5, leftDeleted: 1 });
    expect((await only())?.observationCount).toBe(5);
    await http.ok(forget, { sessionId: "told", includeSession: true });
    http.advance(200 * dayMs);
    await sweepTombstones();
    expect(await load({ path })).toMatchObject({
      imported: 0,
      sessionIds: [],
      observations: 0,
      leftDeleted: 6,
    });
    expect((await http.ok(listSessions, {})).sessions).toEqual([]);
    const more = write("two.jsonl", [line("user", "Now the dead letters")]);
    expect(await load({ path: more })).toMatchObject({ observations: 1 });
  });

  test("does not bring back what a hook had told of and was forgotten, and takes the like of another time", async () => {
    const lines = ["yes", "go on", "yes"].map((text, minutes) => {
      const timestamp = new Date(Date.UTC(2026, 1, 1, 9, 10 * minutes)).toISOString();
      return line("user", text, { timestamp });
    });
    for (const { timestamp, message } of lines.slice(0, 2)) {
      const hook = { hookType: "prompt_submit", sessionId: "told", project: "shop", cwd: "/home/dev/shop" };
      const data = { prompt: (message as { content: string }).content };
      await http.ok(observe, { ...hook, timestamp: String(timestamp), data });
    }
    // As a model leaves it.
    await http.core.ground.store.write(({ sql }) =>
      sql.run("UPDATE observations SET compression = 'llm', narrative = 'Agreed.' WHERE title = 'go on'"),
    );
    const ids = (await observed()).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    await http.ok(forget, { sessionId: "told", observationIds: ids });
    const path = write("one.jsonl", lines);
    expect(await load({ path })).toMatchObject({ observations: 1, skippedDuplicates: 0, leftDeleted: 2 });
    expect((await observed()).map(({ timestamp }) => timestamp)).toEqual(["2026-02-01T09:20:00.000Z"]);
  });

  test("gives the sessions that it makes to the agent whom the caller works for", async () => {
    const path = write("one.jsonl", conversation());
    const byBob = { headers: { "x-memsvc-agent": "bob" } };
    expect((await http.reply(importTranscripts, { path }, byBob)).status).toBe(202);
    expect(await only()).toMatchObject({ agentId: "bob" });
    const { entries } = await http.ok(listAudit, { operation: "import" });
    expect(entries).toEqual([expect.objectContaining({ agentId: "bob" })]);
  });

  test("takes project and agent from the request", async () => {
    await load({ path: write("one.jsonl", conversation()), project: "chosen", agentId: "bob" });
    expect(await only()).toMatchObject({ project: "chosen", agentId: "bob" });
  });

  test("takes the project from the repository that the folder lies in", async () => {
    mkdirSync(at("repo/.git"), { recursive: true });
    mkdirSync(at("repo/src/deep"), { recursive: true });
    await load({ path: write("one.jsonl", [line("user", "hello there", { cwd: at("repo/src/deep") })]) });
    expect((await only())?.project).toBe("repo");
  });

  test("takes the project of a transcript from Windows from the last folder there", async () => {
    await load({ path: write("win.jsonl", [line("user", "hello", { cwd: "C:\\Users\\me\\shop" })]) });
    expect(await only()).toMatchObject({ project: "shop", cwd: "C:\\Users\\me\\shop" });
  });

  test("redacts what it stores", async () => {
    const token = `ghp_${"aB3dE5gH7j".repeat(4)}`;
    await load({
      path: write("one.jsonl", [line("user", `use ${token}`), call("t", "Bash", { command: token })]),
    });
    expect(JSON.stringify(await observed())).not.toContain(token);
  });

  test("learns from sentences with a cue, at most 20, once, from what people and the assistant said alone", async () => {
    const path = write("one.jsonl", [
      line("user", "Always run the migrations first. This sentence is only talk."),
      line("assistant", "Lesson learned: the cache must be warm. Never mind."),
      line("user", "Remember to close the pool. Always run the migrations first."),
      call("t", "Bash", { command: "echo never do this at home" }),
      result("t", "You should never see this as a lesson."),
    ]);
    expect((await load({ path, agentId: "ann" })).lessons).toBe(3);
    const { lessons } = await http.ok(listLessons, { project: "shop" });
    expect(lessons.map(({ content }) => content).sort()).toEqual([
      "Always run the migrations first.",
      "Lesson learned: the cache must be warm.",
      "Remember to close the pool.",
    ]);
    expect(lessons[0]).toMatchObject({
      confidence: 0.4,
      source: "consolidation",
      tags: ["auto-import"],
      agentId: "ann",
      sourceIds: [expect.stringMatching(/^obs_/u)],
    });
    expect((await load({ path })).lessons).toBe(0);
    const many = Array.from({ length: 30 }, (_, at) => line("user", `Always check number ${at} by hand.`));
    expect((await load({ path: write("two.jsonl", many) })).lessons).toBe(20);
  });

  test("names the lessons that stay when what they were learned from is forgotten", async () => {
    await load({ path: write("one.jsonl", [line("user", "Always run the migrations first.")]) });
    const [lesson] = (await http.ok(listLessons, {})).lessons;
    expect(await http.ok(forget, { sessionId: "told", includeSession: true })).toMatchObject({
      deletedObservations: 1,
      remaining: [lesson?.id],
    });
  });

  test("learns for each of two projects with the same folder name what was said there", async () => {
    const said = (sessionId: string, cwd: string, text: string) => line("user", text, { sessionId, cwd });
    write("a.jsonl", [said("a", "/home/dev/a/shop", "Always run the migrations first.")]);
    write("b.jsonl", [said("b", "/home/dev/b/shop", "Never push to the release branch.")]);
    expect((await load({ path: at(".") })).lessons).toBe(2);
    const learned = async (project: string) =>
      (await http.ok(listLessons, { project })).lessons.map(({ content }) => content);
    expect(await learned("/home/dev/a/shop")).toEqual(["Always run the migrations first."]);
    expect(await learned("/home/dev/b/shop")).toEqual(["Never push to the release branch."]);
  });

  test("keeps images", async () => {
    const data = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      Buffer.alloc(60, 1),
    ]).toString("base64");
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    const answer = await load({
      path: write("one.jsonl", [
        line("user", [image, { type: "text", text: "look" }]),
        line("user", [image]),
        call("t", "Shot", {}),
        result("t", [image]),
      ]),
    });
    expect(answer.errors).toEqual([]);
    const events = await observed();
    expect(events.map(({ hookType, modality }) => [hookType, modality])).toEqual([
      ["prompt_submit", "mixed"],
      ["prompt_submit", expect.any(String)],
      ["post_tool_use", "mixed"],
    ]);
    expect(new Set(events.map(({ imageRef }) => imageRef)).size).toBe(1);
    expect(JSON.stringify(events)).not.toContain(data);
  });

  test("tells sub-agents, compactions and the program's own words from the user's", async () => {
    const side = { isSidechain: true, agentId: "a1b2" };
    await load({
      path: write("one.jsonl", [
        line("user", "Look into the locks", side),
        line("assistant", [{ type: "tool_use", id: "t", name: "Grep", input: { pattern: "lock" } }], side),
        line("user", [{ type: "tool_result", tool_use_id: "t", content: "lock.ts" }], side),
        line("assistant", "There are two locks.", side),
        line("user", "This session goes on from another.", { isCompactSummary: true }),
        line("user", "Caveat: written by the program", { isMeta: true }),
        line("user", [{ type: "text", text: "[Request interrupted by user]" }]),
        line("user", "Go on"),
      ]),
    });
    const events = await observed();
    expect(events.map(({ hookType }) => hookType)).toEqual([
      "subagent_start",
      "post_tool_use",
      "subagent_stop",
      "stop",
      "notification",
      "notification",
      "prompt_submit",
    ]);
    expect(events[1]?.raw?.data).toMatchObject({ agent_id: "a1b2" });
    expect((await only())?.firstPrompt).toBe("Go on");
  });

  test("tells what the user typed while a turn ran, and what neither the user nor a model wrote", async () => {
    const queued = (prompt: unknown, more: Line = {}) => {
      const { message, ...rest } = line("user", "", { type: "attachment" });
      return { ...rest, attachment: { type: "queued_command", prompt, commandMode: "prompt", ...more } };
    };
    const note = (told: string) => `<task-notification>\n<summary>${told}</summary>\n</task-notification>`;
    const system = (kind: string) => ({ promptSource: "system", origin: { kind } });
    await load({
      path: write("one.jsonl", [
        line("user", "Add a cart", { promptSource: "typed", origin: { kind: "human" } }),
        { type: "queue-operation", operation: "enqueue", sessionId: "told", content: "and its tests" },
        queued("and its tests", { origin: { kind: "human" } }),
        queued([{ type: "text", text: "as in this picture" }]),
        queued(note("Build ended"), { commandMode: "task-notification" }),
        line("user", note("Lint ended"), system("task-notification")),
        line("user", "Please review mine, too", system("peer")),
        line("assistant", "API Error: 529 Overloaded", { isApiErrorMessage: true }),
        { ...line("assistant", ""), message: { model: "<synthetic>", content: "No response requested." } },
      ]),
    });
    expect((await observed()).map(({ hookType, title }) => [hookType, title])).toEqual([
      ["prompt_submit", "Add a cart"],
      ["prompt_submit", "and its tests"],
      ["prompt_submit", "as in this picture"],
      ["notification", "Notification: Build ended"],
      ["notification", "Notification: Lint ended"],
      ["notification", "Notification: Please review mine, too"],
      ["notification", "Notification: API Error: 529 Overloaded"],
      ["notification", "Notification: No response requested."],
    ]);
  });

  test("counts lines that cannot be read and takes the others", async () => {
    const path = write("one.jsonl", [
      line("user", "one two three"),
      '{"type":"user","mess',
      "[1]",
      "",
      line("user", "four five"),
    ]);
    const answer = await load({ path });
    expect(answer).toMatchObject({ imported: 1, observations: 2 });
    expect(answer.errors).toEqual([{ path, error: expect.stringContaining("2 of 5 lines") }]);
  });

  test("is counted at once in the profile of its project", async () => {
    write("a.jsonl", [line("user", "Move the retries")]);
    await load({ path: at("a.jsonl") });
    const counted = async () => (await http.ok(getProfile, { project: "shop" })).totalObservations;
    expect(await counted()).toBe(1);
    write("b.jsonl", [line("user", "Another session", { sessionId: "other" })]);
    await load({ path: at("b.jsonl") });
    expect(await counted()).toBe(2);
  });

  test("leaves one audit entry and a stop job per session, which summarises it", async () => {
    write("a.jsonl", conversation());
    write("b.jsonl", [line("user", "Another session", { sessionId: "other" })]);
    await load({ path: at("."), agentId: "bob" });
    const { entries } = await http.ok(listAudit, { operation: "import" });
    expect(entries).toMatchObject([
      {
        functionId: "store.import",
        targetIds: expect.arrayContaining(["told", "other"]),
        details: { strategy: "transcripts", files: 2, observations: 7 },
        agentId: "bob",
      },
    ]);
    await http.runDueJobs();
    const { sessions } = await http.ok(listSessions, {});
    for (const { summaryDetail } of sessions) expect(summaryDetail?.provider).toBe("extractive");
    expect((await http.ok(endSession, { sessionId: "told" })).ended).toBe(false);
  });
});

describe("a folder of transcripts", () => {
  const one = (sessionId: string) => [line("user", `words of ${sessionId}`, { sessionId })];

  test("is read with its folders, without links, and takes the files that were changed last", async () => {
    for (const [name, age] of [
      ["p/old.jsonl", 300],
      ["p/deep/middle.jsonl", 200],
      ["q/new.jsonl", 100],
    ] as const) {
      const time = new Date(Date.now() - age * 1_000);
      utimesSync(write(name, one(name)), time, time);
    }
    write("p/notes.txt", ["no transcript"]);
    mkdirSync(join(folder, "elsewhere"));
    writeFileSync(join(folder, "elsewhere", "far.jsonl"), JSON.stringify(one("far")[0]));
    symlinkSync(join(folder, "elsewhere"), at("way"));
    symlinkSync(join(folder, "elsewhere", "far.jsonl"), at("far.jsonl"));
    const answer = await load({ path: at("."), maxFiles: 2 });
    expect(answer).toMatchObject({
      imported: 2,
      discovered: 3,
      truncated: true,
      traversalCapped: false,
      maxFiles: 2,
    });
    expect(answer.sessionIds).toEqual(["q/new.jsonl", "p/deep/middle.jsonl"]);
  });

  test("with a sensitive name in it is read but for that", async () => {
    write("secret-project/one.jsonl", one("a"));
    write("token.json/one.jsonl", one("b"));
    write("p/credentials.jsonl", one("c"));
    write("p/fine.jsonl", one("d"));
    const answer = await load({ path: at(".") });
    expect(answer.sessionIds).toEqual(["d"]);
    expect(answer.errors.map(({ path }) => path).sort()).toEqual(
      ["p/credentials.jsonl", "secret-project", "token.json"].map(at),
    );
  });

  test("is looked through for 10,000 entries at most", async () => {
    for (let number = 0; number < 10_001; number += 1) writeFileSync(at(`n${number}`), "");
    write("z.jsonl", one("last"));
    expect(await load({ path: at(".") })).toMatchObject({
      traversalCapped: true,
      discovered: 0,
      imported: 0,
    });
  });
});

test("a pipe with a transcript's name is refused, and passed over in a folder", async () => {
  write("real.jsonl", [line("user", "hello")]);
  execFileSync("mkfifo", [at("pipe.jsonl")]);
  const { status, body } = await http.reply(importTranscripts, { path: at("pipe.jsonl") });
  expect([status, body.error]).toEqual([400, expect.stringContaining("neither a .jsonl file nor a folder")]);
  expect(await http.ok(importTranscripts, { path: at("") })).toMatchObject({ discovered: 1, imported: 1 });
});

test("what may not be imported is refused in the order of outside, missing, and wrong kind", async () => {
  writeFileSync(join(folder, "outside.jsonl"), "{}");
  write("notes.txt", ["x"]);
  const status = async (input: Line) => (await http.reply(importTranscripts, input)).status;
  expect(await status({ path: join(folder, "outside.jsonl") })).toBe(403);
  expect(await status({ path: join(folder, "missing.jsonl") })).toBe(403);
  expect(await status({ path: at("my-secret.jsonl") })).toBe(403);
  expect(await status({ path: at("missing.jsonl") })).toBe(404);
  expect(await status({ path: at("notes.txt") })).toBe(400);
  expect(await status({ path: at("."), maxFiles: 1_001 })).toBe(400);
  expect(await status({ path: 5 })).toBe(400);
});

describe("a replay", () => {
  const event = (hookType: string, data: unknown, timestamp: string) => ({
    hookType,
    sessionId: "live",
    project: "shop",
    cwd: "/home/dev/shop",
    timestamp,
    data,
  });

  test("is the timeline of a session, with kinds, bodies and reading times", async () => {
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

  test("shows of each hook what it tells, wherever that stands in its data", async () => {
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

  test("of an unknown session, or one of another agent, is 404; sessions without events are not listed", async () => {
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

  test("of more than can be told at once holds the first, and others have their turns meanwhile", async () => {
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
    const { timeline } = await apart.ok(loadReplay, { sessionId: "live" });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(0);
    expect(timeline).toMatchObject({ truncated: true, eventCount: 134 });
    expect(timeline.events.map(({ id }) => id)).toHaveLength(134);
    await apart.close();
  });

  test("of an empty session has no events", async () => {
    await http.ok(startSession, { sessionId: "empty", project: "shop", cwd: "/w" });
    const { timeline } = await http.ok(loadReplay, { sessionId: "empty" });
    expect(timeline).toMatchObject({ eventCount: 0, totalDurationMs: 0, events: [] });
  });
});
