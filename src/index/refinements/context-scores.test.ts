import { describe, expect, test } from "vitest";
import type { Candidate } from "../keyword/candidate.ts";
import { scoreInContext } from "./context-scores.ts";

interface Found {
  readonly isMessage?: boolean;
  readonly sessionId?: string;
  /** Length of its text in words. */
  readonly words?: number;
  /** The contributions of the query's two words to the score. */
  readonly parts?: readonly [number, number];
}

function candidate(
  id: number,
  { isMessage = true, sessionId = "s", words = 4, parts = [0, 1] }: Found,
): Candidate {
  const row = { id, kind: "observation", isMessage, words, sessionId, createdAt: 0, importance: 0 };
  return { ...row, score: parts[0] + parts[1], parts: Float64Array.from(parts), saturation: 1 };
}

/** The score of a candidate whose predecessor contains the query's other word. */
function afterMessage(found: Found, before: Found = {}): number {
  const placed = scoreInContext([candidate(1, { parts: [4, 0], ...before }), candidate(2, found)], new Map());
  return placed.scores[1] ?? 0;
}

describe("the context of a document", () => {
  test("raises it for query words that the document lacks, in the same session only", () => {
    expect(afterMessage({})).toBeGreaterThan(1);
    expect(afterMessage({ sessionId: "another" })).toBe(1);
  });

  test("raises a message more the shorter it is", () => {
    const scores = [4, 20, 100].map((words) => afterMessage({ words }));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores[0]).toBeGreaterThan(1.3 * (scores[2] ?? 0));
  });

  test("does not weigh the length if either document is a tool's", () => {
    const ofTools = { isMessage: false };
    expect(afterMessage({ ...ofTools, words: 4 })).toBe(afterMessage({ ...ofTools, words: 100 }));
    expect(afterMessage({ words: 4 }, ofTools)).toBe(afterMessage({ words: 100 }, ofTools));
    expect(afterMessage({ words: 4 })).toBeGreaterThan(afterMessage({ ...ofTools, words: 4 }));
  });

  test("counts a word once, at its best place", () => {
    const twice = [candidate(1, { parts: [4, 0] }), candidate(2, { parts: [4, 0] }), candidate(3, {})];
    const once = [candidate(2, { parts: [4, 0] }), candidate(3, {})];
    const last = (found: readonly Candidate[]) => scoreInContext(found, new Map()).scores.at(-1);
    expect(last(twice)).toBe(last(once));
  });
});
