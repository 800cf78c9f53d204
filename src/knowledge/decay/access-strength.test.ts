import { expect, test } from "vitest";
import { dayMs } from "../../time/durations.ts";
import { accessStrengthAt } from "./access-strength.ts";

const start = Date.UTC(2026, 0, 1);

test.each([
  [0.8, 0, 0.8],
  [0.8, 29.9, 0.8],
  [0.8, 30, 0.72],
  [0.8, 95, 0.5832],
  [0.8, 3_000, 0.1],
  [1, -10, 1],
])("a strength of %d that is unused for %d days is %d", (strength, days, expected) => {
  expect(accessStrengthAt({ strength, lastAccessedAt: start }, start + days * dayMs, 30)).toBe(expected);
});
