import { expect, test } from "vitest";
import { askedWaitMs } from "./retry-after-header.ts";

test("Retry-After is seconds or a date", () => {
  expect(askedWaitMs("2")).toBe(2_000);
  expect(askedWaitMs("Wed, 21 Oct 2026 07:28:05 GMT", Date.parse("2026-10-21T07:28:00Z"))).toBe(5_000);
  expect(askedWaitMs("Wed, 21 Oct 2026 07:28:05 GMT", Date.parse("2026-10-21T07:29:00Z"))).toBe(0);
  expect(askedWaitMs("soon")).toBeUndefined();
  expect(askedWaitMs("Infinity")).toBeUndefined();
  expect(askedWaitMs(null)).toBeUndefined();
});
