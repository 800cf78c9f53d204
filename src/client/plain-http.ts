import { connect, type Socket } from "node:net";
import { withoutBrackets } from "../net/host-brackets.ts";
import { percentDecoded } from "../text/percent-decoded.ts";
import { answerReader } from "./answer-reader.ts";
import type { WireAnswer, WireRequest } from "./http-call.ts";
import { connectionResetError, timeoutError } from "./request-errors.ts";

/** The characters that node:http allows, so that no value can begin another header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/u;

/**
 * Bytes that the operating system usually accepts at once. A server that refuses a longer body may close a connection
 * before all of it is sent, and the answer would be lost; with `keep-alive` it reads the rest.
 */
const usuallyBuffered = 1_048_576;

/**
 * Sends one request to an `http:` address over a connection of its own. Takes half the time of node:http, whose loading
 * is most of a command's cost. Throws if no complete answer comes, or after `idleTimeoutMs` without data, or if
 * somebody destroys the socket, which is in `waiting` meanwhile.
 */
export function exchange(
  request: WireRequest,
  idleTimeoutMs: number,
  waiting?: Set<Socket>,
): Promise<WireAnswer> {
  const url = new URL(request.url);
  const sent = wireText(url, request);
  const reader = answerReader();
  return new Promise((resolve, reject) => {
    const socket = connect({ host: withoutBrackets(url.hostname), port: Number(url.port || 80) });
    waiting?.add(socket);
    socket.once("close", () => {
      waiting?.delete(socket);
      // A socket that is destroyed without a reason emits nothing else.
      reject(connectionResetError());
    });
    const settle = (read: () => WireAnswer | undefined): void => {
      try {
        const answer = read();
        if (answer === undefined) return;
        resolve(answer);
      } catch (error) {
        reject(error);
      }
      socket.destroy();
    };
    socket.setTimeout(idleTimeoutMs, () => socket.destroy(timeoutError(idleTimeoutMs)));
    socket.on("error", reject);
    socket.on("data", (bytes) => settle(() => reader.take(bytes)));
    socket.on("end", () => settle(() => reader.end()));
    socket.write(sent);
  });
}

function wireText(url: URL, { method, headers, body }: WireRequest): Buffer {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const all = {
    Host: url.host,
    Connection: (bytes?.byteLength ?? 0) > usuallyBuffered ? "keep-alive" : "close",
    ...credentialsOf(url),
    ...headers,
    ...(bytes === undefined ? {} : { "Content-Length": String(bytes.byteLength) }),
  };
  const lines = Object.entries(all).map(([name, value]) => {
    if (!headerValue.test(value))
      throw new TypeError(`the header ${name} holds a character that no header may hold`);
    return `${name}: ${value}\r\n`;
  });
  const head = Buffer.from(
    `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`,
    "latin1",
  );
  return bytes === undefined ? head : Buffer.concat([head, bytes]);
}

function credentialsOf({ username, password }: URL): { Authorization?: string } {
  if (username === "" && password === "") return {};
  const [user, secret] = [username, password].map((part) => percentDecoded(part) ?? part);
  const pair = `${user}:${secret}`;
  return { Authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}
