import { expect, test } from "vitest";
import { errorReplyOf } from "./error-reply.ts";
import { MemsvcError } from "./errors.ts";

const log = () => undefined;

test.each(["disk_full", "store_damaged", "store_newer"] as const)(
  "an error of the store, %s, is reported with its message and its hint",
  (code) => {
    const error = new MemsvcError(code, "the store is of no use", { hint: "restore a snapshot" });
    expect(errorReplyOf(error, log)).toEqual({
      status: 500,
      code,
      body: {
        error: expect.stringMatching(/^the store is of no use; internal error, reference [0-9a-f]{12}$/u),
      },
      hint: "restore a snapshot",
    });
  },
);

test("any other failure is reported only by a reference", () => {
  expect(errorReplyOf(new Error("SELECT secret"), log)).toEqual({
    status: 500,
    code: "internal",
    body: { error: expect.stringMatching(/^internal error, reference [0-9a-f]{12}$/u) },
  });
});
