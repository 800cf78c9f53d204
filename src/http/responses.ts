import type { Log } from "../ground.ts";
import { hasLongList, jsonInSteps } from "../json/json-in-steps.ts";
import { errorHeaders } from "../operation/error-headers.ts";
import { errorReplyOf } from "../operation/error-reply.ts";
import { isMemsvcError } from "../operation/errors.ts";
import { unwrapQueryError } from "../store/faults.ts";
import { runYielding } from "../store/turns.ts";
import { minuteMs } from "../time/durations.ts";

const commonHeaders = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" } as const;
const jsonHeaders = { "Content-Type": "application/json; charset=utf-8", ...commonHeaders } as const;

export function jsonResponse(
  body: unknown,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return jsonTextResponse(JSON.stringify(body), status, headers);
}

export function jsonTextResponse(
  json: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(json, { status, headers: { ...jsonHeaders, ...headers } });
}

/** The headers of a JSON answer without its body, for HEAD. */
export function bodilessResponse(status: number): Response {
  return new Response(null, { status, headers: jsonHeaders });
}

export function htmlResponse(page: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(page, {
    headers: { "Content-Type": "text/html; charset=utf-8", ...commonHeaders, ...headers },
  });
}

/** A JSON answer. Long lists are serialized in steps, so that other requests get their turns. */
export async function listResponse(
  body: Readonly<Record<string, unknown>>,
  status: number,
): Promise<Response> {
  if (!hasLongList(body)) return jsonResponse(body, status);
  return new Response(await runYielding(jsonInSteps(body)), { status, headers: jsonHeaders });
}

/**
 * How long a client may take nothing of a streamed answer. Meanwhile the store keeps the state that is read, and its
 * write-ahead log grows with every change.
 */
const stallMs = 15 * minuteMs;

/**
 * Streams a JSON text as it is made. A failure on the way cuts the connection, so that the client cannot take the text
 * for complete.
 */
export function streamedJsonResponse(source: AsyncIterator<Uint8Array>, log: Log): Response {
  let isWanted = true;
  let stalled: NodeJS.Timeout | undefined;
  const giveUp = (controller: ReadableStreamDefaultController) => {
    isWanted = false;
    const error = `the client took nothing of it for ${stallMs / minuteMs} minutes`;
    log("warn", "an answer was broken off", { error });
    controller.error(new Error(error));
    // A failure to end it changes nothing for the client.
    source.return?.()?.catch(() => undefined);
  };
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      clearTimeout(stalled);
      try {
        const { value, done } = await source.next();
        // Reading the source is quick and never waits, so without this pause no other request would get a turn.
        await new Promise((resolve) => setImmediate(resolve));
        // The client may have gone meanwhile.
        if (!isWanted) return;
        if (done === true) controller.close();
        else {
          controller.enqueue(value);
          stalled = setTimeout(giveUp, stallMs, controller).unref();
        }
      } catch (error) {
        log("error", "an answer broke off", { error: String(unwrapQueryError(error)) });
        controller.error(error);
      }
    },
    cancel: async () => {
      clearTimeout(stalled);
      isWanted = false;
      await source.return?.();
    },
  });
  return new Response(stream, { status: 200, headers: jsonHeaders });
}

/** The answer to a failure. */
export function errorResponse(raised: unknown, log: Log): Response {
  const error = unwrapQueryError(raised);
  const { status, body, ...told } = errorReplyOf(error, log);
  const headers = isMemsvcError(error, "unavailable") ? { "Retry-After": "5" } : {};
  return jsonResponse(body, status, { ...headers, ...errorHeaders(told) });
}
