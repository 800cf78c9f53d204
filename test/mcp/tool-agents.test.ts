import { describe, expect, test } from "vitest";
import * as z from "zod";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";

describe("the agent of an MCP call", () => {
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

  test("from the shim's header replaces AGENT_ID as owner, and does not filter in shared scope", async () => {
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

  test("in isolated scope sees only its own records in tools, resources and prompts", async () => {
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

  test("in the query of a request limits what is shown in both scopes", async () => {
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
      // The holder of a lease is the tool's own argument, which has nothing to do with the scope.
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
