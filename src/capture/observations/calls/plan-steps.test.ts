import { describe, expect, test } from "vitest";
import { isPlanStep, planOfSteps, planStepLine } from "./plan-steps.ts";

const created = { task: { id: "1", subject: "Write tests" } };

test.each([
  ["TaskCreate", { subject: "Write tests", description: "of all" }, created, "#1 open: Write tests"],
  // As transcripts have it.
  ["TaskCreate", { subject: "Write\ntests" }, "Task #12 created successfully: …", "#12 open: Write tests"],
  ["TaskUpdate", { taskId: "1", status: "in_progress" }, undefined, "#1 in progress"],
  ["TaskUpdate", { taskId: "1", status: "completed" }, { success: true }, "#1 done"],
  ["TaskUpdate", { taskId: "1", status: "deleted" }, undefined, "#1 dropped"],
  ["TaskUpdate", { taskId: "1", status: "pending", subject: "More" }, undefined, "#1 open: More"],
  ["TaskUpdate", { taskId: "1", subject: "More tests" }, undefined, "#1 renamed: More tests"],
])("%s of %j is told as a step", (toolName, toolInput, toolOutput, line) => {
  expect(planStepLine({ toolName, toolInput, toolOutput })).toBe(line);
  expect(isPlanStep(`${line}\nwith a description`)).toBe(true);
});

test.each([
  // Before the tool has run, its step has no number.
  ["TaskCreate", { subject: "Write tests" }, undefined],
  ["TaskCreate", { subject: "Write tests" }, "Error: no list"],
  ["TaskUpdate", { taskId: "1", owner: "ann" }, undefined],
  ["TaskUpdate", { taskId: "1", status: "?" }, undefined],
  ["TaskUpdate", { status: "completed" }, undefined],
  ["create_issue", { subject: "Write tests" }, created],
  ["TaskCreate", "Write tests", created],
])("%s of %j is none", (toolName, toolInput, toolOutput) => {
  expect(planStepLine({ toolName, toolInput, toolOutput })).toBeUndefined();
});

test("does not take similar lines for steps", () => {
  expect(["#1", "#1 opened: a", "#1: done", "1 done", "# done", "see\n#1 done"].filter(isPlanStep)).toEqual(
    [],
  );
});

describe("the plan that steps make", () => {
  test("has each step as it was last, under its last name", () => {
    const steps = ["#1 open: a\nwith: a description", "#2 open: b", "#3 open: c", "#4 open: d"];
    expect(planOfSteps(steps)).toBe("open: a; b; c; d");
    const changes = ["#1 in progress", "#1 done", "#2 in progress", "#3 dropped", "#4 renamed: D"];
    expect(planOfSteps([...steps, ...changes])).toBe("open: D · in progress: b · done: a");
    expect(planOfSteps([...steps, ...changes, "#1 open"])).toBe("open: a; D · in progress: b");
  });

  test("leaves out steps of other sessions, whose text is not known, and texts that are no steps", () => {
    expect(planOfSteps(["#7 done", "hello", "#1 open: a"])).toBe("open: a");
    expect(planOfSteps(["#7 done"])).toBe("");
  });
});
