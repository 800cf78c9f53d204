import type { IncomingMessage, RequestListener } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { DaemonAccess } from "../../src/mcp/daemon-link.ts";
import { frameMessage, MessageReader } from "../../src/mcp/framing.ts";
import { runShim } from "../../src/mcp/stdio.ts";
import { MemsvcError } from "../../src/operation/errors.ts";
import { openPeerServer, type PeerServer } from "../support/peer-server.ts";

type Message = Readonly<Record<string, unknown>>;

const servers: PeerServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A fake daemon with the given answers to POST /mcp, and a livez that always succeeds. */
async function daemonThat(answer: RequestListener): Promise<string> {
  const server = await openPeerServer((request, response) =>
    request.url?.endsWith("/livez") === true ? response.end("{}") : answer(request, response),
  );
  servers.push(server);
  return `${server.url}/memsvc`;
}

async function bodyOf(request: IncomingMessage): Promise<Message> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return JSON.parse(text) as Message;
}

/** An address where nobody listens: the port of a closed server. */
async function nowhere(): Promise<string> {
  const url = await daemonThat(() => undefined);
  await servers.pop()?.close();
  return url;
}

type Input = string | readonly Message[] | ((output: () => string) => AsyncIterable<Uint8Array>);

/** Gives the shim its input and collects what it writes until it ends. */
async function shim(given: Input, access: Partial<DaemonAccess> & { at: string }) {
  const { at, ...daemon } = access;
  let output = "";
  await runShim({
    input: typeof given === "function" ? given(() => output) : inOnePiece(given),
    write: (written) => {
      output += written;
    },
    settings: { serviceName: "memsvc", tools: "core" },
    daemon: {
      url: () => at,
      absence: () => undefined,
      arrival: async () => undefined,
      secret: undefined,
      timeoutMs: 5_000,
      agentId: undefined,
      folder: "/w/shop",
      tools: "core",
      start: undefined,
      startCommand: "memsvc serve",
      forbidden: undefined,
      ...daemon,
    },
  });
  return {
    output,
    get answers(): Answer[] {
      return output.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Answer]));
    },
  };
}

async function* inOnePiece(given: string | readonly Message[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(
    typeof given === "string" ? given : given.map((one) => `${JSON.stringify(one)}\n`).join(""),
  );
}

interface Answer {
  readonly id: unknown;
  readonly result?: Readonly<Record<string, unknown>> & {
    isError?: boolean;
    structuredContent?: { error: string };
  };
  readonly error?: { readonly code: number; readonly message: string };
}

const stateless = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};
const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });
const call = (name: string, id = 1) => request(id, "tools/call", { name, arguments: {} });
const echo: RequestListener = async (asked, response) => {
  const { id, method, params } = await bodyOf(asked);
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { method, params, headers: asked.headers } }));
};

test("only the first list waits, and not long, for a daemon that does not start", async () => {
  const lists = ["tools/list", "prompts/list", "resources/list"] as const;
  // Sent at once, each of the three would have its own wait.
  const one = async function* (output: () => string): AsyncGenerator<Uint8Array> {
    for (const [at, method] of lists.entries()) {
      yield Buffer.from(`${JSON.stringify(request(at, method))}\n`);
      await expect.poll(output).toContain(`"id":${at}`);
    }
  };
  const { answers } = await shim(one, { at: await nowhere(), start: () => new Promise(() => undefined) });
  expect(answers.map(({ result }) => Object.keys(result ?? {})[0])).toEqual([
    "tools",
    "prompts",
    "resources",
  ]);
});

test("an id beyond 2^53 comes back as it was sent, whether the shim or the daemon answers", async () => {
  const at = await daemonThat(async (request, response) => {
    const { id } = await bodyOf(request);
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [] } }));
  });
  const sent = ["ping", "tools/list"].map(
    (method, last) => `{"jsonrpc":"2.0","id":176438640012345678${last},"method":"${method}"}\n`,
  );
  const { output } = await shim(sent.join(""), { at });
  expect(output.split("\n").toSorted()).toEqual([
    "",
    '{"jsonrpc":"2.0","id":1764386400123456780,"result":{}}',
    '{"jsonrpc":"2.0","id":1764386400123456781,"result":{"tools":[]}}',
  ]);
});

