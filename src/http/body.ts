import type { ByteStream } from "../operation/define.ts";
import { MemsvcError } from "../operation/errors.ts";
import { parseJsonObject } from "../operation/json.ts";

/** Reads the JSON object of a request: size, then content type, then syntax. Errors: 413, 415, 400. */
export async function readBody(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  return parseJsonObject(await readBytes(request, maxBytes));
}

/** Reads the body of a request that is sent as JSON, whatever it holds. Errors: 413, 415. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? "NaN");
  if (declared > maxBytes) throw tooLarge(maxBytes);
  if (declared === 0) return new Uint8Array();
  const bytes = Number.isNaN(declared)
    ? await readCapped(request, maxBytes)
    : new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  if (bytes.byteLength > 0) refuseOtherTypes(request);
  return bytes;
}

/** The JSON text of a request as it arrives; its size is for the reader to watch. Errors: 413, 415. */
export function streamBody(request: Request, maxBytes: number): ByteStream {
  const declared = Number(request.headers.get("content-length") ?? "NaN");
  if (declared > maxBytes) throw tooLarge(maxBytes, "MEMSVC_MAX_IMPORT_BYTES");
  if (request.body === null || declared === 0) return emptyObject();
  refuseOtherTypes(request);
  return request.body;
}

async function* emptyObject(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode("{}");
}

function refuseOtherTypes(request: Request): void {
  const mediaType = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (mediaType !== "application/json")
    throw new MemsvcError("unsupported_media_type", "the body must be sent as application/json");
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
