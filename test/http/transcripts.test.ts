import { mkdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listCommits } from "../../src/capture/commits/operations.ts";
import { importTranscripts } from "../../src/capture/replay/operations.ts";
import { endSession, listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { listLessons } from "../../src/knowledge/lessons/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { fullSearch } from "../../src/recall/search/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
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
const { at, load, observed, only, write } = transcriptSteps(place);

describe("importing a transcript", () => {
  test("answers 202 with counts and creates a completed session", async () => {
    const path = write("one.jsonl", conversation());
    const reply = await place.http.reply(importTranscripts, { path });
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
      tags: ["jsonl-import", "claude-code"],
      startedAt: "2026-02-01T09:00:01.000Z",
      endedAt: "2026-02-01T09:00:08.000Z",
      observationCount: 6,
      firstPrompt: "Move the retries into the queue",
    });
  });

  test("links the commits made in its session", async () => {
    const path = write("commits.jsonl", [
      ...conversation(),
      call("t9", "Bash", { command: "git commit -am 'feat: queue'" }),
      result("t9", "[main 3f2a91c] feat: queue\n 1 file changed"),
    ]);
    await place.http.ok(importTranscripts, { path });
    const { commits } = await place.http.ok(listCommits, {});
    expect(commits).toMatchObject([{ sha: "3f2a91c", message: "feat: queue", sessionIds: ["told"] }]);
  });

  test("keeps the times of a session known from hooks", async () => {
    await place.http.ok(startSession, { sessionId: "told", project: "shop", cwd: "/home/dev/shop" });
    place.http.advance(1_000);
    await place.http.ok(endSession, { sessionId: "told" });
    const before = await only();
    await load({ path: write("one.jsonl", conversation()) });
    expect(before).toMatchObject({ observationCount: 0, endedAt: expect.any(String) });
    expect(await only()).toMatchObject({
      observationCount: 6,
      startedAt: before?.startedAt,
      endedAt: before?.endedAt,
    });
  });

  test("maps texts to prompts and stops, and a tool call with its result to one event", async () => {
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
    const { results } = await place.http.ok(fullSearch, { query: "retries queue worker" });
    expect(results.length).toBeGreaterThan(0);
  });

  test("creates sessions for the caller's agent", async () => {
    const path = write("one.jsonl", conversation());
    const byBob = { headers: { "x-memsvc-agent": "bob" } };
    expect((await place.http.reply(importTranscripts, { path }, byBob)).status).toBe(202);
    expect(await only()).toMatchObject({ agentId: "bob" });
    const { entries } = await place.http.ok(listAudit, { operation: "import" });
    expect(entries).toEqual([expect.objectContaining({ agentId: "bob" })]);
  });

  test("takes project and agent from the request", async () => {
    await load({ path: write("one.jsonl", conversation()), project: "chosen", agentId: "bob" });
    expect(await only()).toMatchObject({ project: "chosen", agentId: "bob" });
  });

  test("takes the project from the repository that contains the folder", async () => {
    mkdirSync(at("repo/.git"), { recursive: true });
    mkdirSync(at("repo/src/deep"), { recursive: true });
    await load({ path: write("one.jsonl", [line("user", "hello there", { cwd: at("repo/src/deep") })]) });
    expect((await only())?.project).toBe("repo");
  });

  test("takes the project from the last folder of a Windows path", async () => {
    await load({ path: write("win.jsonl", [line("user", "hello", { cwd: "C:\\Users\\me\\shop" })]) });
    expect(await only()).toMatchObject({ project: "shop", cwd: "C:\\Users\\me\\shop" });
  });

  test("redacts secrets", async () => {
    const token = `ghp_${"aB3dE5gH7j".repeat(4)}`;
    await load({
      path: write("one.jsonl", [line("user", `use ${token}`), call("t", "Bash", { command: token })]),
    });
    expect(JSON.stringify(await observed())).not.toContain(token);
  });

  test("saves sentences with a cue as lessons, once, up to 20, from prompts and answers only", async () => {
    const path = write("one.jsonl", [
      line("user", "Always run the migrations first. This sentence is only talk."),
      line("assistant", "Lesson learned: the cache must be warm. Never mind. The pool was never closed."),
      line("user", "Remember to close the pool. Always run the migrations first."),
      call("t", "Bash", { command: "echo never do this at home" }),
      result("t", "You should never see this as a lesson."),
    ]);
    expect((await load({ path, agentId: "ann" })).lessons).toBe(3);
    const { lessons } = await place.http.ok(listLessons, { project: "shop" });
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

  test("names its lessons as remaining when their session is forgotten", async () => {
    await load({ path: write("one.jsonl", [line("user", "Always run the migrations first.")]) });
    const [lesson] = (await place.http.ok(listLessons, {})).lessons;
    expect(await place.http.ok(forget, { sessionId: "told", includeSession: true })).toMatchObject({
      deletedObservations: 1,
      remaining: [lesson?.id],
    });
  });

  test("keeps lessons of two projects with the same folder name apart", async () => {
    const said = (sessionId: string, cwd: string, text: string) => line("user", text, { sessionId, cwd });
    write("a.jsonl", [said("a", "/home/dev/a/shop", "Always run the migrations first.")]);
    write("b.jsonl", [said("b", "/home/dev/b/shop", "Never push to the release branch.")]);
    expect((await load({ path: at(".") })).lessons).toBe(2);
    const learned = async (project: string) =>
      (await place.http.ok(listLessons, { project })).lessons.map(({ content }) => content);
    expect(await learned("/home/dev/a/shop")).toEqual(["Always run the migrations first."]);
    expect(await learned("/home/dev/b/shop")).toEqual(["Never push to the release branch."]);
  });

  test("stores its images", async () => {
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

  test("distinguishes subagents, compactions and program messages from the user's prompts", async () => {
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

  test("recognises queued prompts, and turns system messages into notifications", async () => {
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

  test("counts unreadable lines and imports the others", async () => {
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

  test("updates the project's profile at once", async () => {
    write("a.jsonl", [line("user", "Move the retries")]);
    await load({ path: at("a.jsonl") });
    const counted = async () => (await place.http.ok(getProfile, { project: "shop" })).totalObservations;
    expect(await counted()).toBe(1);
    write("b.jsonl", [line("user", "Another session", { sessionId: "other" })]);
    await load({ path: at("b.jsonl") });
    expect(await counted()).toBe(2);
  });

  test("writes one audit entry, and queues a summary for each session", async () => {
    write("a.jsonl", conversation());
    write("b.jsonl", [line("user", "Another session", { sessionId: "other" })]);
    await load({ path: at("."), agentId: "bob" });
    const { entries } = await place.http.ok(listAudit, { operation: "import" });
    expect(entries).toMatchObject([
      {
        functionId: "store.import",
        targetIds: expect.arrayContaining(["told", "other"]),
        details: { strategy: "transcripts", files: 2, observations: 7 },
        agentId: "bob",
      },
    ]);
    await place.http.runDueJobs();
    const { sessions } = await place.http.ok(listSessions, {});
    for (const { summaryDetail } of sessions) expect(summaryDetail?.provider).toBe("extractive");
    expect((await place.http.ok(endSession, { sessionId: "told" })).ended).toBe(false);
  });
});
