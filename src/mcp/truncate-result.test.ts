import fc from "fast-check";
import { expect, test } from "vitest";
import { truncateJson, truncateText } from "./truncate-result.ts";

const length = (value: unknown) => JSON.stringify(value).length;

test("objects and lists never exceed the limit, and short ones are returned themselves", () => {
  const value = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
  fc.assert(
    fc.property(value, fc.integer({ min: 2, max: 400 }), (given, maxChars) => {
      const cut = truncateJson(given, maxChars);
      expect(length(cut)).toBeLessThanOrEqual(maxChars);
      expect(Array.isArray(cut)).toBe(Array.isArray(given));
      if (length(given) <= maxChars) expect(cut).toBe(given);
    }),
  );
});

test("small fields are kept, and long lists and texts lose their ends", () => {
  const items = Array.from({ length: 100 }, (_, at) => ({ id: at, text: "x".repeat(50) }));
  const cut = truncateJson({ total: 100, items, text: "\n".repeat(2_000) }, 2_000) as Record<string, unknown>;
  expect(cut.total).toBe(100);
  expect(cut.items).toEqual(items.slice(0, (cut.items as unknown[]).length));
  expect(cut.text).toMatch(/^\n{300,}…$/u);
  expect(length(cut)).toBeGreaterThan(1_500);
});

test("no character is split", () => {
  for (let maxChars = 1; maxChars < 12; maxChars += 1)
    expect(truncateText("🧠🧠🧠🧠🧠🧠", maxChars)).toMatch(/^(?:🧠)*…$/u);
});
