import { describe, expect, test } from "vitest";
import * as z from "zod";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { listLessons } from "../../src/knowledge/lessons/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { callTool } from "../../src/mcp/operations.ts";
import { toolsOf } from "../../src/mcp/tools.ts";
import { defineOperation, type McpBinding } from "../../src/operation/define.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { callsTo } from "./tool-calls.ts";

const http = forAllTests(() => openTestHttp({ env: { MEMSVC_SLOTS: "true" } }));

const call = callsTo(http);

describe("tool arguments", () => {
  test("given as null are not audited as changed", async () => {
    const { body: made } = await call("memory_action_create", { title: "Tell what changed" });
    const { id } = made.action as { readonly id: string };
    await call("memory_action_update", { actionId: id, priority: 9, title: null });
    const { body } = await http.reply(listAudit, { targetId: id, operation: "action_update" });
    expect(body.entries).toMatchObject([{ details: { fields: ["priority"] } }]);
  });

  test("may be texts: lists with commas or as JSON, numbers and booleans in quotes", async () => {
    const saved = await call("memory_save", {
      content: "Arguments may be texts",
      concepts: "mcp, arguments,",
      files: '["src/a,b.ts", "src/c.ts"]',
      ttlDays: "2.5",
      unheardOf: 7,
    });
    expect(saved.body.memory).toMatchObject({
      concepts: ["mcp", "arguments"],
      files: ["src/a,b.ts", "src/c.ts"],
      forgetAfter: new Date(http.now() + 2.5 * 86_400_000).toISOString(),
    });
    const routes = { content: "Routes may be named by what they take", files: "[id].tsx, src/[...rest].ts" };
    expect((await call("memory_save", routes)).body.memory).toMatchObject({
      files: ["[id].tsx", "src/[...rest].ts"],
    });
    const { body: made } = await call("memory_action_create", {
      title: "Ship",
      requires: "",
      priority: null,
    });
    const { id: actionId } = z.object({ id: z.string() }).parse(made.action);
    const assigned = await call("memory_action_update", { actionId, assignedTo: "ann" });
    expect(assigned.body.action).toMatchObject({ assignedTo: "ann", priority: 5 });
    const freed = await call("memory_action_update", { actionId, assignedTo: null });
    expect(freed.body.action).not.toHaveProperty("assignedTo");
    const { body } = await call("memory_profile", { project: "shop", refresh: "true" });
    expect(body).toMatchObject({ cached: false });
    const shouted = await call("memory_recall", { query: "arguments", format: "Compact" });
    expect(shouted.body).toMatchObject({ format: "compact" });
    const { results } = (await call("memory_smart_search", { query: "arguments" })).body;
    expect((await call("memory_smart_search", { expandIds: results })).body).toMatchObject({
      mode: "expanded",
    });
  });

  test("include those that only a timer checkpoint needs", async () => {
    const timer = { operation: "create", name: "Cool-down", type: "timer" };
    const { body: told } = await http.reply(callTool, { name: "memory_checkpoint", arguments: timer });
    expect(told.error).toContain("expiresInMs");
    const { body } = await call("memory_checkpoint", { ...timer, expiresInMs: "60000" });
    const expiresAt = new Date(http.now() + 60_000).toISOString();
    expect(body.checkpoint).toMatchObject({ type: "timer", expiresAt });
  });

  test("that are wrong or missing fail the call like the route, with the tool's argument names", async () => {
    for (const [name, given, path] of [
      ["memory_get", {}, "memoryId"],
      ["memory_get", { memoryId: 7 }, "memoryId"],
      ["memory_relations", {}, "memoryId"],
      ["memory_file_history", {}, "files"],
      ["memory_file_history", { files: '["src/a.ts", "src/b' }, "files"],
      ["memory_sessions", { limit: "ten" }, "limit"],
      ["memory_sessions", { limit: "0x10" }, "limit"],
      ["memory_sessions", { limit: `${"0".repeat(1_000_000)}x` }, "limit"],
      ["memory_recall", { query: "x", format: "loud" }, "format"],
      ["memory_profile", { project: "p", refresh: "yes" }, "refresh"],
      ["memory_heal", { dryRun: "maybe" }, "dryRun"],
      ["memory_vision_search", { queryText: "a", queryImageRef: "b" }, ""],
      ["memory_smart_search", {}, ""],
    ] as const) {
      const { status, body } = await http.reply(callTool, { name, arguments: given });
      expect([status, body.issues], name).toMatchObject([400, [{ path }]]);
      expect(body.error, name).toMatch(/\S/u);
    }
    for (const depth of [64, 20_000]) {
      const config = `{"a": ${"[".repeat(depth)}${"]".repeat(depth)}}`;
      const deep = { name: "deep", type: "custom", config };
      const { status, body } = await http.reply(callTool, {
        name: "memory_sentinel_create",
        arguments: deep,
      });
      expect([status, body.error]).toEqual([400, "config is nested deeper than 64 levels"]);
    }
    const lease = await http.reply(callTool, { name: "memory_lease", arguments: { operation: "renew" } });
    expect(lease.body.error).toBe("actionId and agentId required");
    const undecided = { operation: "resolve", checkpointId: "chk_1" };
    const told = await http.reply(callTool, { name: "memory_checkpoint", arguments: undecided });
    expect(told.body.error).toBe("status required: passed or failed");
    for (const given of [{ name: "memory_teleport" }, { name: "memory_get", arguments: [] }, {}])
      expect((await http.reply(callTool, given)).status).toBe(400);
  });

  test("that are optional are refused when empty, with the advice to leave them out", async () => {
    for (const [name, given, path] of [
      ["memory_recall", { query: "x", project: "" }, "project"],
      ["memory_sessions", { status: " " }, "status"],
      ["memory_recall", { query: "x", format: "" }, "format"],
      ["memory_sessions", { limit: "" }, "limit"],
      ["memory_lesson_recall", { query: "x", agentId: "" }, "agentId"],
    ] as const) {
      const { status, body } = await http.reply(callTool, { name, arguments: given });
      const message = expect.stringMatching(/must .+; leave it out/u);
      expect([status, body], name).toMatchObject([400, { error: message, issues: [{ path, message }] }]);
    }
    const needed = await http.reply(callTool, { name: "memory_recall", arguments: { query: "" } });
    expect(needed.body.error).toBe("query: must not be blank");
  });

  test("have the tool's defaults where they differ from the route's", async () => {
    const { memoryId } = await http.ok(remember, { content: "to be deleted soon" });
    expect((await call("memory_governance_delete", { memoryIds: memoryId })).body).toMatchObject({
      deleted: 1,
    });
    const { entries } = await http.ok(listAudit, { operation: "delete", limit: 1 });
    expect(JSON.stringify(entries)).toContain("deleted through MCP");
    expect((await call("memory_sessions", {})).body).toMatchObject({ limit: 20 });
  });

  test("can name the agent in a scoped tool", async () => {
    await call("memory_lesson_save", { content: "Ann knows this", agentId: "ann" });
    const { lessons } = await http.ok(listLessons, { agentId: "ann" });
    expect(lessons.map(({ content }) => content)).toEqual(["Ann knows this"]);
    expect((await call("memory_lesson_recall", { query: "knows", agentId: "bob" })).body.lessons).toEqual([]);
  });
});

