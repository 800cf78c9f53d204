import fc from "fast-check";
import { expect, test } from "vitest";
import { excerptAround } from "./excerpt.ts";

function quoted(text: string, word: string, length = 100): string {
  const at = text.indexOf(word);
  return excerptAround(text, { at, end: at + word.length }, length);
}

const before = "It rained in the morning. ".repeat(4);
const after = "Then it was dry again. ".repeat(4);

test("the sentence is quoted that the place stands in, then what follows while it is brief", () => {
  expect(quoted(`${before}A heron came by.\n${after}`, "heron", 66)).toBe(
    "… A heron came by. Then it was dry again. …",
  );
  expect(quoted(`A heron came by.\n${after}`, "heron", 40)).toBe("A heron came by. …");
  expect(quoted(`${before}A heron came by`, "heron", 50)).toBe("… A heron came by");
});

test("a line is a sentence, and a dot inside a name or an abbreviation ends none", () => {
  expect(quoted("first line of the log\nat run (src/a.b.ts:3)\nthird line", "run", 30)).toBe(
    "… at run (src/a.b.ts:3) …",
  );
  expect(quoted(`${before}Birds, e.g. the heron of 2.1.0. ${after}`, "heron", 40)).toBe(
    "… Birds, e.g. the heron of 2.1.0. …",
  );
});

test("a sentence that is too long is cut between words, a text without blanks between characters", () => {
  expect(quoted(`one two three four five heron six seven eight nine ten`, "heron", 30)).toBe(
    "… four five heron six seven…",
  );
  const faces = `${"👩‍👩‍👧".repeat(9)}heron${"👩‍👩‍👧".repeat(9)}`;
  expect(quoted(faces, "heron", 30)).toBe("… 👩‍👩‍👧heron👩‍👩‍👧 …");
});

test("of a place that is longer than a quotation, whole characters are quoted", () => {
  for (const word of ["𝒜".repeat(60), `a${"𝒜".repeat(60)}`])
    expect(quoted(`${before}${word} ${after}`, word, 40).isWellFormed()).toBe(true);
});

test("a quotation is one line of at most so many characters that has the place, whatever the text", () => {
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
