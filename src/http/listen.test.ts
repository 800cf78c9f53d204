import { Agent, createServer, get } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { whileCollecting } from "../../test/support/garbage.ts";
import { type Fetch, type Listener, listen } from "./listen.ts";

let listener: Listener | undefined;
afterEach(() => listener?.close(1_000));

/** Everything received until the server ends the connection, after the client has ended its own side. */
async function answerTo(request: string, fetch: Fetch): Promise<string> {
  listener = await listen(fetch, "127.0.0.1", 0, () => undefined);
  const socket = connect({ port: listener.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.end(request);
  return text(socket);
}

const late: Fetch = async () => {
  for (let turns = 0; turns < 20; turns += 1) await turn();
  return new Response("the answer");
};

test("a client that ends its side of the connection after the request gets the answer", async () => {
  const answer = await answerTo("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", late);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*the answer$/su);
});

test.each(["Host: 127.0.0.1:", "Host: localhost:99999", "Host: local host"])(
  "a request with an invalid Host (%s) is rejected with an explanation",
  async (host) => {
    const answer = await answerTo(`GET / HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`, late);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*\{"error":"the Host header[^"]*"\}$/su);
  },
);

test("a request without a Host is rejected with an explanation", async () => {
  const answer = await answerTo("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", late);
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*\{"error":"the Host header[^"]*"\}$/su);
});

test("an idle connection is kept for 75 s, longer than the pauses of most clients", async () => {
  const answer = await answerTo("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n", late);
  expect(answer).toMatch(/^Keep-Alive: timeout=75\r$/mu);
});

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === "::1"),
);

test.runIf(hasIpv6)(
  "the default host is served on the IPv6 loopback address too, at the same port",
  async () => {
    listener = await listen(late, "127.0.0.1", 0, () => undefined);
    const socket = connect({ port: listener.port, host: "::1" });
    socket.end("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
  },
);

test("the cookies of other programs on this machine do not make a request too long", async () => {
  const request = `GET / HTTP/1.1\r\nHost: localhost\r\nCookie: a=${"x".repeat(40_000)}\r\n\r\n`;
  expect(await answerTo(request, late)).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
});

test.each([
  ["with too long headers", `GET /?q=${"x".repeat(70_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
  ["in another protocol", "\u0016\u0003\u0001\u0002", 400],
  [
    "whose body has no form",
    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    400,
  ],
])("a request %s is rejected with an explanation", async (_, request, status) => {
  const answer = await answerTo(request, async (asked) => new Response(await asked.text()));
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\\{"error":"[^"]+"\\}$`, "su"));
});

test.each([
  ["within the headers", "GET / HTTP/1.1\r\nHost: local", /^HTTP\/1\.1 400 /u],
  ["before a request", "", /^$/u],
])("a connection that ends %s is closed at once", async (_, request, expected) => {
  expect(await answerTo(request, late)).toMatch(expected);
});

test.each([
  ["that nobody reads", async () => refused()],
  ["of which only the beginning is read", readsSome],
] as const)("a client that sends a body %s before it reads gets the answer", async (_, fetch) => {
  const length = 8_000_000;
  listener = await listen(fetch, "127.0.0.1", 0, () => undefined);
  const socket = connect({ port: listener.port, host: "127.0.0.1" });
  socket.pause();
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
  const sent = new Promise<Error | undefined>((resolve) => {
    socket.once("error", resolve);
    socket.write(head);
    socket.write(Buffer.alloc(length, " "), () => resolve(undefined));
  });
  expect(await sent).toBeUndefined();
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 .*refused$/su);
});

test("a partly read body leaves its connection to the next request", async () => {
  let asked = 0;
  listener = await listen(
    async (request) => {
      asked += 1;
      return readsSome(request);
    },
    "127.0.0.1",
    0,
    () => undefined,
  );
  const socket = connect({ port: listener.port, host: "127.0.0.1" });
  const body = Buffer.alloc(1_000_000, " ");
  socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (let n = 0; n < 8; n += 1) {
    socket.write(`${body.length.toString(16)}\r\n`);
    socket.write(body);
    socket.write("\r\n");
  }
  socket.write("0\r\n\r\n");
  socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1\r\n\r\n ");
  const answers = await text(socket);
  expect([asked, answers.match(/ 403 /gu)?.length]).toEqual([2, 2]);
});

