import { expect, test } from "vitest";
import { toldBy } from "./format-fixture.ts";

const update = (sessionUpdate: string, more: object, method = "session/update") => ({
  timestamp: 1_770_000_000,
  method,
  params: { sessionId: "told", update: { sessionUpdate, ...more }, _meta: { eventId: sessionUpdate } },
});
const called = update("tool_call", { toolCallId: "c1", title: "tracker__close", rawInput: { id: 7 } });
const shown = [{ type: "content", content: { type: "text", text: "No ticket 7." } }];

test.each([
  ["completed", "post_tool_use", "tool_response"],
  ["failed", "post_tool_failure", "error"],
])("a call that %s without a result of its own is told as it was shown", (status, hookType, field) => {
  const ended = update("tool_call_update", { toolCallId: "c1", status, content: shown });
  expect(toldBy(called, ended)).toMatchObject([
    { hookType, tool_name: "tracker__close", tool_input: { id: 7 }, [field]: "No ticket 7." },
  ]);
});

test("the first line may be an update of its own kind", () => {
  const first = update("hook_execution", { event_name: "session_start" }, "_x.ai/session/update");
  const said = update("agent_message_chunk", { content: { type: "text", text: "Done." } });
  expect(toldBy(first, said)).toMatchObject([{ hookType: "stop", last_assistant_message: "Done." }]);
});

test("a time that no calendar has does not keep the line from being read", () => {
  const said = update("agent_message_chunk", { content: { type: "text", text: "Done." } });
  expect(toldBy({ ...said, timestamp: 1e300 })).toMatchObject([{ hookType: "stop" }]);
});
