import { expect, test } from "vitest";
import { placed } from "./placed-error.ts";

test("tests and what they import are loaded by Node itself, and errors name the places in the sources", () => {
  // Vitest adds a query to the address of a file that Node loads.
  expect(import.meta.url).toMatch(/\/native-sources\.test\.ts\?vitest=\d+$/u);
  const [, made = ""] = placed.stack?.split("\n") ?? [];
  // Vite would show a path instead of a file: URL.
  expect(made).toMatch(/file:.*\/placed-error\.ts:5:80$/u);
});
