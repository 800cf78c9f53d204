import fc from "fast-check";
import { expect, test } from "vitest";
import { cutAtGrapheme } from "./grapheme-clusters.ts";

test.each([
  ["अनुरोधों", 5, "अनु" + "रो"],
  ["ok 👩🏽‍💻!", 6, "ok "],
  ["re\u0301sume\u0301", 2, "r"],
  ["plain", 3, "pla"],
])("cuts %s before %i to %s", (text, end, whole) => {
  expect(cutAtGrapheme(text, end)).toBe(whole);
});

test("splits no character, except one of dozens of combining marks", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, asked) => {
      const end = Array.from(text).slice(0, asked).join("").length;
      const whole = cutAtGrapheme(text, end);
      expect(text.slice(0, end).startsWith(whole)).toBe(true);
      expect(/^[\p{M}\u200d]/u.test(text.slice(whole.length)) && whole !== "").toBe(false);
    }),
  );
  expect(cutAtGrapheme(`a${"\u0301".repeat(99)}`, 50)).toHaveLength(50);
});
