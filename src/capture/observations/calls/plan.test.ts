import { expect, test } from "vitest";
import { isPlan, leftOfPlan, planLine } from "./plan.ts";

test.each([
  // Claude Code's and OpenCode's.
  [
    {
      todos: [
        { content: "Server", status: "completed", activeForm: "Writing the server" },
        { content: "Tests", status: "in_progress", priority: "high" },
        { content: "Rate limit", status: "pending" },
        { content: "Expiry", status: "pending" },
      ],
    },
    "open: Rate limit; Expiry · in progress: Tests · done: Server",
  ],
  // Codex's.
  [{ explanation: "", plan: [{ step: "Read the code", status: "completed" }] }, "done: Read the code"],
  // Gemini CLI's; cancelled items are left out.
  [
    {
      todos: [
        { description: "Measure", status: "pending" },
        { description: "Guess", status: "cancelled" },
      ],
    },
    "open: Measure",
  ],
  [{ todos: [{ content: "a", status: "?" }] }, undefined],
  [{ todos: [] }, undefined],
  [{ todos: ["a"] }, undefined],
  [{ todos: [{ content: "a", status: "pending" }, "b"] }, undefined],
  [{ plan: [{ content: "", step: " Read ", status: "Pending" }] }, "open: Read"],
  [{ todos: [{ content: "a" }] }, undefined],
  [{ plan: "think first" }, undefined],
])("the plan %j is summarised as %j", (input, line) => {
  expect(planLine(input)).toBe(line);
});

test.each([
  ["open: a; b · in progress: c · done: d", "open: a; b · in progress: c"],
  ["in progress: c · done: d", "in progress: c"],
  ["done: d", undefined],
])("the open part of the plan %j is %j", (plan, left) => {
  expect(isPlan(plan)).toBe(true);
  expect(leftOfPlan(plan)).toBe(left);
});

test("does not take similar lines for a plan", () => {
  expect(["opened: a", "Open: a", "a · done: b", ""].filter(isPlan)).toEqual([]);
});
