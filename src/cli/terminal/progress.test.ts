import { afterEach, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { plainTerminal } from "../../../test/support/plain-terminal.ts";
import { openProgress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

let said: string[];
beforeEach(() => {
  said = [];
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const terminal: Terminal = { ...plainTerminal, columns: 80, say: (text) => said.push(text) };
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

test("without a terminal a long task reports its progress every five seconds", () => {
  const progress = openProgress({ terminal, globals }, "model", 4 * 1_048_576, undone);
  for (let second = 1; second <= 12; second += 1) {
    vi.advanceTimersByTime(1_000);
    progress.at(second * 1_048_576 * 0.25);
  }
  progress.end();
  expect(said).toEqual(["model: 1.3 MiB of 4.0 MiB", "model: 2.5 MiB of 4.0 MiB"]);
});

test("a short task and a quiet task report nothing", () => {
  openProgress({ terminal, globals }, "model", 100, undone).at(50);
  const quiet = openProgress({ terminal, globals: { ...globals, quiet: true } }, "model", 100, undone);
  vi.advanceTimersByTime(60_000);
  quiet.at(50);
  quiet.say("it waits");
  expect(said).toEqual([]);
});

/** Runs `work` as at a terminal, and gives it what is drawn there. */
function atTerminal(work: (drawn: MockInstance) => void): void {
  vi.stubEnv("TERM", "xterm");
  const isTTY = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
  Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
  work(vi.spyOn(process.stderr, "write").mockReturnValue(true));
  if (isTTY === undefined) Reflect.deleteProperty(process.stderr, "isTTY");
  else Object.defineProperty(process.stderr, "isTTY", isTTY);
}

test.each([
  [60, `${"━".repeat(24)} a-long-name-o…  1.0 MiB of 4.0 MiB`],
  [40, "a-long-name-of-a-f…  1.0 MiB of 4.0 MiB"],
])("the bar never takes more than a line of a terminal of %i columns", (columns, shown) => {
  atTerminal((drawn) => {
    const label = "a-long-name-of-a-file-of-a-backup.json.gz";
    const narrow = { ...terminal, isForPeople: true, columns };
    const progress = openProgress({ terminal: narrow, globals }, label, 4 * 1_048_576, undone);
    progress.at(1_048_576);
    expect(drawn).toHaveBeenLastCalledWith(`\r\u001b[K${shown}`);
    progress.end();
  });
});

test("on a terminal a bar is drawn from the first bytes on, and cleared for messages", () => {
  atTerminal((drawn) => {
    const progress = openProgress(
      { terminal: { ...terminal, isForPeople: true }, globals },
      "model",
      4 * 1_048_576,
      undone,
    );
    progress.at(1_048_576);
    expect(drawn).toHaveBeenCalledWith(expect.stringContaining("model  1.0 MiB of 4.0 MiB"));
    progress.say("it waits");
    expect(drawn).toHaveBeenLastCalledWith("\r\u001b[K");
    expect(said).toEqual(["it waits"]);
    progress.end();
  });
});
