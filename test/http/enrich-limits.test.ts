import { expect, test } from "vitest";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { enrich, fileContext } from "../../src/recall/enrich/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { happenNow } from "../support/workdays.ts";

const http = forEachTest(openTestHttp);

const cwd = "/w/shop";
const file = "src/a.ts";
const ask = { sessionId: "now", project: "shop" };
const many = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

function happened(sessionId: string, hookType: string, data: unknown) {
  http.advance(60_000);
  return happenNow(http, sessionId, hookType, data, { cwd });
}
const edited = (sessionId: string, path = file) =>
  happened(sessionId, "post_tool_use", { toolName: "Edit", toolInput: { file_path: path } });
const failed = (sessionId: string, error: string) =>
  happened(sessionId, "post_tool_failure", { toolName: "Edit", toolInput: { file_path: file }, error });

test("a request may name up to fifty files and up to fifty terms", async () => {
  const status = async (files: number, terms: number) =>
    (await http.reply(enrich, { ...ask, files: many(files).map(String), terms: many(terms).map(String) }))
      .status;
  expect([await status(50, 50), await status(51, 50), await status(50, 51), await status(0, 1)]).toEqual([
    200, 400, 400, 400,
  ]);
  const history = async (files: number) =>
    (await http.reply(fileContext, { ...ask, files: many(files).map(String) })).status;
  expect([await history(50), await history(51)]).toEqual([200, 400]);
});

test("enrich returns at most five known issues, five related memories and fifteen tags for a file", async () => {
  const names = many(20).map((n) => `tag${n}`);
  for (const n of many(6)) {
    await failed(`s${n}`, `TypeError: number ${"x".repeat(n)}`);
    await http.ok(remember, {
      content: `bird${n} nests here`,
      project: "shop",
      files: [file],
      concepts: names,
    });
  }
  const { files, knownIssues, relatedMemories, concepts } = await http.ok(enrich, { ...ask, files: [file] });
  expect(knownIssues.map(({ title }) => title.length - "Edit failed: TypeError: number ".length)).toEqual([
    6, 5, 4, 3, 2,
  ]);
  expect(files[0]?.knownIssues).toEqual(knownIssues);
  expect(relatedMemories).toHaveLength(5);
  expect(concepts).toHaveLength(15);
});

test("file-context shows five records of importance 4 or more, from the newest 15 other sessions", async () => {
  const shown = async () => {
    const { files } = await http.ok(fileContext, { ...ask, files: [file] });
    return files.flatMap(({ observations }) => observations.map(({ id }) => id));
  };
  const command = await happened("s1", "post_tool_use", {
    toolName: "Bash",
    toolInput: { command: "prettier", path: file },
  });
  await happened("s1", "post_tool_use", { toolName: "Read", toolInput: { file_path: file } });
  expect(await shown()).toEqual([command]);
  for (const n of many(14)) await edited(`s${n + 1}`, "src/other.ts");
  expect(await shown()).toEqual([command]);
  const edits: string[] = [];
  for (const n of many(6)) edits.unshift(await edited(`t${n}`));
  expect(await shown()).toEqual(edits.slice(0, 5));
  await edited("t7", "src/other.ts");
});
