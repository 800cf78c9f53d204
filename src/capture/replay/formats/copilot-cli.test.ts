import { expect, test } from "vitest";
import { toldBy } from "./format-fixture.ts";

const line = (type: string, data: object) => ({ type, data, id: type, timestamp: "2026-02-01T09:00:00Z" });
const told = (...lines: readonly object[]) =>
  toldBy(line("session.start", { sessionId: "told", context: { cwd: "/code/shop" } }), ...lines);
const called = (toolName: string) =>
  line("tool.execution_start", { toolCallId: "c1", toolName, arguments: { path: "a.ts" } });
const ended = (end: object) => line("tool.execution_complete", { toolCallId: "c1", ...end });

test.each([{ message: "The file does not exist." }, "The file does not exist."])(
  "a call that failed has its error: %j",
  (error) => {
    expect(told(called("view"), ended({ success: false, error }))).toMatchObject([
      { hookType: "post_tool_failure", tool_name: "Read", error: "The file does not exist." },
    ]);
  },
);

test.each([
  ["powershell", "Bash"],
  ["rg", "Grep"],
  ["str_replace_editor", "Edit"],
  ["task", "Agent"],
  ["mcp-tracker-close", "mcp-tracker-close"],
])("the tool %s is called %s, as in hooks", (tool, name) => {
  expect(told(called(tool), ended({ success: true, result: { content: "ok" } }))).toMatchObject([
    { hookType: "post_tool_use", tool_name: name, tool_input: { path: "a.ts" } },
  ]);
});

test("only the user's own prompts are prompts, and a compaction is the agent's summary", () => {
  expect(
    told(
      line("user.message", { content: "Fix the cart" }),
      line("user.message", { content: "Fix it, please", source: "user" }),
      line("user.message", { content: "A skill was loaded", source: "skill-cart" }),
      line("session.compaction_complete", { summaryContent: "The cart is done." }),
    ).map(({ hookType }) => hookType),
  ).toEqual(["prompt_submit", "prompt_submit", "notification", "stop"]);
});
