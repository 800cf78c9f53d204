import type { Ground } from "../../ground.ts";

export const stopReasons = ["end", "abandon", "import"] as const;
export type StopReason = (typeof stopReasons)[number];

/** A session that has ended, as given to the steps. */
export interface StoppedSession {
  readonly sessionId: string;
  /** A name that leads to the session's own project. */
  readonly project: string;
  readonly agentId: string | null;
  /** Null when the session was resumed before this work began. */
  readonly endedAt: number | null;
  readonly reason: StopReason;
}

/** A step of the work after a session's end. Running it twice must do no harm. */
export interface StopStep {
  /** The name under which the job remembers a failed step. */
  readonly name: string;
  readonly isWanted: (ground: Ground) => boolean;
  readonly run: (session: StoppedSession) => Promise<unknown>;
}
