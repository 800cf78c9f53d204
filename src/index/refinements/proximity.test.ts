import { describe, expect, test } from "vitest";
import { indexTokens, queryTokens } from "../../text/tokens.ts";
import { placesOf } from "./places.ts";
import { closenessOf, neighbouringWords } from "./proximity.ts";

function wordsOf(query: string) {
  return [...new Set(queryTokens(query))].map((term) => ({ term, weight: 2, told: 2, forms: [] }));
}

function closeness(query: string, text: string): number {
  const words = wordsOf(query);
  const places = placesOf(words.map(({ term }) => term))(text);
  return closenessOf(neighbouringWords(queryTokens(query), words), places);
}

describe("closeness", () => {
  test("is 0 for words far apart, and grows the more often they meet", () => {
    const far = "x ".repeat(60);
    const once = closeness("rate limit", `the rate limit ${far}`);
    expect(closeness("rate limit", `the rate ${far} the limit`)).toBe(0);
    expect(once).toBeGreaterThan(0);
    expect(closeness("rate limit", `the rate limit ${far} a limited rate`)).toBeGreaterThan(once);
  });

  test.each([
    ["session cookie", "cookies of a session"],
    ["connection pool", "ConnectionPool"],
    ["retry policy", "retries by policies"],
    ["parse date", "parsed_date"],
  ])("of %j is found in %j", (query, text) => {
    expect(closeness(query, text)).toBeGreaterThan(0);
  });

  test("does not match the end of another word", () => {
    expect(indexTokens("preset")).not.toContain("set");
    expect(closeness("set value", "preset value")).toBe(0);
  });

  test("counts only neighbours in the query, and none in a query of one word", () => {
    expect(closeness("alpha gap beta", "alpha beta")).toBe(0);
    expect(closeness("alpha", "alpha alpha")).toBe(0);
  });

  test("is found in a long text of nothing but the words", () => {
    const text = "rate limit ".repeat(20_000);
    expect(closeness("rate limit", text)).toBeGreaterThan(0);
  });
});
