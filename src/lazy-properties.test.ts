import { expect, test } from "vitest";
import { defineLazyProperties } from "./lazy-properties.ts";

interface Things {
  readonly first: { readonly name: string };
  readonly second: string;
}

test("a property is made when it is asked for, once, and what was made can be looked at without making it", () => {
  let made = 0;
  // Given its properties by what is tested.
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
