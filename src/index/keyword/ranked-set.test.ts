import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTimer } from "../../../test/support/processor-time.ts";
import { tokenEstimate } from "../../text/token-estimate.ts";
import { bestPassages } from "./best-passages.ts";
import { rankSet, type SetItem } from "./ranked-set.ts";

const item = (id: string, title: string, body = ""): SetItem => ({
  id,
  title,
  body,
  concepts: [],
  files: [],
});

describe("ranking a set in memory", () => {
  test.each([0, 1, 2, 3, 4])("works for %i items", (count) => {
    const items = Array.from({ length: count }, (_, at) => item(`i${at}`, "cache layer"));
    expect(
      rankSet(items, "cache", 10)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(items.map(({ id }) => id));
  });

  test("omits items without a query word and ranks titles above bodies", () => {
    const items = [item("body", "note", "cache"), item("none", "note"), item("title", "cache", "note")];
    expect(rankSet(items, "caches", 10).map(({ id }) => id)).toEqual(["title", "body"]);
  });

  test.each([
    ["C#", "the importer in C#"],
    ["🚀", "deployed 🚀"],
    ["R", "statistics in R"],
    ["库", "数据库迁移"],
  ])("finds %s, which is no word, where it is written", (query, body) => {
    expect(rankSet([item("a", "note", body), item("b", "err or c")], query, 10)).toMatchObject([{ id: "a" }]);
  });

  test("uses stop words if the query has no other words", () => {
    expect(rankSet([item("a", "who are you"), item("b", "token")], "who", 5).map(({ id }) => id)).toEqual([
      "a",
    ]);
  });
});

describe("the best passages", () => {
  const filler = "Nothing of interest was said in this sentence about the weather or the lunch of that day. ";
  const text = `${filler.repeat(10)}The mutex deadlocked in worker shutdown.\n${filler.repeat(10)}Shutdown of the worker now waits for the mutex.\n${filler.repeat(5)}`;

  test("contain what answers the query, in the order of the text", () => {
    const passages = bestPassages(text, "mutex worker shutdown", 130);
    expect(passages).toMatch(/mutex deadlocked.* … .*waits for the mutex/s);
    expect(tokenEstimate(passages)).toBeLessThanOrEqual(130);
  });

  test("are the whole text when it fits", () => {
    expect(bestPassages("short text", "anything", 100)).toBe("short text");
  });

  test.each([10, 300])("are the first %i tokens of the text when nothing matches", (budget) => {
    const passages = bestPassages(text, "zebra", budget);
    expect(text.startsWith(passages)).toBe(true);
    expect(tokenEstimate(passages)).toBe(budget);
  });

  test("never exceed the budget", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 2_000 }), fc.nat(200), (words, budget) => {
        expect(tokenEstimate(bestPassages(`${words} ${text}`, `mutex ${words}`, budget))).toBeLessThanOrEqual(
          budget,
        );
      }),
      { numRuns: 50 },
    );
  });

  test.each(["x".repeat(500_000), "word ".repeat(100_000), "\n ".repeat(250_000), ". ".repeat(250_000)])(
    "take linear time for half a megabyte of repeated text",
    (hostile) => {
      const spent = processorTimer();
      expect(tokenEstimate(bestPassages(hostile, "word x", 50))).toBeLessThanOrEqual(50);
      expect(spent()).toBeLessThan(3_000);
    },
  );
});