test("a slow body that nobody reads leaves its connection to the next request", async () => {
  listener = await listen(
    async () => refused(),
    "127.0.0.1",
    0,
    () => undefined,
  );
  const socket = connect({ port: listener.port, host: "127.0.0.1" });
  const answers = text(socket);
  socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf");
  await new Promise((resolve) => setTimeout(resolve, 700));
  socket.write("other");
  socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1\r\n\r\n ");
  expect((await answers).match(/ 403 /gu)).toHaveLength(2);
});

test("a body shorter than announced gets its answer at once, and the connection ends", async () => {
  // With fake timers the server's wait for the rest of the body never ends, which would keep the connection open.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const head = "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 9\r\n\r\nhalf";
  listener = await listen(
    async () => refused(),
    "127.0.0.1",
    0,
    () => undefined,
  );
  const socket = connect({ port: listener.port, host: "127.0.0.1" });
  socket.write(head);
  const answer = await text(socket).finally(() => vi.useRealTimers());
  expect(answer).toContain(" 403 ");
});

async function readsSome(request: Request): Promise<Response> {
  for await (const _ of request.body ?? []) break;
  return refused();
}

function refused(): Response {
  return new Response("refused", { status: 403 });
}

test("a body that ends too early is never read as complete", async () => {
  let read: string | undefined;
  const answer = await answerTo(
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf",
    async (request) => {
      read = await request.text();
      return new Response(read);
    },
  );
  expect([answer.includes(" 200 "), read]).toEqual([false, undefined]);
});

test("a request that runs during close is answered with Connection: close", async () => {
  listener = await listen(late, "127.0.0.1", 0, () => undefined);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await connectionHeader(agent, listener.port)).toBe("keep-alive");
  const running = connectionHeader(agent, listener.port);
  await turn();
  const closed = listener.close(1_000);
  expect(await running).toBe("close");
  await closed;
  agent.destroy();
});

test("clients that connected before close are answered, even if each takes seconds", async () => {
  listener = await listen(late, "127.0.0.1", 0, () => undefined);
  const { port } = listener;
  let now = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => {
    now += 5_000;
    return now;
  });
  const answers = Array.from({ length: 5 }, () => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return text(socket);
  });
  // They connect in the next tick, but the server accepts them in a later turn: only the system knows of them yet.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const closed = listener.close(10_000);
  try {
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /u);
    await closed;
  } finally {
    clock.mockRestore();
  }
});

/** What an answer says of its connection. */
function connectionHeader(agent: Agent, port: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    get({ agent, port, host: "127.0.0.1" }, (response) => {
      response.resume().on("end", () => resolve(response.headers.connection));
    }).on("error", reject);
  });
}

test("a port held by a slow memsvc is reported as taken by a memsvc", async () => {
  const holder = createServer((_request, response) => {
    setTimeout(() => response.end('{"service":"memsvc","viewerPort":null}'), 1_500);
  });
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const { port } = holder.address() as AddressInfo;
  try {
    const attempt = listen(late, "127.0.0.1", port, () => undefined);
    await expect(attempt).rejects.toMatchObject({
      message: expect.stringContaining("taken by the memsvc daemon of another home"),
    });
  } finally {
    holder.close();
    holder.closeAllConnections();
  }
});

test("a port held by a memsvc is reported as such even if a proxy answers what is fetched", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("bad gateway", { status: 502 })));
  const holder = createServer((_request, response) => response.end('{"service":"memsvc","viewerPort":null}'));
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const { port } = holder.address() as AddressInfo;
  try {
    await expect(listen(late, "127.0.0.1", port, () => undefined)).rejects.toMatchObject({
      message: expect.stringContaining("taken by the memsvc daemon of another home"),
    });
  } finally {
    vi.unstubAllGlobals();
    holder.close();
    holder.closeAllConnections();
  }
});

test("a port whose holder trickles its answer is reported as taken, even during collections", async () => {
  const holder = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const { port } = holder.address() as AddressInfo;
  try {
    const asked = () =>
      listen(
        () => new Response(),
        "127.0.0.1",
        port,
        () => {},
      );
    await expect(whileCollecting(asked)).rejects.toMatchObject({ code: "port_taken" });
  } finally {
    holder.close();
    holder.closeAllConnections();
  }
});

test("an unknown host to listen on is reported with a hint", async () => {
  const attempt = listen(late, "nobody.invalid", 0, () => undefined);
  await expect(attempt).rejects.toMatchObject({
    message: expect.stringMatching(/^cannot listen on nobody\.invalid:0 \(E\w+\)$/u),
    hint: "choose another address with --host and --port",
  });
});
