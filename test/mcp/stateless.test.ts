import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { version } from "../../src/version.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { daemonWithSecret } from "./daemon-with-secret.ts";

/* Version 2026-07-28 of the protocol, whose requests carry their version instead of beginning with `initialize`. */

const stateless = "2026-07-28";
const spoken = [stateless, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const serverInfo = { "io.modelcontextprotocol/serverInfo": { name: "our-memory", version } };

describe("the official MCP client of that version, over HTTP with a secret", () => {
  const daemon = daemonWithSecret("open sesame");

  async function connected(mode: VersionNegotiationMode): Promise<Client> {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: "Bearer open sesame" } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`), { requestInit }));
    return client;
  }

  test.each([
    ["it alone", { pin: stateless }],
    ["it or an older one", "auto"],
  ] as const)("lists and uses tools, resources and prompts, and gets errors: %s", async (_, mode) => {
    const client = await connected(mode);
    expect([client.getProtocolEra(), client.getNegotiatedProtocolVersion()]).toEqual(["modern", stateless]);
    expect(client.getServerVersion()).toEqual({ name: "memsvc", version });
    expect(client.getInstructions()).toMatch(/^Before .+\. After .+\.$/u);
    expect((await client.listTools()).tools.length).toBeGreaterThan(30);
    await client.callTool({ name: "memory_save", arguments: { content: "Releases are cut on Tuesdays" } });
    const found = await client.callTool({ name: "memory_recall", arguments: { query: "releases" } });
    expect(found.structuredContent).toMatchObject({ totalCount: 1 });
    expect((await client.listResources()).resources).toHaveLength(6);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(3);
    const { contents } = await client.readResource({ uri: "memsvc://memories/latest" });
    expect(JSON.stringify(contents)).toContain("Tuesdays");
    expect(await client.readResource({ uri: "memsvc://project/größe/profile" })).toMatchObject({
      contents: [{ uri: "memsvc://project/größe/profile" }],
    });
    const prompt = { name: "recall_context", arguments: { task_description: "cut a release" } };
    expect(JSON.stringify((await client.getPrompt(prompt)).messages)).toContain("Tuesdays");
    await expect(client.callTool({ name: "memory_teleport" })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: "memsvc://nothing/here" })).rejects.toMatchObject({
      code: -32602,
    });
    await client.close();
  });

  test.each(["auto", "legacy"] as const)("works in a page of an allowed origin: %s", async (mode) => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: "Bearer open sesame" } };
    const transport = new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`), {
      requestInit,
      fetch: fetchAsPageOf(new URL(daemon.url).origin),
    });
    await client.connect(transport);
    const { content } = await client.callTool({ name: "memory_recall", arguments: { query: "anything" } });
    expect(content).toHaveLength(1);
    await client.close();
  });

  test("finds an older version where it is asked to", async () => {
    const client = await connected("legacy");
    expect([client.getProtocolEra(), client.getNegotiatedProtocolVersion()]).toEqual([
      "legacy",
      "2025-11-25",
    ]);
    expect((await client.listTools()).tools.length).toBeGreaterThan(30);
    await client.close();
  });
});

/** `fetch` as a browser does it for a page of that origin: it asks first whether the headers may be sent. */
function fetchAsPageOf(origin: string): typeof fetch {
  return async (url, init = {}) => {
    const asked = await fetch(url, { method: "OPTIONS", headers: { origin } });
    const allowed = asked.headers.get("access-control-allow-headers")?.toLowerCase().split(", ") ?? [];
    const refused = [...new Headers(init.headers).keys()].filter((name) => !allowed.includes(name));
    if (refused.length > 0) throw new TypeError(`a browser would not send the headers ${refused}`);
    return fetch(url, { ...init, headers: [...new Headers(init.headers), ["origin", origin]] });
  };
}

