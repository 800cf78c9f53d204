import { expect, test } from "vitest";
import { placed } from "./placed-error.ts";

test("what a test imports is loaded by Node itself, and its errors name the places in the sources", () => {
  const [, made = ""] = placed.stack?.split("\n") ?? [];
  // Vite would show a path instead of a file: URL.
  expect(made).toMatch(/file:.*\/placed-error\.ts:5:80$/u);
});
