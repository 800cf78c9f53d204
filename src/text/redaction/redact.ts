import { runUninterrupted, type Steps } from "../../steps.ts";
import { redactPrivateTags } from "./private-tags.ts";
import { readableText } from "./readable-text.ts";
import { makeRules } from "./rules/catalogue.ts";
import { type Scanner, scannerFor } from "./scan.ts";
import { valueRedactor } from "./walk-value.ts";

/** Built for the first text: that takes some milliseconds, and most commands that only read redact nothing. */
let redactSecrets: Scanner | undefined;

/*
 * Replacing one token may expose its neighbour, so the scan repeats until nothing changes: normally twice for a text
 * with secrets, once for a clean one. The limit is for hostile texts.
 */
const mostPasses = 8;

/**
 * Replaces every secret in a text: passages in `<private>` tags by `[REDACTED]`, the rest by `[REDACTED_SECRET]`.
 * Returns the same string if there is none. Takes linear time, and redacting twice changes nothing more. Source: the
 * contract's redaction table and the vendors' token formats.
 */
export function redactText(text: string): string {
  const plain = readableText(text);
  if (plain !== text) {
    const redacted = redactPlain(plain);
    if (redacted !== plain) return redacted;
  }
  return redactPlain(text);
}

/** Redacts each tag. Those that redaction makes the same are one tag. */
export function redactTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(redactText))];
}

function redactPlain(text: string): string {
  redactSecrets ??= scannerFor(makeRules());
  let current = text;
  for (let pass = 0; pass < mostPasses; pass++) {
    const next = redactSecrets(redactPrivateTags(current));
    if (next === current) return current;
    current = next;
  }
  return current;
}

/** redactText in steps. */
function* redactLong(text: string): Steps<string> {
  const plain = readableText(text);
  yield;
  if (plain !== text) {
    const redacted = yield* redactPlainInSteps(plain);
    if (redacted !== plain) return redacted;
  }
  return yield* redactPlainInSteps(text);
}

function* redactPlainInSteps(text: string): Steps<string> {
  redactSecrets ??= scannerFor(makeRules());
  let current = text;
  for (let pass = 0; pass < mostPasses; pass++) {
    const open = redactPrivateTags(current);
    yield;
    const next = yield* redactSecrets.inSteps(open);
    if (next === current) return current;
    current = next;
  }
  return current;
}

/** redactValue for a value that may be large: in steps, between which the caller can yield to the event loop. */
export const redactInSteps: (value: unknown) => Steps<unknown> = valueRedactor(redactText, redactLong);

/**
 * Redacts every string in a parsed JSON value, including keys, and replaces the values of fields that are named like
 * secrets. Order and all other values stay; returns the same reference if nothing changed. The caller must limit the
 * depth (64).
 */
export function redactValue(value: unknown): unknown {
  return runUninterrupted(redactInSteps(value));
}

/** redactValue for an object, which stays an object. */
export function redactObject(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  // Redaction keeps the shape of its input.
  return redactValue(object) as Readonly<Record<string, unknown>>;
}
