import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BackgroundLoop, type LoopRun } from "./background-loop.ts";

const everyMs = 1_000;
let loop: BackgroundLoop;
let endRun: () => void;
const run = vi.fn<LoopRun>();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] });
  run.mockReset().mockImplementation(async () => {
    await new Promise<void>((resolve) => {
      endRun = resolve;
    });
    return everyMs;
  });
  loop = new BackgroundLoop(run, { firstAfterMs: 10 });
});
afterEach(() => vi.useRealTimers());

test("it runs after its first delay, and then again after the pause that a run asks for", async () => {
  loop.start();
  await vi.advanceTimersByTimeAsync(9);
  expect([run.mock.calls.length, loop.state]).toEqual([0, "idle"]);
  await vi.advanceTimersByTimeAsync(1);
  expect([run.mock.calls.length, loop.state]).toEqual([1, "busy"]);
  await vi.advanceTimersByTimeAsync(everyMs);
  endRun();
  await vi.advanceTimersByTimeAsync(everyMs - 1);
  expect([run.mock.calls.length, loop.state]).toEqual([1, "idle"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
});

test("woken during a run, it runs once more at its end, and not beside it", async () => {
  loop.wake();
  loop.wake();
  loop.wake();
  expect(run).toHaveBeenCalledTimes(1);
  endRun();
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
  endRun();
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
});

test("a pause waits for the run that it aborts, and nothing wakes the loop before its end", async () => {
  loop.wake();
  const paused = loop.pauseFor(async () => {
    loop.wake();
    await vi.advanceTimersByTimeAsync(everyMs);
    return [run.mock.calls.length, loop.state];
  });
  expect(loop.signal.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(loop.state).toBe("busy");
  endRun();
  expect(await paused).toEqual([1, "idle"]);
  expect([run.mock.calls.length, loop.state, loop.signal.aborted]).toEqual([2, "busy", false]);
});

test("a run that does not end in time keeps the pause from coming about, and the loop goes on", async () => {
  loop.wake();
  const work = vi.fn();
  const refused = expect(loop.pauseFor(work)).rejects.toMatchObject({ code: "unavailable" });
  await vi.advanceTimersByTimeAsync(30_000);
  await refused;
  expect(work).not.toHaveBeenCalled();
  endRun();
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
});

test("closed during a pause, as when the daemon is stopped while it restores, it stays closed", async () => {
  await loop.pauseFor(() => loop.close());
  loop.wake();
  await vi.advanceTimersByTimeAsync(everyMs);
  expect([run.mock.calls.length, loop.state]).toEqual([0, "stopped"]);
});

test("closed, it waits for the end of its run and begins no other", async () => {
  loop.wake();
  const closed = vi.fn();
  const closing = loop.close().then(closed);
  await vi.advanceTimersByTimeAsync(1);
  expect([closed.mock.calls.length, loop.signal.aborted]).toEqual([0, true]);
  endRun();
  await closing;
  await vi.advanceTimersByTimeAsync(everyMs);
  expect([run.mock.calls.length, loop.state]).toEqual([1, "stopped"]);
});

test("it does not keep its process alive", async () => {
  vi.useRealTimers();
  const before = process.getActiveResourcesInfo();
  loop.start();
  expect(process.getActiveResourcesInfo()).toEqual(before);
  await loop.close();
});
