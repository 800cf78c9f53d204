import { expect, test } from "vitest";
import { FileShare, FileStrength } from "./file-strength.ts";

test.each([
  [undefined, 1],
  [0, 0],
  [1, 1],
  [1.5, 0.15],
  [10, 1],
])("a strength of %d in a file is %d: above 1 it counts from 0 to 10", (given, strength) => {
  expect(FileStrength.parse(given)).toBeCloseTo(strength, 9);
});

test.each([-0.1, 10.1, "1", null])("a strength of %j in a file is refused", (given) => {
  expect(FileStrength.safeParse(given).success).toBe(false);
});

test.each([
  [-0.1, false],
  [0, true],
  [1, true],
  [1.1, false],
])("whether %d may be a share in a file: %j", (given, isValid) => {
  expect(FileShare.safeParse(given).success).toBe(isValid);
});
