import { beforeEach, describe, expect, test } from "vitest";
import { CircuitBreaker } from "./circuit-breaker.ts";
import type { CallFailure } from "./model-call.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

const start = Date.parse("2026-03-01T12:00:00Z");
let now = start;
let breaker: CircuitBreaker;
beforeEach(() => {
  now = start;
  breaker = new CircuitBreaker({ now: () => now, monotonic: () => now - start });
});

function fail(times: number, failure: CallFailure = "server_error", retryAfterMs?: number): void {
  for (let time = 0; time < times; time += 1) {
    expect(breaker.admit()).toEqual({ admitted: true });
    breaker.failed(failure, retryAfterMs);
  }
}

describe("a closed breaker", () => {
  test.each(["timed_out", "unreachable", "server_error", "rate_limited", "unreadable"] as const)(
    "opens at the third failure in a row: %s",
    (failure) => {
      fail(2, failure);
      expect(breaker.state()).toMatchObject({ state: "closed", failures: 2, openedAt: null });
      fail(1, failure);
      expect(breaker.state()).toEqual({ state: "open", failures: 3, lastFailureAt: now, openedAt: now });
      expect(breaker.admit()).toEqual({ admitted: false, waitMs: minuteMs });
    },
  );

  test("starts counting again after a success", () => {
    fail(2);
    breaker.succeeded();
    fail(2);
    expect(breaker.state()).toMatchObject({ state: "closed", failures: 2 });
  });

  test("does not count failures that are not the provider's fault", () => {
    fail(5, "refused");
    fail(5, "cancelled");
    expect(breaker.state()).toMatchObject({ state: "closed", failures: 0, lastFailureAt: null });
  });
});

describe("an open breaker", () => {
  test.each([
    ["as long as Retry-After asks", 120 * secondMs, 120 * secondMs],
    ["ten minutes at most", 3_600 * secondMs, 600 * secondMs],
    ["a second at least", 0, secondMs],
  ])("stays open after too many requests %s", (_, retryAfterMs, waitMs) => {
    fail(3, "rate_limited", retryAfterMs);
    expect(breaker.admit()).toEqual({ admitted: false, waitMs });
  });

  test("stays open for ten minutes after a refused key, which it reports until a call succeeds", () => {
    fail(1, "unauthorized");
    expect(breaker.admit()).toEqual({ admitted: false, waitMs: 10 * minuteMs });
    expect(breaker.isUnauthorized).toBe(true);
    now += 10 * minuteMs;
    breaker.admit();
    breaker.succeeded();
    expect(breaker.isUnauthorized).toBe(false);
  });

  test("that closed because a running call succeeded is not open for longer the next time", () => {
    fail(3, "rate_limited", 10 * minuteMs);
    breaker.succeeded();
    fail(3);
    expect(breaker.admit()).toEqual({ admitted: false, waitMs: minuteMs });
  });

  test("does not shorten its time when a running call fails late", () => {
    fail(3, "rate_limited", 5 * minuteMs);
    breaker.failed("timed_out", undefined);
    expect(breaker.admit()).toEqual({ admitted: false, waitMs: 5 * minuteMs });
  });
});

describe("a half-open breaker", () => {
  beforeEach(() => {
    fail(3);
    now += minuteMs;
  });

  test("lets one call try and makes the others wait", () => {
    expect(breaker.state().state).toBe("half-open");
    expect(breaker.admit()).toEqual({ admitted: true });
    expect(breaker.admit()).toMatchObject({ admitted: false });
  });

  test("closes when the trial succeeds", () => {
    breaker.admit();
    breaker.succeeded();
    expect(breaker.state()).toMatchObject({ state: "closed", failures: 0, openedAt: null });
    fail(3);
    now += minuteMs;
    expect(breaker.admit()).toEqual({ admitted: true });
  });

  test("opens again when the trial fails", () => {
    breaker.admit();
    breaker.failed("timed_out", undefined);
    expect(breaker.state()).toMatchObject({ state: "open", failures: 4, openedAt: now });
    expect(breaker.admit()).toEqual({ admitted: false, waitMs: minuteMs });
  });

  test("lets another call try if the trial is withdrawn", () => {
    breaker.admit();
    breaker.withdrawn();
    expect(breaker.admit()).toEqual({ admitted: true });
  });
});
