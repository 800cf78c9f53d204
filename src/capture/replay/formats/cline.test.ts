import { expect, test } from "vitest";
import { toldBy } from "./format-fixture.ts";

const head = { type: "cline.session", sessionId: "told", cwd: "/code/shop" };
const message = (id: string, role: string, ...content: readonly object[]) => ({
  ...{ type: "cline.message", id, role, content },
});
const called = (name: string, input: unknown) =>
  message("m1", "assistant", { type: "tool_use", id: "c1", name, input });
const ended = (content: unknown, more: object = {}) =>
  message("m2", "user", { type: "tool_result", tool_use_id: "c1", content, ...more });

test("a call that does several things is as many calls, each with its own outcome", () => {
  const told = toldBy(
    head,
    called("run_commands", {
      commands: ["npm test", { command: "git", args: ["commit", "-m", "Add retries"] }],
    }),
    ended([
      { result: "[Command exited with code 2]\n2 failed", success: false },
      { result: "1 file changed", success: true },
    ]),
  );
  expect(told).toMatchObject([
    { hookType: "post_tool_failure", tool_input: { command: "npm test" }, error: "2 failed", exitCode: 2 },
    {
      ...{ hookType: "post_tool_use", tool_response: "1 file changed" },
      tool_input: { command: 'git commit -m "Add retries"' },
    },
  ]);
});

test("a call that failed as a whole fails for each thing", () => {
  const told = toldBy(
    head,
    called("read_files", { paths: ["a.ts", "b.ts"] }),
    ended("the input is invalid", { is_error: true }),
  );
  expect(told).toMatchObject([
    { tool_input: { path: "a.ts" }, error: "the input is invalid" },
    { tool_input: { path: "b.ts" }, error: "the input is invalid" },
  ]);
});

test.each([
  [
    { result: "[Command exited with code 127]\n", success: false },
    { error: "Exit code 127", exitCode: 127 },
  ],
  [{ error: "no such file", success: false }, { error: "no such file" }],
  [{ result: "done", success: true }, { tool_response: "done" }],
  [{ text: "There are three." }, { tool_response: "There are three." }],
  ["plain text", { tool_response: "plain text" }],
])("the outcome %j is told as in the plugin's events", (done, outcome) => {
  for (const content of [[done], typeof done === "string" ? done : JSON.stringify(done)]) {
    const [event] = toldBy(head, called("run_commands", { commands: ["npm test"] }), ended(content));
    expect(event).toMatchObject(outcome);
  }
});
