/** What the hooks of agents ask for. */
export type HookRoute = "observe" | "session/start" | "session/end";

export interface ObserveOutcome {
  /** Exit code with --strict. */
  readonly exit: number;
  /** The answer as JSON text. */
  readonly answer?: string;
  /** What the agent that runs the hook reads. */
  readonly reply?: string;
  readonly problem?: string;
  /** The work could not be done in the time that a hook has, and this process is still at it. */
  readonly isLate?: true;
}
