import fc from "fast-check";
import { expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

/** Work that ends when it is told to. */
function held() {
  let release: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { work: () => ended, release };
}

/** How many of the given number of further requests are admitted at once. */
function freePlaces(semaphore: Semaphore, asked: number): number {
  let inside = 0;
  for (let request = 0; request < asked; request += 1)
    void semaphore.run(async () => {
      inside += 1;
    });
  return inside;
}

test("admits the given number at once, and the others in their order", async () => {
  const semaphore = new Semaphore(2);
  const order: string[] = [];
  const holds = ["a", "b", "c", "d"].map((name) => ({ name, ...held() }));
  const passes = holds.map(({ name, work }) =>
    semaphore.run(() => {
      order.push(name);
      return work();
    }),
  );
  expect(order).toEqual(["a", "b"]);
  holds[1]?.release();
  await passes[1];
  expect(order).toEqual(["a", "b", "c"]);
  for (const { release } of holds) release();
  await Promise.all(passes);
  expect(order).toEqual(["a", "b", "c", "d"]);
  expect(freePlaces(semaphore, 3)).toBe(2);
});

test("frees the place of work that fails, and passes the failure on", async () => {
  const semaphore = new Semaphore(1);
  const failing = semaphore.run(() => Promise.reject(new Error("no")));
  const next = semaphore.run(async () => undefined);
  await expect(failing).rejects.toThrow("no");
  await next;
  expect(freePlaces(semaphore, 2)).toBe(1);
});

test("never admits more than allowed and loses nobody, whichever work fails", async () => {
  const crowd = fc.array(fc.record({ turns: fc.nat({ max: 3 }), fails: fc.boolean() }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), crowd, async (max, visitors) => {
      const semaphore = new Semaphore(max);
      let inside = 0;
      let most = 0;
      const passes = visitors.map(({ turns, fails }) =>
        semaphore.run(async () => {
          inside += 1;
          most = Math.max(most, inside);
          for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
          inside -= 1;
          if (fails) throw new Error("no");
        }),
      );
      const outcomes = await Promise.allSettled(passes);
      expect(most).toBeLessThanOrEqual(max);
      expect(outcomes.map(({ status }) => status === "rejected")).toEqual(visitors.map(({ fails }) => fails));
      expect(freePlaces(semaphore, max + 1)).toBe(max);
    }),
    { numRuns: 50 },
  );
});
