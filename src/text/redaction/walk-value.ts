import { isContainer } from "../../json/is-object.ts";
import { itemsInStep, type Steps } from "../../steps.ts";
import { argumentsOf, commandLineOf } from "./command-lists.ts";
import { privatePlaceholder, secretPlaceholder } from "./placeholders.ts";
import { looksOrdinary, looksScrambled } from "./randomness.ts";
import { isNamedSecret, isSecretField, namesOf } from "./secret-names.ts";
import { isSecretOfRecord, withoutNestedSecrets, withoutSecrets } from "./secret-records.ts";

interface Field {
  readonly names: readonly string[];
  readonly value: string;
  readonly plain: string;
}

/** A hostile text of this length or more takes more than a few milliseconds. */
const longText = 65_536;

/**
 * Makes a redactor of parsed JSON that passes every string through `redactText`, or `redactLong` if it is long. A list
 * of thousands takes as many steps.
 */
export function valueRedactor(
  redactText: (text: string) => string,
  redactLong: (text: string) => Steps<string>,
): (value: unknown) => Steps<unknown> {
  return redactSteps;

  function* redactSteps(value: unknown): Steps<unknown> {
    if (typeof value === "string")
      return value.length < longText ? redactText(value) : yield* redactLong(value);
    if (Array.isArray(value)) return yield* redactArray(value);
    return isContainer(value) ? yield* redactRecord(value) : value;
  }

  function* redactArray(items: readonly unknown[]): Steps<unknown> {
    const line = commandLineOf(items);
    const given = line === undefined ? items : argumentsOf(items, yield* redactSteps(line));
    let changed: unknown[] | undefined;
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      const plain = isShortLeaf(item) ? redactLeaf(item) : yield* redactSteps(item);
      const redacted = redactNext(items[at - 1], plain, plain === item ? given[at] : plain);
      if (changed === undefined && !Object.is(redacted, item)) changed = items.slice(0, at);
      changed?.push(redacted);
      if (at % itemsInStep === itemsInStep - 1) yield;
    }
    return changed ?? items;
  }

  /* Header names and values may be pairs in a flat list: `["cookie", "sid=…", "accept", "x"]`. */
  function redactNext(before: unknown, plain: unknown, given: unknown): unknown {
    if (typeof before !== "string" || typeof plain !== "string" || !headerName.test(before)) return given;
    return /^x-/i.test(plain) ? plain : redactHeader(before, plain);
  }

  function* redactRecord(record: Readonly<Record<string, unknown>>): Steps<unknown> {
    const keys = Object.keys(record);
    let changed: [string, unknown][] | undefined;
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] ?? "";
      const value = record[key];
      const plain = isShortLeaf(value) ? redactLeaf(value) : yield* redactSteps(value);
      let redacted = plain;
      if (isSecretOfRecord(key, record)) redacted = withoutSecrets(plain);
      else if (typeof value === "string" && typeof plain === "string")
        redacted = redactField({ names: [key, ...namesOf(key, record)], value, plain });
      else if (Array.isArray(value) && Array.isArray(plain) && isTelling(key))
        redacted = yield* redactList(key, value, plain);
      if (isContainer(redacted)) redacted = withoutNestedSecrets(key, redacted);
      const name = redactKey(key);
      if (changed === undefined && (name !== key || !Object.is(redacted, value)))
        changed = keys.slice(0, at).map((before) => [before, record[before]]);
      changed?.push([name, redacted]);
      if (at % itemsInStep === itemsInStep - 1) yield;
    }
    // Unlike assignment, Object.fromEntries makes each key an own property, even `__proto__`.
    return changed === undefined ? record : Object.fromEntries(apart(changed));
  }

  /* A header or parameter may have several values: `{"set-cookie": ["sid=…"], "password": ["…"]}`. */
  function* redactList(name: string, items: readonly unknown[], plain: readonly unknown[]): Steps<unknown> {
    const redacted = [...plain];
    for (let at = 0; at < items.length; at++) {
      const [item, own] = [items[at], plain[at]];
      if (typeof item === "string" && typeof own === "string")
        redacted[at] = redactInContexts([name], item, own);
      if (at % itemsInStep === itemsInStep - 1) yield;
    }
    return redacted.some((item, at) => item !== plain[at]) ? redacted : plain;
  }

  function redactLeaf(value: unknown): unknown {
    return typeof value === "string" ? redactText(value) : value;
  }

  function redactKey(key: string): string {
    return key.length < shortestTellingKey ? key : redactText(key);
  }

  /** `plain`: the value redacted without regard to its names; the first of `names` is its key. */
  function redactField({ names, value, plain }: Field): string {
    const redacted = redactInContexts(names, value, plain);
    if (redacted === privatePlaceholder) return redacted;
    const [key = "", ...others] = names;
    if (others.some((name) => isNamedSecret(name, value))) return secretPlaceholder;
    // The text around a placeholder may be the secret that the field's name announces.
    return isSecretField(key, redacted) ? secretPlaceholder : redacted;
  }

  function redactInContexts(names: readonly string[], value: string, plain: string): string {
    const header = names.find((name) => headerName.test(name));
    const redacted = header === undefined ? plain : redactHeader(header, plain);
    if (redacted !== value) return redacted;
    for (const name of names) {
      const inContext = redactInContext(name, value);
      if (inContext !== value) return inContext;
    }
    return value;
  }

  /* Redacts a value as it would be redacted in a text, after its name: `{"linear_key": "…"}`. */
  function redactInContext(key: string, value: string): string {
    if (value.length < shortestInContext || value.length > longestInContext) return value;
    if (passphraseName.test(key)) return redactAfter(`${key}="`, value, '"');
    const isTelling = tellingName.test(key);
    const literal = isTelling && variableName.test(key) ? /^[^\s"\\[\]]+$/ : /^[\w./+=:~@%!-]+$/;
    const isLiteral =
      literal.test(value) || (isTelling && /^[^\s"\\]+$/.test(value) && looksScrambled(value));
    if (!/^[\w.-]{2,64}$/.test(key) || !isLiteral) return value;
    if (looksOrdinary(value) || (isIdentifier(value) && !isTelling)) return value;
    return redactAfter(`${key}="`, value, '"');
  }

  /*
   * A header's value may consist of several words: `{"cookie": "sid=…; theme=dark"}`, `{"authorization": "Bearer …"}`.
   */
  function redactHeader(key: string, value: string): string {
    return value.length > longestHeader || /[\r\n]/.test(value) ? value : redactAfter(`${key}: `, value);
  }

  function redactAfter(opening: string, value: string, closing = ""): string {
    const redacted = redactText(opening + value + closing);
    return redacted.startsWith(opening)
      ? redacted.slice(opening.length, redacted.length - closing.length)
      : value;
  }
}

/*
 * Values of environment variables are literals, whatever characters they contain; other values may be, for example,
 * selectors.
 */
const variableName = /^[A-Z][A-Z\d_]*$/;
/* Its value may consist of several words. */
const passphraseName = /^[\w.-]{0,54}passphrase$/i;
const headerName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-(?:[\w-]{1,60}-)?(?:key|token))$/i;
const longestHeader = 8192;

/** No token is shorter, nor a passage after `<private>`. */
const shortestTellingKey = 10;

/** If redaction makes keys equal, they are numbered, so that no value is lost. */
function apart(fields: readonly [string, unknown][]): [string, unknown][] {
  const taken = new Set<string>();
  const lastNumbers = new Map<string, number>();
  return fields.map(([key, value]) => {
    let number = lastNumbers.get(key) ?? 1;
    let own = key;
    while (taken.has(own)) {
      number += 1;
      own = `${key} ${number}`;
    }
    lastNumbers.set(key, number);
    taken.add(own);
    return [own, value];
  });
}

const shortestInContext = 6;
const longestInContext = 512;

/* Names that clearly mean a secret. Weaker ones, such as `cacheKey`, may belong to ids and hashes. */
const tellingName = /secret|passw|_pwd|credential|(?:api|access|auth|private)[_-]?(?:key|token)/i;

function isTelling(name: string): boolean {
  return headerName.test(name) || tellingName.test(name);
}

function isIdentifier(value: string): boolean {
  return /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64})$/i.test(
    value,
  );
}

function isShortLeaf(value: unknown): boolean {
  return typeof value === "string" ? value.length < longText : !isContainer(value);
}
