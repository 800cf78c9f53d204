import type { Transport } from "../../client/http-call.ts";
import { livezRequest } from "../../client/livez-request.ts";
import type { NodeTransport } from "../../client/node-transport.ts";
import { timeoutError } from "../../client/request-errors.ts";
import { beforeTimeout } from "../../time/before-timeout.ts";
import { monotonicMs } from "../../time/monotonic-ms.ts";

interface LivenessCheck {
  /** How long to wait for an answer before asking the daemon whether it is alive, and again after each such check. */
  readonly waitMs: number;
  /** Sends the liveness request; it has a timeout of its own. */
  readonly probe: NodeTransport;
  /** The error to end with if the daemon is suspended; asked where it has not answered for `waitMs`. */
  readonly suspension?: (() => Error | undefined) | undefined;
}

/**
 * Waits for an answer as long as the daemon is alive. A long operation may take its time, but a daemon that does
 * not answer livez hangs.
 */
export function withLivenessCheck(
  send: Transport,
  url: string,
  { waitMs, probe, suspension }: LivenessCheck,
): Transport {
  return async (request) => {
    // Where it is not waited for, the request itself ends when its transport is closed.
    const answering = send(request);
    const started = monotonicMs();
    for (;;) {
      const outcome = await beforeTimeout(answering, waitMs);
      if (outcome !== "late") return outcome.answer;
      const suspended = suspension?.();
      if (suspended !== undefined) throw suspended;
      const lives = probe.send(livezRequest(url)).then(
        () => true,
        () => false,
      );
      const told = await Promise.race([answering, lives]);
      if (typeof told === "object") return told;
      if (told) continue;
      throw timeoutError(Math.round(monotonicMs() - started));
    }
  };
}
