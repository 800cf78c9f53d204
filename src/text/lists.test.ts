import { expect, test } from "vitest";
import { processorTimer } from "../../test/support/processor-time.ts";
import { introducedList } from "./lists.ts";

test.each([
  [["Next:", "- a", "", "2. b", "text"], { items: ["- a", "2. b"], end: 4 }],
  [["## Next", "", "* a"], { items: ["* a"], end: 3 }],
  [["**Next**", "• a"], { items: ["• a"], end: 2 }],
  [["Next", "- a"], { items: [], end: 0 }],
  [["- Next:", "- a"], { items: [], end: 0 }],
  [["Next:", "", "text"], { items: [], end: 0 }],
  [["Next:"], { items: [], end: 0 }],
])("the first of the lines %j introduces %j", (lines, list) => {
  expect(introducedList(lines, 0)).toEqual(list);
});

test("finds the lists after 100,000 lines in linear time", () => {
  const lines = Array.from({ length: 100_000 }, () => "Next:");
  const spent = processorTimer();
  for (const at of lines.keys()) introducedList(lines, at);
  expect(spent()).toBeLessThan(1_000);
});
