import type { ClientRequest, IncomingMessage } from "node:http";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { isContainer } from "../../json/is-object.ts";
import type { ByteStream } from "../../operation/define.ts";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { plainLine } from "../plain-line.ts";
import type { PeerAddresses } from "./addresses.ts";

const longestErrorBytes = 16 * 1024;
const longestMessage = 200;
const jsonType = "application/json";

export interface PeerCall {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly secret: string;
  readonly body?: ByteStream;
  /** A longer answer is an error. */
  readonly mostBytes: number;
  /** How long the whole call may take, from connecting to the last byte of the answer. */
  readonly timeoutMs: number;
}

/**
 * Sends a request to a peer and passes the answer to `read` as it arrives; errors of `read` are passed on.
 * Redirects are not followed. Error: unavailable, with the reason.
 */
export async function askPeer<Result>(
  addresses: PeerAddresses,
  call: PeerCall,
  read: (answer: ByteStream) => Promise<Result>,
): Promise<Result> {
  const url = new URL(call.url);
  addresses.refuseLiteral(url.hostname);
  const signal = AbortSignal.timeout(call.timeoutMs);
  const reasonOf = (error: unknown) => reasonOfFailure(error, signal.aborted ? call.timeoutMs : undefined);
  const answer = await send(url, call, addresses, signal).catch((error: unknown) => {
    throw reasonOf(error);
  });
  try {
    await refuseOthers(answer);
    return await read(upTo(answer, call.mostBytes, reasonOf));
  } finally {
    answer.destroy();
  }
}

function send(
  url: URL,
  { method, secret, body }: PeerCall,
  addresses: PeerAddresses,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request: ClientRequest = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
      method,
      // A new connection for every call: the address check of one call does not hold for another.
      agent: false,
      lookup: addresses.lookup,
      signal,
      headers: {
        authorization: `Bearer ${secret}`,
        accept: jsonType,
        "accept-encoding": "identity",
        ...(body === undefined ? {} : { "content-type": jsonType }),
      },
    });
    request.on("response", resolve);
    request.on("error", reject);
    // A lookup that never ends, or a connection that was upgraded, emits no `error` event: the timeout
    // rejects.
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    request.on("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(unavailable("the peer answered 101"));
    });
    if (body === undefined) {
      request.end();
      return;
    }
    const source = Readable.from(body);
    source.on("error", (error) => request.destroy(error));
    // The peer has answered, so the rest of the body is not sent.
    request.on("close", () => source.destroy());
    source.pipe(request);
  });
}

async function refuseOthers(answer: IncomingMessage): Promise<void> {
  const status = answer.statusCode ?? 0;
  if (status >= 300 && status < 400)
    throw unavailable(`the peer redirects elsewhere (${status}), which is not followed`);
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw unavailable(`the peer answered with the encoding ${encoding}`);
  if (status !== 200) {
    const wayOut = status === 401 ? { hint: "both services need the same MEMSVC_SECRET" } : {};
    throw new MemsvcError("unavailable", `the peer answered ${status}${await messageOf(answer)}`, wayOut);
  }
  const type = answer.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? jsonType;
  if (type !== jsonType)
    throw unavailable(`the peer answered with ${type}, so no memsvc runs at its address`);
}

/** The message in the error body of a peer, on one line. */
async function messageOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  try {
    for await (const chunk of upTo(answer, longestErrorBytes)) text += Buffer.from(chunk).toString();
    const body: unknown = JSON.parse(text);
    const error = isContainer(body) ? body.error : undefined;
    if (typeof error !== "string") return "";
    return `: ${plainLine(redactText(error)).slice(0, longestMessage)}`;
  } catch {
    // The body is not the JSON of an error; the status alone is reported.
    return "";
  }
}

async function* upTo(
  answer: IncomingMessage,
  mostBytes: number,
  reasonOf: (error: unknown) => unknown = (error) => error,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes)
        throw unavailable(`the peer's answer is longer than ${mostBytes} bytes and was cut off`);
      yield chunk;
    }
  } catch (error) {
    throw reasonOf(error);
  }
  if (!answer.complete) throw unavailable("the peer's answer broke off");
}

function reasonOfFailure(error: unknown, exceededMs: number | undefined): unknown {
  if (isMemsvcError(error)) return error;
  if (exceededMs !== undefined) return unavailable(`the peer took more than ${exceededMs / 1_000} s`, error);
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "ECONNRESET" || error.code === "EPIPE")
    return unavailable(`the peer broke off (${String(error.code)})`, error);
  if (String(error.code).startsWith("HPE_"))
    return unavailable(`the peer does not answer in HTTP (${String(error.code)})`, error);
  return unavailable(`the peer could not be reached (${String(error.code)})`, error);
}

function unavailable(message: string, cause?: unknown): MemsvcError {
  return new MemsvcError("unavailable", message, { cause });
}
