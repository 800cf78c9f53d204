import fs, { readFileSync, type StatSyncOptions, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { replaceFunctions } from "../../test/support/replaced-functions.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { takeLock } from "../config/lock-file.ts";
import { inodeOf } from "../paths/inode.ts";
import { readKeepingLocks, registerConnection } from "./lock-safe-read.ts";

const added = 2n ** 62n;
const { statSync } = fs;

/** A file system with inode numbers too large for a JavaScript number, as on network drives. */
replaceFunctions(fs, {
  statSync: ((path: string, options?: StatSyncOptions) => {
    const whole = statSync(path, { ...options, bigint: true });
    const stats = statSync(path, options);
    if (whole === undefined || stats === undefined) return undefined;
    const ino = whole.ino + added;
    return Object.assign(stats, { ino: options?.bigint === true ? ino : Number(ino) });
  }) as typeof statSync,
});

let folder: string;
let files: [string, string];
beforeEach(() => {
  folder = temporaryFolder();
  files = [join(folder, "one"), join(folder, "other")];
  for (const file of files) writeFileSync(file, file);
});

test("files whose inode numbers differ only in the last digits are told apart", () => {
  const [one, other] = files;
  expect(inodeOf(one)).not.toBe(inodeOf(other));
  registerConnection(one);
  const text = (path: string) => readKeepingLocks(path, (file) => readFileSync(file, "utf8"));
  expect(text(one)).toBe(one);
  expect(text(other)).toBe(other);
});

test("a lock records the inode number of its home to the last digit", async () => {
  const { ino } = await stat(folder, { bigint: true });
  takeLock(folder, { pid: process.pid, port: 0, host: "127.0.0.1" });
  expect(readFileSync(join(folder, "memsvc.lock"), "utf8")).toMatch(new RegExp(` ${ino + added}\n$`, "u"));
});
