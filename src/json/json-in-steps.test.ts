import { expect, test } from "vitest";
import { itemsInStep, runUninterrupted } from "../steps.ts";
import { runYielding } from "../store/turns.ts";
import { hasLongList, jsonInSteps } from "./json-in-steps.ts";

const items = [
  { id: "é😀", text: 'a "quoted" line\nof \u2028 \ud800', "10": 1.5e300, "9": -0, gone: undefined },
  undefined,
  null,
  () => "a function",
  new Date(0),
  ["nested", [], {}],
  Number.NaN,
];

const objects: [string, Record<string, unknown>][] = [
  ["without fields", {}],
  ["of undefined fields only", { gone: undefined }],
  ["that begins with an undefined field", { gone: undefined, kept: 1 }],
  ["of an empty list", { list: [] }],
  ["of lists between other fields", { success: true, 'a "b"': items, gone: undefined, total: 2, "7": items }],
];

test.each(objects)("an object %s is written in steps as JSON.stringify writes it", (_what, object) => {
  expect(Buffer.from(runUninterrupted(jsonInSteps(object))).toString()).toBe(JSON.stringify(object));
});

test("a long list is written with turns for others, which only a long list needs", async () => {
  const object = { list: Array.from({ length: 10_000 }, (_, at) => ({ at })) };
  let turns = 0;
  const bytes = await runYielding(jsonInSteps(object), async () => {
    turns += 1;
  });
  expect(turns).toBeGreaterThanOrEqual((2 * 10_000) / itemsInStep - 1);
  expect(Buffer.from(bytes).toString()).toBe(JSON.stringify(object));
  expect([hasLongList(object), hasLongList({ list: items, total: 10_000 })]).toEqual([true, false]);
});
