import { expect, test } from "vitest";
import type { Unconsolidated } from "../../capture/observations/reads/unconsolidated.ts";
import { groupsOf } from "./concept-groups.ts";

function observation(id: string, ...concepts: string[]): Unconsolidated {
  return {
    id,
    sessionId: "one",
    type: "decision",
    title: id,
    narrative: "",
    facts: [],
    concepts,
    files: [],
    importance: 7,
  };
}

const many = Array.from({ length: 10 }, (_, at) => observation(`q${at}`, "queue"));
const few = ["a", "b", "c"].map((id) => observation(id, "cache"));

test("groups have at least three members, come largest first and show eight members at most", () => {
  const groups = groupsOf([...few, ...many, observation("x", "lonely"), observation("y", "lonely")]);
  expect(groups.map(({ concept, size, shown }) => [concept, size, shown.length])).toEqual([
    ["queue", 10, 8],
    ["cache", 3, 3],
  ]);
  expect(groups[0]?.shown.map(({ id }) => id)).toEqual(many.slice(0, 8).map(({ id }) => id));
});

test("a group that shows only what an earlier one shows is omitted", () => {
  const both = ["a", "b", "c"].map((id) => observation(id, "cache", "memory"));
  expect(groupsOf([...both, observation("d", "cache")]).map(({ concept }) => concept)).toEqual(["cache"]);
});

test("a concept that an observation names twice counts once", () => {
  expect(groupsOf([observation("a", "cache", "cache"), observation("b", "cache")])).toEqual([]);
});
