import { describe, expect, test } from "vitest";
import type { HookPayload } from "./events.ts";
import {
  type SampleEvent,
  sampleMemories,
  sampleProject,
  sampleQuestions,
  sampleSecrets,
  sampleSessions,
} from "./history.ts";
import { hunksBetween } from "./line-diff.ts";

const events: readonly SampleEvent[] = sampleSessions.flatMap((session) => session.events);
const payloads: readonly HookPayload[] = events.map((event) => event.payload);
const inTurn = new Set(["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop"]);

// The shape of `NAME_KEY=value` and of a bearer header; wide on purpose, to find what redaction might hit by accident.
const secretShape =
  /(?:key|secret|token|password|passwd|credential|auth)\w{0,40}["']?\s?(?:=>|=|:)\s?["']?[\w\-./+=]{20}|bearer [\w\-./+=]{20}/i;

describe("the recorded history", () => {
  test("has six sessions with 120 to 180 events", () => {
    expect(sampleSessions).toHaveLength(6);
    expect(events.length).toBeGreaterThanOrEqual(120);
    expect(events.length).toBeLessThanOrEqual(180);
  });

  test("has a size of 100 to 250 kB", () => {
    const bytes = Buffer.byteLength(JSON.stringify(sampleSessions));
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(250_000);
  });

  test("is in the order of time, without overlapping sessions", () => {
    const times = events.map((event) => Date.parse(event.at));
    expect(times.some(Number.isNaN)).toBe(false);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const session of sampleSessions) {
      expect(Date.parse(session.startedAt)).toBe(Date.parse(session.events[0]?.at ?? ""));
    }
  });

  test("delivers exactly one event twice, with the same time and content", () => {
    const deliveries = events.map((event) => JSON.stringify(event));
    expect(deliveries.length - new Set(deliveries).size).toBe(1);
    const contents = payloads.map((payload) => JSON.stringify(payload));
    expect(contents.length - new Set(contents).size).toBe(1);
  });

  test("has one session that breaks off after a failure", () => {
    const endings = sampleSessions.map((session) =>
      session.events.slice(-2).map((event) => event.payload.hook_event_name),
    );
    expect(endings.filter(([before]) => before !== "Stop")).toEqual([["PostToolUseFailure", "SessionEnd"]]);
  });

  test("has every kind of event and every tool of a coding session", () => {
    expect(new Set(payloads.map((payload) => payload.hook_event_name))).toEqual(
      new Set([...inTurn, "SessionStart", "SessionEnd"]),
    );
    const tools = new Set(payloads.flatMap((payload) => ("tool_name" in payload ? [payload.tool_name] : [])));
    expect(tools).toEqual(
      new Set(["Bash", "Read", "Edit", "Write", "Grep", "Glob", "TodoWrite", "WebFetch"]),
    );
  });
});

describe("a payload", () => {
  test("has the fields of its envelope", () => {
    for (const session of sampleSessions) {
      for (const { payload } of session.events) {
        expect(payload.session_id).toBe(session.sessionId);
        expect(payload.transcript_path).toMatch(
          new RegExp(`/-home-dana-parcel-tracker/${session.sessionId}\\.jsonl$`),
        );
        expect(payload.cwd).toBe(sampleProject.cwd);
        expect("permission_mode" in payload).toBe(inTurn.has(payload.hook_event_name));
      }
    }
  });

  test("of a tool call has a unique id and one outcome", () => {
    const outcomes = payloads.flatMap((payload) =>
      "tool_response" in payload || "error" in payload ? [payload] : [],
    );
    const ids = outcomes.map((payload) => payload.tool_use_id);
    expect(ids.every((id) => /^toolu_01\w{22}$/.test(id))).toBe(true);
    expect(ids.length - new Set(ids).size).toBe(1);
    const announced = payloads.filter((payload) => payload.hook_event_name === "PreToolUse");
    expect(announced.every((payload) => ids.includes(payload.tool_use_id))).toBe(true);
  });

  test("of an edit follows a read or write of the file in the same session", () => {
    for (const session of sampleSessions) {
      const known = new Set<unknown>();
      for (const { payload } of session.events) {
        if (payload.hook_event_name !== "PostToolUse") continue;
        const path = payload.tool_input.file_path;
        if (payload.tool_name === "Edit") expect(known).toContain(path);
        if (path !== undefined) known.add(path);
      }
    }
  });

  test("of an edit shows the file as the last change left it", () => {
    const left = new Map<unknown, string>();
    for (const payload of payloads) {
      if (payload.hook_event_name !== "PostToolUse") continue;
      const { originalFile } = payload.tool_response;
      const path = payload.tool_input.file_path;
      if (payload.tool_name === "Write") left.set(path, String(payload.tool_input.content));
      if (payload.tool_name !== "Edit" || typeof originalFile !== "string") continue;
      expect(originalFile).toBe(left.get(path) ?? originalFile);
      left.set(
        path,
        originalFile.replace(String(payload.tool_input.old_string), () =>
          String(payload.tool_input.new_string),
        ),
      );
    }
    expect(left.size).toBeGreaterThan(10);
  });
});

