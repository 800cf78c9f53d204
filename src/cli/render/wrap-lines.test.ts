import { expect, test } from "vitest";
import { processorTimer } from "../../../test/support/processor-time.ts";
import { hangingIndent, wrapLines } from "./wrap-lines.ts";

test("text is wrapped at blanks into lines that fit, counted in terminal columns", () => {
  expect(wrapLines("one two three", 7)).toEqual(["one two", "three"]);
  expect(wrapLines("店 舗 の", 5)).toEqual(["店 舗", "の"]);
  expect(wrapLines("支払いフロー ok", 7)).toEqual(["支払い", "フロー", "ok"]);
  expect(wrapLines("/code/支払いフロー", 7)).toEqual(["/code/支払いフロー"]);
  expect(wrapLines("short incomprehensibility", 8)).toEqual(["short", "incomprehensibility"]);
  expect(wrapLines("one two three", Number.POSITIVE_INFINITY)).toEqual(["one two three"]);
});

test("a long text is not measured over and over where lines may have any length", () => {
  const text = "船 ".repeat(5_000);
  const elapsed = processorTimer();
  expect(wrapLines(text, Number.POSITIVE_INFINITY)).toEqual([text]);
  expect(elapsed()).toBeLessThan(500);
});

test("text behind a heading continues below where it began", () => {
  expect(hangingIndent("\u001b[32mok\u001b[39m  ", "one two three", 12)).toBe(
    "\u001b[32mok\u001b[39m  one two\n    three",
  );
});

test("text goes below a heading that leaves it less than half of the columns", () => {
  expect(hangingIndent("MEMSVC  off  ", "one two three", 20)).toBe("MEMSVC  off\n  one two three");
  expect(hangingIndent("MEMSVC  off  ", "one two three", 12)).toBe("MEMSVC  off\n  one two\n  three");
  expect(hangingIndent("MEMSVC  off  ", "one", 20)).toBe("MEMSVC  off  one");
});
