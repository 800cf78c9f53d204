import { setImmediate as nextTurn } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { beforeTimeout } from "./before-timeout.ts";
import { blockFor } from "./block-for.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "hrtime"] });
});
afterEach(() => vi.useRealTimers());

test("is late for work that takes longer, and leaves no timer", async () => {
  const outcome = beforeTimeout(new Promise(() => undefined), 50);
  await vi.advanceTimersByTimeAsync(50);
  expect([await outcome, vi.getTimerCount()]).toEqual(["late", 0]);
});

test("waits for work without a time limit, without looking again and again", async () => {
  const monotonic = vi.fn(() => performance.now());
  const late = new Promise<string>((resolve) => setTimeout(() => resolve("done"), 100));
  const outcome = beforeTimeout(late, Number.POSITIVE_INFINITY, monotonic);
  await vi.advanceTimersByTimeAsync(100);
  expect([await outcome, vi.getTimerCount()]).toEqual([{ answer: "done" }, 0]);
  // Each look after a timer asks for the time.
  expect(monotonic).toHaveBeenCalledTimes(1);
});

test("takes an answer that came from another thread while this one was held up", async () => {
  vi.useRealTimers();
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise((resolve) => port1.once("message", resolve));
  // The event loop continues with its timers.
  await nextTurn();
  const outcome = beforeTimeout(answered, 5);
  port2.postMessage("done");
  blockFor(20);
  expect(await outcome).toEqual({ answer: "done" });
  port1.close();
});

test("leaves no unhandled rejection of work that fails after its time", async () => {
  vi.useRealTimers();
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  let fail: (reason: Error) => void = () => undefined;
  const work = new Promise((_, reject) => {
    fail = reject;
  });
  expect(await beforeTimeout(work, 1)).toBe("late");
  fail(new Error("too late"));
  await nextTurn();
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
