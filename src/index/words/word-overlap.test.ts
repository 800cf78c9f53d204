import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jaccard } from "../../text/similarity.ts";
import { WordOverlap } from "./word-overlap.ts";

const mib = 1024 * 1024;
const word = fc.integer({ min: 0, max: 40 }).map((number) => `word${number}`);
const text = fc.record({
  group: fc.integer({ min: 1, max: 3 }),
  words: fc.uniqueArray(word, { minLength: 1, maxLength: 25 }).map((list) => new Set(list)),
});

function distinctWords(text: number, count: number): Set<string> {
  return new Set(Array.from({ length: count }, (_, at) => `${text}-${at}`));
}

describe("texts that share words", () => {
  test("are those that a pairwise comparison finds, with the same similarity", () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 40 }),
        text,
        fc.double({ min: 0, max: 0.9 }),
        (texts, asked, above) => {
          const overlap = new WordOverlap(mib);
          texts.forEach(({ group, words }, at) => {
            expect(overlap.add(group, `${at}`, words)).toBe(true);
          });
          const expected = texts.flatMap(({ group, words }, at) => {
            const similarity = group === asked.group ? jaccard(asked.words, words) : 0;
            return similarity > above ? [{ id: `${at}`, similarity }] : [];
          });
          // Searched twice, because a search must not change what the next one finds.
          for (let time = 0; time < 2; time += 1) {
            const found = overlap.resembling(asked.group, asked.words, above);
            expect(found.sort((a, b) => Number(a.id) - Number(b.id))).toEqual(expected);
          }
        },
      ),
    );
  });

  test("are found beyond the arrays' initial capacity", () => {
    const overlap = new WordOverlap(mib);
    for (let text = 0; text < 6_000; text += 1) overlap.add(1, `${text}`, distinctWords(text, 10));
    for (const text of [0, 409, 410, 3_000, 5_999])
      expect(overlap.resembling(1, distinctWords(text, 10), 0.5)).toEqual([{ id: `${text}`, similarity: 1 }]);
  });

  test("are no longer found after clearing, which frees their room", () => {
    const overlap = new WordOverlap(mib);
    const all = mib / 16;
    expect(overlap.add(1, "a", distinctWords(1, all - 1))).toBe(true);
    expect(overlap.add(1, "b", distinctWords(2, 1))).toBe(false);
    expect(overlap.resembling(1, distinctWords(2, 1), 0)).toEqual([]);
    expect(overlap.resembling(1, distinctWords(1, all - 1), 0.9)).toHaveLength(1);
    overlap.clear();
    expect(overlap.resembling(1, distinctWords(1, all - 1), 0)).toEqual([]);
    expect(overlap.add(1, "b", distinctWords(2, 1))).toBe(true);
    expect(overlap.resembling(1, distinctWords(2, 1), 0)).toEqual([{ id: "b", similarity: 1 }]);
  });
});
