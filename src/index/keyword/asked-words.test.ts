import { expect, test } from "vitest";
import type { WordIndex } from "../words/word-index.ts";
import { readAskedWords } from "./asked-words.ts";

const indexOf = (...terms: readonly string[]): WordIndex => ({
  collection: async () => ({ documents: 1, averageLengths: { title: 1, concepts: 1, files: 1, body: 1 } }),
  ask: () => expect.fail("nothing is looked for yet"),
  frequencies: async (asked) =>
    new Map(asked.filter((term) => terms.includes(term)).map((term) => [term, 1])),
  knownAmong: async () => new Map(),
  longer: async () => [],
  beginningWith: async (stem) => terms.filter((term) => term.startsWith(stem)),
});

test.each([
  ["Łódź", "łodz"],
  ["sınıf", "sınıf"],
  ["STRAẞE", "straße"],
  ["strasse", "straße"],
  ["groesse", "große"],
  ["sinif", "sınıf"],
])("%s also finds documents that hold %j, until they are indexed again", async (query, held) => {
  const { frequencies, isKnown, asked } = await readAskedWords(indexOf(held), query, 1);
  expect([...frequencies.keys()]).toEqual([held]);
  expect(asked.every(isKnown)).toBe(true);
});
