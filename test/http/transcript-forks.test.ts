import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { listSessions } from "../../src/capture/sessions/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
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
const { at, load, observed, write } = transcriptSteps(place);

const ownPrompt = "Now try it without a queue";
const ownAnswer = "It works without a queue as well.";

/** The lines of a conversation as a fork of it copies them: with its own session's id, and mostly with their origin. */
function copies(lines: readonly Line[], isNamed = true): Line[] {
  return lines.map((one) => ({
    ...one,
    sessionId: "fork",
    ...(isNamed ? { forkedFrom: { sessionId: "told", messageUuid: one.uuid } } : {}),
  }));
}

/** What was said and done in the fork alone. */
const ofFork = () => [
  line("user", ownPrompt, { sessionId: "fork" }),
  line("assistant", ownAnswer, { sessionId: "fork" }),
];

async function told(sessionId: string): Promise<string[]> {
  const { observations } = await place.http.ok(listObservations, { sessionId });
  return observations.map(({ narrative }) => narrative ?? "");
}

describe("of a conversation that was forked, a transcript import stores", () => {
  test.each([
    ["named lines, together with the first transcript", true, ["."]],
    ["named lines, after the first transcript", true, ["told.jsonl", "fork.jsonl"]],
    ["other lines, after the first transcript", false, ["told.jsonl", "fork.jsonl"]],
  ])("the copied lines once: %s", async (_, isNamed, names) => {
    const lines = conversation();
    write("told.jsonl", lines);
    write("fork.jsonl", [...copies(lines, isNamed), ...ofFork()]);
    for (const name of names) await load({ path: at(name) });
    expect(await told("fork")).toEqual([ownPrompt, ownAnswer]);
    expect(await observed()).toHaveLength(6);
    const { sessions } = await place.http.ok(listSessions, {});
    const fork = sessions.find(({ id }) => id === "fork");
    expect(fork).toMatchObject({ firstPrompt: ownPrompt, startedAt: "2026-02-01T09:00:09.000Z" });
    for (const name of names) expect(await load({ path: at(name) })).toMatchObject({ observations: 0 });
    expect(await told("fork")).toEqual([ownPrompt, ownAnswer]);
  });

  test.each([true, false])(
    "the copied lines if the first transcript is not there, or comes later: %s",
    async (isNamed) => {
      const lines = conversation();
      const path = write("fork.jsonl", [...copies(lines, isNamed), ...ofFork()]);
      expect(await load({ path })).toMatchObject({ observations: 8, skippedDuplicates: 0 });
      expect(await load({ path: write("told.jsonl", lines) })).toMatchObject({ observations: 0 });
      expect(await load({ path: at(".") })).toMatchObject({ observations: 0 });
      const { sessions } = await place.http.ok(listSessions, {});
      expect(sessions).toHaveLength(1);
    },
  );

  test("nothing that hooks reported of the first session", async () => {
    const [prompt] = [line("user", "Move the retries into the queue")];
    await place.http.ok(observe, {
      ...{ hookType: "prompt_submit", sessionId: "told", project: "shop", cwd: "/home/dev/shop" },
      timestamp: String(prompt?.timestamp),
      data: { prompt: "Move the retries into the queue" },
    });
    const path = write("fork.jsonl", [...copies([prompt ?? {}]), ...ofFork()]);
    expect(await load({ path })).toMatchObject({ observations: 2, skippedDuplicates: 1 });
    expect(await told("fork")).toEqual([ownPrompt, ownAnswer]);
  });

  test("nothing that hooks reported of the first session, if only they can tell which one that was", async () => {
    const lines = [
      line("user", "Move the retries into the queue"),
      call("t1", "Bash", { command: "npm test" }),
      result("t1", "2 passed"),
      line("assistant", "They are moved."),
    ];
    const hook = (sessionId: string, hookType: string, timestamp: unknown, data: Line) =>
      place.http.ok(observe, {
        ...{ hookType, sessionId, project: "shop", cwd: "/home/dev/shop" },
        timestamp: String(timestamp),
        data,
      });
    const [prompt, , passed, answer] = lines.map(({ timestamp }) => timestamp);
    await hook("told", "prompt_submit", prompt, { prompt: "Move the retries into the queue" });
    const run = { tool_name: "Bash", tool_input: { command: "npm test" } };
    await hook("told", "post_tool_use", passed, { ...run, tool_response: "2 passed", tool_use_id: "t1" });
    await hook("told", "stop", answer, { last_assistant_message: "They are moved." });
    const [asked, answered] = ofFork();
    await hook("fork", "session_start", asked?.timestamp, { source: "fork" });
    const again = line("user", "Move the retries into the queue", { sessionId: "fork" });
    const path = write("fork.jsonl", [...copies(lines, false), asked ?? {}, answered ?? {}, again]);
    expect(await load({ path })).toMatchObject({ observations: 3, skippedDuplicates: 3 });
    expect((await told("fork")).slice(1)).toEqual([ownPrompt, ownAnswer, "Move the retries into the queue"]);
    expect(await load({ path })).toMatchObject({ observations: 0 });
  });

  test("nothing that was forgotten in the first session", async () => {
    const lines = conversation();
    await load({ path: write("told.jsonl", lines) });
    const [first] = await observed();
    await place.http.ok(forget, { sessionId: "told", observationIds: [first?.id ?? ""] });
    rmSync(at("told.jsonl"));
    const path = write("fork.jsonl", [...copies(lines), ...ofFork()]);
    expect(await load({ path })).toMatchObject({ observations: 2, skippedDuplicates: 5, leftDeleted: 1 });
    expect(await told("fork")).toEqual([ownPrompt, ownAnswer]);
  });

  test("no session for a fork in which nothing was said yet", async () => {
    const lines = conversation();
    write("told.jsonl", lines);
    write("fork.jsonl", copies(lines));
    expect(await load({ path: at(".") })).toMatchObject({
      imported: 1,
      observations: 6,
      sessionIds: ["told"],
    });
  });
});
