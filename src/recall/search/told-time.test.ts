import { describe, expect, test } from "vitest";
import { dayMs, hourMs, minuteMs, weekMs } from "../../time/durations.ts";
import { momentAgo, timeTold } from "./told-time.ts";

/** A Sunday. */
const now = new Date(2026, 2, 15, 18, 30).getTime();
const march = (day: number) => new Date(2026, 2, day).getTime();

describe("a text that is nothing but a time", () => {
  test.each([
    ["30m", 30 * minuteMs],
    ["45 min", 45 * minuteMs],
    ["2h", 2 * hourMs],
    ["2 hours ago", 2 * hourMs],
    ["an hour ago", hourMs],
    ["3d", 3 * dayMs],
    ["2w", 2 * weekMs],
    ["Two weeks ago", 2 * weekMs],
    ["1mo", 28 * dayMs],
  ])("%s is that long ago", (text, before) => {
    expect(timeTold(text, now)).toEqual({ since: now - before, until: now - before });
  });

  test.each([
    ["yesterday", march(14), march(15)],
    ["today", march(15), march(16)],
    ["monday", march(9), march(10)],
    [" Last Week ", march(2), march(9)],
    ["february", new Date(2026, 1, 1).getTime(), march(1)],
    ["March 2026", march(1), new Date(2026, 3, 1).getTime()],
    ["gestern", march(14), march(15)],
    ["montag", march(9), march(10)],
  ])("%s is the whole day, week or month", (text, since, next) => {
    expect(timeTold(text, now)).toMatchObject({ since, until: next - 1 });
  });

  test.each(["", "soon", "yesterday noon", "the deploy of monday", "2026-02-30", "3x", "monday.ts"])(
    "%s is none",
    (text) => expect(timeTold(text, now)).toBeUndefined(),
  );
});

test("only a duration is a moment", () => {
  expect(momentAgo("2 hours ago", now)).toBe(now - 2 * hourMs);
  expect(momentAgo("yesterday", now)).toBeUndefined();
});
