import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunkText, chunkTokens } from "./chunks.ts";

describe("windows of tokens", () => {
  test("hold every token in order, within the limit and with the overlap", () => {
    const ids = Array.from({ length: 1_000 }, (_, id) => id);
    const windows = chunkTokens(ids, 256, 32);
    expect(windows.every(({ length }) => length <= 256)).toBe(true);
    expect(new Set(windows.flat()).size).toBe(1_000);
    for (const [index, window] of windows.entries()) {
      const next = windows[index + 1];
      if (next !== undefined) expect(window.slice(-32)).toEqual(next.slice(0, 32));
    }
  });

  test("are one if all tokens fit, and never more than 32", () => {
    expect(chunkTokens([1, 2, 3], 3, 1)).toEqual([[1, 2, 3]]);
    expect(chunkTokens([], 3, 1)).toEqual([[]]);
    expect(
      chunkTokens(
        Array.from({ length: 100_000 }, () => 1),
        256,
        32,
      ),
    ).toHaveLength(32);
  });

  test("do not end with a window that the one before contains", () => {
    for (const length of [257, 480, 481, 704]) {
      const windows = chunkTokens(
        Array.from({ length }, (_, id) => id),
        256,
        32,
      );
      expect(windows.at(-1)?.length).toBeGreaterThan(32);
    }
  });
});

describe("pieces of text", () => {
  test("end between words and lose none", () => {
    const words = Array.from({ length: 400 }, (_, index) => `word${index}`);
    const chunks = chunkText(words.join(" "), 200, 40);
    expect(chunks.every((chunk) => chunk.length <= 200)).toBe(true);
    expect(chunks.flatMap((chunk) => chunk.split(/\s+/u).filter(Boolean))).toEqual(
      expect.arrayContaining(words.slice(0, 300)),
    );
    expect(chunks.every((chunk) => /^word\d+( word\d+)*\s?$/u.test(chunk))).toBe(true);
  });

  test("of any text are at most 32, within the length, and split no character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 400 }),
        fc.integer({ min: 10, max: 60 }),
        (text, size) => {
          const chunks = chunkText(text, size, Math.floor(size / 10));
          expect(chunks.length).toBeLessThanOrEqual(32);
          expect(chunks.join("").isWellFormed()).toBe(true);
          for (const chunk of chunks) expect([...chunk].length).toBeLessThanOrEqual(size);
          if (chunks.length < 32) expect(text.endsWith(chunks.at(-1) ?? "")).toBe(true);
        },
      ),
    );
  });
});
