import { expect, test } from "vitest";
import { titleOf } from "./memories.ts";

const content =
  "In tests: no fake timers and no sleeping. Pass the current time in as a parameter (nowMs), always.";

test("a title that was cut from the content ends after a whole word", () => {
  expect(titleOf({ title: content.slice(0, 80), content })).toBe(
    "In tests: no fake timers and no sleeping. Pass the current time in as a…",
  );
  expect(titleOf({ title: content.slice(0, 81), content })).toMatch(/ as a parameter…$/u);
  expect(titleOf({ title: content.slice(0, 82), content })).toMatch(/ as a parameter…$/u);
});

test("a title is shown whole if it was not cut, or has no place to be cut at", () => {
  expect(titleOf({ title: "No sleeping in tests", content })).toBe("No sleeping in tests");
  const word = "x".repeat(200);
  expect(titleOf({ title: word.slice(0, 80), content: word })).toBe(`${word.slice(0, 80)}…`);
});
