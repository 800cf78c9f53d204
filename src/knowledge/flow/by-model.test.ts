import { expect, test } from "vitest";
import { flowOf } from "./by-model.ts";

test("a model's summary is trimmed and cut to the sizes of a summary", () => {
  const long = ` ${"x".repeat(3_000)}`;
  const many = Array.from({ length: 60 }, (_, at) => `${at} ${"y".repeat(600)}`);
  const summary = flowOf({ goal: long, outcome: long, steps: many, discoveries: many, lesson: long });
  expect([summary.goal, summary.outcome, summary.lesson].map((text) => [text[0], text.length])).toEqual([
    ["x", 300],
    ["x", 1_000],
    ["x", 2_000],
  ]);
  for (const list of [summary.steps, summary.discoveries])
    expect([list.length, Math.max(...list.map(({ length }) => length))]).toEqual([50, 500]);
});
