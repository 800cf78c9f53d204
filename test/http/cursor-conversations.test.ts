import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { type Composer, cursorWrites } from "../support/cursor-database.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { type Line, openForTranscripts, transcriptSteps } from "../support/transcripts.ts";

/* Conversations in the database of Cursor. */

const place = forEachTest(openForTranscripts);
const { at, load, observed, only, write } = transcriptSteps(place);

const timeOf = (second: number) => Date.UTC(2026, 1, 1, 9, 0, second);
const iso = (second: number) => new Date(timeOf(second)).toISOString();
const asks = (text: string, second = 1): Line => ({ type: 1, text, createdAt: iso(second) });
const answers = (text: string, second = 2): Line => ({ type: 2, text, createdAt: iso(second) });
const calls = (call: Line, second = 3): Line => ({
  ...{ type: 2, text: "", createdAt: iso(second) },
  toolFormerData: { toolCallId: "c1", status: "completed", ...call },
});
const told = (bubbles: Composer["bubbles"], data: Line = {}): Composer => ({
  ...{ id: "told", changedAt: timeOf(9), bubbles },
  data: { workspaceIdentifier: { uri: { fsPath: "/home/dev/shop" } }, ...data },
});
const path = () => at("User/globalStorage/state.vscdb");
const titles = async () => (await observed()).map(({ title }) => title).sort();

test("a database that is in use is read with what is only in its log, and is not written to", async () => {
  const inUse = cursorWrites(path(), [told({ a: asks("Add retries") })]);
  const before = readFileSync(path());
  expect(await load({ path: at(".") })).toMatchObject({ imported: 1, observations: 1, errors: [] });
  expect(readFileSync(path())).toEqual(before);
  cursorWrites(path(), [
    told({ a: asks("Add retries"), b: answers("Done.") }),
    { ...told({ a: asks("Add jitter") }), id: "two", changedAt: timeOf(10) },
  ]);
  expect(await load({ path: path() })).toMatchObject({
    ...{ discovered: 2, imported: 2, observations: 2, skippedDuplicates: 1, errors: [] },
    sessionIds: ["two", "told"],
  });
  inUse.close();
});

test("the most recently changed conversations are taken, and those without words are none", async () => {
  const one = (id: string, second: number) => ({
    ...{ ...told({ a: asks(`words of ${id}`) }), id, changedAt: timeOf(second) },
  });
  cursorWrites(path(), [one("old", 1), one("new", 2), { ...told({}), id: "draft" }]).close();
  expect(await load({ path: at("."), maxFiles: 1 })).toMatchObject({
    ...{ discovered: 2, truncated: true, sessionIds: ["new"] },
  });
});

test("an answer that is being given is told when it has ended, and so is a call", async () => {
  const bubbles = {
    a: asks("Add retries"),
    b: calls({ name: "run_terminal_command_v2", status: "loading" }),
  };
  cursorWrites(path(), [told({ ...bubbles, c: answers("I beg") }, { status: "generating" })]).close();
  expect(await load({ path: at(".") })).toMatchObject({ observations: 2 });
  const ended = { params: { command: "npm test" }, result: { output: "ok", exitCode: 0 } };
  cursorWrites(path(), [
    told({
      ...{ a: asks("Add retries"), b: calls({ name: "run_terminal_command_v2", ...ended }) },
      c: answers("I began.", 5),
    }),
  ]).close();
  expect(await load({ path: at(".") })).toMatchObject({ observations: 2, skippedDuplicates: 1 });
  expect((await observed()).map(({ hookType }) => hookType).sort()).toEqual([
    ...["post_tool_use", "pre_tool_use", "prompt_submit", "stop"],
  ]);
});

test.each<[string, Line, Line]>([
  [
    "a command that the user refused",
    {
      name: "run_terminal_command_v2",
      params: { command: "rm -r x" },
      result: { rejected: true, exitCode: 0 },
    },
    { hookType: "post_tool_failure" },
  ],
  [
    "a command that failed, whose call is completed",
    {
      ...{ name: "run_terminal_cmd", rawArgs: '{"command":"npm test"}' },
      ...{ additionalData: { status: "error" }, result: '{"output":"bad","exitCode":1}' },
    },
    { hookType: "post_tool_use", title: "npm test (exit 1)" },
  ],
  [
    "a file that is not there",
    {
      ...{ name: "read_file", status: "error", params: '{"targetFile":"/home/dev/shop/a.ts"}' },
      error: '{"clientVisibleErrorMessage":"File not found"}',
    },
    { hookType: "post_tool_failure", title: expect.stringContaining("File not found"), files: ["a.ts"] },
  ],
  [
    "a change",
    {
      name: "search_replace",
      params: { relativeWorkspacePath: "src/a.ts", oldString: "3", newString: "5" },
    },
    { hookType: "post_tool_use", type: "file_edit", files: ["src/a.ts"] },
  ],
  [
    "a tool of an MCP server",
    {
      name: "mcp",
      params: { tools: [{ name: "find", serverName: "docs", parameters: '{"query":"x"}' }] },
      result: { result: "found" },
    },
    { toolName: "mcp__docs__find" },
  ],
])("%s is told as such", async (_what, call, expected) => {
  cursorWrites(path(), [told({ a: calls(call) })]).close();
  await load({ path: at(".") });
  expect(await observed()).toMatchObject([expected]);
});

