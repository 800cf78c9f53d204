import { constants } from "node:os";
import { getSystemErrorName } from "node:util";
import { expect, test } from "vitest";
import { errorCode } from "./error-code.ts";

const errno = -constants.errno.EDQUOT;

test.each([getSystemErrorName(errno), "UNKNOWN"])(
  "an exceeded quota has the code EDQUOT, even if Node calls it %s",
  (code) => {
    expect(errorCode(Object.assign(new Error("write"), { code, errno, syscall: "write" }))).toBe("EDQUOT");
  },
);

test("other codes are returned unchanged", () => {
  const unknown = { code: "UNKNOWN", errno: -4094, syscall: "write" };
  expect(errorCode(Object.assign(new Error("write"), unknown))).toBe("UNKNOWN");
  expect(errorCode(Object.assign(new Error("full"), { code: "ENOSPC", errno: -28 }))).toBe("ENOSPC");
  expect(errorCode(new Error("no code"))).toBeUndefined();
});
