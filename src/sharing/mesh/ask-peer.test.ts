import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openPeerServer } from "../../../test/support/peer-server.ts";
import { PeerAddresses } from "./addresses.ts";
import { askPeer, type PeerCall } from "./ask-peer.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function peer(answer: Parameters<typeof openPeerServer>[0]): Promise<string> {
  const { url, close } = await openPeerServer(answer);
  closing.push(close);
  return url;
}

async function asked(url: string, more: Partial<PeerCall> = {}): Promise<string> {
  const call = { url, method: "GET", secret: "s", mostBytes: 1_000, timeoutMs: 10_000, ...more } as const;
  return askPeer(new PeerAddresses(["127.0.0.1"]), call, async (answer) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  });
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield new Uint8Array(65_536);
}

test.each<readonly [string, (request: IncomingMessage, response: ServerResponse) => void, Partial<PeerCall>]>(
  [
    ["never answers", () => undefined, {}],
    [
      "answers a byte now and then",
      (_request, response) => {
        const drip = setInterval(() => response.write(" "), 5);
        response.on("close", () => clearInterval(drip));
      },
      {},
    ],
    ["answers an error that never ends", (_request, response) => response.writeHead(500).write("{"), {}],
    ["does not read what it is sent", () => undefined, { method: "POST", body: endless() }],
  ],
)("a peer that %s is given up at its timeout", async (_name, answer, more) => {
  await expect(asked(await peer(answer), { timeoutMs: 150, ...more })).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/^the peer (took more than 0\.15 s|answered 500)$/u),
  });
});

test("a private address is not connected to, whether the URL holds it or its host's name resolves to it", async () => {
  let requests = 0;
  const url = await peer((_request, response) => {
    requests += 1;
    response.end("{}");
  });
  const addresses = new PeerAddresses([], (_name, done) => done(null, [{ address: "127.0.0.1", family: 4 }]));
  for (const address of [url, url.replace("127.0.0.1", "peer.example.org")]) {
    const call = { url: address, method: "GET", secret: "s", mostBytes: 10, timeoutMs: 10_000 } as const;
    await expect(askPeer(addresses, call, async () => "read")).rejects.toMatchObject({ code: "forbidden" });
  }
  expect(requests).toBe(0);
});

test("a name that is never resolved is given up at its timeout", async () => {
  const call = {
    url: "http://peer.example.org",
    method: "GET",
    secret: "s",
    mostBytes: 10,
    timeoutMs: 50,
  } as const;
  const silent = new PeerAddresses([], () => undefined);
  await expect(askPeer(silent, call, async () => undefined)).rejects.toThrow(
    "the peer took more than 0.05 s",
  );
});

test("an error of the reader is not attributed to the peer", async () => {
  const url = await peer((_request, response) => response.end("{}"));
  const call = { url, method: "GET", secret: "s", mostBytes: 10, timeoutMs: 10_000 } as const;
  const failing = askPeer(new PeerAddresses(["127.0.0.1"]), call, async () => {
    throw Object.assign(new Error("the disk is full"), { code: "SQLITE_FULL" });
  });
  await expect(failing).rejects.toThrow("the disk is full");
});

test.each([
  ["HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", "the peer answered 101"],
  ["SSH-2.0-OpenSSH\r\n", "the peer does not answer in HTTP (HPE_INVALID_CONSTANT)"],
  ["HTTP/1.1 204 No Content\r\n\r\n", "the peer answered 204"],
])("an invalid answer is reported at once: %j", async (text, message) => {
  const server = createSocketServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(text));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  // A server that listens on TCP has an AddressInfo; only pipes have a string.
  const { port } = server.address() as AddressInfo;
  await expect(asked(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: "unavailable", message });
});

test.each<readonly [string, string, string | undefined]>([
  ["another type", "text/html; charset=utf-8", "text/html, so no memsvc runs at its address"],
  ["its type in full", "Application/JSON; charset=utf-8", undefined],
  ["no type", "", undefined],
])("an answer of %s is judged by its content type", async (_name, type, refusal) => {
  const url = await peer((_request, response) => {
    if (type !== "") response.setHeader("content-type", type);
    response.end("{}");
  });
  if (refusal === undefined) expect(await asked(url)).toBe("{}");
  else await expect(asked(url)).rejects.toThrow(refusal);
});

test("a peer's error is shown on one line and without secrets", async () => {
  const error = `no\n${`ghp_${"a1B2".repeat(9)}`}\u0000 ${"x".repeat(300)}`;
  const url = await peer((_request, response) => response.writeHead(403).end(JSON.stringify({ error })));
  const told = await asked(url).catch((reason: Error) => reason.message);
  expect(told).toMatch(/^the peer answered 403: no \[REDACTED_SECRET\] x+$/u);
  expect(told.length).toBeLessThan(230);
});
