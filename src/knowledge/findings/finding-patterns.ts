/** Patterns of some languages for what agents found out, for sentences in lower case. Gaps are bounded. */
export interface FindingPatterns {
  /** The sentence names a cause. */
  readonly cause: RegExp;
  /** It only supposes one, denies one, or says that one is still looked for. */
  readonly unproven: RegExp;
  /** It says what was done about it. */
  readonly fix: RegExp;
}

/** What else a sentence may say before or after a cue. */
export const within = (most: number): string => `[^.!?;\\n]{0,${most}}?`;