describe("POST /mcp with a request that carries its version", () => {
  const http = forAllTests(() => openTestHttp({ env: { MEMSVC_SERVICE_NAME: "our-memory" } }));

  const meta = {
    "io.modelcontextprotocol/protocolVersion": stateless,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const headersOf = (method: string, name?: string) => ({
    "mcp-protocol-version": stateless,
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  });

  function ask(method: string, params: object = {}, headers: object = headersOf(method)) {
    return http.send("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: "q", method, params: { _meta: meta, ...params } }),
    });
  }

  test("tells versions, capabilities and instructions", async () => {
    const { status, body } = await ask("server/discover");
    expect([status, body]).toEqual([
      200,
      {
        jsonrpc: "2.0",
        id: "q",
        result: {
          resultType: "complete",
          supportedVersions: spoken,
          capabilities: { tools: {}, resources: {}, prompts: {} },
          instructions: expect.stringMatching(/^Before .+\. After .+\.$/u),
          ttlMs: 300_000,
          cacheScope: "private",
          _meta: serverInfo,
        },
      },
    ]);
  });

  test("says of each result that it is complete, who made it, and how long a list or resource may be kept", async () => {
    const toldFields = ["resultType", "_meta", "ttlMs", "cacheScope"];
    const kept = { ttlMs: 300_000, cacheScope: "private" };
    const saved = { name: "memory_save", arguments: { content: "Ports are read from the environment" } };
    const uri = "memsvc://memories/latest";
    const results = [
      [await ask("tools/list"), kept],
      [await ask("resources/list"), kept],
      [await ask("resources/templates/list"), kept],
      [await ask("prompts/list"), kept],
      [await ask("resources/read", { uri }, headersOf("resources/read", uri)), { ...kept, ttlMs: 0 }],
      [await ask("tools/call", saved, headersOf("tools/call", "memory_save")), {}],
    ] as const;
    for (const [{ status, body }, cache] of results) {
      expect(status).toBe(200);
      const told = Object.entries(Object(body.result)).filter(([field]) => toldFields.includes(field));
      expect(Object.fromEntries(told)).toEqual({ resultType: "complete", _meta: serverInfo, ...cache });
    }
  });

  test.each(["initialize", "ping", "subscriptions/listen", "tools/no"])(
    "answers %s, which that version does not have here, with 404",
    async (method) => {
      const { status, body } = await ask(method);
      expect({ status, body }).toMatchObject({ status: 404, body: refused(-32601) });
    },
  );

  const call = ["tools/call", { name: "memory_sessions" }] as const;
  const without = (name: string) => ({ ...headersOf("tools/call", "memory_sessions"), [name]: "" });

  test.each([
    ["no version in the headers", { "mcp-method": "tools/call", "mcp-name": "memory_sessions" }],
    ["another version in the headers", { ...headersOf(...nameOf()), "mcp-protocol-version": "2025-11-25" }],
    ["no method in the headers", without("mcp-method")],
    ["another method in the headers", { ...headersOf(...nameOf()), "mcp-method": "Tools/call" }],
    ["no name in the headers", headersOf("tools/call")],
    ["another name in the headers", headersOf("tools/call", "memory_save")],
    ["another name in the headers, encoded", headersOf("tools/call", encoded("memory_save"))],
  ])("refuses a call with %s", async (_, headers) => {
    const { status, body } = await ask(...call, headers);
    expect({ status, body }).toMatchObject({ status: 400, body: refused(-32020) });
  });

  test("understands an encoded name in the headers", async () => {
    const headers = headersOf("tools/call", encoded("memory_sessions"));
    const { body } = await ask(...call, headers);
    expect(body).toMatchObject({ result: { structuredContent: { sessions: [] } } });
  });

  test("refuses requests that lack what they must carry", async () => {
    const noCapabilities = { _meta: { "io.modelcontextprotocol/protocolVersion": stateless } };
    for (const params of [{ _meta: undefined }, { _meta: {} }, noCapabilities]) {
      const { status, body } = await ask("tools/list", params);
      const error = { code: -32602, message: expect.stringContaining("_meta needs") };
      expect({ status, body }).toMatchObject({ status: 400, body: { id: "q", error } });
    }
  });

  test("names the spoken versions where another is asked for", async () => {
    const asked = { ...meta, "io.modelcontextprotocol/protocolVersion": "2031-01-01" };
    const headers = { ...headersOf("tools/list"), "mcp-protocol-version": "2031-01-01" };
    for (const params of [{ _meta: asked }, { _meta: undefined }]) {
      const { status, body } = await ask("tools/list", params, headers);
      const data = { supported: spoken, requested: "2031-01-01" };
      const error = { code: -32022, message: expect.stringContaining("2031-01-01"), data };
      expect({ status, body }).toMatchObject({ status: 400, body: { id: "q", error } });
    }
  });

  test("has no batches", async () => {
    const request = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } };
    const answer = await http.send("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", ...headersOf("tools/list") },
      body: JSON.stringify([request]),
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
  });
});

function refused(code: number): object {
  return { id: "q", error: { code } };
}

function nameOf(): [string, string] {
  return ["tools/call", "memory_sessions"];
}

function encoded(name: string): string {
  return `=?base64?${Buffer.from(name).toString("base64")}?=`;
}
