/** The routes that hooks call. */
export type HookRoute = "observe" | "session/start" | "session/end";

export interface ObserveOutcome {
  /** Exit code with --strict. */
  readonly exit: number;
  /** The answer as JSON text. */
  readonly answer?: string;
  /** Standard output for the agent that runs the hook. */
  readonly reply?: string;
  readonly problem?: string;
  /** Set if the work was not finished within a hook's time and is still going on. */
  readonly isLate?: true;
}
