import { beforeEach, expect, test, vi } from "vitest";
import { backingOff } from "./backing-off.ts";

const log = vi.fn();
const work = vi.fn(async () => undefined);
const run = backingOff(
  { log },
  {
    work,
    everyMs: 1_000,
    failure: "it failed",
    restMs: (error) => (error instanceof RangeError ? 1e9 : undefined),
  },
);
const signal = new AbortController().signal;
beforeEach(async () => {
  work.mockReset();
  await run(signal);
  log.mockReset();
});

test("the pauses double from failure to failure, up to five minutes, and one success makes them short again", async () => {
  work.mockRejectedValue(new Error("no luck"));
  const pauses: number[] = [];
  for (let failures = 0; failures < 10; failures += 1) pauses.push(await run(signal));
  expect([pauses.slice(0, 3), pauses.at(-1)]).toEqual([[2_000, 4_000, 8_000], 300_000]);
  expect(log.mock.calls).toEqual([["warn", "it failed", { error: "Error: no luck" }]]);
  work.mockResolvedValueOnce(undefined);
  expect([await run(signal), await run(signal)]).toEqual([1_000, 2_000]);
  expect(log).toHaveBeenCalledTimes(2);
});

test("a failure that asks for a longer pause gets it, up to ten minutes", async () => {
  work.mockRejectedValue(new RangeError("too many"));
  expect(await run(signal)).toBe(600_000);
});

test("what fails because it was aborted is no failure", async () => {
  work.mockRejectedValue(new Error("aborted"));
  expect(await run(AbortSignal.abort())).toBe(1_000);
  expect(log).not.toHaveBeenCalled();
});
