import { describe, expect, test } from "vitest";
import { compressByRules, raiseRepeatedError } from "./compress.ts";

const event = (hookType: string, data: unknown) => ({
  ...{ hookType, sessionId: "s1", project: "shop", cwd: "/code/shop", timestamp: 0, data },
});
const importance = (hookType: string, data: unknown): number =>
  compressByRules(event(hookType, data)).importance;

describe("importance", () => {
  test.each<[string, unknown, number]>([
    ["post_tool_failure", { tool: "Bash", error: "boom" }, 7],
    ["post_tool_use", { tool: "Bash", input: { command: "npm test" }, output: { exitCode: 1 } }, 6],
    ["post_tool_use", { tool: "Bash", input: { command: "npm test" }, output: { exitCode: 0 } }, 5],
    ["post_tool_use", { tool: "Bash", input: { command: "ls" } }, 4],
    ["post_tool_use", { tool: "Edit", input: { path: "a.ts" } }, 6],
    ["post_tool_use", { tool: "Write", input: { path: "a.ts" } }, 6],
    ["prompt_submit", { prompt: "Add a shopping cart" }, 6],
    ["prompt_submit", { prompt: "Always add tests for it" }, 8],
    ["prompt_submit", { prompt: "I prefer small commits" }, 8],
    ["prompt_submit", { prompt: "Which queue do we use?" }, 6],
    ["prompt_submit", { prompt: "go on" }, 3],
    ["prompt_submit", { prompt: "😀".repeat(11) }, 3],
    ["prompt_submit", { prompt: "😀".repeat(12) }, 6],
    ["stop", { message: "The cart works." }, 4],
    ["stop", { message: "We will keep the cart in the session." }, 6],
    ["subagent_stop", { agent_type: "Plan" }, 5],
    ["subagent_start", { agent_type: "Plan" }, 2],
    ["task_completed", { subject: "Cart" }, 6],
    ["post_tool_use", { tool: "WebFetch", input: { url: "https://a.org" } }, 4],
    ["post_tool_use", { tool: "Read", input: { path: "a.ts" } }, 3],
    ["post_tool_use", { tool: "Grep", input: { pattern: "a" } }, 3],
    ["post_tool_use", { imagePath: "/tmp/a.png" }, 4],
    ["pre_tool_use", { tool: "Bash", input: { command: "npm test" } }, 2],
    ["pre_compact", { trigger: "auto" }, 2],
    ["notification", { message: "waiting" }, 2],
    ["session_start", { source: "startup" }, 1],
    ["session_end", { reason: "exit" }, 1],
    ["custom_hook", { n: 1 }, 3],
  ])("of %s with %j is %d", (hookType, data, expected) => {
    expect(importance(hookType, data)).toBe(expected);
  });

  test("of an error that the project has seen before is 8", () => {
    const failure = event("post_tool_failure", { tool: "Bash", error: "boom" });
    expect(raiseRepeatedError(compressByRules(failure)).importance).toBe(8);
  });

  test("of observations other than errors is not raised", () => {
    const read = event("post_tool_use", { tool: "Read", input: { path: "a.ts" } });
    expect(raiseRepeatedError(compressByRules(read)).importance).toBe(3);
  });
});
