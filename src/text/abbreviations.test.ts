import { expect, test } from "vitest";
import { otherForms } from "./abbreviations.ts";
import { indexTokens } from "./tokens.ts";

const formsOf = (word: string) => otherForms(indexTokens(word)[0] ?? "");

test("an abbreviation and its long form match each other", () => {
  expect(formsOf("db")).toEqual(indexTokens("database"));
  expect(formsOf("database")).toEqual(["db"]);
  expect(formsOf("directories")).toContain("dir");
});

test("two words with the same abbreviation do not match each other", () => {
  expect(formsOf("authentication")).not.toContain(indexTokens("authorization")[0]);
});

test("a word without an abbreviation has no other form", () => {
  expect(formsOf("heron")).toEqual([]);
});
