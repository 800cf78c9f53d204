import fs, { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replaceFunctions } from "../../test/support/replaced-functions.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { draftPath, replaceWithCopy } from "./replacement.ts";

const flushing = { meanwhile: (): void => undefined };
const { fsyncSync } = fs;
replaceFunctions(fs, {
  fsyncSync: (file) => {
    flushing.meanwhile();
    fsyncSync(file);
  },
});

test("a slow replacement that another process has finished keeps what is written since", () => {
  const folder = temporaryFolder();
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
});
