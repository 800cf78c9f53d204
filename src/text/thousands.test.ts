import { expect, test } from "vitest";
import { otherThousands, thousandsWithCommas } from "./thousands.ts";
import { indexTokens } from "./tokens.ts";

const spellings = ["10000", "10.000", "10_000", "10k"];

test.each([...spellings, "10K", "10,000", "10 000", "10'000", "10’000", "10\u202f000"])(
  "%j is searched for in all spellings",
  (written) => {
    const found = otherThousands(`above ${written}, rows`);
    const tokens = indexTokens(written);
    expect(found.size).toBeGreaterThan(0);
    for (const [token, forms] of found) {
      expect(tokens).toContain(token);
      expect(forms).toEqual(spellings);
      for (const form of forms) expect(indexTokens(form)).toContain(form);
    }
  },
);

test("millions are grouped, too, and hundreds have no short form", () => {
  expect(otherThousands("1,000,000").get("000")).toEqual(["1000000", "1.000.000", "1_000_000", "1000k"]);
  expect(otherThousands("4250").get("4250")).toEqual(["4250", "4.250", "4_250"]);
});

test.each(["10.000.5", "v10.000", "a10000", "10000ms", "10kb", "1,00", "999", "in 2 or 3 parts"])(
  "%j is not such a number",
  (query) => {
    expect([...otherThousands(query)]).toEqual([]);
  },
);

test.each([
  ["10000 or 5k rows", ["10,000", "5,000"]],
  ["10.000 rows", ["10,000"]],
  ["10,000 rows", []],
  ["all rows", []],
])("in %j, texts with commas have %j", (query, written) => {
  expect(thousandsWithCommas(query)).toEqual(written);
});
