/** Patterns of some languages, for sentences in lower case. None matches in a question: a question is no decision. */
export interface CuePatterns {
  readonly decision: RegExp;
  /** Those among the decisions that go beyond the present task. */
  readonly forGood: RegExp;
  readonly preference: RegExp;
}

/** A pattern for up to that many words in between, none of which is one that negates what follows. */
export function gapWithout(negations: string): (most: number) => string {
  return (most) => String.raw`(?:(?!(?:${negations})\s)[^\s.!?;:]{1,40} ){0,${most}}`;
}

const asks = String.raw`[^.!?\n]{0,200}\?`;

/** A pattern that matches any of the parts as whole words; `letter` is a letter of the languages' words. */
export function wordCue(letter: string, parts: readonly string[]): RegExp {
  return new RegExp(`(?<!${letter})(?:${parts.join("|")})(?!${letter})(?!${asks})`);
}

/** A pattern for scripts without blanks between words. */
export function unspacedCue(parts: readonly string[]): RegExp {
  return new RegExp(
    `(?:${parts.join("|")})(?!(?:${asks}|[^。！？?\\n]{0,200}(?:[？?]|吗|嗎|かな|か[。\\s]|か$|까)))`,
  );
}
