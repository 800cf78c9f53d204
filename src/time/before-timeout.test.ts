import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { beforeTimeout } from "./before-timeout.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => vi.useRealTimers());

test("what takes longer than it may is late, and leaves no timer", async () => {
  const outcome = beforeTimeout(new Promise(() => undefined), 50);
  await vi.advanceTimersByTimeAsync(50);
  expect([await outcome, vi.getTimerCount()]).toEqual(["late", 0]);
});

test("what may take for ever is waited for, without looking again and again", async () => {
  const set = vi.spyOn(globalThis, "setTimeout");
  const late = new Promise<string>((resolve) => setTimeout(() => resolve("done"), 100));
  const outcome = beforeTimeout(late, Number.POSITIVE_INFINITY);
  await vi.advanceTimersByTimeAsync(100);
  expect(set).toHaveBeenCalledTimes(2);
  expect([await outcome, vi.getTimerCount()]).toEqual([{ answer: "done" }, 0]);
});
