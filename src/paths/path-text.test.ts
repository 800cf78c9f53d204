import { expect, test } from "vitest";
import { fullPath } from "./path-text.ts";

test("a relative path starts at the root, and both kinds of slashes are equal", () => {
  expect(fullPath("src/../lib/a.ts", "/p/shop")).toBe("/p/shop/lib/a.ts");
  expect(fullPath("src\\a.ts", "C:\\shop")).toBe("c:/shop/src/a.ts");
  expect(fullPath("/x/a.ts", "/p")).toBe("/x/a.ts");
});
