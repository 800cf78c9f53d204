import { expect, test } from "vitest";
import { forbidsWriting, storeFault } from "./faults.ts";

test.each(["ENOSPC", "EDQUOT"])("%s means a full disk and forbids writing", (code) => {
  const error = Object.assign(new Error("refused"), { code });
  expect(storeFault(error, "/home/dev/memsvc.db")).toMatchObject({
    code: "disk_full",
    message: "no space left for the database /home/dev/memsvc.db; nothing was written",
  });
  expect(forbidsWriting(error)).toBe(true);
});

test.each(["SQLITE_IOERR_FSYNC", "EIO"])("%s means a fault of the disk", (code) => {
  const error = Object.assign(new Error("failed"), { code });
  expect(storeFault(error, "/home/dev/memsvc.db")).toMatchObject({
    code: "disk_full",
    message: "the disk refused to read or write /home/dev/memsvc.db",
  });
});
