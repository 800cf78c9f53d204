import { expect, test } from "vitest";
import { queryTokens } from "./tokens.ts";
import { toolNames } from "./tool-kinds.ts";

const namesFor = (query: string) => toolNames(queryTokens(query));

test("every word of a kind's name leads to the tools of that kind", () => {
  const names = namesFor("which package manager do we use");
  expect([...names.keys()]).toEqual(["packag", "manag"]);
  expect(names.get("packag")).toContain("pnpm");
  expect(names.get("manag")).toEqual(names.get("packag"));
});

test("of a kind's name in several words, one word alone leads nowhere", () => {
  expect([...namesFor("the manager of the package")]).toEqual([]);
});

test("a word that belongs to several kinds leads to the tools of all of them", () => {
  expect(namesFor("vector database").get("databas")).toEqual(expect.arrayContaining(["postgr", "pgvector"]));
});

test("a tool's name leads to no other tool", () => {
  expect([...namesFor("postgres mysql")]).toEqual([]);
});
