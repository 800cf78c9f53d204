import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { claimerName, isGone } from "./claimer.ts";

test("a process that runs is there, and one that has ended is gone", () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  expect([claimerName(), `${process.pid}`, `${process.pid} -`].map(isGone)).toEqual([false, false, false]);
  expect([`${pid} -`, `${pid} 12`, `${pid}`].map(isGone)).toEqual([true, true, true]);
});

test.runIf(process.platform === "linux")("one that had this process's number before it is gone", () => {
  expect(isGone(`${process.pid} 12`)).toBe(true);
});

test("of a name that is no process's nobody says that it is gone", () => {
  expect(isGone("somebody")).toBe(false);
});
