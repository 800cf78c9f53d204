import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentSimilarity, jaccard, tokenSet } from "./similarity.ts";

const words = fc
  .array(fc.constantFrom("cache", "token", "naïve", "snake_case", "東京都", "of", "K8S"), { maxLength: 12 })
  .map((list) => list.join(" "));

describe("token sets", () => {
  test("contain lower-case words of at least three characters, including underscores", () => {
    expect([...tokenSet("Use the snake_case NAME, a-bc def-ghi naïve")]).toEqual([
      "use",
      "the",
      "snake_case",
      "name",
      "def",
      "ghi",
      "naïve",
    ]);
  });

  test("contain character pairs for scripts written without spaces", () => {
    expect([...tokenSet("東京都abc 猫")]).toEqual(["東京", "京都", "abc"]);
  });

  test("read ASCII text in the same way with and without other characters", () => {
    const text = fc.string({ unit: fc.constantFrom(..."aZ_0 -.\n") });
    fc.assert(
      fc.property(text, (ascii) => {
        expect(tokenSet(ascii)).toEqual(tokenSet(`${ascii} ß`));
      }),
    );
  });

  test("keep combining marks with their letters and read İ as i", () => {
    expect([...tokenSet("सर्वर मुंबई में है")]).toEqual(["सर्वर", "मुंबई", "में"]);
    expect([...tokenSet("İstanbul")]).toEqual(["istanbul"]);
  });

  test("count characters, not code units", () => {
    expect(tokenSet("\u{1D7D8}").size).toBe(0);
    expect([...tokenSet("\u{10400}\u{10401} \u{10400}\u{10401}\u{10402}")]).toEqual([
      "\u{10428}\u{10429}\u{1042A}",
    ]);
  });
});

describe("similarity", () => {
  test("is the number of shared words divided by that of all words", () => {
    expect(jaccard(new Set(["a", "b", "c"]), new Set(["b", "c", "d"]))).toBe(0.5);
    expect(contentSimilarity("redis cache layer", "cache layer redis")).toBe(1);
  });

  test("is symmetric and between 0 and 1", () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        const similarity = contentSimilarity(a, b);
        expect(similarity).toBe(contentSimilarity(b, a));
        expect(similarity).toBeGreaterThanOrEqual(0);
        expect(similarity).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("of a text with itself is 1", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(contentSimilarity(text, text)).toBe(1);
        expect(jaccard(tokenSet(text), tokenSet(text))).toBe(1);
      }),
    );
  });

  test("requires equal texts if one of them has no words", () => {
    expect(contentSimilarity(" OK ", "ok")).toBe(1);
    expect(contentSimilarity("ok", "no")).toBe(0);
    expect(contentSimilarity("ok", "long enough")).toBe(0);
  });
});
