import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutCodePoints, tokenEstimate } from "./estimate.ts";

const anyText = fc.string({ unit: "binary" });

describe("the token estimate", () => {
  test("is a third of the code points, rounded up", () => {
    expect(["", "a", "abc", "abcd", "😀😀😀😀"].map(tokenEstimate)).toEqual([0, 1, 1, 2, 2]);
  });

  test("counts what iterating over the text counts, lone surrogates too", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom("", "\uD83D", "\uDE00"), (text, lone) => {
        const hostile = `${lone}${text}${lone}`;
        expect(tokenEstimate(hostile)).toBe(Math.ceil(Array.from(hostile).length / 3));
      }),
    );
  });
});

describe("cutting by code points", () => {
  test("gives the first characters and never half of one", () => {
    expect(cutCodePoints("a😀b😀", 2)).toBe("a😀");
    expect(cutCodePoints("😀", 1)).toBe("😀");
    expect(cutCodePoints("abc", 0)).toBe("");
  });

  test("agrees with cutting the list of characters", () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), (text, max) => {
        expect(cutCodePoints(text, max)).toBe(Array.from(text).slice(0, max).join(""));
      }),
    );
  });
});
