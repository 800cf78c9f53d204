import { expect, test } from "vitest";
import { folderPath, folderSteps } from "./folder-steps.ts";

test.each([
  ["/p/shop/a.ts", "/p/shop", 0],
  ["/p/shop/src/a.ts", "/p/shop", 1],
  ["/p/a.ts", "/p/shop", 1],
  ["/p/other/src/a.ts", "/p/shop", 3],
  ["/a.ts", "/", 0],
])("from the folder of %s to %s there are %i steps", (file, folder, steps) => {
  expect(folderSteps(file, folderPath(folder))).toBe(steps);
});
