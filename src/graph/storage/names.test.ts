import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanName, foldedName, wordsOf } from "./names.ts";

const blanks = /\s+/gu;

test("a name of plain characters is cleaned and folded like any other", () => {
  const plain = fc.string({ unit: fc.constantFrom(...' \t\n-/._AZaz09~!"'.split("")), maxLength: 320 });
  fc.assert(
    fc.property(fc.oneof(plain, fc.string({ unit: "binary", maxLength: 20 })), (name) => {
      const wanted = name.normalize("NFC").replace(blanks, " ").trim();
      expect(cleanName(name)).toBe([...wanted].slice(0, 300).join(""));
      expect(foldedName(name)).toBe(name.normalize("NFKC").toLowerCase());
    }),
  );
});

test.each(["x", "a b", "🧠"])("a name that repeats %j too often is cut to 300 characters", (part) => {
  const name = part.repeat(301);
  expect(cleanName(name)).toBe([...name].slice(0, 300).join(""));
});

test("a long word is cut between characters, not within one", () => {
  expect(wordsOf(`a${"𠀀".repeat(80)}`)).toEqual([`a${"𠀀".repeat(63)}`]);
});
