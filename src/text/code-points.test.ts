import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countCodePoints, cutCodePoints } from "./code-points.ts";

const anyText = fc.string({ unit: "binary" });

test("counts code points as iteration does, including lone surrogates", () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom("", "\uD83D", "\uDE00"), (text, lone) => {
      const hostile = `${lone}${text}${lone}`;
      expect(countCodePoints(hostile)).toBe(Array.from(hostile).length);
    }),
  );
});

describe("cutting by code points", () => {
  test("returns the first characters and never half of one", () => {
    expect(cutCodePoints("a😀b😀", 2)).toBe("a😀");
    expect(cutCodePoints("😀", 1)).toBe("😀");
    expect(cutCodePoints("abc", 0)).toBe("");
  });

  test("agrees with slicing the list of characters", () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), (text, max) => {
        expect(cutCodePoints(text, max)).toBe(Array.from(text).slice(0, max).join(""));
      }),
    );
  });
});