describe("a tool with several operations", () => {
  const lease = (value: string, fields: z.ZodRawShape, more: Partial<McpBinding> = {}) =>
    defineOperation({
      id: `test.${value}`,
      summary: `Do the ${value}`,
      mcp: { tool: "memory_test", effects: "read", chosenBy: { argument: "operation", value }, ...more },
      input: z.object(fields),
      output: z.object({}),
      errors: [],
      run: async () => ({}),
    });
  const Id = z.string().min(1).describe("id");
  const [tool] = toolsOf([
    lease("create", { actionId: Id, status: z.enum(["a", "b"]).describe("state") }),
    lease("list", {
      actionId: Id,
      status: z.enum(["b", "c"]).optional().describe("state"),
      tags: z.array(Id),
    }),
    lease(
      "tie",
      { actionId: Id, edges: z.array(z.object({ to: Id })).describe("edges") },
      {
        effects: "write",
        arguments: {
          actionId: true,
          requires: {
            field: "edges",
            description: "ids",
            type: z.array(Id).transform((ids) => ids.map((to) => ({ to }))),
          },
        },
      },
    ),
  ]).values();

  test("is read-only if all are, takes the arguments of all and requires those that all require", () => {
    expect(tool?.listed.annotations).toMatchObject({ readOnlyHint: false, idempotentHint: false });
    expect(tool?.listed.inputSchema).toMatchObject({
      required: ["operation", "actionId"],
      properties: {
        operation: { type: "string", enum: ["create", "list", "tie"] },
        status: { enum: ["a", "b", "c"] },
        requires: { anyOf: [{ type: "array" }, { type: "string" }] },
      },
    });
  });

  test("runs the chosen operation, which checks its own arguments", () => {
    const read = (given: Record<string, unknown>) => tool?.read(given);
    expect(read({ operation: "list", actionId: "x", tags: "a,b" })).toMatchObject({
      operation: { id: "test.list" },
      input: { actionId: "x", tags: ["a", "b"] },
    });
    expect(read({ operation: "tie", actionId: "x", requires: "a,b" })?.input.edges).toEqual([
      { to: "a" },
      { to: "b" },
    ]);
    expect(() => read({ operation: "create", actionId: "x" })).toThrow("status required");
    expect(() => read({ operation: "steal", actionId: "x" })).toThrow("one of: create, list, tie");
    expect(() => read({ actionId: "x" })).toThrow("one of: create, list, tie");
  });
});
