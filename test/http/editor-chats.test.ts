import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { type Line, openForTranscripts, transcriptSteps } from "../support/transcripts.ts";

/* Chats in VS Code. */

const place = forEachTest(openForTranscripts);
const { at, load, observed, only, write } = transcriptSteps(place);

const timeOf = (second: number) => Date.UTC(2026, 1, 1, 9, 0, second);
const asks = (requestId: string, text: string, more: Line = {}): Line => ({
  ...{ requestId, message: { text }, timestamp: timeOf(1), response: [{ value: "Done." }] },
  ...more,
});
const ended = { result: { timings: { totalElapsed: 4_000 } } };
const calls = (call: Line, result: unknown, shown: readonly Line[] = []): Line =>
  asks("r1", "Go", {
    response: shown,
    result: {
      metadata: {
        toolCallRounds: [{ response: "", toolCalls: [call], timestamp: timeOf(2) }],
        toolCallResults: result === undefined ? {} : { c1: { content: [{ value: result }] } },
      },
    },
  });
const call = (name: string, input: Line): Line => ({ id: "c1", name, arguments: JSON.stringify(input) });

/** Writes a chat; returns its path. */
function chat(requests: readonly Line[], name = "chatSessions/told.json"): string {
  const path = at(`workspaceStorage/ab/${name}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ version: 3, sessionId: "told", creationDate: timeOf(0), requests }));
  return path;
}
const openFolder = (content: Line) => write("workspaceStorage/ab/workspace.json", [content]);
const told = async () => (await observed()).map(({ hookType, title }) => [hookType, title]);

test("a chat that went on adds only what is new, and an answer that is being given comes when it has ended", async () => {
  const path = chat([asks("r1", "Add retries", { response: [{ value: "I beg" }] })]);
  expect(await load({ path })).toMatchObject({ observations: 1 });
  chat([asks("r1", "Add retries", ended), asks("r2", "Add jitter")]);
  expect(await load({ path: at(".") })).toMatchObject({ observations: 2, skippedDuplicates: 1 });
  expect(await told()).toEqual([
    ["prompt_submit", "Add retries"],
    ["prompt_submit", "Add jitter"],
    ["stop", "Done."],
  ]);
  expect(await only()).toMatchObject({ endedAt: "2026-02-01T09:00:05.000Z" });
});

test("a chat without rounds is told as the user was shown it", async () => {
  const response = [
    { value: "I look at " },
    { kind: "inlineReference", inlineReference: { path: "/home/dev/shop/src/a.ts" } },
    { value: " first." },
    { kind: "thinking", value: "hm" },
    {
      ...{ kind: "toolInvocationSerialized", toolId: "copilot_readFile", toolCallId: "c1" },
      pastTenseMessage: { value: "Read a.ts", uris: { "file:///a": { path: "/home/dev/shop/src/a.ts" } } },
    },
    {
      ...{ kind: "toolInvocationSerialized", toolId: "run_in_terminal", toolCallId: "c2" },
      toolSpecificData: {
        ...{ kind: "terminal", commandLine: { original: "npm test", userEdited: "npm run test" } },
        ...{ terminalCommandOutput: { text: "2 failed" }, terminalCommandState: { exitCode: 1 } },
      },
    },
    { kind: "textEditGroup", uri: { path: "/home/dev/shop/src/a.ts" }, edits: [[{ text: "const a = 2;" }]] },
    { value: "It is changed." },
  ];
  openFolder({ folder: "file:///home/dev/shop" });
  chat([asks("r1", "Change a", { ...ended, response })]);
  await load({ path: at(".") });
  const events = await observed();
  expect(events.map(({ hookType, toolName, title }) => [hookType, toolName ?? null, title])).toEqual([
    ["prompt_submit", null, "Change a"],
    ["stop", null, "I look at `a.ts` first."],
    ["post_tool_use", "copilot_readFile", expect.stringContaining("a.ts")],
    ["post_tool_use", "run_in_terminal", "npm run test (exit 1)"],
    ["post_tool_use", "Edit", expect.stringContaining("a.ts")],
    ["stop", null, "It is changed."],
  ]);
});

test.each<[string, Line, string | undefined]>([
  ["folder", { folder: "file:///home/dev/my%20shop" }, "/home/dev/my shop"],
  ["remote folder", { folder: "vscode-remote://ssh-remote%2Bbox/home/dev/shop" }, "/home/dev/shop"],
])("the open %s is the session's", async (_kind, content, cwd) => {
  openFolder(content);
  chat([asks("r1", "Add retries", ended)]);
  await load({ path: at(".") });
  expect(await only()).toMatchObject({ cwd });
});

test("of several open folders the first one is the session's", async () => {
  write("shop/all.code-workspace", [{ folders: [{ path: "api" }, { path: "web" }] }]);
  openFolder({ workspace: `file://${at("shop/all.code-workspace")}` });
  chat([asks("r1", "Add retries", ended)]);
  await load({ path: at("workspaceStorage") });
  expect(await only()).toMatchObject({ cwd: at("shop/api") });
});

