import { expect, test } from "vitest";
import { equalAmounts } from "./equal-amounts.ts";
import { indexTokens } from "./tokens.ts";

test.each([
  ["1500ms", "1.5s"],
  ["1500 ms", "1.5 seconds"],
  ["1.5s", "1500ms"],
  ["1.5 seconds", "timeout: 1500"],
  ["30s", "timeoutMs = 30000"],
  ["90 minutes", "1.5h"],
  ["2h", "120min"],
  ["48 hours", "2d"],
  ["2KB", "2KiB"],
  ["2 KiB", "2KB"],
  ["512 MB", "512Mi"],
  ["4GB", "--max-old-space-size=4096"],
  ["4096 MB", "4GB"],
])("%j is also searched for as %j", (asked, written) => {
  const [[token, forms] = ["", []]] = equalAmounts(`wait ${asked}, then`);
  expect(indexTokens(asked)).toContain(token);
  expect(forms.filter((form) => indexTokens(written).includes(form))).not.toEqual([]);
});

test("numbers that tell little are not searched for without their unit", () => {
  const bare = (asked: string) =>
    [...equalAmounts(asked).values()].flat().filter((form) => /^[\d.]+$/.test(form));
  expect(bare("2h, 1 day, 3 min")).toEqual([]);
  expect(bare("1000ms, 1ms, 7kb")).toEqual([]);
});

test.each(["800", "v1.5s", "sha2 h", "5-minute", "10 minute-hands", "1.5.2s", "a2h"])(
  "%j is no amount",
  (query) => {
    expect([...equalAmounts(query)]).toEqual([]);
  },
);
