import { isContainer, isObject } from "../../json/is-object.ts";
import { type Collection, collectionNamed, secretsAmong } from "./collections.ts";
import { secretPlaceholder } from "./placeholders.ts";
import { looksOrdinary } from "./randomness.ts";
import { isLiteral } from "./rules/placeholder.ts";
import { beforeKey, passwordWords, valueFields } from "./secret-words.ts";

/*
 * Values that are secrets because of the record around them, whatever their own name: the data of a Kubernetes secret,
 * the value of a cloud's secret, of a browser's cookie or of a password's form field, and
 * `{"password": {"value": "…"}}`.
 */

type Fields = Readonly<Record<string, unknown>>;

export function isSecretOfRecord(field: string, record: Fields): boolean {
  if (field === "data" || field === "stringData")
    return record.kind === "Secret" && typeof record[field] === "object";
  if (field === "pass") return typeof (record.user ?? record.username) === "string";
  if (field === "Value") return record.Type === "SecureString";
  if (field !== "value") return false;
  return record.type === "password" || isCookie(record) || azureSecret.test(String(record.id));
}

const azureSecret = /\.vault\.azure\.net\/secrets\//i;

function isCookie(record: Fields): boolean {
  const has = (field: string) => Object.hasOwn(record, field);
  return has("httpOnly") || has("sameSite") || (has("domain") && has("path") && has("expires"));
}

const shortest = 4;
/* Records within records. */
const deepest = 6;

/**
 * Replaces the value, or each value of a record, by the placeholder; returns the same reference if there was nothing to
 * replace.
 */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === "string")
    return value.length >= shortest && isLiteral(value) ? secretPlaceholder : value;
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, withoutSecrets(each), each] as const);
  if (fields.every(([, redacted, each]) => Object.is(redacted, each))) return value;
  return Object.fromEntries(fields.map(([name, redacted]) => [name, redacted]));
}

const sureName = new RegExp(`(?:${passwordWords}|(?:${beforeKey})[_-]?key|client[_-]?secret)$`, "i");
const likelyName = /(?:secret|token)$/i;
const pairName = /^(?:basic[_-]?)?auth$/i;
const schemes = /^(?:basic|bearer|digest|(?:scram-)?sha|md5|oauth|jwt|api)/i;

/**
 * Replaces the secrets in a record or list by its name: the value in `{"password": {"value": "…"}}`, the password in
 * `{"auth": ["user", "…"]}`, the values in `{"passwords": ["…"]}`. Returns the same reference if there are none.
 */
export function withoutNestedSecrets(name: string, value: Fields): unknown {
  const collection = collectionNamed(name);
  if (collection !== undefined) return withoutCollected(collection, value);
  if (Array.isArray(value)) return pairName.test(name) ? withoutPassword(value) : value;
  const isSure = sureName.test(name);
  if (!isSure && !likelyName.test(name)) return value;
  const isSecret = (part: string, each: unknown): boolean =>
    valueFields.includes(part) &&
    typeof each === "string" &&
    /^\S{4,}$/.test(each) &&
    isLiteral(each) &&
    (isSure || isUnlikeWords(each));
  const fields = Object.entries(value);
  if (!fields.some(([part, each]) => isSecret(part, each))) return value;
  return Object.fromEntries(
    fields.map(([part, each]) => [part, isSecret(part, each) ? secretPlaceholder : each]),
  );
}

/* Also in records and lists within it. */
function withoutCollected(collection: Collection, value: Fields, depth = 0): unknown {
  const isList = Array.isArray(value);
  const fields = Object.entries(value);
  const texts = fields.flatMap(([key, each]) =>
    typeof each === "string" ? [{ at: key, value: each, ...(isList ? {} : { key }) }] : [],
  );
  const areSecrets = secretsAmong(collection, texts, depth === 0 ? "own" : "nested");
  const secrets = new Set(texts.filter((_, place) => areSecrets[place]).map(({ at }) => at));
  const redacted = fields.map(([key, each]): [string, unknown] => {
    if (secrets.has(key)) return [key, secretPlaceholder];
    const isRecord = isContainer(each) && depth < deepest;
    return [key, isRecord ? withoutCollected(collection, each, depth + 1) : each];
  });
  if (redacted.every(([, each], at) => Object.is(each, fields[at]?.[1]))) return value;
  return isList ? redacted.map(([, each]) => each) : Object.fromEntries(redacted);
}

function withoutPassword(items: readonly unknown[]): unknown {
  const [user, password, ...others] = items;
  if (typeof user !== "string" || typeof password !== "string" || others.length > 0) return items;
  const isPassword = /^\S{6,}$/.test(password) && isLiteral(password) && isUnlikeWords(password);
  return isPassword && ![user, password].some((each) => schemes.test(each))
    ? [user, secretPlaceholder]
    : items;
}

function isUnlikeWords(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && (value.length < 12 || !looksOrdinary(value));
}
