import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { linkCommit } from "../../src/capture/commits/operations.ts";
import { observe } from "../../src/capture/observations/operations.ts";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { tagFacet } from "../../src/coordination/facets/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { callTool } from "../../src/mcp/operations.ts";
import { toolHint } from "../../src/mcp/tool-hint.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { callsTo } from "./tool-calls.ts";

const http = forAllTests(() => openTestHttp({ env: { MEMSVC_SLOTS: "true" } }));

const call = callsTo(http);

describe("a tool result", () => {
  test("is the JSON of the route's body, as text and as an object", async () => {
    const { memoryId } = await http.ok(remember, { content: "Results are JSON" });
    const { text, structuredContent, isError } = await call("memory_get", { memoryId });
    expect(JSON.parse(text)).toMatchObject({ success: true, memory: { id: memoryId } });
    expect(structuredContent).toEqual(JSON.parse(text));
    expect(isError).toBeUndefined();
  });

  test("is plain text for narratives and context", async () => {
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
    // A memory may name the files, but the history of sessions does not include memories.
    const untouched = await call("memory_file_history", { files: "src/none.ts" });
    expect(untouched.text).toContain("memory_recall");
    for (const [name, given] of [
      ["memory_recall", { query: "deploys", format: "narrative", token_budget: 5 }],
      ["memory_context", { sessionId: "s9", project: "shop", budget: 20 }],
    ] as const)
      expect((await call(name, given)).text, name).toMatch(/^Something is stored .+ none of it fits/u);
  });

  test("of the audit is a bare list", async () => {
    const { text, structuredContent } = await call("memory_audit", { limit: 2 });
    expect(z.array(z.object({ operation: z.string() })).parse(JSON.parse(text))).toHaveLength(2);
    expect(structuredContent).toBeUndefined();
  });

  test("of a search has the matching passage of a long text", async () => {
    const aside = "Nothing of note was decided. ".repeat(15);
    await http.ok(remember, {
      content: `${aside}Kestrels nest in the attic. ${aside}`,
      title: "Minutes of May",
    });
    const results = [
      { title: "Minutes of May", passage: expect.stringContaining("… Kestrels nest in the attic.") },
    ];
    const query = "where does a kestrel nest";
    expect((await call("memory_smart_search", { query })).body).toMatchObject({ results });
    expect((await call("memory_recall", { query, format: "compact" })).body).toMatchObject({ results });
  });

  test("of an unknown commit is empty, and not an error", async () => {
    const unknown = await call("memory_commit_lookup", { sha: "abcdef1" });
    expect(unknown).toMatchObject({ body: { commit: null, sessions: [] } });
    expect(unknown.isError).toBeUndefined();
    await http.ok(startSession, { sessionId: "s1", project: "shop", cwd: "/w/shop" });
    await http.ok(linkCommit, { sha: "abcdef1", sessionId: "s1" });
    expect((await call("memory_commit_lookup", { sha: "abcdef1" })).body.sessions).toHaveLength(1);
  });

  test("of a refused operation is an error with the route's status and message, and a useful hint", async () => {
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
      ["memory_slot_get", { label: "no", project: "shop" }, "memory_slot_list"],
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
    const elsewhere = await call("memory_slot_append", { label: "small", text: "fits" });
    expect(elsewhere.body.hint).toMatch(/^name its project, .+: memory_slot_list$/u);
    await call("memory_slot_append", { ...small, text: "fits" });
    const full = await call("memory_slot_append", { ...small, text: "no" });
    expect(full.body).toMatchObject({
      status: 413,
      error: expect.not.stringContaining("slot replace"),
      hint: 'shorten what is in it: memory_slot_replace with label small, project "My shop"',
    });
  });

  test("of a refusal has a hint with an available tool and its known arguments", async () => {
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
      ["list them: memsvc routine list", "list them: the command `memsvc routine list`"],
      [
        "look at all: memsvc health; the lock is /home",
        "look at all: the command `memsvc health`; the lock is /home",
      ],
      ["check the path", undefined],
      [undefined, undefined],
    ])
      expect(toolHint(hint, { tools: "all" })).toBe(told);
    expect(toolHint("find it: memsvc search <query>, memsvc action list", { tools: "core" })).toBe(
      "find it: memory_smart_search",
    );
    expect(toolHint("take another: memsvc next", { tools: "core" })).toBe(
      "take another: the command `memsvc next`",
    );
    for (const [name, given, command] of [
      ["memory_routine_run", { routineId: "no" }, "routine list"],
      ["memory_sentinel_trigger", { sentinelId: "no" }, "sentinel list"],
      ["memory_sketch_promote", { sketchId: "no" }, "sketch list"],
    ] as const)
      expect((await call(name, given)).body, name).toMatchObject({
        status: 404,
        hint: expect.stringContaining(`: the command \`memsvc ${command}\``),
      });
    expect((await call("memory_lease", release)).body).toMatchObject({
      status: 404,
      hint: expect.stringContaining(`memory_lease with operation acquire, actionId ${actionId}`),
    });
  });

  test("names the arguments that the tool does not have, and was given all the same", async () => {
    const { body, structuredContent } = await call("memory_save", {
      content: "Freeze until January",
      expiresAt: "2027-01-01",
      tags: ["release"],
      // Some clients fill in everything that the model says nothing about.
      metadata: null,
      note: "",
      agentId: "ann",
    });
    expect(body).toMatchObject({
      success: true,
      hint: "ignored expiresAt, tags, which memory_save does not have",
    });
    expect(structuredContent).toEqual(body);
    const { body: asked } = await call("memory_checkpoint", { operation: "list", name: "any", page: 2 });
    expect(asked.hint).toBe("ignored page, which memory_checkpoint does not have");
    expect((await call("memory_sessions", { limit: 1 })).body).not.toHaveProperty("hint");
    const refusalOf = async (name: string) =>
      (await http.reply(callTool, { name, arguments: { id: "mem_1" } })).body.error;
    expect(await refusalOf("memory_get")).toBe("memoryId required; there is no argument id");
    expect(await refusalOf("memory_forget")).toBe("memoryId or sessionId required; there is no argument id");
    const apart = { name: "memory_forget", arguments: { observationIds: ["obs_1"] } };
    expect((await http.reply(callTool, apart)).body.error).toBe(
      "observationIds: give the sessionId of these observations",
    );
  });

  test("that is empty names a stored branch, label or agent that is similar to the one asked for", async () => {
    await http.ok(linkCommit, { sha: "abcdef1234", branch: "release" });
    const { memoryId } = await http.ok(remember, { content: "Buns rise twice", agentId: "gardener" });
    const label = { targetId: memoryId, targetType: "memory", dimension: "team", value: "payments" } as const;
    await http.ok(tagFacet, label);
    for (const [name, given, hint] of [
      ["memory_commits", { branch: "relaese" }, /^no recent commit is of a branch relaese; .+ release\?$/u],
      ["memory_facet_query", { matchAll: ["team:paymnts"] }, /^no record has .+ team:payments\?$/u],
      ["memory_recall", { query: "buns", agentId: "gardner" }, /agent gardner; did you mean gardener\?$/u],
    ] as const)
      expect((await call(name, given)).body.hint, name).toMatch(hint);
    for (const [name, given] of [
      ["memory_commits", { branch: "elsewhere" }],
      ["memory_recall", { query: "qwxzzy", agentId: "gardener" }],
    ] as const)
      expect((await call(name, given)).body, name).not.toHaveProperty("hint");
  });

  test("names no other agent beside one whose only session is older than those of two hundred others", async () => {
    const sessions = Array.from({ length: 201 }, (_, at) => ({
      ...{ id: `garden-${at}`, project: "garden", cwd: "/garden", status: "completed" },
      startedAt: new Date(Date.UTC(2024, 0, 1, at)).toISOString(),
      agentId: at === 0 ? "gardenar" : "gardener",
    }));
    await http.ok(importStore, { exportData: { version: "1", sessions } });
    const ask = async (agentId: string) =>
      (await call("memory_context", { sessionId: "s9", project: "garden", agentId })).text;
    expect(await ask("gardenar")).not.toContain("Hint");
    expect(await ask("gardenre")).toMatch(/agent gardenre; did you mean gardener\?$/u);
  });

  test("that is empty says so if the project is unknown, or if lessons match", async () => {
    await http.ok(remember, { content: "Bakes at night", project: "bakery" });
    await http.ok(saveLesson, { content: "Preheat the oven", project: "bakery" });
    const query = "preheat oven";
    for (const [name, given, hint] of [
      [
        "memory_smart_search",
        { query: "bakes", project: "bakrey" },
        /^no .+ project bakrey; did you mean bakery\?$/u,
      ],
      [
        "memory_recall",
        { query: "bakes", project: "else" },
        /^no session or memory belongs to a project else$/u,
      ],
      ["memory_next", { project: "bakrey" }, /did you mean bakery/u],
      ["memory_profile", { project: "bakrey" }, /did you mean bakery/u],
      ["memory_recall", { query, project: "bakery" }, /^1 lesson matches: memory_lesson_recall$/u],
      ["memory_timeline", { anchor: "qwxzzy", project: "bakery" }, /memory_recall.+2025-01-31T09:00Z$/u],
    ] as const)
      expect((await call(name, given)).body.hint, name).toMatch(hint);
    for (const [name, given] of [
      ["memory_smart_search", { query: "bakes", project: "bakery" }],
      ["memory_smart_search", { query: "qwxzzy", project: "bakery" }],
      ["memory_smart_search", { query: "qwxzzy" }],
      ["memory_smart_search", { query: "qwxzzy", project: "." }],
      ["memory_frontier", { project: "a-new-project" }],
      ["memory_slot_create", { label: "oven", project: "bakrey" }],
    ] as const)
      expect((await call(name, given)).body, name).not.toHaveProperty("hint");
    const narrative = { query: "bakes", project: "bakrey", format: "narrative" };
    expect((await call("memory_recall", narrative)).text).toMatch(
      /^Nothing is stored .+\.\nHint: no .+ bakery\?$/u,
    );
    const context = await call("memory_context", { sessionId: "s9", project: "bakrey" });
    expect(context.text).toMatch(/<\/memsvc-context>\nHint: no .+ bakery\?$/u);
    const isolated = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated", MEMSVC_TOOLS: "core" } });
    await isolated.ok(remember, { content: "Bakes at night", project: "bakery", agentId: "ann" });
    await isolated.ok(saveLesson, { content: "Preheat the oven", agentId: "bob" });
    const asBob = { query, project: "bakrey", agentId: "bob" };
    expect((await call("memory_recall", asBob, isolated)).body.hint).toBe(
      "1 lesson matches: memory_smart_search with includeLessons true; no session or memory belongs to a project bakrey",
    );
    await isolated.close();
    const unnamed = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
    const frontier = await call("memory_frontier", { project: "bakrey" }, unnamed);
    expect(frontier.body).toEqual({ success: true, frontier: [], totalActions: 0, totalUnblocked: 0 });
    await unnamed.close();
  });

  test("that has only weak hits says so if a lesson has most of the words", async () => {
    await http.ok(remember, { content: "The proofing racks stand by the window", project: "bakery" });
    await http.ok(saveLesson, { content: "Never open the proofing cabinet early", project: "bakery" });
    await http.ok(saveLesson, { content: "Proofing takes an hour", project: "bakery" });
    const hintFor = async (query: string) =>
      (await call("memory_recall", { query, project: "bakery" })).body.hint;
    expect(await hintFor("opening the cabinet early for proofing")).toBe(
      "1 lesson matches: memory_lesson_recall",
    );
    expect(await hintFor("proofing racks")).toBeUndefined();
    expect(await hintFor("proofing thermometers calibrated monthly")).toBeUndefined();
  });

  test("says what a save replaced or resembles, and that a sketch without actions was ended", async () => {
    const port = "The payments service listens on port 8080 in staging";
    const { body: first } = await call("memory_save", { content: port });
    expect(first).not.toHaveProperty("hint");
    const { body: second } = await call("memory_save", { content: port.replace("8080", "8081") });
    expect(second.superseded).toBe(first.memoryId);
    expect(second.hint).toMatch(/^this replaces superseded\b.+memory_smart_search with expandIds/u);
    const { body: again } = await call("memory_save", { content: port.replace("8080", "8081") });
    expect(again).toMatchObject({ superseded: second.memoryId, repeats: true });
    expect(again.hint).toBe("this was known in the same words; superseded is the version before");
    const alike = "The payments service listens on a socket";
    expect((await call("memory_save", { content: alike })).body).toMatchObject({
      similarTo: { id: again.memoryId },
      hint: expect.stringMatching(/^similarTo .+ forget it$/u),
    });
    const { sketch } = (await call("memory_sketch_create", { title: "A plan" })).body;
    const { id: sketchId } = sketch as { id: string };
    expect((await call("memory_sketch_promote", { sketchId })).body).toMatchObject({
      promotedIds: [],
      hint: expect.stringContaining("memory_action_create"),
    });
  });

  test("counts as a recall, unless it is for the viewer", async () => {
    const { memoryId } = await http.ok(remember, { content: "Counted when it is read" });
    const viewer = { headers: { "x-memsvc-source": "viewer" } };
    await http.ok(callTool, { name: "memory_get", arguments: { memoryId } }, viewer);
    await call("memory_get", { memoryId });
    const { memory } = await http.ok(getMemory, { id: memoryId }, viewer);
    expect(memory.recallCount).toBe(1);
  });

  test("that is too long is truncated and says so, and of an export shows counts and the route", async () => {
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
    const requires = Array.from({ length: 100 }, (_, at) => `act_${at}_${"z".repeat(200)}`);
    const refused = await call("memory_action_create", { title: "Release", requires }, small);
    expect(refused).toMatchObject({ isError: true, truncated: true, body: { status: 404 } });
    expect(refused.text.length).toBeLessThanOrEqual(2_000);
    const { body } = await call("memory_export", {}, small);
    expect(body).toMatchObject({ truncated: true, counts: { memories: 12 }, route: "GET /memsvc/export" });
    await small.close();
    expect((await call("memory_export", {})).body).toMatchObject({ version: expect.any(String) });
  });
});

