import { expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forAllTests } from "../../../test/support/for-each-test.ts";
import { remember } from "../../knowledge/memories/operations.ts";
import { oneSlipAway } from "../../text/slips.ts";
import { knownAmong } from "./known-among.ts";
import { documentFrequencies } from "./term-frequency.ts";

const opened = forAllTests(openTestCore);

/** Words in one letter each after the beginning, so that there are more of them than spellings of a short word. */
const crowd = (beginning: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => `${beginning}${at.toString(26).replaceAll(/\d/g, "z")}x${at}`,
  ).join(" ");

test("finds the same spellings as a search for each: few words begin alike, many, in other scripts, and none", async () => {
  const texts = [
    "heron hero sparrow сорока сороки",
    "the herom of heron",
    crowd("he", 700),
    `kestrel kestrol ${crowd("kest", 700)}`,
  ];
  for (const content of texts) await opened.call(remember, { content });
  const { sql } = opened.core.ground.store.read;
  for (const [word, known] of [
    ["heron", ["hero", "herom"]],
    ["kestrel", ["kestrol"]],
    ["сорока", ["сороки"]],
    ["sparow", ["sparrow"]],
    ["unheard", []],
  ] as const) {
    const spellings = [...oneSlipAway(word)];
    const found = await knownAmong(sql, spellings, texts.length);
    expect(found, word).toEqual(await documentFrequencies(sql, spellings, texts.length));
    for (const spelling of known) expect(found.has(spelling), `${spelling} for ${word}`).toBe(true);
  }
});
