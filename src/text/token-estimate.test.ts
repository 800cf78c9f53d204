import { expect, test } from "vitest";
import { tokenEstimate } from "./token-estimate.ts";

test("the token estimate is a third of the code points, rounded up", () => {
  expect(["", "a", "abc", "abcd", "😀😀😀😀"].map(tokenEstimate)).toEqual([0, 1, 1, 2, 2]);
});
