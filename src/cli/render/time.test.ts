import { expect, test } from "vitest";
import { ago, shownMoment } from "./time.ts";

test("a moment is shown to people in local time and to programs unchanged", () => {
  const iso = "2026-03-01T17:04:59.000Z";
  const shown = shownMoment(iso, true);
  expect(shown).toMatch(/^2026-0[23]-\d\d \d\d:\d\d:59$/u);
  // A time without a zone is read as local time.
  expect(new Date(shown.replace(" ", "T")).toISOString()).toBe(iso);
  expect(shownMoment(iso, false)).toBe(iso);
  expect(ago(iso, Date.parse("2026-06-01T00:00:00Z"))).toBe(shown.slice(0, 10));
});
