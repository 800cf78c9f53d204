import { expect, test } from "vitest";
import { saveLesson, searchLessons } from "../../src/knowledge/lessons/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

test("a lesson takes 10,000 characters of content and context each; its confidence is 0.5 by default", async () => {
  const text = (length: number) => "x".repeat(length);
  const { lesson } = await http.ok(saveLesson, { content: text(10_000), context: text(10_000) });
  expect(lesson.confidence).toBe(0.5);
  for (const fields of [{ content: text(10_001) }, { content: "x", context: text(10_001) }])
    expect((await http.reply(saveLesson, fields)).status).toBe(400);
});

test("a lesson search returns ten lessons by default and a hundred at most", async () => {
  await Promise.all(
    Array.from({ length: 101 }, (_, at) => http.ok(saveLesson, { content: `herons nest in tree ${at}` })),
  );
  const found = async (limit?: number) =>
    (await http.ok(searchLessons, { query: "herons", limit })).lessons.length;
  expect([await found(), await found(1_000)]).toEqual([10, 100]);
});
