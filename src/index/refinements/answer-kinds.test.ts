import { expect, test } from "vitest";
import { answerTest } from "./answer-kinds.ts";

test.each([
  ["When did the nightly build break?", "It broke last Tuesday.", "It broke again."],
  ["Which month was the release?", "Out in October, as planned.", "Out as planned."],
  ["How many workers does the queue have?", "Give it four workers.", "Give it more workers."],
  ["how long may a lease live", "A lease lives 30 s.", "A lease lives until it is given back."],
  ["Why is WAL on?", "WAL is on because readers must not wait.", "WAL is on."],
  ["Where did Ada study?", "Ada studied in London.", "Ada studied at night."],
])("%j is answered by %j and not by %j", (question, answer, other) => {
  const isAnswer = answerTest(question);
  expect(isAnswer?.(answer)).toBe(true);
  expect(isAnswer?.(other)).toBe(false);
});

test.each(["run a callback when a button is clicked", "how to sort a list", "the file where errors go"])(
  "%j asks for no known kind of answer",
  (query) => expect(answerTest(query)).toBeUndefined(),
);

test("a long text is not an answer just because it contains a number", () => {
  expect(answerTest("How many workers are there?")?.(`${"word ".repeat(300)} 4`)).toBe(false);
});