describe("with a daemon the shim", () => {
  test("passes on all but initialize and ping, with secret, version, agent and folder", async () => {
    const at = await daemonThat(echo);
    const { answers } = await shim(
      [
        request(1, "initialize", { protocolVersion: "2025-06-18" }),
        { jsonrpc: "2.0", method: "notifications/initialized" },
        request(2, "tools/list"),
        call("memory_save", 3),
        request(4, "ping"),
        request(5, "unheard/of"),
      ],
      { at, secret: "s3cret", agentId: "änn" },
    );
    const byId = new Map(answers.map((answer) => [answer.id, answer.result]));
    expect([...byId.keys()].toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(byId.get(1)).toMatchObject({ protocolVersion: "2025-06-18", serverInfo: { name: "memsvc" } });
    expect(byId.get(3)).toMatchObject({
      method: "tools/call",
      params: { name: "memory_save", arguments: {} },
      headers: {
        authorization: "Bearer s3cret",
        "mcp-protocol-version": "2025-06-18",
        "x-memsvc-agent": "%C3%A4nn",
        "x-memsvc-folder": "%2Fw%2Fshop",
        "x-memsvc-tools": "core",
      },
    });
    expect(byId.get(4)).toEqual({});
    expect(byId.get(5)).toMatchObject({ method: "unheard/of" });
  });

  test("passes requests that carry their version on as older ones, and translates the answers", async () => {
    const unknown = { code: -32002, message: "no such resource" };
    const at = await daemonThat(async (asked, response) => {
      const { id, ...body } = await bodyOf(asked);
      const result = { ...body, version: asked.headers["mcp-protocol-version"] };
      const answer = body.method === "resources/read" ? { error: unknown } : { result };
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    });
    const { answers } = await shim(
      [
        request(1, "server/discover", stateless),
        request(2, "tools/call", { name: "memory_save", ...stateless }),
        request(3, "tools/list", stateless),
        request(4, "resources/read", { uri: "memsvc://no", ...stateless }),
        request(5, "ping", stateless),
        request(6, "tools/list", {
          _meta: { ...stateless._meta, "io.modelcontextprotocol/protocolVersion": "2030-01-01" },
        }),
        request(7, "tools/list", {
          _meta: { ...stateless._meta, "io.modelcontextprotocol/protocolVersion": "2025-06-18" },
        }),
      ],
      { at },
    );
    const byId = (id: number) => answers.find((answer) => answer.id === id);
    const supported = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
    expect(byId(1)?.result).toMatchObject({ supportedVersions: supported, resultType: "complete" });
    expect(byId(2)?.result).toMatchObject({
      method: "tools/call",
      params: { name: "memory_save" },
      version: "2025-11-25",
      resultType: "complete",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "memsvc" } },
    });
    expect(byId(2)?.result).not.toHaveProperty("params._meta");
    expect(byId(3)?.result).toMatchObject({ method: "tools/list", ttlMs: 300_000, cacheScope: "private" });
    expect(byId(4)?.error).toEqual({ ...unknown, code: -32602 });
    expect(byId(5)?.error?.code).toBe(-32601);
    expect(byId(6)?.error).toMatchObject({ code: -32022, data: { supported, requested: "2030-01-01" } });
    expect(byId(7)?.result).toMatchObject({ method: "tools/list" });
    expect(byId(7)?.result).not.toHaveProperty("resultType");
  });

  test("reports a refused secret", async () => {
    const at = await daemonThat((_, response) => response.writeHead(401).end('{"error":"unauthorized"}'));
    const { answers } = await shim([call("memory_save")], { at, secret: "wrong" });
    expect(answers[0]?.result).toMatchObject({
      isError: true,
      structuredContent: { error: expect.stringMatching(/MEMSVC_SECRET/u) },
    });
  });

  test.each([
    [503, '{"error":"the store is being restored"}', /503: the store is being restored/u],
    [200, "<html>", /200, but not as memsvc does/u],
  ])("turns an answer %i outside of the protocol into an error of the call", async (status, body, told) => {
    const at = await daemonThat((_, response) => response.writeHead(status).end(body));
    const { answers } = await shim([call("memory_save"), request(2, "prompts/get", { name: "x" })], { at });
    expect(answers[0]?.result).toMatchObject({
      isError: true,
      structuredContent: { error: expect.stringMatching(told) },
    });
    expect(answers[1]?.error).toMatchObject({ code: -32603, message: expect.stringMatching(told) });
  });

  test("retries a lost call once if it only reads, and otherwise reports an unknown outcome", async () => {
    let asked = 0;
    const at = await daemonThat((_, response) => {
      asked += 1;
      response.socket?.destroy();
    });
    const written = await shim([call("memory_save")], { at });
    expect([asked, written.answers[0]?.result]).toMatchObject([
      1,
      {
        isError: true,
        structuredContent: { error: expect.stringMatching(/unknown whether this was carried out/u) },
      },
    ]);
    const read = await shim([call("memory_recall")], { at });
    expect([asked, read.answers[0]?.result?.isError]).toEqual([3, true]);
    let isSecond = false;
    const recovering = await daemonThat((given, response) => {
      if (isSecond) return echo(given, response);
      isSecond = true;
      response.socket?.destroy();
    });
    const recovered = await shim([call("memory_recall")], { at: recovering });
    expect(recovered.answers[0]?.result).toMatchObject({ method: "tools/call" });
  });

  test("gives up a call after the timeout, and reports an unknown outcome unless it only reads", async () => {
    let asked = 0;
    const at = await daemonThat(() => {
      asked += 1;
    });
    // Long enough for the call to arrive.
    const { answers } = await shim([call("memory_save")], { at, timeoutMs: 500 });
    const late = answers[0]?.result?.structuredContent?.error;
    expect(late).toMatch(/no answer within 500 ms \(MEMSVC_MCP_TIMEOUT_MS\), so it is unknown/u);
    const read = await shim([call("memory_recall")], { at, timeoutMs: 500 });
    expect(read.answers[0]?.result?.structuredContent?.error).toMatch(/no answer within 500 ms[^,]*$/u);
    expect(asked).toBe(2);
  });

  test("answers no cancelled request, but a later one with the same id", async () => {
    const at = await daemonThat(echo);
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
    expect((await shim([call("memory_save", 7), cancelled], { at })).answers).toEqual([]);
    expect((await shim([cancelled, request(7, "ping")], { at })).answers).toMatchObject([{ id: 7 }]);
  });

  test("answers no cancelled request whose id is beyond 2^53", async () => {
    const at = await daemonThat(echo);
    const [called, cancelled] = [
      JSON.stringify(call("memory_save", 7)),
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}',
    ].map((text) => text.replace(/:7\b/u, ":1764386400123456789"));
    expect((await shim(`${called}\n${cancelled}\n`, { at })).answers).toEqual([]);
  });

  test("gives an answer without an id the id that the client waits for", async () => {
    const unread = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"nested too deep"}}';
    const at = await daemonThat((_, response) => response.writeHead(400).end(unread));
    expect((await shim([call("memory_save", 9)], { at })).answers).toMatchObject([
      { id: 9, error: { code: -32700 } },
    ]);
  });

  test("carries out the messages of a batch in order", async () => {
    let running = 0;
    const at = await daemonThat(async (asked, response) => {
      running += 1;
      const { id } = await bodyOf(asked);
      await new Promise((resolve) => setTimeout(resolve, 5));
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { running } }));
      running -= 1;
    });
    const greeting = JSON.stringify(request(1, "initialize", { protocolVersion: "2025-03-26" }));
    const several = JSON.stringify([call("memory_save", 2), call("memory_save", 3), call("memory_save", 4)]);
    const { answers } = await shim(`${greeting}\n${several}\n`, { at });
    expect(answers[1]).toMatchObject([2, 3, 4].map((id) => ({ id, result: { running: 1 } })));
  });
});

