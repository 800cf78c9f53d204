import { describe, expect, test } from "vitest";
import { isOwnCall } from "./own-calls.ts";

const call = (toolName: string, toolInput: unknown, hookType = "post_tool_use") => ({
  hookType,
  data: { toolName, toolInput },
});

test.each(["toolName", "tool_name", "tool"])("a call of memsvc's own tools is known by its `%s`", (field) => {
  const told = (name: string) => isOwnCall({ hookType: "post_tool_use", data: { [field]: name } });
  expect(told("mcp__memsvc__memory_recall")).toBe(true);
  expect(told("mcp__tracker__close_issue")).toBe(false);
});

/* The tool of OpenCode's code mode, whose scripts call the tools of MCP servers. */
describe("a script that calls tools", () => {
  test.each([
    `return await tools.memsvc.memory_recall({ query: "retries" })`,
    `const a = await tools["memsvc"]["memory_save"]({ content: "Cap it" });\nreturn tools.memsvc.memory_recall({})`,
    `return await tools.$codemode.search({ query: "memory" })`,
  ])("is memsvc's own if it does nothing else: %s", (code) => {
    expect(isOwnCall(call("execute", { code }))).toBe(true);
    expect(isOwnCall(call("execute", { code }, "pre_tool_use"))).toBe(true);
    const data = { tool_name: "execute", tool_input: { code } };
    expect(isOwnCall({ hookType: "post_tool_use", data })).toBe(true);
  });

  test.each([
    `const notes = await tools.memsvc.memory_recall({}); return tools.tracker.close_issue({ id: 7, notes })`,
    `return tools.tracker.memory_recall({})`,
    `return 1 + 1`,
    `return tools.tracker.find({ text: "tools.memsvc.memory_recall(" })`,
  ])("is work on the project if it does: %s", (code) => {
    expect(isOwnCall(call("execute", { code }))).toBe(false);
  });

  test("is a script only in that tool, and in an event of a call", () => {
    const code = "return tools.memsvc.memory_recall({})";
    expect(isOwnCall(call("Write", { code }))).toBe(false);
    expect(isOwnCall(call("execute", { code }, "notification"))).toBe(false);
    expect(isOwnCall(call("execute", { command: code }))).toBe(false);
  });
});
