/** A text as a regular expression matches it to the letter. */
export function escapePattern(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
