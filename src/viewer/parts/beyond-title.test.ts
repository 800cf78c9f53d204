import { expect, test } from "vitest";
import { beyondTitle } from "./beyond-title.ts";

test("a text goes on where its title ends, and is shown whole if it begins otherwise", () => {
  expect(beyondTitle("All green.", "All green.")).toBe("");
  expect(beyondTitle("All green.", "All green. Now the docs.")).toBe("Now the docs.");
  expect(beyondTitle("Pass the time in as a…", "Pass the time in as a parameter.")).toBe("parameter.");
  expect(beyondTitle("npm test", "npm test:all")).toBe("npm test:all");
  expect(beyondTitle("Edited cart.ts", "rounds each line")).toBe("rounds each line");
});
