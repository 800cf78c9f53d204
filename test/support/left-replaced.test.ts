import fs from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { inPlace, leftReplaced } from "./left-replaced.ts";

const { setTimeout } = globalThis;
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  Object.assign(globalThis, { setTimeout });
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

test.each([
  ["fake timers", "globalThis.setTimeout", () => vi.useFakeTimers()],
  ["one fake timer", "globalThis.setTimeout", restoreFakeTimer],
  ["a spy", "Date.now", () => vi.spyOn(Date, "now")],
  ["a function of a module", "fs.existsSync", () => vi.spyOn(fs, "existsSync")],
  ["the output", "process.stdout.write", () => vi.spyOn(process.stdout, "write")],
  ["a global", "globalThis.fetch", () => vi.stubGlobal("fetch", () => undefined)],
  ["the process", "process", () => vi.stubGlobal("process", { ...process })],
  ["a new variable", "process.env.NO_SUCH_NAME", () => vi.stubEnv("NO_SUCH_NAME", "1")],
  ["a variable", "process.env.PATH", () => vi.stubEnv("PATH", "")],
])("a file of tests that leaves %s replaced is told its name", (_what, name, replace) => {
  const before = inPlace();
  expect(leftReplaced(before)).toEqual([]);
  replace();
  expect(leftReplaced(before)).toContain(name);
});

/** The end of the spy puts back what it had replaced. */
function restoreFakeTimer(): void {
  vi.useFakeTimers();
  vi.spyOn(globalThis, "setTimeout");
  vi.useRealTimers();
  vi.restoreAllMocks();
}
