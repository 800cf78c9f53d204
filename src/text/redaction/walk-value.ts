import { itemsInStep, type Steps } from "../../steps.ts";
import { privatePlaceholder, secretPlaceholder } from "./placeholders.ts";
import { looksOrdinary } from "./randomness.ts";
import { isLiteral } from "./rules/placeholder.ts";

const secretFields = new Set([
  "password",
  "passwd",
  "passphrase",
  "secret",
  "clientsecret",
  "apikey",
  "accesstoken",
  "refreshtoken",
  "authtoken",
  "privatekey",
  "authorization",
  "cookie",
  "setcookie",
]);
const tokenFields = new Set(["token", "credential", "credentials"]);
const shortestSecret = 4;
const shortestToken = 12;

interface Field {
  readonly key: string;
  readonly value: string;
  readonly plain: string;
}

/** Texts that are no shorter take more than some milliseconds, if they are hostile. */
const longText = 65_536;

/**
 * A walker over parsed JSON that passes every string through `redactText`, or long ones through `redactLong`; for a list
 * of thousands in as many steps.
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
    return isRecord(value) ? yield* redactRecord(value) : value;
  }

  function* redactArray(items: readonly unknown[]): Steps<unknown> {
    let changed: unknown[] | undefined;
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      const redacted = isShortLeaf(item) ? redactLeaf(item) : yield* redactSteps(item);
      if (changed === undefined && !Object.is(redacted, item)) changed = items.slice(0, at);
      changed?.push(redacted);
      if (at % itemsInStep === itemsInStep - 1) yield;
    }
    return changed ?? items;
  }

  function* redactRecord(record: Readonly<Record<string, unknown>>): Steps<unknown> {
    const named = namedValue(record);
    const keys = Object.keys(record);
    let changed: [string, unknown][] | undefined;
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] ?? "";
      const value = record[key];
      const plain = isShortLeaf(value) ? redactLeaf(value) : yield* redactSteps(value);
      const redacted =
        typeof value === "string" && typeof plain === "string"
          ? redactField({ key, value, plain }, key === named)
          : plain;
      const name = redactKey(key);
      if (changed === undefined && (name !== key || !Object.is(redacted, value)))
        changed = keys.slice(0, at).map((before) => [before, record[before]]);
      changed?.push([name, redacted]);
      if (at % itemsInStep === itemsInStep - 1) yield;
    }
    // Unlike assignment, this defines each key, `__proto__` too, as the record's own.
    return changed === undefined ? record : Object.fromEntries(apart(changed));
  }

  function redactLeaf(value: unknown): unknown {
    return typeof value === "string" ? redactText(value) : value;
  }

  function redactKey(key: string): string {
    return key.length < shortestTellingKey ? key : redactText(key);
  }

  /** `plain`: the value as it is redacted without its key. */
  function redactField({ key, value, plain }: Field, isNamedSecret: boolean): string {
    const redacted = plain === value ? redactInContext(key, value) : plain;
    if (redacted === privatePlaceholder || redacted === secretPlaceholder) return redacted;
    if (isNamedSecret && isLiteral(value)) return secretPlaceholder;
    // What is left around a mark may be what the field's name is about.
    return isSecretField(key, value) || isSecretField(key, redacted) ? secretPlaceholder : redacted;
  }

  /* A name and its value are a secret as fields when they would be one as text: `{"linear_key": "…"}`. */
  function redactInContext(key: string, value: string): string {
    if (value.length < shortestInContext || value.length > longestInContext) return value;
    if (!/^[\w.-]{2,64}$/.test(key) || !/^[\w./+=:~@%!-]+$/.test(value)) return value;
    if (looksOrdinary(value) || (isIdentifier(value) && !tellingName.test(key))) return value;
    const opening = `${key}="`;
    const redacted = redactText(`${opening}${value}"`);
    return redacted.startsWith(opening) ? redacted.slice(opening.length, -1) : value;
  }
}

/*
 * The field with the value of a secret's name, in lists of environments and parameters:
 * `{"name": "DB_PASSWORD", "value": "…"}`.
 */
function namedValue(record: Readonly<Record<string, unknown>>): string | undefined {
  for (const [nameField, valueField] of pairFields) {
    const name = record[nameField];
    const value = record[valueField];
    if (typeof name !== "string" || typeof value !== "string" || value.length < shortestSecret) continue;
    if (secretName.test(name)) return valueField;
  }
  return undefined;
}

const pairFields = [
  ["name", "value"],
  ["Name", "Value"],
  ["key", "value"],
  ["Key", "Value"],
  ["ParameterKey", "ParameterValue"],
] as const;
const secretName =
  /(?:passw(?:or)?d|passphrase|secret|[_-]token|credentials?|(?:api|access|secret|private)_?key)$/i;

/** No token is shorter, nor is a passage in `<private>` tags. */
const shortestTellingKey = 12;

/** Fields whose keys became one by redaction are numbered, so that none of their values is lost. */
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

const shortestInContext = 8;
const longestInContext = 512;

/* Ids and shas stay under names such as `cacheKey`, which say less than these. */
const tellingName = /secret|passw|credential|(?:api|access|auth|private)[_-]?(?:key|token)/i;

function isIdentifier(value: string): boolean {
  return /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64})$/i.test(
    value,
  );
}

function isSecretField(key: string, value: string): boolean {
  if (value.length < shortestSecret || /\s/.test(value)) return false;
  const name = key.toLowerCase().replace(/[_-]/g, "");
  return secretFields.has(name) || (tokenFields.has(name) && value.length >= shortestToken);
}

function isShortLeaf(value: unknown): boolean {
  return typeof value === "string" ? value.length < longText : !isRecord(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
