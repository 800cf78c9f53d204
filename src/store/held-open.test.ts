import fs, { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { replaceFunctions } from "../../test/support/replaced-functions.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { draftPath, dropDraft, finishReplacement } from "./replacement.ts";

const files = { isHeld: true };
const { rmSync: remove } = fs;
replaceFunctions(fs, {
  rmSync: (path, options) => {
    if (files.isHeld && String(path).endsWith("-wal"))
      throw Object.assign(new Error("EBUSY: resource busy or locked, unlink"), {
        code: "EBUSY",
        syscall: "unlink",
      });
    remove(path, options);
  },
});

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("on Windows a replacement fails with a hint while the old database is open, then succeeds", async () => {
  vi.stubGlobal("process", Object.setPrototypeOf({ platform: "win32", pid: process.pid }, process));
  const path = join(folder, "memsvc.db");
  const incoming = `${path}.incoming.${process.pid}`;
  writeFileSync(path, "old");
  writeFileSync(`${path}-wal`, "log");
  writeFileSync(incoming, "new");
  // Its error must not hide that of the replacement.
  writeFileSync(`${draftPath(path)}-wal`, "");
  expect(() => dropDraft(path)).not.toThrow();
  await expect(finishReplacement(path)).rejects.toMatchObject({
    code: "unavailable",
    hint: expect.stringContaining("memsvc daemon restart"),
  });
  expect(readFileSync(incoming, "utf8")).toBe("new");
  files.isHeld = false;
  await finishReplacement(path);
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(existsSync(`${path}-wal`)).toBe(false);
});
