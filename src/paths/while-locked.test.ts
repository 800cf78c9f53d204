import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { whileLocked } from "./while-locked.ts";

let folder: string;
let lock: string;
beforeEach(() => {
  folder = temporaryFolder();
  lock = join(folder, "work.lock");
});

/** Work that goes on until it is told to end. */
function longWork(): { readonly work: () => Promise<void>; end(): void } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end };
}

test("only one of two callers works at a time, and the lock is removed afterwards", async () => {
  const first = longWork();
  const done = whileLocked(lock, first.work);
  expect(await whileLocked(lock, async () => "second")).toEqual({ kind: "held" });
  first.end();
  await done;
  expect(existsSync(lock)).toBe(false);
  expect(await whileLocked(lock, async () => "second")).toEqual({ kind: "done", result: "second" });
});

test("the lock of an ended process is taken over, even after a takeover that died", async () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  for (const name of [lock, `${lock}.takeover`]) writeFileSync(name, `${pid}\n`);
  expect(await whileLocked(lock, async () => 1)).toEqual({ kind: "held" });
  expect(await whileLocked(lock, async () => 1)).toEqual({ kind: "done", result: 1 });
  expect([lock, `${lock}.takeover`].filter((name) => existsSync(name))).toEqual([]);
});

test("the lock of a living process is taken over once it was not touched for a minute, not before", async () => {
  const ageLock = (seconds: number) => {
    const touched = Date.now() / 1_000 - seconds;
    utimesSync(lock, touched, touched);
  };
  // A process that only has the id of the one that wrote the lock never touches it.
  writeFileSync(lock, `${process.ppid}\n`);
  ageLock(50);
  expect(await whileLocked(lock, async () => 1)).toEqual({ kind: "held" });
  ageLock(61);
  expect(await whileLocked(lock, async () => 1)).toEqual({ kind: "done", result: 1 });
});

test("a lock is touched every ten seconds while its work goes on", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { work, end } = longWork();
  const done = whileLocked(lock, work);
  utimesSync(lock, 0, 0);
  vi.advanceTimersByTime(10_000);
  expect(Date.now() - statSync(lock).mtimeMs).toBeLessThan(10_000);
  end();
  await done;
  vi.useRealTimers();
});

test("a leftover lock is kept while another process takes it over", async () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(lock, `${pid}\n`);
  writeFileSync(`${lock}.takeover`, `${process.ppid}\n`);
  expect(await whileLocked(lock, async () => 1)).toEqual({ kind: "held" });
  expect(readFileSync(lock, "utf8")).toBe(`${pid}\n`);
});

test("a lock that was taken over while its holder slept stays with the new holder", async () => {
  const [sleeper, other] = [longWork(), longWork()];
  const slept = whileLocked(lock, sleeper.work);
  utimesSync(lock, 0, 0);
  const taken = whileLocked(lock, other.work);
  sleeper.end();
  await slept;
  expect(await whileLocked(lock, async () => "third")).toEqual({ kind: "held" });
  other.end();
  expect(await taken).toEqual({ kind: "done", result: undefined });
  expect(existsSync(lock)).toBe(false);
});
