import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** A new folder for the test that is running. It is removed after the test and its hooks, which close what they opened. */
export function temporaryFolder(): string {
  return newFolder(onTestFinished);
}

/** A new folder for all tests of a file or group; call it before their hooks, which then close what is in it first. */
export function sharedFolder(): string {
  return newFolder(afterAll);
}

function newFolder(after: (remove: () => void) => void): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "memsvc-test-")));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
