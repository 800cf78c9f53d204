import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test, vi } from "vitest";
import { callTool } from "../../src/mcp/operations.ts";
import { protocolVersions } from "../../src/mcp/storeless-methods.ts";
import { MemsvcError } from "../../src/operation/errors.ts";
import { version } from "../../src/version.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { daemonWithSecret } from "./daemon-with-secret.ts";

const http = forAllTests(() => openTestHttp({ env: { MEMSVC_SERVICE_NAME: "our-memory" } }));

/** Posts a body to /mcp, as JSON unless it is a text. */
function post(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return http.send("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const pong = { jsonrpc: "2.0", id: 1, result: {} };
const ask = (method: string, params?: object) => post({ jsonrpc: "2.0", id: "q", method, params });

describe("the official MCP client over HTTP with a secret", () => {
  const daemon = daemonWithSecret("open sesame");

  async function connected(secret: string): Promise<Client> {
    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: { authorization: `Bearer ${secret}` } };
    // The library's transport has optional fields that its own interface does not allow to be undefined.
    const transport = new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`), { requestInit });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    return client;
  }

  test("lists and uses tools, resources and prompts, and gets errors", async () => {
    const client = await connected("open sesame");
    expect(client.getServerVersion()).toEqual({ name: "memsvc", version });
    expect(client.getInstructions()).toMatch(/^Before .+\. After .+\.$/u);
    await client.ping();
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(30);
    await client.callTool({ name: "memory_save", arguments: { content: "Releases are cut on Tuesdays" } });
    const found = await client.callTool({ name: "memory_recall", arguments: { query: "releases" } });
    expect(found.structuredContent).toMatchObject({ totalCount: 1 });
    expect(await client.callTool({ name: "memory_get", arguments: { memoryId: "mem_no" } })).toMatchObject({
      isError: true,
    });
    expect((await client.listResources()).resources).toHaveLength(6);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(3);
    const { contents } = await client.readResource({ uri: "memsvc://memories/latest" });
    expect(JSON.stringify(contents)).toContain("Tuesdays");
    const { messages } = await client.getPrompt({
      name: "recall_context",
      arguments: { task_description: "cut a release" },
    });
    expect(JSON.stringify(messages)).toContain("Tuesdays");
    await expect(client.callTool({ name: "memory_teleport" })).rejects.toMatchObject({
      code: ErrorCode.InvalidParams,
    });
    await expect(client.readResource({ uri: "memsvc://nothing/here" })).rejects.toMatchObject({
      code: -32002,
    });
    await client.close();
  });

  test("is refused with a wrong secret", async () => {
    await expect(connected("guessed")).rejects.toThrow("unauthorized");
  });
});

describe("POST /mcp", () => {
  test("negotiates the requested version, or else the newest", async () => {
    for (const asked of [...protocolVersions, "2024-10-07", "1999-01-01", undefined]) {
      const { body } = await ask("initialize", { protocolVersion: asked, capabilities: {} });
      const spoken = protocolVersions.find((one) => one === asked) ?? "2025-11-25";
      expect(body.result).toMatchObject({
        protocolVersion: spoken,
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: "our-memory", version },
      });
    }
  });

  test("answers a request with 200 in any case, and a notification with 202 and no body", async () => {
    const answer = await post(ping);
    expect([answer.status, answer.body]).toEqual([200, pong]);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/u);
    expect([...answer.headers.keys()]).not.toContain("mcp-session-id");
    expect((await ask("tools/no")).status).toBe(200);
    for (const silent of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      { jsonrpc: "2.0", id: 4, result: {} },
    ]) {
      const { status, text } = await post(silent);
      expect([status, text]).toEqual([202, ""]);
    }
  });

  test.each([
    ["no JSON", "{", 400, -32700],
    ["nothing", "", 400, -32700],
    [
      "a number with zeros before it",
      '{"jsonrpc":"2.0","id":00009007199254740993,"method":"ping"}',
      400,
      -32700,
    ],
    ["no object", "7", 400, -32600],
    ["another version of JSON-RPC", { ...ping, jsonrpc: "1.0" }, 400, -32600],
    ["an id that is null", { ...ping, id: null }, 400, -32600],
    ["no method", { jsonrpc: "2.0", id: 1 }, 400, -32600],
    ["params that are a list", { ...ping, params: [1] }, 400, -32600],
    ["an unknown method", { ...ping, method: "tools/destroy" }, 200, -32601],
    ["a method named like a part of every object", { ...ping, method: "constructor" }, 200, -32601],
    ["a tool without a name", { ...ping, method: "tools/call", params: {} }, 200, -32602],
    ["an unknown tool", { ...ping, method: "tools/call", params: { name: "no" } }, 200, -32602],
    [
      "wrong arguments",
      { ...ping, method: "tools/call", params: { name: "memory_get", arguments: {} } },
      200,
      -32602,
    ],
    ["an unknown prompt", { ...ping, method: "prompts/get", params: { name: "no" } }, 200, -32602],
    [
      "an unknown resource",
      { ...ping, method: "resources/read", params: { uri: "memsvc://no" } },
      200,
      -32002,
    ],
    ["no address of a resource", { ...ping, method: "resources/read", params: { uri: "no" } }, 200, -32602],
  ])("answers %s with its code", async (_name, body, status, code) => {
    const reply = await post(body);
    expect([reply.status, reply.body.error]).toMatchObject([
      status,
      { code, message: expect.stringMatching(/\S/u) },
    ]);
  });

  test.each([
    "9007199254740993",
    "-9223372036854775807",
    "1764386400123456789",
    "9007199254740991",
    "1e20",
    '"\\u0001"',
  ])("answers a request with its id %s as it was sent", async (id) => {
    const params = `{"name":"memory_sessions","arguments":{"id":9007199254740993}}`;
    const sent = (more: string) => `{ "jsonrpc": "2.0", "id" : ${id}, ${more} }`;
    const told = id === "1e20" ? "100000000000000000000" : id;
    const start = `{"jsonrpc":"2.0","id":${told},`;
    expect((await post(sent('"method": "ping"'))).text).toBe(`${start}"result":{}}`);
    const called = await post(sent(`"method": "tools/call", "params": ${params}`));
    expect(called.text.slice(0, start.length)).toBe(start);
    const withIdLast = await post(
      `{ "jsonrpc": "2.0", "method": "tools/call", "params": ${params}, "id": ${id} }`,
    );
    expect(withIdLast.text.slice(0, start.length)).toBe(start);
    const batch = await post(`[${sent('"method": "ping"')}]`, { "mcp-protocol-version": "2025-03-26" });
    expect(batch.text).toBe(`[${start}"result":{}}]`);
  });

  test("accepts null for omitted parameters and arguments", async () => {
    expect((await post({ ...ping, params: null })).body).toEqual(pong);
    const called = await ask("tools/call", { name: "memory_sessions", arguments: null });
    expect(called.body.result).toMatchObject({ structuredContent: { total: 0 } });
    const { body } = await ask("prompts/get", { name: "recall_context", arguments: null });
    expect(body.error).toMatchObject({ code: -32602, message: "task_description required" });
  });

  test("accepts a batch only in version 2025-03-26 or without a version", async () => {
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
    for (const headers of [{}, { "mcp-protocol-version": "2025-03-26" }]) {
      const reply = await post([ping, notification, { ...ping, id: 2, method: "no" }, 5], headers);
      expect(reply.status).toBe(200);
      expect(JSON.parse(reply.text)).toMatchObject([
        pong,
        { id: 2, error: { code: -32601 } },
        { id: null, error: { code: -32600 } },
      ]);
      expect((await post([notification], headers)).status).toBe(202);
      for (const count of [0, 101])
        expect((await post(Array(count).fill(ping), headers)).body).toMatchObject({
          error: { code: -32600 },
        });
    }
    const { status, body } = await post([ping], { "mcp-protocol-version": "2025-06-18" });
    expect([status, body]).toMatchObject([400, { error: { code: -32600 } }]);
  });

  test("refuses unknown versions, other types than JSON, GET and DELETE", async () => {
    const { status, body } = await post(ping, { "mcp-protocol-version": "2023-01-01" });
    expect([status, body]).toMatchObject([400, { error: { message: expect.stringMatching(/2025-11-25/u) } }]);
    expect((await post(ping, { "content-type": "text/plain" })).status).toBe(415);
    for (const method of ["GET", "DELETE"]) {
      const reply = await http.send("/mcp", { method });
      expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    }
  });

  test("ignores the Accept header, and does not reveal the cause of an internal error", async () => {
    expect((await post(ping, { accept: "text/event-stream" })).status).toBe(200);
    const { sessions } = http.core;
    const { list } = sessions;
    sessions.list = () => Promise.reject(new Error("the innards"));
    const call = { name: "memory_sessions", arguments: {} };
    const answers = [await ask("tools/call", call), await ask("resources/read", { uri: "memsvc://status" })];
    const overRest = await http.reply(callTool, call);
    sessions.list = list;
    for (const { status, text, body } of answers) {
      expect([status, body]).toMatchObject([
        200,
        { error: { code: -32603, message: expect.stringMatching(/reference/u) } },
      ]);
      expect(text).not.toContain("innards");
    }
    expect([overRest.status, overRest.body.error]).toEqual([500, expect.stringMatching(/reference/u)]);
  });

  test("does not blame the client when the service is not available", async () => {
    const locked = new MemsvcError("unavailable", "the store is locked", { hint: "try again" });
    const listing = vi.spyOn(http.core.sessions, "list").mockRejectedValue(locked);
    const { body } = await ask("resources/read", { uri: "memsvc://status" });
    listing.mockRestore();
    expect(body.error).toEqual({ code: -32603, message: "the store is locked; try again" });
  });
});
