import fc from "fast-check";
import truncatedWidth from "fast-string-truncated-width";
import { expect, test } from "vitest";
import { widthOf } from "./text-width.ts";

const narrow = Array.from("a é§ÿ\u00ad–—‘’‚“”•…→");
const others = [
  "\n",
  "\u001b[1m",
  "\u001b[38;5;1m",
  "\u001b",
  "\t",
  "\u0007",
  "日",
  "😀",
  "\ufe0f",
  "e\u0301",
];
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...narrow), maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(...narrow, ...others), maxLength: 30 }),
);

test("texts of narrow characters, whose width is counted here, have the width that the library counts", () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(widthOf(one)).toBe(truncatedWidth(one.replaceAll(/\u001b\[[\d;]*m|\n/gu, "")).width);
    }),
    { examples: [["\n\u001b[1m"]] },
  );
});

test("colours and line breaks take no column, also beside each other and wide characters", () => {
  expect(widthOf("\n\u001b[1m日本\u001b[22m\n\u001b[38;5;1mab")).toBe(6);
});
