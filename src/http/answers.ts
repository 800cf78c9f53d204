import { randomBytes } from "node:crypto";
import type { Log } from "../ground.ts";
import { errorTable, isMemsvcError, type MemsvcError } from "../operation/errors.ts";
import { withoutQuery } from "../store/faults.ts";

const jsonHeaders = {
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
} as const;

export function jsonAnswer(
  body: unknown,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...jsonHeaders, ...headers } });
}

/** A JSON text that is sent as it is made. A failure on the way cuts the connection, so that nothing whole arrives. */
export function textAnswer(source: AsyncIterator<Uint8Array>, log: Log): Response {
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { value, done } = await source.next();
        // Reading is quick and never waits: without a turn of its own everything else would.
        await new Promise((resolve) => setImmediate(resolve));
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        log("error", "an answer broke off", { error: String(withoutQuery(error)) });
        controller.error(error);
      }
    },
    cancel: async () => {
      await source.return?.();
    },
  });
  return new Response(stream, { status: 200, headers: jsonHeaders });
}

/** The answer to a failure. What was not foreseen shows a reference only; the log has the rest. */
export function errorAnswer(raised: unknown, log: Log): Response {
  const error = withoutQuery(raised);
  if (isMemsvcError(error) && !isInternal(error)) {
    const { status } = errorTable[error.code];
    const issues = error.issues === undefined ? {} : { issues: error.issues };
    const headers = status === 503 && error.code === "unavailable" ? { "Retry-After": "5" } : {};
    return jsonAnswer({ error: sentence(error), ...issues, ...error.extra }, status, headers);
  }
  const reference = randomBytes(6).toString("hex");
  log("error", "a request failed", {
    reference,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  const told = isMemsvcError(error) && error.code === "disk_full" ? `${error.message}; ` : "";
  return jsonAnswer({ error: `${told}internal error, reference ${reference}` }, 500);
}

/** The error's own sentence, and the way out where that is not a command line's. */
function sentence(error: MemsvcError): string {
  return error.hint === undefined || error.hint.includes("memsvc ")
    ? error.message
    : `${error.message}; ${error.hint}`;
}

function isInternal(error: MemsvcError): boolean {
  return errorTable[error.code].status === 500;
}
