import type { Transport } from "../../client/http-call.ts";
import type { NodeTransport } from "../../client/node-transport.ts";
import { timeoutError } from "../../client/request-errors.ts";
import { beforeTimeout } from "../../time/before-timeout.ts";

export interface LivenessCheck {
  /** How long an answer is waited for before the daemon is asked whether it lives, and again each time that it does. */
  readonly waitMs: number;
  /** Asks that; it gives up by itself. */
  readonly probe: NodeTransport;
}

/**
 * Waits for an answer as long as the daemon lives: a long operation takes its time, but one that does not even say that
 * it lives, which it does whatever else goes on, hangs.
 */
export function withLivenessCheck(
  send: Transport,
  livezUrl: string,
  { waitMs, probe }: LivenessCheck,
): Transport {
  return async (request) => {
    const answering = send(request);
    const started = performance.now();
    for (;;) {
      const outcome = await beforeTimeout(answering, waitMs);
      if (outcome !== "late") return outcome.answer;
      const lives = probe.send({ method: "GET", url: livezUrl, headers: {}, body: undefined }).then(
        () => true,
        () => false,
      );
      const told = await Promise.race([answering, lives]);
      if (typeof told === "object") return told;
      if (told) continue;
      // Whoever closes the transport ends the request.
      answering.catch(() => undefined);
      throw timeoutError(Math.round(performance.now() - started));
    }
  };
}
