import fs, { constants, fstatSync, readFileSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { replaceFunctions } from "../../test/support/replaced-functions.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { copyDatabase } from "../store/database-file.ts";
import { copyDraft, draftPath } from "../store/replacement.ts";
import { Store } from "../store/store.ts";
import { writeDurably } from "./durable-file.ts";

/** Like Windows, flushes neither folders nor files that were opened for reading only. */
const { fsyncSync, openSync } = fs;
const flags = new Map<number, unknown>();
replaceFunctions(fs, {
  openSync: (path, how, mode) => {
    const file = openSync(path, how, mode);
    flags.set(file, how);
    return file;
  },
  fsyncSync: (file) => {
    const isReadOnly = [undefined, "r", constants.O_RDONLY].includes(flags.get(file) as string);
    if (fstatSync(file).isDirectory() || isReadOnly)
      throw Object.assign(new Error("EPERM: operation not permitted, fsync"), { code: "EPERM" });
    fsyncSync(file);
  },
});

const { open } = promises;
replaceFunctions(promises, {
  open: async (...given) => {
    const file = await open(...given);
    if ((await file.stat()).isDirectory())
      file.sync = () =>
        Promise.reject(Object.assign(new Error("EPERM: operation not permitted, fsync"), { code: "EPERM" }));
    return file;
  },
});

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

test("a file is written durably although folders cannot be flushed", async () => {
  const path = join(folder, ".env");
  await writeDurably(path, "A=1\n");
  expect(readFileSync(path, "utf8")).toBe("A=1\n");
});

test("a database is copied although only files open for writing can be flushed", async () => {
  const path = join(folder, "memsvc.db");
  const store = await Store.open({ path, durability: "relaxed" });
  await store.close();
  copyDatabase(path, join(folder, "copy.db"));
  expect(readFileSync(join(folder, "copy.db")).toString("latin1", 0, 15)).toBe("SQLite format 3");
  writeFileSync(draftPath(path), "new");
  await copyDraft(path);
  expect(readFileSync(`${draftPath(path)}-copy`, "utf8")).toBe("new");
});
