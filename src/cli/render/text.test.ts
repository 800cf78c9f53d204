import fc from "fast-check";
import { expect, test } from "vitest";
import { oneLine, printable, printableThroughout } from "./text.ts";

const anyText = fc.string({
  unit: fc.constantFrom("a", "é", "😀", " ", "\n", "\t", "\u0000", "\u009b"),
  maxLength: 60,
});

test("a line is as wide as asked at most, counted in characters, and an ellipsis tells that it was cut", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, width) => {
      const whole = [...printable(text).replace(/\s+/gu, " ").trim()];
      const cut = `${whole.slice(0, Math.max(1, width - 1)).join("")}…`;
      expect(oneLine(text, width)).toBe(whole.length <= width ? whole.join("") : cut);
    }),
  );
});

test("every text of a value becomes printable, keys too, and a value that is so stays the very same", () => {
  const value = JSON.parse('{"a\\u001b": ["x\\u0007", {"__proto__": "\\u009b1m"}], "n": [1, null, true]}');
  const shown = printableThroughout(value);
  expect(JSON.stringify(shown)).toBe('{"a":["x",{"__proto__":"1m"}],"n":[1,null,true]}');
  expect(printableThroughout(shown)).toBe(shown);
});
