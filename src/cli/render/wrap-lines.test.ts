import { expect, test } from "vitest";
import { hangingIndent, wrapLines } from "./wrap-lines.ts";

test("text is wrapped at blanks into lines that fit, counted in terminal columns", () => {
  expect(wrapLines("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrapLines("店 舗 の", 5)).toEqual(["店 舗", "の"]);
  expect(wrapLines("支払いフロー ok", 7)).toEqual(["支払い", "フロー", "ok"]);
  expect(wrapLines("/code/支払いフロー", 7)).toEqual(["/code/支払いフロー"]);
  expect(wrapLines("short incomprehensibility", 8)).toEqual(["short", "incomprehensibility"]);
  expect(wrapLines("one two three", Number.POSITIVE_INFINITY)).toEqual(["one two three"]);
});

test("text behind a heading continues below where it began", () => {
  expect(hangingIndent("\u001b[32mok\u001b[39m  ", "one two three", 12)).toBe(
    "\u001b[32mok\u001b[39m  one two\n    three",
  );
});
