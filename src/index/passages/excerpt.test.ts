import fc from "fast-check";
import { expect, test } from "vitest";
import { excerptAround } from "./excerpt.ts";

function quoted(text: string, word: string, length = 100): string {
  const at = text.indexOf(word);
  return excerptAround(text, { at, end: at + word.length }, length);
}

const before = "It rained in the morning. ".repeat(4);
const after = "Then it was dry again. ".repeat(4);

test("quotes the sentence around the place, and brief text after it", () => {
  expect(quoted(`${before}A heron came by.\n${after}`, "heron", 66)).toBe(
    "… A heron came by. Then it was dry again. …",
  );
  expect(quoted(`A heron came by.\n${after}`, "heron", 40)).toBe("A heron came by. …");
  expect(quoted(`${before}A heron came by`, "heron", 50)).toBe("… A heron came by");
});

test("treats a line as a sentence, and a dot in a name or abbreviation as no end", () => {
  expect(quoted("first line of the log\nat run (src/a.b.ts:3)\nthird line", "run", 30)).toBe(
    "… at run (src/a.b.ts:3) …",
  );
  expect(quoted(`${before}Birds, e.g. the heron of 2.1.0. ${after}`, "heron", 40)).toBe(
    "… Birds, e.g. the heron of 2.1.0. …",
  );
});

test("cuts a long sentence between words, and a text without spaces between characters", () => {
  expect(quoted(`one two three four five heron six seven eight nine ten`, "heron", 30)).toBe(
    "… four five heron six seven…",
  );
  const faces = `${"👩‍👩‍👧".repeat(9)}heron${"👩‍👩‍👧".repeat(9)}`;
  expect(quoted(faces, "heron", 30)).toBe("… 👩‍👩‍👧heron👩‍👩‍👧 …");
});

test("quotes whole characters of a place that is longer than the quotation", () => {
  for (const word of ["𝒜".repeat(60), `a${"𝒜".repeat(60)}`])
    expect(quoted(`${before}${word} ${after}`, word, 40).isWellFormed()).toBe(true);
});

test("quotes the place in one line of at most the given length, in any text", () => {
  const anything = fc.string({ unit: "binary", maxLength: 200 });
  fc.assert(
    fc.property(anything, anything, fc.integer({ min: 20, max: 100 }), (left, right, length) => {
      const excerpt = quoted(`${left} heron ${right}`.replaceAll("heron heron", "heron"), "heron", length);
      expect(Array.from(excerpt).length).toBeLessThanOrEqual(length);
      expect(excerpt).not.toMatch(/[\n\t]/u);
      expect(excerpt).toContain("heron");
    }),
  );
});
