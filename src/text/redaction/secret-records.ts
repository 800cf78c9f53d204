import { secretPlaceholder } from "./placeholders.ts";
import { isLiteral } from "./rules/placeholder.ts";

/*
 * Records with a field that is a secret whatever its name: the data of a Kubernetes secret, and the value of a
 * browser's cookie.
 */

type Fields = Readonly<Record<string, unknown>>;

export function isSecretOfRecord(field: string, record: Fields): boolean {
  if (field === "data" || field === "stringData")
    return record.kind === "Secret" && typeof record[field] === "object";
  return field === "value" && (Object.hasOwn(record, "httpOnly") || Object.hasOwn(record, "sameSite"));
}

const shortest = 4;

/**
 * Replaces the value, or each value of a record, by the placeholder; returns the same reference if there was nothing to
 * replace.
 */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === "string")
    return value.length >= shortest && isLiteral(value) ? secretPlaceholder : value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, withoutSecrets(each), each] as const);
  if (fields.every(([, redacted, each]) => Object.is(redacted, each))) return value;
  return Object.fromEntries(fields.map(([name, redacted]) => [name, redacted]));
}
