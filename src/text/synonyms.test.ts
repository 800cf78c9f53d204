import { expect, test } from "vitest";
import { synonymsOf } from "./synonyms.ts";
import { indexTokens } from "./tokens.ts";

const synonymsFor = (word: string) => synonymsOf(indexTokens(word)[0] ?? "");

test("words of one line lead to each other, whatever their endings", () => {
  expect(synonymsFor("removing")).toContain(indexTokens("delete")[0]);
  expect(synonymsFor("deleted")).toContain(indexTokens("remove")[0]);
});

test("a word in two lines does not tie these together", () => {
  expect(synonymsFor("hang")).toEqual(expect.arrayContaining(indexTokens("freeze timeout")));
  expect(synonymsFor("freeze")).not.toContain(indexTokens("timeout")[0]);
});

test("a word without synonyms leads nowhere", () => {
  expect(synonymsFor("heron")).toEqual([]);
});
