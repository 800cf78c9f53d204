import { expect, test } from "vitest";
import { otherThousands, thousandsInParts } from "./thousands.ts";
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
  expect(otherThousands("1,000,000").get("000")?.slice(0, 5)).toEqual([
    "1000000",
    "1.000.000",
    "1_000_000",
    "1000k",
    "1m",
  ]);
  expect(otherThousands("4250").get("4250")).toEqual(["4250", "4.250", "4_250"]);
});

test.each(["5M", "5 million", "5,000,000", "5000000", "5 Millionen", "5 Mio"])(
  "%j is searched for in all spellings of millions",
  (written) => {
    const forms = new Set(otherThousands(`with ${written} users`).values());
    expect(forms.size).toBeGreaterThan(0);
    for (const some of forms)
      expect(some).toEqual(expect.arrayContaining(["5000000", "5.000.000", "5m", ...indexTokens("million")]));
  },
);

test("tenths of millions are written with a dot", () => {
  expect(otherThousands("1.5M rows").get("1.5m")).toContain("1500000");
  expect(otherThousands("1500000 rows").get("1500000")).toContain("1.5m");
  expect(otherThousands("1234567 rows").get("1234567")).not.toContain("million");
});

test.each([
  "10.000.5",
  "v10.000",
  "a10000",
  "10000ms",
  "10kb",
  "1,00",
  "999",
  "in 2 or 3 parts",
  "after 5m",
  "5 milestones",
])("%j is not such a number", (query) => {
  expect([...otherThousands(query)]).toEqual([]);
});

test.each([
  ["10000 or 5k rows", ["10,000", "5,000", "10 000", "5 000"]],
  ["10.000 rows", ["10,000", "10 000"]],
  ["10,000 rows", ["10 000"]],
  ["5M rows", ["5,000,000", "5 million", "5 000 000"]],
  ["all rows", []],
])("for %j, texts are searched for the parts of %j", (query, written) => {
  expect(thousandsInParts(query)).toEqual(written);
});
