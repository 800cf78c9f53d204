import { expect, test } from "vitest";
import { inTime } from "./in-time.ts";

test("answers come in the order of the tasks", async () => {
  expect(await inTime([async () => 1, async () => 2], 1_000)).toEqual([1, 2]);
});

test("a task that is not ready at the deadline is left behind, and those after it are not begun", async () => {
  let begun = false;
  const later = async () => {
    begun = true;
    return 3;
  };
  const never = () => new Promise<number>(() => undefined);
  expect(await inTime([async () => 1, never, later], 20)).toEqual([1]);
  expect(begun).toBe(false);
});

test("a task that fails in time fails the whole", async () => {
  const broken = async () => {
    throw new Error("broken");
  };
  await expect(inTime([broken], 1_000)).rejects.toThrow("broken");
});
