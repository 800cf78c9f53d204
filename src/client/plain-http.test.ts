import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener, request } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { answerReader } from "./answer-reader.ts";
import type { WireAnswer, WireRequest } from "./http-call.ts";
import { exchange } from "./plain-http.ts";

const servers: Server[] = [];
const chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

describe("one request over its own connection", () => {
  test.each([
    ["ann:50%25", "ann:50%"],
    ["ann:50%", "ann:50%"],
    ["%C3%A4nn:a%3Ab", "änn:a:b"],
    ["ann", "ann:"],
  ])("sends the user and the password of its address: %s", async (given, meant) => {
    const url = await httpServer((asked, answer) => answer.end(asked.headers.authorization));
    const wire: WireRequest = {
      method: "GET",
      url: url.replace("://", `://${given}@`),
      headers: {},
      body: undefined,
    };
    const { body } = await exchange(wire, 5_000);
    expect(body).toBe(`Basic ${Buffer.from(meant).toString("base64")}`);
  });

  test("arrives as node:http would send it", async () => {
    const url = await httpServer((asked, answer) => {
      const pieces: Buffer[] = [];
      asked.on("data", (piece: Buffer) => pieces.push(piece));
      asked.on("end", () => {
        const { method, url: path, headers } = asked;
        answer.end(JSON.stringify({ method, path, headers, body: Buffer.concat(pieces).toString("utf8") }));
      });
    });
    for (const [path, method, body] of [
      ["/memsvc/search?q=a%20b&x=%C3%A9", "GET", undefined],
      ["/memsvc/observe", "POST", '{"text":"naïve – ☃ 😀"}'],
      ["/ein pfad/ü", "DELETE", ""],
      ["/large", "PUT", "0123456789".repeat(100_000)],
    ] as const) {
      const headers = { "Content-Type": "application/json", Authorization: "Bearer s3cret\u00e4" };
      const wire: WireRequest = { method: method as WireRequest["method"], url: url + path, headers, body };
      const { status, body: answer } = await exchange(wire, 5_000);
      expect(status).toBe(200);
      expect(JSON.parse(answer)).toEqual(JSON.parse((await sentByNode(wire)).body));
    }
  });

  test("returns the answer, whatever its framing", async () => {
    const text = "ä☃".repeat(50_000);
    const url = await httpServer((asked, answer) => {
      if (asked.url === "/chunks") {
        answer.writeHead(201);
        answer.write(text.slice(0, 70_001));
        answer.end(text.slice(70_001));
      } else if (asked.url === "/empty") answer.writeHead(204).end();
      else if (asked.url === "/refused") answer.writeHead(413, { "Content-Length": 2 }).end("{}");
      else if (asked.url === "/hints") {
        answer.writeEarlyHints({ link: "</x>; rel=preload" });
        answer.end("late");
      }
    });
    expect(await exchange(get(`${url}/chunks`), 5_000)).toMatchObject({ status: 201, body: text });
    expect(await exchange(get(`${url}/empty`), 5_000)).toMatchObject({ status: 204, body: "" });
    expect(await exchange(get(`${url}/refused`), 5_000)).toMatchObject({ status: 413, body: "{}" });
    expect(await exchange(get(`${url}/hints`), 5_000)).toMatchObject({ status: 200, body: "late" });
    const open = await rawServer((socket) => socket.end("HTTP/1.0 200 OK\r\nServer: x\r\n\r\nuntil the end"));
    expect(await exchange(get(open), 5_000)).toEqual({
      status: 200,
      headers: { server: "x" },
      body: "until the end",
    });
  });

  test.each([
    ["nothing", "", "ended before"],
    ["half a head", "HTTP/1.1 200 OK\r\nContent-Le", "ended before"],
    ["half a body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "ended before"],
    ["half of its chunks", `${chunkedHead}4\r\nhalf\r\n`, "ended before"],
    ["a chunk without a size", `${chunkedHead}many\r\nhalf\r\n0\r\n\r\n`, "has no size"],
    ["a chunk that is too long", `${chunkedHead}2\r\nhalf\r\n0\r\n\r\n`, "longer than it says"],
    ["a chunk's size without end", chunkedHead + "0".repeat(100_000), "line of the answer is too long"],
    ["an invalid length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nhalf", "length is no number"],
    [
      "an unsupported encoding",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nhalf",
      "encoding is not known",
    ],
    ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n\r\n", "does not speak HTTP"],
    ["a change of protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "does not speak HTTP"],
    ["a header without a name", "HTTP/1.1 200 OK\r\n: x\r\n\r\n", "has no name"],
    ["a head without end", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}`, "head is too long"],
  ])("fails when a server sends %s and ends", async (_, sent, problem) => {
    const url = await rawServer((socket) => socket.end(sent));
    await expect(exchange(get(url), 5_000)).rejects.toThrow(problem);
  });

  test.each([204, 304])("does not wait for a body behind a status that has none (%i)", async (status) => {
    const url = await rawServer((socket) => socket.write(`HTTP/1.1 ${status} Nothing\r\n\r\n`));
    expect(await exchange(get(url), 5_000)).toEqual({ status, headers: {}, body: "" });
  });

  test("fails with the system's code if no server listens", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(exchange(get(`http://127.0.0.1:${port}/`), 5_000)).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });
  });

  test("fails if no answer comes in time", async () => {
    const url = await rawServer(() => undefined);
    await expect(exchange(get(url), 50)).rejects.toThrow("no answer within 50 ms");
  });

  test("fails if somebody closes the connection while it waits", async () => {
    const waiting = new Set<Socket>();
    const url = await rawServer(() => {
      for (const socket of waiting) socket.destroy();
    });
    await expect(exchange(get(url), 5_000, waiting)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(waiting.size).toBe(0);
  });

  test("rejects a header value with a line break", async () => {
    const url = await rawServer((socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
    const request = { ...get(url), headers: { Authorization: "Bearer x\r\nX-Other: y" } };
    await expect(async () => exchange(request, 5_000)).rejects.toThrow("Authorization");
  });

  test("uses the credentials of the address if no others are given", async () => {
    const url = await httpServer((asked, answer) => answer.end(asked.headers.authorization));
    const named = url.replace("//", "//ann:pass%20word@");
    expect((await exchange(get(named), 5_000)).body).toBe(`Basic ${btoa("ann:pass word")}`);
    const own = { ...get(named), headers: { Authorization: "Bearer x" } };
    expect((await exchange(own, 5_000)).body).toBe("Bearer x");
  });
});

test("an answer is read the same however its bytes are split", () => {
  const bodies = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), { maxLength: 6 });
  fc.assert(
    fc.property(bodies, fc.boolean(), fc.array(fc.nat(400), { maxLength: 8 }), (pieces, isChunked, cuts) => {
      const body = pieces.join("");
      const bytes = isChunked ? chunked(pieces) : sized(body);
      const headers = isChunked
        ? { "transfer-encoding": "Chunked" }
        : { "content-length": String(Buffer.byteLength(body)) };
      expect(readInPieces(bytes, cuts)).toEqual({ status: 200, headers, body });
    }),
  );
});

function readInPieces(bytes: Buffer, cuts: readonly number[]): WireAnswer | undefined {
  const reader = answerReader();
  const ends = [...new Set(cuts.map((cut) => cut % bytes.length)), bytes.length].sort((a, b) => a - b);
  let start = 0;
  let answer: WireAnswer | undefined;
  for (const end of ends) {
    expect(answer).toBeUndefined();
    answer = reader.take(bytes.subarray(start, end));
    start = end;
  }
  return answer;
}

function sized(text: string): Buffer {
  return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

function chunked(pieces: readonly string[]): Buffer {
  const chunks = pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)};x=y\r\n${piece}\r\n`);
  const head = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n";
  return Buffer.from(`${head}${chunks.join("")}0\r\nTrailer: x\r\n\r\n`);
}

function get(url: string): WireRequest {
  return { method: "GET", url, headers: {}, body: undefined };
}

function httpServer(answer: RequestListener): Promise<string> {
  return listening(createHttpServer(answer));
}

function rawServer(meet: (socket: Socket) => void): Promise<string> {
  return listening(
    createServer((socket) => {
      // Peers of these tests break off on purpose.
      socket.on("error", () => undefined);
      socket.once("data", () => meet(socket));
    }),
  );
}

async function listening(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function sentByNode({ method, url, headers, body }: WireRequest): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const sent = request(url, { method, headers: { ...headers, ...length }, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    sent.on("error", reject).end(body === undefined ? undefined : Buffer.from(body));
  });
}
