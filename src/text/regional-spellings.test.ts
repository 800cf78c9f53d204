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
])("%j and %j are regional spellings of each other", (british, american) => {
  expect(regionalSpelling(british)).toBe(american);
  expect(regionalSpelling(american)).toBe(british);
});

test.each(["heron", "is", "or", "our", "this", "list", "source", "order", "later"])(
  "%j has no regional spelling",
  (word) => {
    expect(regionalSpelling(word)).toBeUndefined();
  },
);
