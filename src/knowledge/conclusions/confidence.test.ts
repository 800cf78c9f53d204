import { expect, test } from "vitest";
import { dayMs } from "../../time/durations.ts";
import { confidenceAt, confidenceScore, reinforcedConfidence } from "./confidence.ts";

const start = Date.UTC(2026, 0, 1);
const after = (days: number) => start + days * dayMs;
const curve = { confidence: 0.5, decayRate: 0.05, createdAt: start, lastReinforcedAt: null };

test.each([
  [0, 0.5],
  [6.99, 0.5],
  [7, 0.45],
  [56, 0.1],
  [700, 0.05],
])("confidence of 0.5 after %d days is %d", (days, expected) => {
  expect(confidenceAt(curve, after(days), true)).toBe(expected);
  expect(confidenceAt(curve, after(days), false)).toBe(0.5);
});

test("weeks of decay count from the last reinforcement", () => {
  const reinforced = { ...curve, lastReinforcedAt: after(70) };
  expect(confidenceAt(reinforced, after(76), true)).toBe(0.5);
  expect(confidenceAt(reinforced, after(77), true)).toBe(0.45);
});

test("a reinforcement adds a tenth of what is missing to the current confidence", () => {
  expect(reinforcedConfidence(curve, start, true)).toBeCloseTo(0.55, 10);
  expect(reinforcedConfidence(curve, after(14), true)).toBeCloseTo(0.46, 10);
  expect(reinforcedConfidence({ ...curve, confidence: 1 }, start, true)).toBe(1);
});

test("a match scores lower with less confidence and with more time since its confirmation", () => {
  expect(confidenceScore(curve, 1, start, true)).toBe(0.5);
  expect(confidenceScore(curve, 0.5, start, true)).toBe(0.25);
  expect(confidenceScore(curve, 1, after(14), true)).toBeCloseTo(0.4 / 1.14, 6);
});