test("calls of memsvc's own tools are left out", async () => {
  const recall = { name: "memory_recall", serverName: "memsvc", parameters: "{}" };
  cursorWrites(path(), [
    told({ a: asks("Go"), b: calls({ name: "mcp", params: { tools: [recall] } }) }),
  ]).close();
  expect(await load({ path: at(".") })).toMatchObject({ observations: 1 });
});

test("what hooks have told is not told again", async () => {
  const hook = (hookType: string, data: Line) =>
    place.http.ok(observe, {
      ...{ hookType, sessionId: "told", project: "shop", cwd: "/home/dev/shop", timestamp: iso(3), data },
    });
  await hook("prompt_submit", { prompt: "Add retries" });
  await hook("post_tool_use", {
    ...{ tool_name: "Shell", tool_use_id: "c1", tool_input: { command: "npm test", cwd: "", timeout: 5 } },
    toolOutput: "ok",
  });
  await hook("stop", { assistantResponse: "Done." });
  const call = { name: "run_terminal_command_v2", params: { command: "npm test" }, result: { output: "ok" } };
  cursorWrites(path(), [told({ a: asks("Add retries"), b: calls(call), c: answers("Done.", 4) })]).close();
  expect(await load({ path: at(".") })).toMatchObject({ observations: 0, skippedDuplicates: 3 });
});

test("a call that hooks have told with another id, tool and output is not told again, and each counts once", async () => {
  const hook = (tool: string, input: Line, second: number) =>
    place.http.ok(observe, {
      ...{ hookType: "post_tool_use", sessionId: "told", project: "shop", cwd: "/home/dev/shop" },
      ...{ timestamp: iso(second), data: { tool_name: tool, tool_use_id: `h${second}`, tool_input: input } },
    });
  await hook("Shell", { command: "npm test" }, 3);
  await hook("Write", { file_path: "/home/dev/shop/src/a.ts", content: "5" }, 4);
  const test = { name: "run_terminal_command_v2", params: { command: "npm test" }, result: { exitCode: 1 } };
  const change = { name: "search_replace", params: { relativeWorkspacePath: "src/a.ts", newString: "5" } };
  cursorWrites(path(), [
    told({
      ...{ a: calls(test), b: calls(change, 4), c: calls({ ...test, toolCallId: "c2" }, 8) },
      d: calls({ name: "read_file", params: { targetFile: "src/a.ts" } }, 9),
    }),
  ]).close();
  expect(await load({ path: at(".") })).toMatchObject({ observations: 2, skippedDuplicates: 2 });
});

test("earlier versions keep whole conversations, and tell their folder in the workspaces' databases", async () => {
  const conversation = [
    { bubbleId: "a", type: 1, text: "Add retries", createdAt: timeOf(1) },
    { bubbleId: "b", type: 2, text: "Done." },
  ];
  const composer: Composer = { id: "told", changedAt: timeOf(1), bubbles: {}, data: { conversation } };
  cursorWrites(path(), [composer], { hasHeads: false }).close();
  write("User/workspaceStorage/ab/workspace.json", [{ folder: "file:///home/dev/shop" }]);
  const workspace = new Database(at("User/workspaceStorage/ab/state.vscdb"));
  workspace.exec("CREATE TABLE ItemTable (key TEXT, value BLOB)");
  const list = JSON.stringify({ allComposers: [{ composerId: "told" }] });
  workspace.prepare("INSERT INTO ItemTable VALUES ('composer.composerData', ?)").run([list]);
  workspace.close();
  await load({ path: path() });
  expect(await titles()).toEqual(["Add retries", "Done."]);
  expect(await only()).toMatchObject({ cwd: "/home/dev/shop", startedAt: iso(1) });
});

test("the folder may be told by the workspace that the conversation names", async () => {
  cursorWrites(path(), [told({ a: asks("Add retries") }, { workspaceIdentifier: { id: "ab" } })]).close();
  write("User/workspaceStorage/ab/workspace.json", [{ folder: "file:///home/dev/shop" }]);
  await load({ path: path() });
  expect(await only()).toMatchObject({ cwd: "/home/dev/shop" });
});

test("what is damaged is told or left out, and the rest is imported", async () => {
  const database = cursorWrites(path(), [told({ a: asks("Add retries"), b: answers("Done.") })]);
  database.exec(`UPDATE cursorDiskKV SET value = '{"type":2' WHERE key = 'bubbleId:told:b';
    INSERT INTO cursorDiskKV VALUES ('composerData:torn', '{"full'), ('composerData:gone', NULL)`);
  database.close();
  mkdirSync(dirname(at("Other/globalStorage/state.vscdb")), { recursive: true });
  writeFileSync(at("Other/globalStorage/state.vscdb"), "no database");
  const answer = await load({ path: at(".") });
  expect(answer).toMatchObject({ discovered: 1, imported: 1, observations: 1 });
  expect(answer.errors).toEqual([
    { path: at("Other/globalStorage/state.vscdb"), error: expect.stringMatching(/not a database/u) },
    { path: path(), error: "1 of 3 lines are no JSON objects and were passed over" },
  ]);
});

test("the database of an editor without conversations has none", async () => {
  mkdirSync(dirname(path()), { recursive: true });
  const database = new Database(path());
  database.exec("CREATE TABLE ItemTable (key TEXT, value BLOB)");
  database.close();
  expect(await load({ path: at(".") })).toMatchObject({ discovered: 0, errors: [] });
});
