import { parseJsonObject } from "../json/parse-json.ts";
import type { ByteStream } from "../operation/define.ts";
import { isMemsvcError, MemsvcError } from "../operation/errors.ts";
import { beforeTimeout } from "../time/before-timeout.ts";
import { minuteMs } from "../time/durations.ts";

/**
 * How long an ordinary body may take to arrive. Meanwhile its request occupies one of the slots for concurrent
 * requests.
 */
const arrivalMs = minuteMs;
/** How long a streamed body may pause between two pieces. */
const stallMs = 75_000;

/** Reads the JSON object of a request: size, then content type, then syntax. Errors: 413, 415, 400. */
export async function readBody(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  return parseJsonObject(await readBytes(request, maxBytes));
}

/** Reads the body of a JSON request without parsing it. Errors: 413, 415; 400 if it does not arrive in time. */
export async function readBytes(
  request: Request,
  maxBytes: number,
  withinMs = arrivalMs,
): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? "NaN");
  if (declared > maxBytes) throw tooLarge(maxBytes);
  if (declared === 0) return new Uint8Array();
  const reading = Number.isNaN(declared)
    ? readCapped(request, maxBytes)
    : request.arrayBuffer().then((buffer) => new Uint8Array(buffer));
  const bytes = await awaitBody(reading, withinMs);
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  if (bytes.byteLength > 0) refuseOtherTypes(request);
  return bytes;
}

/**
 * The JSON body of a request as a stream. Only a declared length is checked here; the reader must count the bytes.
 * Errors: 413, 415.
 */
export function streamBody(request: Request, maxBytes: number): ByteStream {
  const declared = Number(request.headers.get("content-length") ?? "NaN");
  if (declared > maxBytes) throw tooLarge(maxBytes, "MEMSVC_MAX_IMPORT_BYTES");
  if (request.body === null || declared === 0) return emptyObject();
  refuseOtherTypes(request);
  return streamPieces(request.body);
}

/** Awaits the whole of an ordinary body, for a limited time. */
async function awaitBody(body: Promise<Uint8Array>, withinMs: number): Promise<Uint8Array> {
  const outcome = await beforeTimeout(body.catch(brokenOff), withinMs);
  if (outcome !== "late") return outcome.answer;
  // The body is no longer awaited, so a later rejection must not go unhandled.
  body.catch(() => undefined);
  throw notArrived(withinMs);
}

/** A streamed body piece by piece: it may take as long as it likes, as long as no single pause is too long. */
async function* streamPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const outcome = await beforeTimeout(reader.read().catch(brokenOff), stallMs);
      if (outcome === "late") throw notArrived(stallMs);
      if (outcome.answer.done) return;
      yield outcome.answer.value;
    }
  } finally {
    // Also reached when the reader stops early: the rest of the body is not waited for.
    void reader.cancel().catch(() => undefined);
  }
}

function notArrived(withinMs: number): MemsvcError {
  return new MemsvcError("invalid_input", `the body did not arrive within ${withinMs / 1_000} s`, {
    hint: "send it at once",
  });
}

/** A client that hangs up while sending is an error of the client, not of memsvc. */
function brokenOff(error: unknown): never {
  if (isMemsvcError(error)) throw error;
  throw new MemsvcError("invalid_input", "the body ended before it was complete", { cause: error });
}

async function* emptyObject(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode("{}");
}

function refuseOtherTypes(request: Request): void {
  const mediaType = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (mediaType !== "application/json")
    throw new MemsvcError(
      "unsupported_media_type",
      "the body must be sent with the header Content-Type: application/json",
    );
  if (encoding !== "identity")
    throw new MemsvcError("unsupported_media_type", "the body must be sent without Content-Encoding");
}

async function readCapped(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number, setting = "MEMSVC_MAX_BODY_BYTES"): MemsvcError {
  return new MemsvcError("too_large", `the body is larger than ${maxBytes} bytes`, {
    hint: `send less at once, or raise ${setting}`,
  });
}
