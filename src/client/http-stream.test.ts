import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { receiveText, sendBody } from "./http-stream.ts";
import { wasNeverSent } from "./request-errors.ts";

const operation = { id: "anything", http: { method: "POST", path: "/anything" } } as const;
const cli = { source: "cli", agentId: "builder", cwd: "/work" };
const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";

let server: Server | undefined;

afterEach(() => {
  server?.close();
});

async function listening(answer: (socket: Socket) => void) {
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, secret: undefined };
}

async function* body() {
  yield Buffer.from("{}");
}

const misbehaving: [string, (socket: Socket) => void][] = [
  ["hangs up", (socket) => socket.end()],
  ["resets the connection", (socket) => socket.resetAndDestroy()],
  ["ends in the middle of its answer", (socket) => socket.end(`${head}{"imported":`)],
  [
    "resets in the middle of its answer",
    (socket) => socket.write(`${head}{`, () => socket.resetAndDestroy()),
  ],
  [
    "changes the protocol",
    (socket) =>
      socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
  ],
  ["speaks no HTTP", (socket) => socket.end("220 mail\r\n")],
];

test.each(misbehaving)("sending a body to a server that %s fails", async (_, answer) => {
  const sent = sendBody(await listening(answer), operation, body(), cli);
  await expect(sent).rejects.toMatchObject({ code: "daemon_unreachable" });
});

async function received(connection: Parameters<typeof receiveText>[0]) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await receiveText(connection, operation, {}, cli)) chunks.push(chunk);
  return chunks;
}

test.each(misbehaving)("an answer from a server that %s is not taken for complete", async (_, answer) => {
  await expect(received(await listening(answer))).rejects.toMatchObject({
    code: expect.stringMatching(/^(daemon_unreachable|unavailable)$/u),
  });
});

test("a connection that the system refuses at once is known to have sent nothing", async () => {
  // The system refuses TCP connections to the broadcast address.
  const connection = { url: "http://255.255.255.255:9", secret: undefined };
  const refused = {
    code: "daemon_unreachable",
    message: expect.stringContaining("no memsvc daemon answers"),
    cause: expect.toSatisfy(wasNeverSent),
  };
  await expect(sendBody(connection, operation, body(), cli)).rejects.toMatchObject(refused);
  await expect(received(connection)).rejects.toMatchObject(refused);
});
