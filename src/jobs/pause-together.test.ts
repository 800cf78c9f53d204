import { expect, test } from "vitest";
import { pauseTogether } from "./pause-together.ts";

/** A part whose running work ends when it is told to; its steps are noted. */
function busyPart(name: string, steps: string[]) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const pauseFor = async <T>(work: () => Promise<T>): Promise<T> => {
    steps.push(`${name} is asked`);
    await ended;
    try {
      return await work();
    } finally {
      steps.push(`${name} goes on`);
    }
  };
  return { pauseFor, end };
}

test("all parts are asked to pause before one of them has, and go on once the work is done", async () => {
  const steps: string[] = [];
  const [one, other] = [busyPart("one", steps), busyPart("other", steps)];
  const result = pauseTogether([one, other], async () => {
    steps.push("work");
    return 7;
  });
  expect(steps).toEqual(["one is asked", "other is asked"]);
  one.end();
  other.end();
  expect(await result).toBe(7);
  await expect
    .poll(() => steps)
    .toEqual(["one is asked", "other is asked", "work", "one goes on", "other goes on"]);
});

test("if one part cannot be paused, the work is not done, and the others go on", async () => {
  const steps: string[] = [];
  const one = busyPart("one", steps);
  one.end();
  const stuck = { pauseFor: () => Promise.reject(new Error("still running")) };
  const failing = pauseTogether([one, stuck], async () => steps.push("work"));
  await expect(failing).rejects.toThrow("still running");
  await expect.poll(() => steps).toEqual(["one is asked", "one goes on"]);
});
