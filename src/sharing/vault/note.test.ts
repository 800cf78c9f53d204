import { expect, test } from "vitest";
import { noteName } from "./note.ts";

test("notes of one title whose ids end alike get different names, whatever characters they contain", () => {
  const taken = new Set<string>();
  for (const id of ["les_a-00000001", "les_b-00000001", "!!!", "???"]) {
    const name = noteName("Drain the queue", id, (other) => taken.has(other));
    expect(name).toMatch(/^drain-the-queue(?:-00000001)?(?:-[0-9a-f]{8})?$/u);
    taken.add(name);
  }
  expect(taken.size).toBe(4);
  expect(noteName("…", "les_1", () => false)).toBe("untitled-les-1");
});
