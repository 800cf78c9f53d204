import { matchAt } from "../match-at.ts";
import { noSpans, type Rule, type Span } from "./rule.ts";

/** A sticky pattern, at the end of whose match its first group is the value, and whether such a value is a secret. */
export type ValueForm = readonly [pattern: RegExp, isSecret: (value: string) => boolean];

/** The rule for values that have one of the forms. */
export function valueRule(name: string, triggers: readonly string[], forms: readonly ValueForm[]): Rule {
  return { name, triggers, find: (text, at) => secretAt(forms, text, at) };
}

/** The secret in the first of the forms in which there is one at the position. */
export function secretAt(forms: readonly ValueForm[], text: string, at: number): readonly Span[] {
  for (const [pattern, isSecret] of forms) {
    const found = valueAt(pattern, text, at);
    if (found !== undefined && isSecret(found.value)) return [found.span];
  }
  return noSpans;
}

/** The value found by such a pattern at a position. */
export function valueAt(
  pattern: RegExp,
  text: string,
  at: number,
): { readonly value: string; readonly span: Span } | undefined {
  const value = matchAt(pattern, text, at)?.[1];
  if (value === undefined) return undefined;
  return { value, span: { start: pattern.lastIndex - value.length, end: pattern.lastIndex } };
}
