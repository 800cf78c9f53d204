import { expect, test } from "vitest";
import { untilDeadline } from "./until-deadline.ts";

const clock = { monotonic: () => performance.now() };

test("answers come in the order of the tasks", async () => {
  expect(await untilDeadline([async () => 1, async () => 2], 60_000, clock)).toEqual([1, 2]);
});

test("a task that is not ready at the deadline is left behind, and those after it are not begun", async () => {
  let begun = false;
  const later = async () => {
    begun = true;
    return 3;
  };
  const never = () => new Promise<number>(() => undefined);
  expect(await untilDeadline([never, later], 20, clock)).toEqual([]);
  expect(begun).toBe(false);
});

test("what was ready before the deadline is kept when a later task is not", async () => {
  let now = 0;
  const late = async () => {
    now = 20;
    return 2;
  };
  const later = async () => 3;
  expect(await untilDeadline([async () => 1, late, later], 20, { monotonic: () => now })).toEqual([1, 2]);
});

test("a task that takes long is waited for while its clock stands still", async () => {
  const slow = () => new Promise<number>((resolve) => setTimeout(() => resolve(1), 60));
  expect(await untilDeadline([slow], 10, { monotonic: () => 0 })).toEqual([1]);
});

test("a task that fails in time fails the whole", async () => {
  const broken = async () => {
    throw new Error("broken");
  };
  await expect(untilDeadline([broken], 60_000, clock)).rejects.toThrow("broken");
});
