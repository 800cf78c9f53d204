import { expect, test } from "vitest";
import { processorTimer } from "../../../../test/support/processor-time.ts";
import { feedbackIn, headedResult, userWordsIn } from "./task-text.ts";
import { saidAndCalled } from "./xml-calls.ts";

const times = 20_000;
const nested = (tag: string) =>
  `<read_file>${`<${tag}>`.repeat(times)}${`</${tag}>`.repeat(times)}</read_file>`;

test.each([
  ["tags that never end", () => userWordsIn("\n<task>\n<answer>".repeat(times)), undefined],
  ["a line of colons", () => feedbackIn(`${":".repeat(times * 5)}\n<feedback>x</feedback> on`), undefined],
  ["brackets", () => headedResult(`[read ${"] ".repeat(times)}`), undefined],
  [
    "parameters in each other",
    () => saidAndCalled(nested("args")),
    [expect.objectContaining({ kind: "call" })],
  ],
  [
    "one parameter many times",
    () => saidAndCalled(`<read_file>${"<path>x</path>".repeat(times)}</read_file>`),
    [expect.objectContaining({ input: { path: Array.from({ length: times }, () => "x") } })],
  ],
])("reads %s at once", (_bait, read, expected) => {
  const spentMs = processorTimer();
  const told = read();
  // Linear work takes some milliseconds; the square of the length takes seconds.
  expect(spentMs()).toBeLessThan(500);
  expect(told).toEqual(expected);
});
