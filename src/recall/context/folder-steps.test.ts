import { expect, test } from "vitest";
import { folderPath, folderSteps, fullPath } from "./folder-steps.ts";

test.each([
  ["/p/shop/a.ts", "/p/shop", 0],
  ["/p/shop/src/a.ts", "/p/shop", 1],
  ["/p/a.ts", "/p/shop", 1],
  ["/p/other/src/a.ts", "/p/shop", 3],
  ["/a.ts", "/", 0],
])("from the folder of %s it is to %s %i steps", (file, folder, steps) => {
  expect(folderSteps(file, folderPath(folder))).toBe(steps);
});

test("a relative path starts from the root, and both slashes are the same", () => {
  expect(fullPath("src/../lib/a.ts", "/p/shop")).toBe("/p/shop/lib/a.ts");
  expect(fullPath("src\\a.ts", "C:\\shop")).toBe("c:/shop/src/a.ts");
  expect(fullPath("/x/a.ts", "/p")).toBe("/x/a.ts");
});
