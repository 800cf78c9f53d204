import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLine, oneLine, printable, printableThroughout } from "./text.ts";

const narrow = ["a", "é", "–", "…", " "];
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...narrow), maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(...narrow, "😀", "日", "、", "𠮷", "\n", "\t", "\u0000", "\u009b"),
    maxLength: 60,
  }),
);

test("a line is cut to its width in terminal columns and ends with an ellipsis", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 80 }), (text, width) => {
      const whole = printable(text).replace(/\s+/gu, " ").trim();
      const line = oneLine(text, width);
      if (columnsOf(whole) <= width) expect(line).toBe(whole);
      else {
        expect(columnsOf(line)).toBeLessThanOrEqual(width);
        // The next character could be one that takes two columns. Of rare Han characters fewer are shown.
        const isAfterWord = whole[line.length - 1] === " ";
        if (!whole.includes("𠮷"))
          expect(columnsOf(line)).toBeGreaterThanOrEqual(width - 1 - (isAfterWord ? 21 : 0));
        expect(whole.startsWith(line.slice(0, -1)) && line.endsWith("…")).toBe(true);
      }
    }),
  );
});

test("a line is cut between words, unless a word is long or no prose", () => {
  expect(oneLine("it does not support nullability", 24)).toBe("it does not support…");
  expect(oneLine("it does not support null", 23)).toBe("it does not support…");
  expect(oneLine("Read src/capture/observations", 20)).toBe("Read src/capture/ob…");
  expect(oneLine("nullability", 5)).toBe("null…");
});

/** For the characters above only. */
function columnsOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (/[😀日、𠮷]/u.test(character) ? 2 : 1), 0);
}

test("every text and key of a value becomes printable, and a printable value is returned itself", () => {
  const value = JSON.parse('{"a\\u001b": ["x\\u0007", {"__proto__": "\\u009b1m"}], "n": [1, null, true]}');
  const shown = printableThroughout(value);
  expect(JSON.stringify(shown)).toBe('{"a":["x",{"__proto__":"1m"}],"n":[1,null,true]}');
  expect(printableThroughout(shown)).toBe(shown);
});

test("direction marks are removed from text and escaped in JSON", () => {
  const turned = "rm \u202efdp.sh\u202c \u2066x\u2069";
  expect(printable(turned)).toBe("rm fdp.sh x");
  expect(jsonLine(turned)).toMatch(/^[ -~]*$/u);
  expect(JSON.parse(jsonLine(turned))).toBe(turned);
});
