import { expect, test } from "vitest";
import { toldTitle } from "./told-title.ts";

test("what somebody said is told beyond its first sentence, and a command by its title", () => {
  const narrative = "Two causes. The update held a lock, and yen has no minor unit.";
  expect(toldTitle({ type: "conversation", title: "Two causes.", narrative })).toBe(narrative);
  expect(toldTitle({ type: "command_run", title: "npm test", narrative: "npm test → 3 passed" })).toBe(
    "npm test",
  );
});
