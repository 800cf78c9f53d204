import type { Transport } from "../../client/http-call.ts";
import { livezRequest } from "../../client/livez-request.ts";
import type { NodeTransport } from "../../client/node-transport.ts";
import { timeoutError } from "../../client/request-errors.ts";
import { beforeTimeout } from "../../time/before-timeout.ts";

interface LivenessCheck {
  /** How long to wait for an answer before asking the daemon whether it is alive, and again after each such check. */
  readonly waitMs: number;
  /** Sends the liveness request; it has a timeout of its own. */
  readonly probe: NodeTransport;
}

/**
 * Waits for an answer as long as the daemon is alive. A long operation may take its time, but a daemon that does
 * not answer livez hangs.
 */
export function withLivenessCheck(send: Transport, url: string, { waitMs, probe }: LivenessCheck): Transport {
  return async (request) => {
    const answering = send(request);
    const started = performance.now();
    for (;;) {
      const outcome = await beforeTimeout(answering, waitMs);
      if (outcome !== "late") return outcome.answer;
      const lives = probe.send(livezRequest(url)).then(
        () => true,
        () => false,
      );
      const told = await Promise.race([answering, lives]);
      if (typeof told === "object") return told;
      if (told) continue;
      // The request itself ends when its transport is closed.
      answering.catch(() => undefined);
      throw timeoutError(Math.round(performance.now() - started));
    }
  };
}
