import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callSignal } from "./call-signal.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("aborts the call at its timeout with a TimeoutError", () => {
  const { signal } = callSignal(100);
  vi.advanceTimersByTime(99);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});

test("aborts the call with another signal, even with one that was aborted before", () => {
  const other = new AbortController();
  const { signal } = callSignal(100, other.signal);
  other.abort();
  expect(signal.reason).toMatchObject({ name: "AbortError" });
  expect(callSignal(100, other.signal).signal.aborted).toBe(true);
});

test("releases its timer and its listener once the call is over", () => {
  const other = new AbortController();
  const remove = vi.spyOn(other.signal, "removeEventListener");
  const { signal, release } = callSignal(100, other.signal);
  release();
  expect(vi.getTimerCount()).toBe(0);
  expect(remove).toHaveBeenCalledOnce();
  other.abort();
  expect(signal.aborted).toBe(false);
});

test("keeps the process alive until the call is over", () => {
  vi.useRealTimers();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const { release } = callSignal(60_000);
  expect(timers()).toBe(before + 1);
  release();
  expect(timers()).toBe(before);
});
