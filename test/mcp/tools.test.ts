import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { linkCommit } from "../../src/capture/commits/operations.ts";
import { observe } from "../../src/capture/observations/operations.ts";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { listLessons, saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { listMethods } from "../../src/mcp/lists.ts";
import { callTool, listTools } from "../../src/mcp/operations.ts";
import { toolHint } from "../../src/mcp/tool-hint.ts";
import { listTools as listedTools, toolsOf } from "../../src/mcp/tools.ts";
import { defineOperation, type McpBinding } from "../../src/operation/define.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { promisedTools } from "./tool-table.ts";

let http: TestHttp;
beforeAll(async () => {
  http = await openTestHttp({ env: { MEMSVC_SLOTS: "true" } });
});
afterAll(() => http.close());

interface ListedTool {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { properties?: Record<string, Schema>; required?: string[] };
  readonly annotations: Readonly<Record<string, unknown>>;
}
interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly { readonly type: string }[];
  readonly description?: string;
}

async function offered(of: TestHttp): Promise<Map<string, ListedTool>> {
  const { tools } = await of.ok(listTools, {});
  return new Map(tools.map((tool) => [tool.name, tool as unknown as ListedTool]));
}

/** Calls a tool over REST and expects that the call itself is fine. */
async function call(name: string, given: object, of: TestHttp = http) {
  const result = await of.ok(callTool, { name, arguments: { ...given } });
  const text = result.content[0]?.text ?? "";
  return { ...result, text, body: text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

describe("the list of tools", () => {
  test("holds the promised tools and no other, those of the core first", async () => {
    const names = [...(await offered(http)).keys()];
    expect(names.toSorted(), "each tool has its row in test/mcp/tool-table.ts").toEqual(
      promisedTools.map(({ name }) => name).toSorted(),
    );
    const core = promisedTools.filter(({ isCore }) => isCore).map(({ name }) => name);
    expect(names.slice(0, core.length).toSorted()).toEqual(core.toSorted());
  });

  test("tells what each operation of a tool needs, and shows no default of what is needed", async () => {
    const tools = await offered(http);
    const { status, name, ttlMs } = {
      ...tools.get("memory_lease")?.inputSchema.properties,
      ...tools.get("memory_checkpoint")?.inputSchema.properties,
    };
    expect(name?.description).toMatch(/^create \(required\): /u);
    expect(status?.description).toMatch(/^resolve \(required\): .+; list: /u);
    expect(ttlMs?.description).toMatch(/^acquire: .+; renew: /u);
    for (const [tool, { inputSchema }] of tools)
      for (const needed of inputSchema.required ?? [])
        expect(inputSchema.properties?.[needed], tool).not.toHaveProperty("default");
  });

  test.each(promisedTools.map((tool) => [tool.name, tool]))(
    "says of %s what was promised",
    async (name, promised) => {
      const tool = (await offered(http)).get(String(name));
      const { kinds, hints, required } = promised as (typeof promisedTools)[number];
      const properties = tool?.inputSchema.properties ?? {};
      const shown = Object.entries(properties).map(([argument, schema]) => [argument, kindOf(schema)]);
      expect(Object.fromEntries(shown)).toEqual(kinds);
      expect([...(tool?.inputSchema.required ?? [])].toSorted()).toEqual([...required].toSorted());
      for (const [argument, { description = "" }] of Object.entries(properties))
        expect(description, argument).toMatch(/\w/u);
      expect(tool?.annotations).toEqual({
        title: tool?.title,
        readOnlyHint: hints.includes("R"),
        destructiveHint: hints.includes("D"),
        idempotentHint: hints.includes("I"),
        openWorldHint: name === "memory_mesh_sync",
      });
      expect(tool?.description).toMatch(/\bUse it\b/u);
    },
  );

  // Four characters are about a token, and clients put these parts before every conversation.
  test.each([
    ["all", 36_000],
    ["core", 6_500],
  ] as const)("with MEMSVC_TOOLS=%s costs a model at most %i characters", (tools, most) => {
    const read = listedTools({ tools }).map(({ name, description, inputSchema }) => [
      name,
      description,
      inputSchema,
    ]);
    expect(JSON.stringify(read).length).toBeLessThan(most);
  });

  test("names only tools that it holds, and so do the instructions and the README", async () => {
    for (const tools of ["all", "core"] as const) {
      const listed = listedTools({ tools });
      const { instructions } = listMethods.initialize({}, { serviceName: "memsvc", tools });
      const readme = tools === "all" ? readFileSync(new URL("../../README.md", import.meta.url), "utf8") : "";
      const named = (JSON.stringify(listed) + instructions + readme).match(/\bmemory_\w+/gu);
      const names = listed.map(({ name }) => name);
      expect([...new Set(named)].filter((name) => !names.includes(name))).toEqual([]);
    }
    const vault = await call("memory_obsidian_export", { vaultDir: "notes" });
    expect(vault.body).toMatchObject({ exported: {} });
  });

  test("is the core alone with MEMSVC_TOOLS=core, and the others are not understood then", async () => {
    const small = await openTestHttp({ env: { MEMSVC_TOOLS: "core" } });
    const core = promisedTools.filter(({ isCore }) => isCore).map(({ name }) => name);
    expect([...(await offered(small)).keys()].toSorted()).toEqual(core.toSorted());
    const reply = await small.reply(callTool, { name: "memory_get", arguments: { memoryId: "m" } });
    expect([reply.status, reply.body.error]).toEqual([400, expect.stringContaining("MEMSVC_TOOLS")]);
    await small.close();
  });
});

function kindOf({ type, anyOf }: Schema): string {
  const names = { integer: "int", number: "num", boolean: "bool", array: "list", object: "json" };
  const first = type ?? anyOf?.[0]?.type ?? "";
  return names[first as keyof typeof names] ?? first;
}

describe("arguments", () => {
  test("are understood as texts too: lists with commas or as JSON, numbers and truth values in quotes", async () => {
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

  test("that only a timer needs are understood by the checkpoint that is one", async () => {
    const timer = { operation: "create", name: "Cool-down", type: "timer" };
    const { body: told } = await http.reply(callTool, { name: "memory_checkpoint", arguments: timer });
    expect(told.error).toContain("expiresInMs");
    const { body } = await call("memory_checkpoint", { ...timer, expiresInMs: "60000" });
    const expiresAt = new Date(http.now() + 60_000).toISOString();
    expect(body.checkpoint).toMatchObject({ type: "timer", expiresAt });
  });

  test("that are wrong or missing fail the call as the route would, in the tool's own names", async () => {
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
    const lease = await http.reply(callTool, { name: "memory_lease", arguments: { operation: "renew" } });
    expect(lease.body.error).toBe("actionId and agentId required");
    for (const given of [{ name: "memory_teleport" }, { name: "memory_get", arguments: [] }, {}])
      expect((await http.reply(callTool, given)).status).toBe(400);
  });

  test("that need not be given are to be left out rather than empty", async () => {
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

  test("have the tool's defaults where those differ from the route's", async () => {
    const { memoryId } = await http.ok(remember, { content: "to be deleted soon" });
    expect((await call("memory_governance_delete", { memoryIds: memoryId })).body).toMatchObject({
      deleted: 1,
    });
    const { entries } = await http.ok(listAudit, { operation: "delete", limit: 1 });
    expect(JSON.stringify(entries)).toContain("deleted through MCP");
    expect((await call("memory_sessions", {})).body).toMatchObject({ limit: 20 });
  });

  test("name the agent of every scoped tool", async () => {
    await call("memory_lesson_save", { content: "Ann knows this", agentId: "ann" });
    const { lessons } = await http.ok(listLessons, { agentId: "ann" });
    expect(lessons.map(({ content }) => content)).toEqual(["Ann knows this"]);
    expect((await call("memory_lesson_recall", { query: "knows", agentId: "bob" })).body.lessons).toEqual([]);
  });
});

describe("a result", () => {
  test("is the JSON of the route's body, and the same as an object", async () => {
    const { memoryId } = await http.ok(remember, { content: "Results are JSON" });
    const { text, structuredContent, isError } = await call("memory_get", { memoryId });
    expect(JSON.parse(text)).toMatchObject({ success: true, memory: { id: memoryId } });
    expect(structuredContent).toEqual(JSON.parse(text));
    expect(isError).toBeUndefined();
  });

  test("is plain text where a block of text was asked for", async () => {
    await http.ok(remember, {
      content: "Deploys go through staging",
      project: "shop",
      files: ["src/deploy.ts"],
    });
    const narrative = await call("memory_recall", { query: "deploys", format: "narrative" });
    expect(narrative.text).toMatch(/^1\. /u);
    expect(narrative.structuredContent).toBeUndefined();
    expect((await call("memory_recall", { query: "deploys" })).body).toMatchObject({ format: "full" });
    const context = await call("memory_context", { sessionId: "s9", project: "shop", budget: "900" });
    expect(context.text).toContain("<memsvc-context");
    for (const [name, given] of [
      ["memory_file_history", { files: "src/none.ts" }],
      ["memory_recall", { query: "qwxzzy", format: "narrative" }],
      ["memory_context", { sessionId: "s9", project: "unheard-of", agentId: "nobody" }],
    ] as const)
      expect((await call(name, given)).text, name).toMatch(/^Nothing is stored .+\.$/u);
    for (const [name, given] of [
      ["memory_recall", { query: "deploys", format: "narrative", token_budget: 5 }],
      ["memory_context", { sessionId: "s9", project: "shop", budget: 20 }],
    ] as const)
      expect((await call(name, given)).text, name).toMatch(/^Something is stored .+ none of it fits/u);
  });

  test("of the audit is the bare list", async () => {
    const { text, structuredContent } = await call("memory_audit", { limit: 2 });
    expect(z.array(z.object({ operation: z.string() })).parse(JSON.parse(text))).toHaveLength(2);
    expect(structuredContent).toBeUndefined();
  });

  test("of an unknown commit is empty, and no error", async () => {
    const unknown = await call("memory_commit_lookup", { sha: "abcdef1" });
    expect(unknown).toMatchObject({ body: { commit: null, sessions: [] } });
    expect(unknown.isError).toBeUndefined();
    await http.ok(startSession, { sessionId: "s1", project: "shop", cwd: "/w/shop" });
    await http.ok(linkCommit, { sha: "abcdef1", sessionId: "s1" });
    expect((await call("memory_commit_lookup", { sha: "abcdef1" })).body.sessions).toHaveLength(1);
  });

  test("of what the operation refuses says so, with its status and what the route would say", async () => {
    const unknown = await call("memory_get", { memoryId: "mem_unknown" });
    expect(unknown).toMatchObject({
      isError: true,
      body: { status: 404, error: expect.stringMatching(/mem_unknown/u) },
    });
    const ids = { actionId: "no", agentId: "ann" };
    for (const [name, given, finder] of [
      ["memory_get", { memoryId: "no" }, "memory_smart_search"],
      ["memory_forget", { memoryId: "no" }, "memory_smart_search"],
      ["memory_get", { memoryId: "obs_1" }, "memory_smart_search with expandIds obs_1"],
      ["memory_evolve", { memoryId: "lsn_1", newContent: "x" }, "memory_smart_search with expandIds lsn_1"],
      ["memory_get", { memoryId: "constructor_1" }, "memory_smart_search"],
      ["memory_verify", { id: "no" }, "memory_smart_search"],
      ["memory_timeline", { anchor: `obs_${"0".repeat(26)}` }, "memory_smart_search"],
      ["memory_forget", { sessionId: "no" }, "memory_sessions"],
      ["memory_lesson_delete", { lessonId: "no" }, "memory_lesson_recall"],
      ["memory_slot_get", { label: "no" }, "memory_slot_list"],
      ["memory_action_update", { actionId: "no", status: "done" }, "memory_frontier"],
      ["memory_lease", { ...ids, operation: "acquire" }, "memory_frontier"],
      [
        "memory_checkpoint",
        { operation: "resolve", checkpointId: "no", status: "passed" },
        "memory_checkpoint",
      ],
      ["memory_signal_send", { from: "a", content: "b", replyTo: "no" }, "memory_signal_read"],
    ] as const) {
      const { body } = await call(name, given);
      expect(body, name).toMatchObject({ status: 404, hint: expect.stringMatching(`: ${finder}\\b`) });
      expect(body.hint, name).not.toContain("memsvc ");
    }
    const off = await call("memory_graph_query", { query: "x" });
    expect(off).toMatchObject({ isError: true, body: { status: 503, flag: "GRAPH_EXTRACTION_ENABLED" } });
    const again = { label: "notes", content: "x" };
    await call("memory_slot_create", again);
    expect(await call("memory_slot_create", again)).toMatchObject({ isError: true, body: { status: 409 } });
    const small = { label: "small", project: "My shop", sizeLimit: 5 };
    await call("memory_slot_create", small);
    const long = (await call("memory_slot_append", { ...small, text: "too long" })).body;
    expect([long.status, long.error]).toEqual([413, expect.stringMatching(/; shorten it$/u)]);
    await call("memory_slot_append", { ...small, text: "fits" });
    const full = await call("memory_slot_append", { ...small, text: "no" });
    expect(full.body).toMatchObject({
      status: 413,
      error: expect.not.stringContaining("slot replace"),
      hint: 'shorten what is in it: memory_slot_replace with label small, project "My shop"',
    });
  });

  test("of a refusal names the tool that is the way out, with what is known of its arguments, if it is offered", async () => {
    const { action } = (await call("memory_action_create", { title: "Mend the pump" })).body;
    const { id: actionId } = action as { id: string };
    const release = { actionId, agentId: "ann", operation: "release" };
    for (const [hint, told] of [
      [
        `take it: memsvc lease acquire ${actionId} --agent-id <who>`,
        `take it: memory_lease with operation acquire, actionId ${actionId}`,
      ],
      [
        "reopen it: memsvc action update act_1 --status pending",
        "reopen it: memory_action_update with actionId act_1, status pending",
      ],
      ['change it: memsvc slot replace notes "…"', "change it: memory_slot_replace with label notes"],
      ["find it: memsvc search <query>, memsvc memory list", "find it: memory_smart_search"],
      [
        "find it: memsvc search <query>, memsvc action list",
        "find it: memory_smart_search, or memory_frontier",
      ],
      ["look at all: memsvc health; the lock is /home", undefined],
      ["look at the path", undefined],
      [undefined, undefined],
    ])
      expect(toolHint(hint, { tools: "all" })).toBe(told);
    expect(toolHint("find it: memsvc search <query>, memsvc action list", { tools: "core" })).toBe(
      "find it: memory_smart_search",
    );
    expect((await call("memory_lease", release)).body).toMatchObject({
      status: 404,
      hint: expect.stringContaining(`memory_lease with operation acquire, actionId ${actionId}`),
    });
  });

  test("reading it is a recall, as over HTTP, unless the viewer looks", async () => {
    const { memoryId } = await http.ok(remember, { content: "Counted when it is read" });
    const viewer = { headers: { "x-memsvc-source": "viewer" } };
    await http.ok(callTool, { name: "memory_get", arguments: { memoryId } }, viewer);
    await call("memory_get", { memoryId });
    const { memory } = await http.ok(getMemory, { id: memoryId }, viewer);
    expect(memory.recallCount).toBe(1);
  });

  test("that is too long is cut and says so; of an export there are counts and the way to it", async () => {
    const small = await openTestHttp({ env: { MEMSVC_MCP_MAX_RESULT_CHARS: "2000" } });
    for (let at = 0; at < 12; at += 1) {
      await small.ok(remember, {
        content: `Number ${at}: ${'🧠 "quoted" '.repeat(40)}${at ** 7}`,
        project: "p",
      });
      await small.ok(saveLesson, {
        content: `lesson ${at}: ${"never do that again ".repeat(20)} ${at ** 5}`,
      });
    }
    const found = await call("memory_smart_search", { query: "quoted", limit: 50 }, small);
    expect(found).toMatchObject({
      truncated: true,
      body: { success: true, truncated: true, mode: "compact" },
    });
    expect(found.text.length).toBeLessThanOrEqual(2_000);
    expect(found.structuredContent).toEqual(found.body);
    const block = await call("memory_context", { sessionId: "s", project: "p", budget: 9_000 }, small);
    expect(block.truncated).toBe(true);
    expect(block.text.length).toBeLessThanOrEqual(2_000);
    const audit = await call("memory_audit", { limit: 50 }, small);
    expect(audit.truncated).toBe(true);
    expect((JSON.parse(audit.text) as unknown[]).length).toBeGreaterThan(1);
    const { body } = await call("memory_export", {}, small);
    expect(body).toMatchObject({ truncated: true, counts: { memories: 12 }, route: "GET /memsvc/export" });
    await small.close();
    expect((await call("memory_export", {})).body).toMatchObject({ version: expect.any(String) });
  });
});

test("of the graph a result takes little of an agent's context, unless more is asked for", async () => {
  const graph = await openTestHttp({
    env: {
      GRAPH_EXTRACTION_ENABLED: "true",
      OPENAI_API_KEY: "test-key",
      OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
    },
  });
  for (let at = 0; at < 60; at += 1) {
    graph.advance(1_000);
    await graph.ok(observe, {
      sessionId: `s${at % 9}`,
      project: "shop",
      cwd: "/w/shop",
      hookType: "post_tool_use",
      timestamp: new Date(graph.now()).toISOString(),
      data: {
        tool_name: "Edit",
        tool_input: { file_path: `/w/shop/src/order/part${at}.ts`, new_string: `mendThePump(${at})` },
      },
    });
  }
  const { text, body } = await call("memory_graph_query", {}, graph);
  expect(text.length).toBeLessThan(20_000);
  const nodes = z.array(z.object({ sourceObservationIds: z.array(z.string()) }));
  expect(body).toMatchObject({ truncated: true, limit: 20 });
  expect(nodes.parse(body.nodes).every(({ sourceObservationIds: ids }) => ids.length <= 3)).toBe(true);
  const more = (await call("memory_graph_query", { limit: 30, offset: 25, maxSources: 50 }, graph)).body;
  expect(more).toMatchObject({ limit: 30, offset: 25 });
  const busiest = (await call("memory_graph_query", { limit: 1, maxSources: 50 }, graph)).body;
  expect(nodes.parse(busiest.nodes)[0]?.sourceObservationIds).toHaveLength(50);
  await graph.close();
});

test("a memory that is longer than a result can be read part by part", async () => {
  const small = await openTestHttp({ env: { MEMSVC_MCP_MAX_RESULT_CHARS: "3000" } });
  const content = Array.from({ length: 400 }, (_, at) => `🧠 "line" ${at}`).join("\n");
  const { memoryId } = await small.ok(remember, { content });
  const Answer = z.object({ memory: z.object({ content: z.string() }), nextOffset: z.int().optional() });
  const parts: string[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const { text, truncated, body } = await call("memory_get", { memoryId, offset }, small);
    expect(text.length).toBeLessThanOrEqual(3_000);
    const answer = Answer.parse(body);
    parts.push(answer.memory.content);
    expect(truncated).toBe(answer.nextOffset === undefined ? undefined : true);
    offset = answer.nextOffset;
  }
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.join("")).toBe(content);
  await small.close();
});

test("hits for which a result has no room are not recalled", async () => {
  const small = await openTestHttp({ env: { MEMSVC_MCP_MAX_RESULT_CHARS: "3000" } });
  for (let at = 0; at < 12; at += 1) {
    const words = Array.from({ length: 60 }, (_, word) => `w${(at * 60 + word) ** 3}`).join(" ");
    await small.ok(remember, { content: `Pump ${at}: ${words}` });
  }
  for (const [name, given] of [
    ["memory_recall", { query: "pump", limit: 12 }],
    ["memory_recall", { query: "pump", limit: 12, format: "narrative" }],
    ["memory_smart_search", { query: "pump", limit: 12 }],
  ] as const) {
    small.advance(2 * 3_600_000);
    const before = await recalls(small);
    const { text, truncated } = await call(name, given, small);
    await small.settled();
    const after = await recalls(small);
    const recalled = [...after].filter(([title, count]) => count !== before.get(title));
    expect(truncated, name).toBe(true);
    expect(recalled.length, name).toBeGreaterThan(0);
    for (const [title] of recalled) expect(text, name).toContain(`${title}:`);
  }
  await small.close();
});

async function recalls(of: TestHttp): Promise<Map<string, number>> {
  const answer = await of.ok(listMemories, {});
  const memories = "memories" in answer ? answer.memories : [];
  return new Map(memories.map(({ title, recallCount }) => [title.replace(/:.*/u, ""), recallCount]));
}

test("signals for which a result has no room stay unread", async () => {
  const small = await openTestHttp({ env: { MEMSVC_MCP_MAX_RESULT_CHARS: "2000" } });
  const sent = Array.from({ length: 7 }, (_, at) => `${at}: ${'"lines" '.repeat(at === 6 ? 400 : 50)}`);
  for (const content of sent) await call("memory_signal_send", { from: "ann", to: "bob", content }, small);
  const seen: string[] = [];
  for (let reads = 0; reads < sent.length && seen.length < sent.length; reads += 1) {
    const { text, body } = await call("memory_signal_read", { agentId: "bob", unreadOnly: true }, small);
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(body.unread).toBe(sent.length - seen.length);
    const { signals } = z.object({ signals: z.array(z.object({ content: z.string() })) }).parse(body);
    seen.push(...signals.map(({ content }) => content.slice(0, 2)));
    expect(body.truncated).toBe(seen.length < sent.length ? true : undefined);
  }
  expect(seen).toEqual(sent.map((content) => content.slice(0, 2)).toReversed());
  await small.close();
});

describe("agents", () => {
  const rpc = (of: TestHttp, name: string, given: object, agent?: string) =>
    of.send("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", "x-memsvc-agent": agent },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: given },
      }),
    });

  test("of the stdio shim stand in for AGENT_ID: they own what is written, and filter nothing while agents share", async () => {
    const shared = await openTestHttp({ env: { AGENT_ID: "server" } });
    await rpc(shared, "memory_save", { content: "Written for Ann over stdio" }, encodeURIComponent("änn"));
    await rpc(shared, "memory_save", { content: "Something that nobody claims" });
    await rpc(shared, "memory_save", { content: "Named in the call itself", agentId: "carl" }, "bob");
    const { memories } = z
      .object({ memories: z.array(z.object({ content: z.string(), agentId: z.string() })) })
      .parse(await shared.ok(listMemories, {}));
    expect(memories.map(({ agentId }) => agentId)).toEqual(["carl", "server", "änn"]);
    const { text } = await rpc(shared, "memory_smart_search", { query: "nobody claims" }, "bob");
    expect(text).toContain("Something that nobody claims");
    await shared.close();
  });

  test("that are isolated see their own through every tool, resource and prompt", async () => {
    const isolated = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
    await rpc(isolated, "memory_save", { content: "The vault opens at noon", project: "bank" }, "ann");
    const asked = { query: "vault noon" };
    expect((await rpc(isolated, "memory_recall", asked, "ann")).text).toContain("opens at noon");
    for (const [method, params] of [
      ["tools/call", { name: "memory_recall", arguments: asked }],
      ["resources/read", { uri: "memsvc://memories/latest" }],
      ["resources/read", { uri: "memsvc://project/bank/recent" }],
      ["prompts/get", { name: "recall_context", arguments: { task_description: "vault noon" } }],
    ] as const) {
      const ask = (agent?: string) =>
        isolated.send("/mcp", {
          method: "POST",
          headers: { "content-type": "application/json", "x-memsvc-agent": agent },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        });
      expect((await ask("bob")).text).not.toContain("opens at noon");
      expect((await ask()).text).toContain("agentId");
    }
    // As on every other route, the request may name its agent.
    const latest = { uri: "memsvc://memories/latest" };
    const post = (path: string, body: object) =>
      isolated.send(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const message = { jsonrpc: "2.0", id: 1, method: "resources/read", params: latest };
    for (const [path, body] of [
      ["/mcp/resources/read?agentId=ann", latest],
      ["/mcp/resources/read", { ...latest, agentId: "ann" }],
      ["/mcp/call?agentId=ann", { name: "memory_recall", arguments: asked }],
      ["/mcp/prompts/get?agentId=ann", { name: "recall_context", arguments: { task_description: "vault" } }],
      ["/mcp?agentId=ann", message],
    ] as const)
      expect((await post(path, body)).text).toContain("opens at noon");
    await isolated.close();
  });

  test("that a request names see no other's session through it, and filter while agents share, as on every route", async () => {
    for (const scope of ["isolated", "shared"]) {
      const of = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: scope } });
      await of.ok(startSession, { sessionId: "hers", project: "bank", cwd: "/bank", agentId: "ann" });
      await of.ok(remember, { content: "The vault opens at noon", project: "bank", agentId: "ann" });
      const ask = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
      const handoff = { name: "session_handoff", arguments: { session_id: "hers" } };
      const search = { query: "vault noon", sessionId: "hers" };
      const recall = { name: "memory_smart_search", arguments: search };
      const recent = { uri: "memsvc://memories/latest" };
      for (const [path, body, hers] of [
        ["/mcp/prompts/get", handoff, "in /bank"],
        ["/mcp", ask("prompts/get", handoff), "in /bank"],
        ["/mcp/call", recall, "opens at noon"],
        ["/mcp", ask("tools/call", recall), "opens at noon"],
        ["/mcp/resources/read", recent, "opens at noon"],
      ] as const) {
        const post = (agent: string) =>
          of.send(`${path}?agentId=${encodeURIComponent(agent)}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          });
        expect((await post("bob")).text, `${scope} ${path}`).not.toContain(hers);
        expect((await post("ann")).text, `${scope} ${path}`).toContain(hers);
        expect((await post("*")).text, `${scope} ${path}`).toContain(hers);
      }
      // Whose lease it is says the tool's own argument, which is no scope.
      const next = await of.send("/mcp/call?agentId=bob", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          name: "memory_lease",
          arguments: { actionId: "act_1", operation: "acquire" },
        }),
      });
      expect(next.text).toContain("agentId required");
      await of.close();
    }
  });
});

describe("a tool that stands for several operations", () => {
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

  test("only reads where all of them do, and takes the arguments of all, but needs only what all need", () => {
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

  test("is the operation that is chosen, which checks its own arguments", () => {
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
