import { expect, test } from "vitest";
import { datePattern, dateTokens } from "./date-spellings.ts";
import { indexTokens } from "./tokens.ts";

const eve = { year: 2026, month: 12, day: 24 };
const anyYear = { ...eve, year: undefined };
const december = { ...eve, day: undefined };
const early = { year: 2027, month: 3, day: 4 };

function isFound(date: typeof eve | typeof anyYear | typeof december, text: string): boolean {
  const tokens = new Set(indexTokens(text));
  const isCandidate = dateTokens(date).some((group) => group.every((token) => tokens.has(token)));
  return isCandidate && datePattern(date).test(text);
}

test.each([
  "2026-12-24",
  "2026/12/24",
  "24.12.2026",
  "24/12/2026",
  "12/24/2026",
  "24-12-2026",
  "2026-12-24T09:30",
  "notes/2026-12-24.md",
  "Dec 24, 2026",
  "december 24th",
  "24th of December 2026",
  "am 24. Dezember",
  "24 décembre 2026",
  "24 de diciembre de 2026",
  "24 декабря",
])("%j names the 24th of December 2026", (text) => {
  expect(isFound(eve, `due ${text}, at noon`)).toBe(true);
  expect(isFound(anyYear, `due ${text}, at noon`)).toBe(true);
});

test.each(["3/4/2027", "4.3.2027", "04.03.2027", "2027-3-4", "March 4th", "4 mars 2027"])(
  "%j names the 4th of March 2027",
  (text) => {
    expect(isFound(early, text)).toBe(true);
  },
);

test.each(["2025-12-24", "24.12.2025", "24 December 2025", "Dec 24, 2025"])(
  "%j is of another year",
  (text) => {
    expect(isFound(eve, text)).toBe(false);
    expect(isFound(anyYear, text)).toBe(true);
  },
);

test.each([
  "2026-12-2",
  "124.12.2026",
  "2026-12-241",
  "December 241",
  "24 decembers",
  "December",
  "12 and 24",
])("%j is no such day", (text) => {
  expect(isFound(anyYear, text)).toBe(false);
});

test("a month is named with its year, alone or with a day", () => {
  const told = ["since 2026-12", "12/2026", "December 2026", "dez. 2026", "2026-12-03"];
  expect(told.filter((text) => !isFound(december, text))).toEqual([]);
  expect(
    ["December", "2025-12", "December 2025", "2026-1"].filter((text) => isFound(december, text)),
  ).toEqual([]);
});
