import { describe, expect, test } from "vitest";
import { bestPassage, withPassage } from "./passage.ts";
import { placesOf } from "./places.ts";

const words = ["alpha", "beta", "gamma"].map((term, at) => ({ term, weight: at + 1, told: 1, forms: [] }));
const far = "x ".repeat(200);

function best(text: string): number {
  return bestPassage(words, placesOf(["alpha", "beta", "gamma"])(text));
}

describe("the best passage", () => {
  test("is the one whose different words weigh most together", () => {
    expect(best("nothing")).toBe(0);
    expect(best(`alpha ${far} beta ${far} gamma`)).toBe(3);
    expect(best(`alpha beta ${far} gamma`)).toBe(3);
    expect(best(`alpha ${far} gamma beta gamma ${far} alpha`)).toBe(5);
    expect(best("gamma gamma beta alpha alpha")).toBe(6);
  });

  test("counts more in longer texts, and not at all in short ones", () => {
    expect(withPassage(10, 2_000, () => 20)).toBe(10);
    const scores = [3_000, 6_000, 60_000].map((length) => withPassage(10, length, () => 20));
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect(scores[0]).toBeGreaterThan(10);
    expect(withPassage(10, 6_000, () => 0)).toBeLessThan(10);
  });
});
