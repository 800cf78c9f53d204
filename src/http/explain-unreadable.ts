import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

interface Refusal {
  readonly status: string;
  readonly error: string;
}

const notHttp: Refusal = { status: "400 Bad Request", error: "what arrived is no HTTP request" };

/** By the code of node:http's error. */
const refusals: ReadonlyMap<string | undefined, Refusal> = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    {
      status: "431 Request Header Fields Too Large",
      error: "the address and headers of the request are too long; send long values in the body",
    },
  ],
  [
    "ERR_HTTP_REQUEST_TIMEOUT",
    { status: "408 Request Timeout", error: "the request did not arrive in time; send it at once" },
  ],
]);

/**
 * Answers what cannot be read as a request, which never gets to a handler. node:http would do so without words.
 */
export function explainUnreadable(server: Server): void {
  const begun = new WeakMap<Duplex, ServerResponse>();
  server.prependListener("request", ({ socket }, response) => begun.set(socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const answer = begun.get(socket);
    const isAnswering = answer?.headersSent === true && !answer.writableFinished;
    if (!socket.writable || isAnswering) return void socket.destroy(error);
    socket.end(answerText(refusals.get(error.code) ?? notHttp), () => socket.destroy());
  });
}

function answerText({ status, error }: Refusal): string {
  const body = JSON.stringify({ error });
  const headers = [
    "Content-Type: application/json; charset=utf-8",
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Connection: close",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `HTTP/1.1 ${status}\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
}
