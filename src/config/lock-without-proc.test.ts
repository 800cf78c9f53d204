import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs, { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { replaceFunctions } from "../../test/support/replaced-functions.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { stopDaemon } from "../cli/daemon/stop-daemon.ts";
import { isSuspendedByPs } from "../system/is-suspended.ts";
import { readLock, runningServer, takeLock, updateLock, verifiedServer } from "./lock-file.ts";

const { existsSync, readFileSync } = fs;
const isHidden = (path: unknown) => typeof path === "string" && path.startsWith("/proc/");
/** A system without /proc, such as macOS. */
replaceFunctions(fs, {
  readFileSync: ((path: string, options: BufferEncoding) => {
    if (isHidden(path)) throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    return readFileSync(path, options);
  }) as typeof readFileSync,
  existsSync: (path) => !isHidden(path) && existsSync(path),
});

const mine = { pid: process.pid, port: 0, host: "127.0.0.1" };

let home: string;
let started: ChildProcess[];
beforeEach(() => {
  home = temporaryFolder();
  started = [];
});
afterEach(() => {
  for (const child of started) child.kill("SIGKILL");
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** A lock of a server whose process id belongs to a program that was started with these words. */
async function lockOf(words: readonly string[], port: number): Promise<ChildProcess> {
  const script = "setTimeout(() => {}, 20000); console.log('up')";
  const child = spawn(process.execPath, ["-e", script, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  updateLock(home, { pid: child.pid ?? 0, port, host: "127.0.0.1" });
  return child;
}

const hasPs = spawnSync("ps", ["-o", "command=", "-p", String(process.pid)]).status === 0;

describe.skipIf(!hasPs)("without /proc, the lock that a server left in a crash", () => {
  test.each([
    ["another program", ["something-else"]],
    ["a program of ours that is no server", ["memsvc", "mcp"]],
  ])("does not keep the next server out, although %s has its process id by now", async (_name, words) => {
    await lockOf(words, 3111);
    expect(verifiedServer(home)).toBeUndefined();
    expect(takeLock(home, mine)).toEqual({ kind: "taken" });
    expect(readLock(home)).toEqual(mine);
  });

  test("does not let the program be stopped that has its process id by now", async () => {
    const stranger = await lockOf(["something-else"], 0);
    expect(await stopDaemon(home)).toBeUndefined();
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
  });

  test("lets its server be stopped although it is suspended and answers nothing", async () => {
    const server = await lockOf(["memsvc", "serve"], 9);
    const pid = server.pid ?? 0;
    server.kill("SIGSTOP");
    await expect.poll(() => isSuspendedByPs(pid)).toBe(true);
    expect(await stopDaemon(home)).toMatchObject({ pid });
  });
});

test("without /proc, the lock of a running server is respected", async () => {
  const { pid = 0 } = await lockOf(["memsvc", "serve"], 3111);
  const other = { pid, port: 3111, host: "127.0.0.1" };
  expect(takeLock(home, mine)).toEqual({ kind: "held", by: other });
  expect(verifiedServer(home)).toEqual(other);
});

test("without /proc and ps, any process with the lock's id counts as its server", async () => {
  await lockOf(["something-else"], 3111);
  vi.stubEnv("PATH", home);
  expect(takeLock(home, mine).kind).toBe("held");
  expect(runningServer(home)).toBeDefined();
});

test.each([
  ["another program has its id by now", '"chrome.exe","{pid}","Console","1","45,000 K"', "taken"],
  [
    "its process runs Node",
    `"${basename(process.execPath).toUpperCase()}","{pid}","Console","1","9 K"`,
    "held",
  ],
  ["Windows does not tell the program", "INFO: No tasks are running which match the criteria.", "held"],
])("on Windows, when %s, the lock that a crash left is %s", async (_, told, kind) => {
  const { pid } = await lockOf(["something-else"], 3111);
  const system = join(home, "System32");
  mkdirSync(system);
  const answer = told.replace("{pid}", String(pid));
  writeFileSync(join(system, "tasklist.exe"), `#!/bin/sh\ncat <<'END'\n\r\n${answer}\r\nEND\n`, {
    mode: 0o700,
  });
  vi.stubEnv("SystemRoot", home);
  vi.stubGlobal("process", Object.setPrototypeOf({ platform: "win32" }, process));
  expect(takeLock(home, mine).kind).toBe(kind);
});