describe("without a daemon the shim", () => {
  test("answers lists itself, and calls with an error that says how to start a daemon", async () => {
    const at = await nowhere();
    const { answers } = await shim(
      [
        request(1, "initialize", { protocolVersion: "2024-11-05" }),
        request(2, "ping"),
        request(3, "tools/list"),
        request(4, "prompts/list"),
        request(5, "resources/list"),
        request(6, "resources/templates/list"),
        call("memory_recall", 7),
        request(8, "resources/read", { uri: "memsvc://status" }),
        request(9, "logging/setLevel"),
      ],
      { at, startCommand: "memsvc serve --port 4711" },
    );
    const result = (id: number) => answers.find((answer) => answer.id === id)?.result;
    expect(result(1)).toMatchObject({ protocolVersion: "2024-11-05" });
    expect(result(2)).toEqual({});
    expect(result(3)?.tools).toHaveLength(8);
    expect(result(4)?.prompts).toHaveLength(3);
    expect(result(5)?.resources).toHaveLength(6);
    expect(result(6)?.resourceTemplates).toHaveLength(3);
    const { isError, structuredContent } = result(7) ?? {};
    expect(isError).toBe(true);
    for (const part of [at, "ECONNREFUSED", "memsvc serve --port 4711"])
      expect(structuredContent?.error).toContain(part);
    expect(answers.find(({ id }) => id === 8)?.error).toMatchObject({
      code: -32603,
      message: expect.stringMatching(/memsvc serve/u),
    });
    expect(answers.find(({ id }) => id === 9)?.error).toMatchObject({ code: -32601 });
  });

  test("answers a request that carries its version in that version", async () => {
    const at = await nowhere();
    const { answers } = await shim(
      [
        request(1, "tools/list", stateless),
        request(2, "tools/call", { name: "memory_recall", ...stateless }),
      ],
      { at },
    );
    const result = (id: number) => answers.find((answer) => answer.id === id)?.result;
    expect(result(1)).toMatchObject({ resultType: "complete", ttlMs: 300_000 });
    expect(result(1)?.tools).toHaveLength(8);
    expect(result(2)).toMatchObject({ isError: true, resultType: "complete" });
  });

  test("starts one when an agent asks for versions", async () => {
    let started = 0;
    const start = async () => {
      started += 1;
    };
    const { answers } = await shim([request(1, "server/discover", stateless)], {
      at: await nowhere(),
      start,
    });
    expect(answers).toMatchObject([{ id: 1, result: { capabilities: { tools: {} } } }]);
    await expect.poll(() => started).toBe(1);
  });

  test("starts one daemon for concurrent calls", async () => {
    let at = await nowhere();
    let started = 0;
    const start = async () => {
      started += 1;
      at = await daemonThat(echo);
    };
    const { answers } = await shim(
      [call("memory_save", 1), call("memory_save", 2), request(3, "tools/list")],
      {
        at,
        url: () => at,
        start,
      },
    );
    expect([started, answers.filter(({ result }) => result?.method !== undefined)]).toMatchObject([
      1,
      [{}, {}, {}],
    ]);
  });

  test("waits for one that is just starting, and starts none itself", async () => {
    let at = await nowhere();
    const arrival = async () => {
      at = await daemonThat(echo);
    };
    const start = () => Promise.reject(new Error("started one"));
    const { answers } = await shim([call("memory_save")], { at, url: () => at, arrival, start });
    expect(answers).toMatchObject([{ result: { method: "tools/call" } }]);
  });

  test("sends nothing to a server that does not say that it is alive", async () => {
    const asked: unknown[] = [];
    for (const status of [302, 404, 503]) {
      const server = await openPeerServer(({ url }, response) => {
        asked.push(url);
        response.writeHead(status).end("{}");
      });
      servers.push(server);
      const { answers } = await shim([call("memory_save")], { at: server.url });
      expect(answers[0]?.result?.structuredContent?.error).toContain(`/livez is answered ${status}`);
    }
    expect(asked).toEqual(["/livez", "/livez", "/livez"]);
  });

  test("starts another one when the daemon has gone, and sends it the calls that did not arrive", async () => {
    let at = await daemonThat(echo);
    const input = async function* (output: () => string) {
      yield* inOnePiece([call("memory_save", 1)]);
      await expect.poll(output).toContain('"id":1');
      await servers.pop()?.close();
      yield* inOnePiece([call("memory_save", 2)]);
    };
    const start = async () => {
      at = await daemonThat(echo);
    };
    const { answers } = await shim(input, { at, url: () => at, start });
    expect(answers).toMatchObject([
      { id: 1, result: { method: "tools/call" } },
      { id: 2, result: { method: "tools/call" } },
    ]);
  });

  test("sends nothing to another server in the place of a daemon that has gone", async () => {
    let asked = 0;
    const own = await daemonThat(echo);
    const another = await daemonThat((given, response) => {
      asked += 1;
      return echo(given, response);
    });
    let runs = true;
    const input = async function* (output: () => string) {
      yield* inOnePiece([call("memory_save", 1)]);
      await expect.poll(output).toContain('"id":1');
      runs = false;
      yield* inOnePiece([call("memory_save", 2)]);
    };
    const { answers } = await shim(input, {
      at: own,
      url: () => (runs ? own : another),
      absence: () => (runs ? undefined : "none works on that home"),
    });
    expect([asked, answers[1]?.result]).toMatchObject([
      0,
      { isError: true, structuredContent: { error: expect.stringContaining("none works on that home") } },
    ]);
  });

  test("does not carry out a call that was cancelled while the daemon started", async () => {
    let at = await nowhere();
    let asked = 0;
    let isStarting = false;
    const input = async function* () {
      yield* inOnePiece([call("memory_forget", 7)]);
      await expect.poll(() => isStarting).toBe(true);
      yield* inOnePiece([
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } },
        call("memory_save", 8),
      ]);
    };
    const start = async () => {
      isStarting = true;
      await new Promise((resolve) => setTimeout(resolve, 50));
      at = await daemonThat((given, response) => {
        asked += 1;
        return echo(given, response);
      });
    };
    const { answers } = await shim(input, { at, url: () => at, start });
    expect([asked, answers]).toMatchObject([1, [{ id: 8, result: { params: { name: "memory_save" } } }]]);
  });

  test("reports to each call why the daemon did not start, and tries again with the next", async () => {
    const at = await nowhere();
    let tries = 0;
    const start = async () => {
      tries += 1;
      const hint = "choose another with MEMSVC_PORT";
      throw new MemsvcError("port_taken", "the daemon did not start: port 3111 is taken", { hint });
    };
    const { answers } = await shim([call("memory_save")], { at, start });
    expect(answers[0]?.result?.structuredContent?.error).toMatch(
      /port 3111 is taken; choose another.*memsvc serve/u,
    );
    await shim([call("memory_save")], { at, start });
    expect(tries).toBe(2);
  });

  test("sends nothing when the secret would cross a network unencrypted", async () => {
    let asked = 0;
    const at = await daemonThat(() => {
      asked += 1;
    });
    const { answers } = await shim([call("memory_save")], { at, forbidden: "the secret is not sent" });
    expect([asked, answers[0]?.result?.structuredContent?.error]).toEqual([0, "the secret is not sent"]);
  });
});

