import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { readAhead } from "./read-ahead.ts";

async function* readings(count: number, failing?: number) {
  for (let number = 0; number < count; number += 1) {
    yield async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      for (let turn = count - number; turn > 0; turn -= 1) await nextTurn();
      underWay -= 1;
      if (number === failing) throw new Error("the disk is gone");
      return number;
    };
  }
}

let underWay = 0;
let most = 0;

test.each([0, 1, 2, 3, 8])("returns the results of %s readings in order, two at a time", async (count) => {
  most = 0;
  const given: number[] = [];
  for await (const number of readAhead(readings(count))) given.push(number);
  expect(given).toEqual(Array.from({ length: count }, (_, at) => at));
  expect(most).toBe(Math.min(2, count));
});

test.each([0, 1, 4])(
  "a failure of reading %s is raised in its turn, after the results before it",
  async (failing) => {
    const given: number[] = [];
    const all = async () => {
      for await (const number of readAhead(readings(5, failing))) given.push(number);
    };
    await expect(all()).rejects.toThrow("the disk is gone");
    expect(given).toEqual(Array.from({ length: failing }, (_, at) => at));
  },
);

test("stopping early raises no failure later", async () => {
  const pieces = readAhead(readings(5, 1));
  expect((await pieces.next()).value).toBe(0);
  await pieces.return(undefined);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
});
