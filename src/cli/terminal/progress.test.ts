import { Chalk } from "chalk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openProgress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

let said: string[];
beforeEach(() => {
  said = [];
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const terminal: Terminal = {
  isInteractive: false,
  isForPeople: false,
  columns: 80,
  paint: new Chalk({ level: 0 }),
  print: () => undefined,
  say: (text) => said.push(text),
  complain: () => undefined,
};
const globals = {
  json: false,
  ndjson: false,
  quiet: false,
  yes: false,
  debug: false,
  offline: false,
  home: undefined,
  url: undefined,
  secretFile: undefined,
};

const undone = () => "it is not installed";

test("away from a terminal a long task says every five seconds how far it is", () => {
  const progress = openProgress({ terminal, globals }, "model", 4 * 1_048_576, undone);
  for (let second = 1; second <= 12; second += 1) {
    vi.advanceTimersByTime(1_000);
    progress.at(second * 1_048_576 * 0.25);
  }
  progress.end();
  expect(said).toEqual(["model: 1.3 MiB of 4.0 MiB", "model: 2.5 MiB of 4.0 MiB"]);
});

test("a short task, and one that is to be quiet, say nothing", () => {
  openProgress({ terminal, globals }, "model", 100, undone).at(50);
  const quiet = openProgress({ terminal, globals: { ...globals, quiet: true } }, "model", 100, undone);
  vi.advanceTimersByTime(60_000);
  quiet.at(50);
  expect(said).toEqual([]);
});
