import { expect, test } from "vitest";
import { addsNew, mergeSources, mergeUnique } from "./merge-unique.ts";

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `id_${from + at}`);

test("sources are merged once each, known ones first, and the earliest not found again make room", () => {
  expect(mergeSources(["a", "b"], ["c", "a"])).toEqual(["a", "b", "c"]);
  expect(mergeSources(ids(0, 200), ["id_0", ...ids(200, 203)])).toEqual(["id_0", ...ids(4, 203)]);
  expect(mergeSources(["a"], ids(0, 300))).toEqual(ids(0, 200));
});

test("sources that would not be kept are no news", () => {
  expect(addsNew([[ids(0, 200), ids(0, 300)]])).toBe(false);
  expect(addsNew([[["a"], undefined]])).toBe(false);
  expect(
    addsNew([
      [["a"], ["a"]],
      [["a"], ["b"]],
    ]),
  ).toBe(true);
});

test("of two lists that are too long together, the known members stay", () => {
  expect(mergeUnique(ids(0, 199), ["id_0", "b", "c"])).toEqual([...ids(0, 199), "b"]);
});
