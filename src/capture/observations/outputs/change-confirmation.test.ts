import { expect, test } from "vitest";
import { onlyConfirmsChange } from "./change-confirmation.ts";

test.each([
  "Successfully modified file: /code/shop/src/cart.ts (1 replacements).",
  "Successfully created and wrote to new file: /code/shop/src/cart.ts.",
  "Success. Updated the following files:\nM src/cart.ts\nA src/tax.ts\n",
  "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess. Updated the following files:\nM src/cart.ts",
  "The file /code/the shop/cart.ts has been updated successfully.",
  "File created successfully at: /code/shop/src/cart.ts",
  "Created new file: /code/shop/src/cart.ts with provided content.",
  "Edit applied successfully.",
])("%j says nothing beyond the change", (output) => {
  expect(onlyConfirmsChange(output)).toBe(true);
});

test.each([
  "Edit applied successfully.\n\nLSP errors detected in this file, please fix:\nERROR [3:1] cannot find name 'rate'",
  "Successfully modified file: cart.ts.\nThe user changed the content to: rate = 2",
  "Failed to edit, 0 occurrences found for old_string in cart.ts.",
  "3 files changed",
  "",
])("%j says more than that a change was made", (output) => {
  expect(onlyConfirmsChange(output)).toBe(false);
});
