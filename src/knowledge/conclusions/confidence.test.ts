import { expect, test } from "vitest";
import { dayMs } from "../../time/durations.ts";
import { confidenceAt, confidenceScore, reinforcedConfidence } from "./confidence.ts";

const curve = { confidence: 0.5, decayRate: 0.05, createdAt: 0, lastReinforcedAt: null };

test.each([
  [0, 0.5],
  [6.99, 0.5],
  [7, 0.45],
  [56, 0.1],
  [700, 0.05],
])("confidence of 0.5 after %d days is %d", (days, expected) => {
  expect(confidenceAt(curve, days * dayMs, true)).toBe(expected);
  expect(confidenceAt(curve, days * dayMs, false)).toBe(0.5);
});

test("weeks of decay count from the last reinforcement", () => {
  const reinforced = { ...curve, lastReinforcedAt: 70 * dayMs };
  expect(confidenceAt(reinforced, 76 * dayMs, true)).toBe(0.5);
  expect(confidenceAt(reinforced, 77 * dayMs, true)).toBe(0.45);
});

test("a reinforcement adds a tenth of what is missing to the current confidence", () => {
  expect(reinforcedConfidence(curve, 0, true)).toBeCloseTo(0.55, 10);
  expect(reinforcedConfidence(curve, 14 * dayMs, true)).toBeCloseTo(0.46, 10);
  expect(reinforcedConfidence({ ...curve, confidence: 1 }, 0, true)).toBe(1);
});

test("a match scores lower with less confidence and with more time since its confirmation", () => {
  expect(confidenceScore(curve, 1, 0, true)).toBe(0.5);
  expect(confidenceScore(curve, 0.5, 0, true)).toBe(0.25);
  expect(confidenceScore(curve, 1, 14 * dayMs, true)).toBeCloseTo(0.4 / 1.14, 6);
});