describe("the secrets", () => {
  test("occur in two events, and nothing else looks like a secret", () => {
    const leaking = payloads.filter((payload) =>
      sampleSecrets.some((secret) => JSON.stringify(payload).includes(secret)),
    );
    expect(leaking.map((payload) => ("tool_name" in payload ? payload.tool_name : ""))).toEqual([
      "Read",
      "Bash",
    ]);
    expect(payloads.filter((payload) => textsIn(payload).some((text) => secretShape.test(text)))).toEqual(
      leaking,
    );
  });
});

describe("the memories", () => {
  test("are in the order of time, each during a session", () => {
    expect(sampleMemories.length).toBeGreaterThanOrEqual(6);
    const times = sampleMemories.map((memory) => memory.at);
    expect(times).toEqual(times.toSorted());
    for (const at of times) {
      const during = sampleSessions.filter(
        ({ startedAt, events: own }) => startedAt <= at && at <= (own.at(-1)?.at ?? ""),
      );
      expect(during).toHaveLength(1);
    }
  });

  test("replace only earlier memories", () => {
    const replaced = sampleMemories.flatMap((memory, index) =>
      memory.replaces === undefined ? [] : [[memory.replaces, index]],
    );
    expect(replaced).toEqual([[1, 6]]);
  });
});

describe("the questions", () => {
  test("point to an existing tool call or a memory that is not replaced", () => {
    for (const { question, expects } of sampleQuestions) {
      expect(answerOf(expects), question).not.toBe("");
      if (expects.kind === "memory")
        expect(sampleMemories.some((memory) => memory.replaces === expects.index)).toBe(false);
    }
  });

  test("share at least two words with their answers, as a keyword search needs", () => {
    for (const { question, expects } of sampleQuestions) {
      const answer = answerOf(expects).toLowerCase();
      const words = new Set(question.toLowerCase().match(/[\w-]{4,}/g));
      expect([...words].filter((word) => answer.includes(word)).length, question).toBeGreaterThanOrEqual(2);
    }
  });

  test("are of seven kinds", () => {
    expect(new Set(sampleQuestions.map((question) => question.kind)).size).toBe(7);
  });
});

describe("a line diff", () => {
  test("turns the old text into the new one, with distant changes in separate hunks", () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
    const after = before.with(1, "second").with(17, "eighteenth");
    const hunks = hunksBetween(before.join("\n"), after.join("\n"));
    expect(hunks).toHaveLength(2);
    expect(hunks[0]).toEqual({
      oldStart: 1,
      oldLines: 5,
      newStart: 1,
      newLines: 5,
      lines: [" line 1", "-line 2", "+second", " line 3", " line 4", " line 5"],
    });
    expect(hunks[1]).toMatchObject({ oldStart: 15, oldLines: 6, newStart: 15, newLines: 6 });
  });
});

/** The whole text of the expected answer; empty when there is none. */
function answerOf(expects: (typeof sampleQuestions)[number]["expects"]): string {
  if (expects.kind === "memory") return sampleMemories[expects.index]?.content ?? "";
  const call = payloads.filter(
    (payload) => "tool_use_id" in payload && payload.tool_use_id === expects.toolUseId,
  );
  return call.map((payload) => JSON.stringify(payload)).join("\n");
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
