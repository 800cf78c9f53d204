import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { version } from "../version.ts";
import { startThread } from "./start-thread.ts";

function installation(installedVersion: string): string {
  const folder = temporaryFolder();
  const file = join(folder, "dist", "thread.cjs");
  mkdirSync(dirname(file));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ version: installedVersion }));
  writeFileSync(file, "");
  return file;
}

test("a thread of the same version is started", () => {
  const worker = startThread(installation(version), {});
  onTestFinished(async () => void (await worker.terminate()));
  expect(worker.threadId).toBeGreaterThan(0);
});

test("after an upgrade no thread is started, and the error gives the way out", () => {
  expect(() => startThread(installation("99.0.0"), {})).toThrow(
    expect.objectContaining({
      code: "unavailable",
      message: `the files of this memsvc ${version} were replaced by memsvc 99.0.0 while it runs`,
      hint: "memsvc daemon restart",
    }),
  );
});

test("after an uninstallation the error says so instead of the runtime's error", () => {
  const file = installation(version);
  rmSync(file);
  expect(() => startThread(file, {})).toThrow(
    expect.objectContaining({ code: "unavailable", hint: expect.stringContaining("install it again") }),
  );
});
