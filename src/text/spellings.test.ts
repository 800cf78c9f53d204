import { expect, test } from "vitest";
import { otherSpellings, rarerSpellings } from "./spellings.ts";
import { indexTokens } from "./tokens.ts";

test.each([
  ["re-indexing", "reindexing"],
  ["get_user_name", "getUserName"],
  ["sha-256", "sha256"],
  ["sha256", "sha-256"],
  ["utf_8", "utf8"],
])("%j is also looked for as a text with %j has it", (asked, written) => {
  const [token = ""] = indexTokens(asked);
  expect(indexTokens(written)).toEqual(expect.arrayContaining([...otherSpellings(token)]));
  expect(otherSpellings(token)).toHaveLength(1);
});

test.each(["heron", "256", "src/index.ts", "1.2-beta", "v1.2"])("%j has no other spelling", (token) => {
  expect(otherSpellings(token)).toEqual([]);
});

test.each([
  ["oncall", "on-call"],
  ["getuser", "get_user"],
  ["groesse", "Größe"],
  ["größe", "Groesse"],
  ["größe", "Grösse"],
  ["grösse", "Größe"],
  ["groesse", "Grösse"],
  ["koennen", "können"],
  ["müller", "Mueller"],
  ["strasse", "Straße"],
  ["sinif", "sınıf"],
  ["sınıf", "SINIF"],
])("%j is looked for as %j, too, where nobody wrote it so", (asked, written) => {
  expect(rarerSpellings(asked)).toEqual(expect.arrayContaining(indexTokens(written).slice(0, 1)));
});

test("a word has so few rarer spellings that all can be looked for", () => {
  for (const word of [
    "a",
    "heron",
    "naïve",
    "über",
    "a".repeat(500),
    "ae".repeat(250),
    "internationalisation",
  ])
    expect(rarerSpellings(word).length).toBeLessThan(40);
  expect(rarerSpellings("heron")).toEqual(["he-ron", "he_ron", "her-on", "her_on"]);
});
