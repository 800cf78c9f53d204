import { isLiteral, isPlaceholder } from "./rules/placeholder.ts";
import { isSecretCell, secretColumn } from "./rules/secret-columns.ts";
import { isStatedSecret } from "./rules/stated-secret.ts";

/*
 * Lists and records of secrets under one name, in texts as in parsed values: `passwords: ["…", "…"]`,
 * `{"passwords": {"db": "…"}}`. A list of passwords may consist of plain words, unless something in it shows that it is
 * about passwords: a sentence, a label, or a word for a password.
 */

export type Collection = "passwords" | "secrets" | "keys";

export interface CollectedValue {
  /** Set in a record. */
  readonly key?: string;
  readonly value: string;
}

const collections: readonly (readonly [RegExp, Collection])[] = [
  [/(?:passwords|passwds|passphrases|pwds)$/i, "passwords"],
  [/secrets$/i, "secrets"],
  [/(?:(?:api|access|secret|private)[_-]?keys|(?:api|access|auth|refresh)[_-]?tokens)$/i, "keys"],
  [/^cookies?$/i, "keys"],
];

/** What the values under a name are; undefined if they are no secrets. */
export function collectionNamed(name: string): Collection | undefined {
  return collections.find(([pattern]) => pattern.test(name))?.[1];
}

/**
 * How the values are in their collection: as its own items, in a record within it, or without quotes on the line of its
 * name, where prose may be as well.
 */
export type Position = "own" | "nested" | "inline";

/** Which of the values of a collection are secrets. */
export function secretsAmong(
  collection: Collection,
  values: readonly CollectedValue[],
  position: Position,
): readonly boolean[] {
  if (values.some((each) => describes(collection, each))) return values.map(() => false);
  if (position === "inline" && collection !== "keys")
    return values.map(({ value }) => values.length > 1 && isStatedSecret(value, true));
  const mayBeWords =
    (position === "own" || collection === "passwords") &&
    !values.some(({ value }) => nameOfSecret.test(value) && !isPlaceholder(value));
  return values.map(
    (each) => !(position === "nested" && isSetting(each)) && isSecret(collection, each, mayBeWords),
  );
}

const nameOfSecret = /passw|passphrase|kennwort|mot de passe|contrase|senha|secret|token|\bkeys?\b/i;
const keyOfDescription =
  /^(?:\$?ref|type|format|description|title|label|message|placeholder|enum|items|version|name|path|url|address|host|file|role|provider|backend)$/i;
const wordOfSentences =
  /\b(?:the|is|are|be|must|should|not|your|you|please|at least|with|for|of|to|and|or|has|have)\b/i;
const label = /^[A-Z][a-z]+(?: [a-z]+)*$/;

function describes(collection: Collection, { key, value }: CollectedValue): boolean {
  if (/\s/.test(value) && (/[.?:\u2026]$/.test(value) || wordOfSentences.test(value))) return true;
  if (key === undefined) return false;
  return label.test(value) || key === value || (collection === "passwords" && keyOfDescription.test(key));
}

/* Where a secret is or what it is for, as in the settings of secret stores. */
function isSetting({ key = "", value }: CollectedValue): boolean {
  return keyOfDescription.test(key) || /^[a-z]+:\/\//i.test(value);
}

function isSecret(collection: Collection, { key, value }: CollectedValue, mayBeWords: boolean): boolean {
  if (collection === "keys") return isSecretCell(value, "key", false);
  const isPassword = collection === "passwords" || (key !== undefined && secretColumn(key) === "password");
  if (isPassword && isSecretCell(value, "password", mayBeWords)) return !nameOfSecret.test(value);
  if (isSecretCell(value, "token", false)) return true;
  return mayBeWords && words.test(value) && isLiteral(value);
}

const words = /^[^\s<>{}()[\]=;|,]{1,40}(?: [^\s<>{}()[\]=;|,]{1,40}){1,11}$/;