test("a graph result is small by default, and larger on request", async () => {
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

test("a memory longer than a result can be read in parts", async () => {
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

test("hits dropped from a truncated result do not count as recalled", async () => {
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

test("signals dropped from a truncated result stay unread", async () => {
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

test("a result is given without its hint if the hint cannot be made", async () => {
  const given = { query: "qwxzzy", project: "shpo" };
  await http.ok(remember, { content: "Orders are sorted", project: "shop" });
  expect((await call("memory_smart_search", given)).body).toHaveProperty("hint");
  const broken = vi.spyOn(http.core, "searchLessons").mockRejectedValue(new Error("the disk is gone"));
  const { isError, body } = await call("memory_smart_search", given);
  broken.mockRestore();
  expect(isError).toBeUndefined();
  expect(body).toMatchObject({ results: [] });
  expect(body).not.toHaveProperty("hint");
});

test("a search that had to leave something out does not say that nothing is stored", async () => {
  const broken = vi
    .spyOn(http.core.embeddings, "embedQuery")
    .mockRejectedValue(new Error("the disk is gone"));
  const { body } = await call("memory_smart_search", { query: "qwxzzy" });
  const { text } = await call("memory_recall", { query: "qwxzzy", format: "narrative" });
  broken.mockRestore();
  const told = "similar texts could not be searched just now: search again";
  expect(body).toMatchObject({ results: [], leftOut: ["vector"], hint: told });
  expect(text).toBe(`Nothing was found.\nHint: ${told}`);
});
