import { expect, test } from "vitest";
import { describeSystemError } from "./describe-system-error.ts";

function refusal(code: string, more: object = {}): Error {
  return Object.assign(new Error(`${code}: told by the system`), { code, syscall: "write", ...more });
}

test("an error for a path names the path", () => {
  expect(describeSystemError(refusal("EPERM", { path: "/a" }))?.problem).toBe(
    "the system denies access to /a",
  );
});

test("a file that another program keeps open, as on Windows, is named with the way out", () => {
  expect(describeSystemError(refusal("EBUSY", { path: "b.json.part", dest: "b.json" }), "b.json")).toEqual({
    problem: "another program has b.json open",
    hint: "close it there, then try again",
  });
});

test.each(["ENOSPC", "EDQUOT", "EFBIG", "EROFS"])(
  "%s of a copy names the target, EACCES the source",
  (code) => {
    expect(describeSystemError(refusal(code, { path: "/from", dest: "/to" }))?.problem).toContain("/to");
    expect(describeSystemError(refusal("EACCES", { path: "/from", dest: "/to" }))?.problem).toContain(
      "/from",
    );
  },
);

test.each([
  ["ENOSPC", "no space is left to write to the disk"],
  ["EIO", "the disk failed to read or write a file"],
  ["EDQUOT", "your quota leaves no space to write to the disk"],
  ["EMFILE", "too many files are open to open another"],
  ["EISDIR", "what was to be read is a folder, and should be a file"],
])("%s is described without a path too", (code, problem) => {
  expect(describeSystemError(refusal(code))?.problem).toBe(problem);
});

test.each(["ENOENT", "EPERM", "EACCES", "EEXIST"])(
  "%s without a path is left as the system described it",
  (code) => {
    expect(describeSystemError(refusal(code))).toBeUndefined();
  },
);