test("a call whose tool failed is a failure, and the end of a command is told by what the user was shown", async () => {
  chat([calls(call("read_file", { filePath: "a.ts" }), "ERROR while calling tool: no such file")]);
  await load({ path: at(".") });
  expect((await observed()).at(-1)).toMatchObject({
    hookType: "post_tool_failure",
    title: expect.stringContaining("no such file"),
  });
  const shown = {
    ...{ kind: "toolInvocationSerialized", toolCallId: "another" },
    toolSpecificData: {
      ...{ kind: "terminal", commandLine: { original: "npm test" } },
      terminalCommandState: { exitCode: 3 },
    },
  };
  chat([{ ...calls(call("run_in_terminal", { command: "npm test" }), "bad", [shown]), requestId: "r2" }]);
  await load({ path: at(".") });
  expect((await observed()).at(-1)).toMatchObject({ title: "npm test (exit 3)" });
});

test("changes, plans and sub-agents are told as such", async () => {
  const replacements = [{ filePath: "/home/dev/shop/a.ts", oldString: "3", newString: "5" }];
  const todoList = [
    { id: 1, title: "Read", status: "completed" },
    { id: 2, title: "Test", status: "not-started" },
  ];
  openFolder({ folder: "file:///home/dev/shop" });
  chat([
    calls(call("multi_replace_string_in_file", { explanation: "x", replacements }), "ok"),
    { ...calls(call("manage_todo_list", { todoList }), "ok"), requestId: "r2" },
    { ...calls(call("runSubagent", { prompt: "Count", description: "Count" }), "Three."), requestId: "r3" },
  ]);
  await load({ path: at(".") });
  const events = (await observed()).filter(({ hookType }) => hookType === "post_tool_use");
  expect(events).toMatchObject([
    { type: "file_edit", files: ["a.ts"] },
    { narrative: expect.stringContaining("open: Test · done: Read") },
    { type: "subagent", toolName: "Agent" },
  ]);
});

test("calls of memsvc's own tools are left out", async () => {
  chat([calls(call("mcp_memsvc_memory_recall", { query: "retries" }), "found")]);
  expect(await load({ path: at(".") })).toMatchObject({ observations: 1 });
});

test("what hooks have told is not told again", async () => {
  const hook = (hookType: string, data: Line) =>
    place.http.ok(observe, {
      ...{ hookType, sessionId: "told", project: "shop", cwd: "/home/dev/shop" },
      ...{ timestamp: new Date(timeOf(2)).toISOString(), data },
    });
  await hook("prompt_submit", { prompt: "Go" });
  await hook("post_tool_use", {
    ...{ tool_name: "run_in_terminal", tool_use_id: "c1", tool_input: { command: "npm test", goal: "test" } },
    tool_response: "2 failed, as the hook saw it",
  });
  chat([calls(call("run_in_terminal", { command: "npm test" }), "2 failed")]);
  expect(await load({ path: at(".") })).toMatchObject({ observations: 0, skippedDuplicates: 2 });
});

test("outputs that are nested deeper than lines of transcripts may be are read", async () => {
  let node: Line = { type: 2, text: "deep" };
  for (let depth = 0; depth < 200; depth += 1) node = { type: 1, children: [node] };
  chat([calls(call("read_file", { filePath: "a.ts" }), { node })]);
  expect(await load({ path: at(".") })).toMatchObject({ observations: 2, errors: [] });
});

test("chats that cannot be read are told, and the rest is imported", async () => {
  chat([asks("r1", "Add retries", ended)]);
  writeFileSync(at("workspaceStorage/ab/chatSessions/torn.json"), '{"requests":[');
  write("workspaceStorage/ab/chatSessions/strange.jsonl", [
    { kind: 0, v: { version: 99 } },
    { kind: 1, k: ["__proto__", "polluted"], v: true },
    { kind: 2, k: ["requests", "constructor"], v: [1] },
  ]);
  write("workspaceStorage/ab/chatSessions/going.jsonl", [
    { kind: 0, v: { sessionId: "going", requests: [asks("r9", "Add jitter")] } },
    '{"kind":2,"k":["requ',
  ]);
  const answer = await load({ path: at(".") });
  expect(answer).toMatchObject({ discovered: 4, imported: 2 });
  expect(answer.errors.map(({ path, error }) => `${basename(path)}: ${error}`).sort()).toEqual([
    "strange.jsonl: it is no chat with a list of requests",
    "torn.json: it is no chat with a list of requests",
  ]);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("chats of windows without a folder are read, too", async () => {
  chat([asks("r1", "Add retries", ended)], "../../globalStorage/emptyWindowChatSessions/told.json");
  expect(await load({ path: at(".") })).toMatchObject({ imported: 1, observations: 2 });
});
