import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { claimerName, isGone } from "./claimer.ts";

test("a running process is not gone, and one that has ended is", () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  expect([claimerName(), `${process.pid}`, `${process.pid} -`].map(isGone)).toEqual([false, false, false]);
  expect([`${pid} -`, `${pid} 12`, `${pid}`].map(isGone)).toEqual([true, true, true]);
});

test.runIf(process.platform === "linux")("an earlier process with this process's id is gone", () => {
  expect(isGone(`${process.pid} 12`)).toBe(true);
});

test("a name that is no process's does not count as gone", () => {
  expect(isGone("somebody")).toBe(false);
});
