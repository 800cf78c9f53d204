import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { releaseLock, takeLock } from "../../config/lock-file.ts";
import { dayMs } from "../../time/durations.ts";
import { awaitDaemon, startDaemon } from "./start-daemon.ts";

const yearMs = 365 * dayMs;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

test("a daemon that runs but accepts no requests in time is reported as still starting", async () => {
  const program = join(folder, "main.cjs");
  writeFileSync(program, "setTimeout(() => undefined, 5_000);\n");
  vi.stubGlobal("process", Object.create(process, { argv: { value: [process.execPath, program] } }));
  await expect(startDaemon(join(folder, "home"), { waitMs: 300 })).rejects.toMatchObject({
    code: "daemon_unreachable",
    message: expect.stringMatching(/^the daemon \(pid \d+\) still accepts no requests after 1 s$/u),
    hint: expect.stringMatching(/^it may still be starting; /u),
  });
});

test("the daemon starts in the root folder if the user's home is no folder", async () => {
  const userHome = join(folder, "file");
  writeFileSync(userHome, "");
  vi.stubEnv("HOME", userHome);
  const program = join(folder, "main.cjs");
  const place = join(folder, "place");
  writeFileSync(program, `require("node:fs").writeFileSync(${JSON.stringify(place)}, process.cwd());\n`);
  vi.stubGlobal("process", Object.create(process, { argv: { value: [process.execPath, program] } }));
  await expect(startDaemon(join(folder, "home"))).rejects.toMatchObject({
    message: "the daemon was stopped while it started",
  });
  expect(readFileSync(place, "utf8")).toBe("/");
});

test("a daemon is awaited for as long as it may take, though the clock is set meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  let looks = 0;
  await awaitDaemon(join(folder, "home"), 10_000, () => {
    vi.setSystemTime(Date.now() + yearMs);
    looks += 1;
    return looks < 3;
  });
  vi.useRealTimers();
  expect(looks).toBe(3);
});

test("a daemon that started long ago and does not answer is given up after 10 seconds", async () => {
  const home = join(folder, "home");
  const program = join(folder, "main.cjs");
  const ended = join(folder, "ended");
  writeFileSync(
    program,
    `require("node:fs").writeFileSync(${JSON.stringify(ended)}, ""); process.exitCode = 4;\n`,
  );
  mkdirSync(home);
  // This process stands for the daemon: it runs, but listens nowhere.
  takeLock(home, { pid: process.pid, port: 1, host: "127.0.0.1" });
  vi.stubGlobal("process", Object.create(process, { argv: { value: [process.execPath, program] } }));
  vi.useFakeTimers({ toFake: ["performance"] });
  const refused = expect(startDaemon(home)).rejects.toMatchObject({
    code: "daemon_unreachable",
    message: expect.stringContaining(`pid ${process.pid}`),
  });
  await expect.poll(() => existsSync(ended)).toBe(true);
  // The clock stands still otherwise.
  vi.advanceTimersByTime(10_000);
  await refused;
  vi.useRealTimers();
  releaseLock(home, process.pid);
});
