import { expect, test } from "vitest";
import { oneSlipAway } from "./slips.ts";

test.each([
  ["componets", "components"],
  ["verifonne", "verifone"],
  ["webhokk", "webhook"],
  ["pyhton", "python"],
  ["yptest", "pytest"],
  ["redsi", "redis"],
  ["serve", "server"],
  ["очередб", "очередь"],
  ["παραγγελιε", "παραγγελιες"],
])("%s may be meant for %s", (typed, meant) => {
  expect([...oneSlipAway(typed)]).toContain(meant);
});

test("a word with another first letter, with two slips, or the word itself is not meant", () => {
  const meant = oneSlipAway("docker");
  expect(["locker", "dokkerr", "docker"].filter((word) => meant.has(word))).toEqual([]);
});

test("a short word and one of several scripts may be anything", () => {
  expect(["form", "zażółć", "api2go", "redisя"].flatMap((word) => [...oneSlipAway(word)])).toEqual([]);
});
