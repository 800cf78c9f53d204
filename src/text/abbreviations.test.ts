import { expect, test } from "vitest";
import { otherForms } from "./abbreviations.ts";
import { indexTokens } from "./tokens.ts";

const formsOf = (word: string) => otherForms(indexTokens(word)[0] ?? "");

test("an abbreviation and what it stands for find each other", () => {
  expect(formsOf("db")).toEqual(indexTokens("database"));
  expect(formsOf("database")).toEqual(["db"]);
  expect(formsOf("directories")).toContain("dir");
});

test("two words behind one abbreviation do not find each other", () => {
  expect(formsOf("authentication")).not.toContain(indexTokens("authorization")[0]);
});

test("other words have no other form", () => {
  expect(formsOf("heron")).toEqual([]);
});
