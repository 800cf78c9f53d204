import { expect, test } from "vitest";
import { defineLazyProperties } from "./lazy-properties.ts";

interface Things {
  readonly first: { readonly name: string };
  readonly second: string;
}

test("a property is created once, on first access, and can be inspected without that", () => {
  let made = 0;
  // The tested function adds its properties.
  const things = {} as Things;
  const ifMade = defineLazyProperties<Things>(things, {
    first: () => {
      made += 1;
      return { name: "first" };
    },
    second: () => `after ${things.first.name}`,
  });
  expect(ifMade("first")).toBeUndefined();
  expect(made).toBe(0);
  expect(things.second).toBe("after first");
  expect(things.first).toBe(things.first);
  expect(ifMade("first")).toBe(things.first);
  expect(made).toBe(1);
});
