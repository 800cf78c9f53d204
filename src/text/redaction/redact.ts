import { atOnce, type Steps } from "../../steps.ts";
import { redactPrivateTags } from "./private-tags.ts";
import { readableText } from "./readable-text.ts";
import { makeRules } from "./rules/catalogue.ts";
import { type Scanner, scannerFor } from "./scan.ts";
import { valueRedactor } from "./walk-value.ts";

/** Made for the first text: it takes some milliseconds, and most commands that only read have none. */
let redactSecrets: Scanner | undefined;

/*
 * A mark may end a token whose neighbour kept it from being recognised, so the scan repeats until
 * nothing changes: twice for a text with secrets, once for a clean one. The bound is for hostile texts.
 */
const mostPasses = 8;

/**
 * The text with every secret replaced: `[REDACTED]` for passages in `<private>` tags, `[REDACTED_SECRET]`
 * for the rest. The very same string when there was none. Linear in the length of the text; redacting
 * twice changes nothing more. Source: the redaction table of the contract and the vendors' token formats.
 */
export function redactText(text: string): string {
  const plain = readableText(text);
  if (plain !== text) {
    const redacted = redactPlain(plain);
    if (redacted !== plain) return redacted;
  }
  return redactPlain(text);
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

/** The same as `redactText`, in steps. */
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

/** The same as `redactValue`, for a value that may be large: in steps, between which others may have their turns. */
export const redactInSteps: (value: unknown) => Steps<unknown> = valueRedactor(redactText, redactLong);

/**
 * A parsed JSON value with every string redacted, keys too, and with the values of fields named like secrets
 * replaced. Order and all other values stay; the very same reference when nothing changed. Depth is
 * the caller's to bound (64).
 */
export function redactValue(value: unknown): unknown {
  return atOnce(redactInSteps(value));
}

/** The same for an object, which stays one. */
export function redactObject(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  // Redaction keeps the shape of what it is given.
  return redactValue(object) as Readonly<Record<string, unknown>>;
}
