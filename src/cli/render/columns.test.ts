import { expect, test } from "vitest";
import { inColumns } from "./columns.ts";

const rows = [
  ["a", "shop", "\u001b[2mopen\u001b[22m"],
  ["b", "店", "\u001b[2mdone\u001b[22m"],
  ["much-longer", "😀 a", ""],
];

test("rows stand in columns for people, whatever script they are in and however they are painted", () => {
  expect(inColumns(rows, { isForPeople: true, columns: 100 })).toEqual([
    "a            shop  \u001b[2mopen\u001b[22m",
    "b            店    \u001b[2mdone\u001b[22m",
    "much-longer  😀 a",
  ]);
});

test("on a terminal that is too narrow the last field stands below, and nothing where there is none", () => {
  expect(inColumns(rows, { isForPeople: true, columns: 23 })).toHaveLength(3);
  expect(inColumns(rows, { isForPeople: true, columns: 22 })).toEqual([
    "a            shop",
    "  \u001b[2mopen\u001b[22m",
    "b            店",
    "  \u001b[2mdone\u001b[22m",
    "much-longer  😀 a",
  ]);
});

test("programs get the fields as they are", () => {
  expect(inColumns(rows, { isForPeople: false, columns: Number.POSITIVE_INFINITY })[1]).toBe(
    "b  店  \u001b[2mdone\u001b[22m",
  );
});

test("of no rows there are no lines", () => {
  expect(inColumns([], { isForPeople: true, columns: 10 })).toEqual([]);
});
