import { expect, test } from "vitest";
import { untilDeadline } from "./until-deadline.ts";

const clock = { monotonic: () => performance.now() };

test("returns answers in the order of the tasks", async () => {
  expect(await untilDeadline([async () => 1, async () => 2], 60_000, clock)).toEqual([1, 2]);
});

test("abandons a task that is not ready at the deadline and begins no later one", async () => {
  let begun = false;
  const later = async () => {
    begun = true;
    return 3;
  };
  const never = () => new Promise<number>(() => undefined);
  expect(await untilDeadline([never, later], 20, clock)).toEqual([]);
  expect(begun).toBe(false);
});

test("keeps the answers so far if the deadline passes before a later task", async () => {
  let now = 0;
  const late = async () => {
    now = 20;
    return 2;
  };
  const later = async () => 3;
  expect(await untilDeadline([async () => 1, late, later], 20, { monotonic: () => now })).toEqual([1, 2]);
});

test("waits for a slow task while the clock stands still", async () => {
  const slow = () => new Promise<number>((resolve) => setTimeout(() => resolve(1), 60));
  expect(await untilDeadline([slow], 10, { monotonic: () => 0 })).toEqual([1]);
});

test("fails if a task fails before the deadline", async () => {
  const broken = async () => {
    throw new Error("broken");
  };
  await expect(untilDeadline([broken], 60_000, clock)).rejects.toThrow("broken");
});
