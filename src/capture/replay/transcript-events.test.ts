import { expect, test } from "vitest";
import { TranscriptEvents } from "./transcript-events.ts";
import { readTranscriptLine, type TranscriptLine } from "./transcript-line.ts";

function line(role: string, content: unknown, more: Readonly<Record<string, unknown>> = {}): TranscriptLine {
  const read = readTranscriptLine(JSON.stringify({ type: role, uuid: "u", message: { content }, ...more }));
  if (read === undefined) throw new Error("no line");
  return read;
}

const use = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { command: id } });
const result = (id: string, more = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  content: `of ${id}`,
  ...more,
});

test("uses the tool's own result only if the line has no other result", () => {
  const events = new TranscriptEvents(0);
  events.of(line("assistant", [use("a"), use("b"), use("c")]), 1);
  const [alone] = events.of(line("user", [result("a")], { toolUseResult: { stdout: "x" } }), 2);
  expect(alone?.data).toMatchObject({ tool_name: "Bash", tool_response: { stdout: "x" } });
  const both = events.of(line("user", [result("b"), result("c")], { toolUseResult: { stdout: "x" } }), 3);
  expect(both.map(({ data }) => data.tool_response)).toEqual(["of b", "of c"]);
});

test("turns a result without its call into an event of an unknown tool", () => {
  const [event] = new TranscriptEvents(0).of(line("user", [result("gone")]), 1);
  expect(event).toMatchObject({
    hookType: "post_tool_use",
    data: { tool_name: "unknown", tool_response: "of gone" },
  });
});

test("ignores calls of memsvc's own tools and their results", () => {
  const events = new TranscriptEvents(0);
  const recall = { ...use("own"), name: "mcp__memsvc__memory_recall" };
  expect(events.of(line("assistant", [recall, use("a")]), 1)).toEqual([]);
  const results = events.of(line("user", [result("own"), result("a")]), 2);
  expect(results.map(({ data }) => data.tool_use_id)).toEqual(["a"]);
  expect(events.rest()).toEqual([]);
});

test("ignores commands that only use memsvc", () => {
  const events = new TranscriptEvents(0);
  const recall = { ...use("own"), input: { command: "memsvc recall retries | head -5" } };
  const both = { ...use("both"), input: { command: "memsvc recall retries && npm test" } };
  events.of(line("assistant", [recall, both]), 1);
  const results = events.of(line("user", [result("own"), result("both")]), 2);
  expect(results.map(({ data }) => data.tool_use_id)).toEqual(["both"]);
});

test("reads the error text of a failure from its list of content blocks", () => {
  const events = new TranscriptEvents(0);
  events.of(line("assistant", [use("a")]), 1);
  const failed = result("a", { is_error: true, content: [{ type: "text", text: "one" }, { text: "two" }] });
  expect(events.of(line("user", [failed]), 2)).toMatchObject([
    { hookType: "post_tool_failure", data: { error: "one\ntwo", tool_input: { command: "a" } } },
  ]);
});

test("emits calls without results at the end, or earlier when over 1 000 are pending", () => {
  const events = new TranscriptEvents(0);
  const early = Array.from({ length: 1_002 }, (_, at) =>
    events.of(line("assistant", [use(`t${at}`)]), at),
  ).flat();
  expect(early.map(({ data }) => data.tool_use_id)).toEqual(["t0", "t1"]);
  const rest = events.rest();
  expect([rest.length, rest[0]?.hookType, events.rest()]).toEqual([1_000, "pre_tool_use", []]);
});

test("gives every event a unique key from the line's id or number", () => {
  const texts = [
    { type: "text", text: "a" },
    { type: "text", text: "a" },
  ];
  const events = new TranscriptEvents(0);
  const keys = [
    ...events.of(line("assistant", texts), 1),
    ...events.of(line("assistant", texts, { uuid: undefined }), 2),
    ...events.of(line("assistant", texts, { uuid: undefined }), 3),
  ].map(({ key }) => key);
  expect(new Set(keys).size).toBe(6);
});

test("gives a line without a time the time of the line before", () => {
  const events = new TranscriptEvents(5);
  const at = "2026-02-01T09:00:00Z";
  const times = [{}, { timestamp: at }, { timestamp: "no time" }].flatMap((more, number) =>
    events.of(line("user", "hello", more), number).map(({ timestamp }) => timestamp),
  );
  expect(times).toEqual([5, Date.parse(at), Date.parse(at)]);
});

test("creates no events from blank texts and unknown kinds of blocks", () => {
  const blocks = [{ type: "text", text: "  " }, { type: "thinking", thinking: "hm" }, 5, null, "x"];
  expect(new TranscriptEvents(0).of(line("assistant", blocks), 1)).toEqual([]);
  expect(new TranscriptEvents(0).of(line("system", "hello"), 1)).toEqual([]);
});
