import { expect, test } from "vitest";
import { findKnownProject } from "./known-project.ts";

const listed = [
  { project: "c:/Users/Ann O/shop", folders: ["d:/old/shop"], names: ["shop"] },
  { project: "/srv/cart", folders: [], names: ["cart", "acme/cart"] },
];

test.each([
  "C:\\Users\\Ann O\\shop",
  "c:/Users/Ann O/shop/",
  "/C:/Users/Ann O/shop",
  "D:\\old\\shop",
  "/srv/cart/",
  "acme/cart",
  "shop",
])("the project %s is known", (named) => {
  expect(findKnownProject(named, listed)).toEqual({ isKnown: true });
});

test.each([
  ["C:\\Users\\Ann O\\shp", "did you mean c:/Users/Ann O/shop?"],
  ["/srv/crt", "did you mean /srv/cart?"],
  ["cart/shop/other", undefined],
])("%s is none of them, but perhaps similar", (named, meant) => {
  expect(findKnownProject(named, listed)).toEqual({ isKnown: false, meant });
});