describe("messages over stdio", () => {
  const asHeaders = (message: object) => frameMessage({ framing: "headers", text: JSON.stringify(message) });

  test("are answered in their own framing, by Content-Length or by line", async () => {
    const at = await nowhere();
    const given = `${asHeaders({ ...request(1, "ping"), note: "äöü" })}${JSON.stringify(request(2, "ping"))}\n\n`;
    const { output } = await shim(given, { at });
    const first = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect(output).toContain(`Content-Length: ${first.length}\r\n\r\n${first}`);
    expect(output).toMatch(/(?:^|\})\{"jsonrpc":"2.0","id":2,"result":\{\}\}\n/u);
  });

  test("are read whole in any chunks, in both framings and with other headers", () => {
    const texts = ["{}", JSON.stringify({ text: "ä🧠\n" }), "[1,2]", '{"a":1}'];
    const before = ["", "", "", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"];
    const bytes = Buffer.from(
      texts
        .map((text, at) => before[at] + frameMessage({ framing: at % 2 === 1 ? "headers" : "lines", text }))
        .join("\n"),
    );
    for (const size of [1, 2, 3, 7, 1_000]) {
      const reader = new MessageReader();
      const found = [];
      for (let from = 0; from < bytes.length; from += size)
        found.push(...reader.take(bytes.subarray(from, from + size)));
      expect([...found, ...reader.end()].map(({ text }) => text)).toEqual(texts);
    }
  });

  test.each(["lines", "headers"] as const)("in %s may begin with a byte order mark", async (framing) => {
    const at = await daemonThat(echo);
    const message = frameMessage({ framing, text: JSON.stringify(request(1, "ping")) });
    const answer = frameMessage({ framing, text: JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} }) });
    for (const text of [message, message.trimEnd()])
      expect((await shim(`\uFEFF${text}`, { at })).output).toBe(answer);
  });

  test("that are unreadable are answered with an error, and later ones are still read", async () => {
    const at = await daemonThat(echo);
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const unreadable = `Content-Length: many\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"x","params":${deep}}\n`;
    const { answers } = await shim(`${unreadable}${JSON.stringify(request(2, "ping"))}`, { at });
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    expect(byId.get(null)?.error?.code).toBe(-32700);
    if (canBePassedOn(deep)) expect(byId.get(1)?.result?.method).toBe("x");
    else expect(byId.get(1)?.error?.code).toBe(-32603);
    expect(byId.get(2)?.result).toEqual({});
  });

  test("that are invalid, or a batch in the wrong version, are answered with the error code", async () => {
    const at = await nowhere();
    const { answers } = await shim(`{"half\n7\n[${JSON.stringify(request(1, "ping"))}]\n`, { at });
    const nothing = { jsonrpc: "2.0", id: 1, method: "ping", params: null };
    expect((await shim([nothing], { at })).answers).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
    expect(answers.map(({ error }) => error?.code)).toEqual([-32700, -32600, -32600]);
    const greeting = JSON.stringify(request(1, "initialize", { protocolVersion: "2025-03-26" }));
    const several = JSON.stringify([request(2, "ping"), request(3, "ping"), { jsonrpc: "2.0", method: "x" }]);
    const spoken = await shim(`${greeting}\n${several}`, { at });
    expect(spoken.answers[1]).toEqual([
      { jsonrpc: "2.0", id: 2, result: {} },
      { jsonrpc: "2.0", id: 3, result: {} },
    ]);
  });
});

/** Newer runtimes write JSON of any depth. */
function canBePassedOn(json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(json)) === json;
  } catch {
    return false;
  }
}
