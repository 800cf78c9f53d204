import { setTimeout as sleep } from "node:timers/promises";
import { answerBody } from "../../net/answer-body.ts";
import { callSignal } from "../../net/call-signal.ts";
import { networkAdvice } from "../../net/network-advice.ts";
import { askedWaitMs } from "../../net/retry-after-header.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { errorCode } from "../../system/error-code.ts";
import type { VendorRequest } from "./vendors.ts";

export interface PostOptions {
  /** Name of the vendor, for messages. */
  readonly vendor: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Waits between tries; tests replace it. */
  readonly pause?: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
}

const attempts = 3;
const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
/** Wait to report when a server has too many requests and does not say for how long. */
const untoldRestMs = 60_000;
const maxAnswerBytes = 64 * 1_048_576;
const addressHint = "look at MEMSVC_EMBEDDING_BASE_URL and MEMSVC_EMBEDDING_MODEL";

/** These statuses mean that the request itself is wrong, so it would fail again; a 404, for one, may pass. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);
/** How llama.cpp and Ollama say that a text has too many tokens, which some of their versions answer with 500. */
const saysTooLong =
  /input (?:\(\d+ tokens\) )?is too large to process|(?:exceeds|larger than) the (?:available |max )?context (?:length|size)/;

type Outcome =
  | { readonly kind: "answered"; readonly answer: unknown }
  | { readonly kind: "again"; readonly error: MemsvcError; readonly delayMs: number | undefined };

/**
 * Posts JSON and returns the parsed answer. Retries failures that may pass (no connection, time-out, 429, 5xx), after
 * the pause that the server asks for. Error messages contain neither texts nor keys.
 * Errors: provider_failed, unavailable (the key is not accepted).
 */
export async function postJson(request: VendorRequest, options: PostOptions): Promise<unknown> {
  const { pause = (delayMs, signal) => sleep(delayMs, undefined, { signal }) } = options;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(request, options);
    if (outcome.kind === "answered") return outcome.answer;
    if (attempt === attempts) throw outcome.error;
    const delayMs = outcome.delayMs ?? firstDelayMs * 2 ** (attempt - 1);
    // The server asks for a long pause: the caller should try again later instead of waiting here.
    if (delayMs > longestDelayMs) throw outcome.error;
    await pause(delayMs, options.signal);
  }
}

async function tryOnce(request: VendorRequest, { vendor, timeoutMs, signal }: PostOptions): Promise<Outcome> {
  const call = callSignal(timeoutMs, signal);
  try {
    const response = await fetch(request.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...request.headers },
      body: JSON.stringify(request.body),
      // No redirects: texts and the key must not go to an address that nobody configured.
      redirect: "error",
      signal: call.signal,
    });
    const tooLong = () => failed(`${vendor} answered with more than ${maxAnswerBytes} bytes`);
    const body = answerBody(response, { maxBytes: maxAnswerBytes, tooLong, signal: call.signal });
    return outcomeOf(response, await new Response(body).text(), vendor);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof MemsvcError) throw error;
    const gone = call.signal.aborted
      ? failed(`${vendor} did not answer within ${timeoutMs} ms`, error)
      : unreachable(vendor, error);
    return { kind: "again", error: gone, delayMs: undefined };
  } finally {
    call.release();
  }
}

function outcomeOf({ ok, status, headers }: Response, text: string, vendor: string): Outcome {
  if (ok) return { kind: "answered", answer: parsed(text, vendor) };
  if (status === 401 || status === 403) {
    throw new MemsvcError("unavailable", `${vendor} does not accept the key (HTTP ${status})`, {
      hint: "check the provider's key in the config file",
    });
  }
  const message = `${vendor} answered with HTTP ${status}`;
  const isRefused = refusals.has(status) || (status >= 500 && saysTooLong.test(text));
  if (!isRefused && (status === 429 || status >= 500)) {
    const delayMs = askedWaitMs(headers.get("retry-after"));
    const restMs = delayMs ?? (status === 429 ? untoldRestMs : undefined);
    const extra = restMs === undefined ? {} : { retryAfterMs: restMs };
    return { kind: "again", error: new MemsvcError("provider_failed", message, { extra }), delayMs };
  }
  throw new MemsvcError("provider_failed", message, {
    ...(status === 404 ? { hint: addressHint } : {}),
    extra: { refused: isRefused },
  });
}

function parsed(text: string, vendor: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw failed(`${vendor} answered with something that is not JSON`, error);
  }
}

/**
 * The error for a failed connection. It only gives the code, because fetch's message may quote a URL with a password.
 */
function unreachable(vendor: string, cause: unknown): MemsvcError {
  const code = errorCode(cause instanceof Error ? cause.cause : undefined);
  const hints = ["look at MEMSVC_EMBEDDING_BASE_URL", networkAdvice(code, process.env)];
  return new MemsvcError(
    "provider_failed",
    `${vendor} could not be reached${code === undefined ? "" : ` (${code})`}`,
    { hint: hints.filter((hint) => hint !== undefined).join("; "), cause },
  );
}

function failed(message: string, cause?: unknown): MemsvcError {
  return new MemsvcError("provider_failed", message, { cause });
}
