import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { draftPath, replaceWithCopy } from "./replacement.ts";

const flushing = vi.hoisted(() => ({ meanwhile: (): void => undefined }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const fsyncSync = (file: number) => {
    flushing.meanwhile();
    fs.fsyncSync(file);
  };
  return { ...fs, fsyncSync };
});

test("a slow replacement that another process has finished keeps what is written since", () => {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-slow-"));
  const path = join(folder, "memsvc.db");
  writeFileSync(path, "old");
  writeFileSync(`${draftPath(path)}-copy`, "new");
  flushing.meanwhile = () => {
    flushing.meanwhile = () => undefined;
    renameSync(`${path}.incoming.${process.pid}`, path);
    writeFileSync(`${path}-wal`, "acknowledged");
  };
  replaceWithCopy(path);
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(existsSync(`${path}-wal`)).toBe(true);
  rmSync(folder, { recursive: true });
});
