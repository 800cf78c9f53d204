import { isContainer } from "../../json/is-object.ts";
import { itemsInStep, type Steps } from "../../steps.ts";
import { argumentsOf, commandLineOf } from "./command-lists.ts";
import { fieldRedactor, headerName, isTelling } from "./field-redactor.ts";
import { namesOf } from "./secret-names.ts";
import { isSecretOfRecord, withoutNestedSecrets, withoutSecrets } from "./secret-records.ts";

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
  const { redactField, redactInContexts, redactHeader } = fieldRedactor(redactText);
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
}

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

function isShortLeaf(value: unknown): boolean {
  return typeof value === "string" ? value.length < longText : !isContainer(value);
}
