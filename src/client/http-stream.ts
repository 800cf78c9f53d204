import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { ByteStream } from "../operation/define.ts";
import { MemsvcError } from "../operation/errors.ts";
import {
  answered,
  type CallerIdentity,
  type Connection,
  noDaemonAt,
  notOfMemsvc,
  type Sendable,
  type WireAnswer,
  type WireRequest,
  wireRequest,
} from "./http-call.ts";
import { readResponse } from "./read-response.ts";

type StreamConnection = Pick<Connection, "url" | "secret">;

/** Sends a JSON text as a stream and returns the daemon's answer. There is no time limit. */
export async function sendBody(
  connection: StreamConnection,
  operation: Sendable,
  body: ByteStream,
  caller: CallerIdentity,
): Promise<Record<string, unknown>> {
  const wire = wireRequest(connection, operation, {}, caller);
  const sent = await open(connection, wire);
  const answer = answerTo(sent);
  try {
    await Promise.race([write(sent, body), answer]);
  } catch (error) {
    // Destroyed instead of ended, because the daemon must not take half a body for a whole one.
    answer.catch(() => undefined);
    sent.destroy();
    throw error;
  }
  return answered(operation, await whole(await answer), wire.url);
}

/** The text of an answer as a stream. Throws if the connection ends before the answer does. */
export async function receiveText(
  connection: StreamConnection,
  operation: Sendable,
  input: unknown,
  caller: CallerIdentity,
): Promise<AsyncIterable<Uint8Array>> {
  const wire = wireRequest(connection, operation, input, caller);
  const sent = await open(connection, wire);
  sent.end();
  const response = await answerTo(sent);
  const status = response.statusCode ?? 0;
  if (status >= 400) answered(operation, await whole(response), wire.url);
  const begin = `{"${operation.bare?.field}":`;
  const text = unbroken(response);
  const head = await atLeast(begin.length, text);
  if (!head.toString().startsWith(begin)) {
    response.destroy();
    throw notOfMemsvc(wire.url, status);
  }
  return withHead(head, text);
}

/** At least that many bytes from the stream; fewer if it ends before. */
async function atLeast(bytes: number, text: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.byteLength < bytes) {
    const { value, done } = await text.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

async function* withHead(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* rest;
}

async function whole(response: IncomingMessage): Promise<WireAnswer> {
  try {
    return await readResponse(response);
  } catch (error) {
    throw brokenOff(error);
  }
}

async function* unbroken(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk;
  } catch (error) {
    throw new MemsvcError("unavailable", "the daemon's answer was cut off", {
      hint: "its log says why; the answer is incomplete",
      cause: error,
    });
  }
}

/**
 * Resolves when the connection is established, before anything was sent, so that an absent daemon has consumed nothing
 * of the body.
 */
async function open(
  { url: base }: StreamConnection,
  { method, url, headers }: WireRequest,
): Promise<ClientRequest> {
  const isSecure = url.startsWith("https:");
  const send = isSecure ? (await import("node:https")).request : request;
  const sent = send(url, { method, headers });
  await new Promise<void>((resolve, reject) => {
    sent.once("socket", (socket) => {
      if (socket.connecting) socket.once(isSecure ? "secureConnect" : "connect", () => resolve());
      // In a sandbox connecting fails at once, but the error event comes after this callback.
      else if (!socket.destroyed) resolve();
    });
    sent.once("error", (error) => reject(noDaemonAt(base, error)));
  });
  return sent;
}

function answerTo(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", (error) => reject(brokenOff(error)));
    // After a 101 (protocol change) neither a response nor an error follows.
    sent.once("close", () => reject(brokenOff()));
  });
}

function brokenOff(cause?: unknown): MemsvcError {
  return new MemsvcError("daemon_unreachable", "the daemon closed the connection", {
    hint: "its log says why",
    cause,
  });
}

async function write(sent: ClientRequest, body: ByteStream): Promise<void> {
  for await (const chunk of body) {
    // A daemon that has already answered with an error reads no more.
    if (sent.destroyed || sent.writableEnded) return;
    if (!sent.write(chunk)) await drained(sent);
  }
  sent.end();
}

function drained(sent: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const name of ["drain", "close", "error"]) sent.removeListener(name, done);
      resolve();
    };
    for (const name of ["drain", "close", "error"]) sent.once(name, done);
  });
}
