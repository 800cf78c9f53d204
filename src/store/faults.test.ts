import { constants } from "node:os";
import { getSystemErrorName } from "node:util";
import { expect, test } from "vitest";
import { forbidsWriting, storeFault } from "./faults.ts";

/** What Node calls a quota that is used up. */
const quota = getSystemErrorName(-constants.errno.EDQUOT);

test.each(["ENOSPC", "EDQUOT", quota])(
  "%s is a full disk, of which what was stored can still be read",
  (code) => {
    const error = Object.assign(new Error("refused"), { code });
    expect(storeFault(error, "/home/dev/memsvc.db")).toMatchObject({
      code: "disk_full",
      message: "no space left for the database /home/dev/memsvc.db; nothing was written",
    });
    expect(forbidsWriting(error)).toBe(true);
  },
);
