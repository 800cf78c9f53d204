import { expect, test } from "vitest";
import { promptOf } from "./prompt.ts";

const observation = {
  id: "obs_1",
  sessionId: "s1",
  agentId: null,
  project: null,
  projectKey: null,
  title: "Edit queue.ts",
  narrative: "The queue is drained.",
  facts: [],
  concepts: [],
  files: [],
};

test("a prompt numbers the observations and gives what each of them tells, without empty lines", () => {
  const rich = {
    ...observation,
    facts: ["it drains", "it stops"],
    concepts: ["queue", "jobs"],
    files: ["a.ts"],
  };
  expect(promptOf([rich, { ...observation, title: "Next" }])).toBe(
    [
      "Observation 1: Edit queue.ts",
      "The queue is drained.",
      "- it drains",
      "- it stops",
      "Concepts: queue, jobs",
      "Files: a.ts",
      "",
      "Observation 2: Next",
      "The queue is drained.",
    ].join("\n"),
  );
});

test("a prompt has the first 800 characters of a long narrative", () => {
  const narrative = `${"😀".repeat(800)}and more`;
  expect(promptOf([{ ...observation, narrative }])).toBe(`Observation 1: Edit queue.ts\n${"😀".repeat(800)}`);
});
