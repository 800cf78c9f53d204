import { expect, test } from "vitest";
import { toldBy } from "./format-fixture.ts";

const head = { type: "session", id: "told", cwd: "/code/shop", timestamp: "2026-02-01T09:00:00Z" };
const message = (id: string, said: object) => ({ type: "message", id, message: said });
const called = (name: string, args: object) =>
  message("m1", { role: "assistant", content: [{ type: "toolCall", id: "c1", name, arguments: args }] });
const ended = (text: string, isError: boolean) =>
  message("m2", { role: "toolResult", toolCallId: "c1", content: [{ type: "text", text }], isError });

test.each([
  ["2 failed\n\nCommand exited with code 1", { error: "2 failed", exitCode: 1 }],
  ["(no output)\n\nCommand exited with code 127", { error: "Exit code 127", exitCode: 127 }],
  ["The command timed out.", { error: "The command timed out." }],
])("a command that failed is told as in the plugin's events: %j", (text, outcome) => {
  const [event, ...more] = toldBy(head, called("bash", { command: "npm test" }), ended(text, true));
  expect(more).toEqual([]);
  expect(event).toEqual({
    ...{ hookType: "post_tool_failure", tool_name: "bash", tool_use_id: "c1" },
    ...{ tool_input: { command: "npm test" }, ...outcome },
  });
});

test("what a command printed of another one's end stays in its output", () => {
  const text = "\n\nCommand exited with code 1\nwas logged";
  expect(toldBy(head, called("bash", {}), ended(text, false))).toMatchObject([{ tool_response: text }]);
});

test("an edit of one place names it, and of several lists them", () => {
  const [one, other] = [
    { oldText: "3", newText: "5" },
    { oldText: "a", newText: "b" },
  ];
  const inputOf = (...edits: readonly object[]) =>
    toldBy(head, called("edit", { path: "a.ts", edits }), ended("Replaced.", false))[0]?.tool_input;
  expect(inputOf(one)).toEqual({ path: "a.ts", ...one });
  expect(inputOf(one, other)).toEqual({ path: "a.ts", edits: [one, other] });
});
