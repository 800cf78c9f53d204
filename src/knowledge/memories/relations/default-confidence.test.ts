import { expect, test } from "vitest";
import { dayMs } from "../../../time/durations.ts";
import { defaultConfidence } from "./default-confidence.ts";

const now = 1_000 * dayMs;
const memory = (daysAgo: number, ...sessionIds: string[]) => ({
  sessionIds,
  updatedAt: now - daysAgo * dayMs,
});

test.each([
  ["nothing in common", memory(30), memory(30), "related", 0.5],
  ["one shared session", memory(30, "a", "c"), memory(30, "b", "a"), "related", 0.6],
  ["four shared sessions", memory(30, "a", "b", "c", "d"), memory(30, "a", "b", "c", "d"), "extends", 0.8],
  ["two dates within the last 7 days", memory(7), memory(0), "derives", 0.6],
  ["one date within the last 7 days", memory(8), memory(0), "derives", 0.5],
  ["two dates over 90 days ago", memory(91), memory(200), "related", 0.4],
  ["one date over 90 days ago", memory(90), memory(200), "related", 0.5],
  ["a relation that supersedes", memory(30), memory(30), "supersedes", 0.6],
  ["a relation that contradicts", memory(30), memory(30), "contradicts", 0.45],
  ["the least in common", memory(91), memory(91), "contradicts", 0.35],
  ["everything at once", memory(0, "a", "b", "c"), memory(0, "a", "b", "c"), "supersedes", 1],
] as const)(
  "memories with %s get the confidence of their relation",
  (_name, source, target, type, confidence) => {
    expect(defaultConfidence(source, target, type, now)).toBe(confidence);
  },
);
