import type { Transport } from "../../client/http-call.ts";
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
 * Waits for an answer as long as the daemon is alive. A long operation may take its time, but livez is answered
 * whatever else is going on, so a daemon that does not answer it hangs.
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
      // The request itself ends when its transport is closed.
      answering.catch(() => undefined);
      throw timeoutError(Math.round(performance.now() - started));
    }
  };
}
