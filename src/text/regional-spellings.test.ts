import { expect, test } from "vitest";
import { regionalSpelling } from "./regional-spellings.ts";

test.each([
  ["normalise", "normalize"],
  ["organisations", "organizations"],
  ["serialiser", "serializer"],
  ["analysed", "analyzed"],
  ["behaviour", "behavior"],
  ["favourites", "favorites"],
  ["centre", "center"],
  ["licence", "license"],
  ["catalogue", "catalog"],
  ["artefacts", "artifacts"],
  ["grey", "gray"],
])("%j is written %j elsewhere, and the other way round", (british, american) => {
  expect(regionalSpelling(british)).toBe(american);
  expect(regionalSpelling(american)).toBe(british);
});

test.each(["heron", "is", "or", "our", "this", "list", "source", "order", "later"])("%j is not", (word) => {
  expect(regionalSpelling(word)).toBeUndefined();
});
