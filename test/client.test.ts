import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { connect, type MemsvcClient, MemsvcError } from "../src/client/client.ts";
import type { Transport } from "../src/client/http-call.ts";
import { httpApp } from "../src/http/app.ts";
import { catalogue } from "../src/operation/catalogue.ts";
import { openTestCore } from "./support/core.ts";
import { forAllTests } from "./support/for-each-test.ts";

const store = forAllTests(openTestCore);
let client: MemsvcClient;

beforeAll(async () => {
  const app = httpApp({ core: store.core, ports: () => ({ api: 3111, viewer: null }) });
  const transport: Transport = async ({ method, url, headers, body }) => {
    const init = {
      method,
      headers: { ...headers, host: "localhost:3111" },
      ...(body === undefined ? {} : { body }),
    };
    const response = await app.request(url, init);
    return { status: response.status, body: await response.text() };
  };
  client = connect({ url: "http://localhost:3111/memsvc/", transport });
});

test("the client has a method for every operation with a route", () => {
  const methods = Object.entries(client).flatMap(([family, members]) =>
    Object.keys(members).map((name) => `${family}.${name}`),
  );
  const ids = catalogue.filter(({ http }) => http !== undefined).map(({ id }) => id);
  expect(new Set(methods), "each operation is a method in src/client/client.ts").toEqual(new Set(ids));
});

test("the client sends bodies, queries and path fields in the right places", async () => {
  const { memoryId } = await client.memories.remember({
    content: "Retries use full jitter",
    project: "shop",
  });
  expect((await client.memories.get({ id: memoryId })).memory.content).toBe("Retries use full jitter");
  expect(await client.memories.list({ count: true, project: "shop" })).toEqual({ total: 1, latestCount: 1 });
  expect((await client.search.smart({ query: "jitter" })).results[0]?.obsId).toBe(memoryId);
  expect((await client.health.livez({})).status).toBe("ok");
});

test("the client passes MCP messages on: a notification has no answer, a fault is an answer", async () => {
  const message = { jsonrpc: "2.0", method: "notifications/initialized" };
  expect(await client.mcp.message(message)).toEqual({});
  expect(await client.mcp.message({ jsonrpc: "2.0", id: 7, method: "ping" })).toMatchObject({ id: 7 });
  expect(await client.mcp.message({ nonsense: true })).toMatchObject({
    error: { code: -32_600, message: expect.any(String) },
  });
});

test.each(["", ".", ".."])("the client refuses the id %j, which would change the path", async (id) => {
  await expect(client.memories.get({ id })).rejects.toMatchObject({
    code: "invalid_input",
    issues: [{ path: "id" }],
  });
});

test("the client sends a lone surrogate in an id as U+FFFD, as the daemon reads it", async () => {
  await expect(client.memories.get({ id: "mem_\ud83d" })).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining("mem_\ufffd"),
  });
});

test("the client throws the daemon's error with code, issues and extra fields", async () => {
  await expect(client.memories.get({ id: "mem_none" })).rejects.toMatchObject({ code: "not_found" });
  const refused = client.memories.remember({ content: " " });
  await expect(refused).rejects.toBeInstanceOf(MemsvcError);
  await expect(refused).rejects.toMatchObject({ code: "invalid_input", issues: [{ path: "content" }] });
  const forgotten = client.memories.forget({ memoryId: "mem_none" });
  await expect(forgotten).rejects.toMatchObject({ extra: { notFound: ["mem_none"] } });
});

test("the client reports that no daemon answers, and where it looked", async () => {
  const nobody = connect({ url: "http://127.0.0.1:9/memsvc" });
  await expect(nobody.health.livez({})).rejects.toMatchObject({
    code: "daemon_unreachable",
    message: expect.stringContaining("127.0.0.1:9"),
  });
});

test.each([
  ["url", { url: "localhost:3111/memsvc" }],
  ["url", { url: "/memsvc" }],
  ["url", { url: "http://ann:pw@127.0.0.1:3111/memsvc" }],
  ["secret", { secret: "пароль" }],
  ["secret", { secret: "one\ntwo" }],
])("the client refuses an invalid %s: %j", (path, options) => {
  expect(() => connect(options)).toThrow(
    expect.objectContaining({ code: "invalid_input", issues: [expect.objectContaining({ path })] }),
  );
  expect(connect({ secret: "of-a-file\n" })).toHaveProperty("memories");
});

/** A server that does this with every connection once it was asked something. */
function serverThat(act: (socket: Socket) => void) {
  // The client may reset the connection that it gives up.
  const server = createServer((socket) =>
    socket.on("error", () => undefined).once("data", () => act(socket)),
  );
  return server.listen(0, "127.0.0.1");
}

test.each<[string, (socket: Socket) => void]>([
  ["closed before the answer", (socket) => socket.destroy()],
  ["reset before the answer", (socket) => socket.resetAndDestroy()],
  ["closed within the answer", (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"succ')],
])("on a connection %s the client reports that the outcome of the request is unknown", async (_, end) => {
  const server = serverThat(end);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const asked = connect({ url: `http://127.0.0.1:${port}/memsvc` }).memories.remember({ content: "x" });
    await expect(asked).rejects.toMatchObject({
      code: "daemon_unreachable",
      message: expect.stringContaining("was asked and gave no answer"),
      hint: expect.stringContaining("look before you repeat it"),
    });
  } finally {
    server.close();
  }
});

test.each<[string, (socket: Socket) => void]>([
  ["gives no answer", () => {}],
  [
    "hangs within its answer",
    (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"succ'),
  ],
])("a signal ends the wait for a daemon that %s, and its reason is thrown", async (_, answer) => {
  const server = serverThat(answer);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { memories } = connect({ url: `http://127.0.0.1:${port}/memsvc` });
  try {
    const inTime = memories.list({}, { signal: AbortSignal.timeout(50) });
    await expect(inTime).rejects.toMatchObject({ name: "TimeoutError" });
    const stop = new AbortController();
    const stopped = memories.list({}, { signal: stop.signal });
    stop.abort(new Error("the editor closed"));
    await expect(stopped).rejects.toThrow("the editor closed");
  } finally {
    server.close();
  }
});

test("a request whose signal is already aborted is not sent", async () => {
  const signal = AbortSignal.abort(new Error("too late"));
  const ended = client.memories.remember({ content: "never sent", project: "unsent" }, { signal });
  await expect(ended).rejects.toThrow("too late");
  expect(await client.memories.list({ count: true, project: "unsent" })).toMatchObject({ total: 0 });
});
