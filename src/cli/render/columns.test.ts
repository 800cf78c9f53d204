import { expect, test } from "vitest";
import { inColumns } from "./columns.ts";

const rows = [
  ["a", "shop", "\u001b[2mopen\u001b[22m"],
  ["b", "店", "\u001b[2mdone\u001b[22m"],
  ["much-longer", "😀 a", ""],
];

test("rows stand in columns for people, whatever script they are in and however they are painted", () => {
  expect(inColumns(rows, { isForPeople: true })).toEqual([
    "a            shop  \u001b[2mopen\u001b[22m",
    "b            店    \u001b[2mdone\u001b[22m",
    "much-longer  😀 a",
  ]);
});

test("programs get the fields as they are", () => {
  expect(inColumns(rows, { isForPeople: false })[1]).toBe("b  店  \u001b[2mdone\u001b[22m");
});

test("of no rows there are no lines", () => {
  expect(inColumns([], { isForPeople: true })).toEqual([]);
});
