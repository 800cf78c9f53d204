import { isLiteral } from "./rules/placeholder.ts";
import { beforeKey, passwordWords } from "./secret-words.ts";

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

/** Whether a field's name alone makes its value a secret. */
export function isSecretField(key: string, value: string): boolean {
  if (value.length < shortestSecret || /\s/.test(value)) return false;
  const name = squashed(key);
  return secretFields.has(name) || (tokenFields.has(name) && value.length >= shortestToken);
}

/*
 * The names that sibling fields give to a value, as in lists of environments, parameters, headers and form fields, and
 * in the input of tools that control a browser: `{"name": "DB_PASSWORD", "value": "…"}`,
 * `{"element": "Password textbox", "text": "…"}`.
 */
const pairFields = [
  ["name", "value"],
  ["Name", "Value"],
  ["key", "value"],
  ["Key", "Value"],
  ["ParameterKey", "ParameterValue"],
  ["label", "value"],
  ["id", "value"],
  ["field", "value"],
  ["selector", "value"],
  ["selector", "text"],
  ["element", "text"],
] as const;

/** The names that its siblings give to a field's value. */
export function namesOf(field: string, record: Readonly<Record<string, unknown>>): readonly string[] {
  return pairFields.flatMap(([nameField, valueField]) => {
    const name = valueField === field ? record[nameField] : undefined;
    return typeof name === "string" ? [describes.has(nameField) ? nameIn(name) : name] : [];
  });
}

const describes = new Set(["selector", "element"]);

/* The name in a selector or a description: `input[name="password"]`, `Password textbox`. */
function nameIn(description: string): string {
  return description.slice(-100).replace(/["'\])\s]{1,4}$|(?: (?:text ?)?(?:box|field|input)){1,2}$/i, "");
}

const secretName = new RegExp(
  `(?:${passwordWords}|secret|[_-]token|credentials?|(?:${beforeKey})[ _-]?key)$`,
  "i",
);

/** Whether the name that a sibling gives to a value makes it a secret. */
export function isNamedSecret(name: string, value: string): boolean {
  if (value.length < shortestSecret || !isLiteral(value)) return false;
  // A value that is not a pair is the cookie's name, as in session settings.
  if (/^(?:set-)?cookie$/i.test(name)) return false;
  // Options of a choice are named like their values: {"label": "Client secret", "value": "client_secret"}
  if (squashed(name) === squashed(value)) return false;
  return secretName.test(name) || isSecretField(name, value);
}

function squashed(name: string): string {
  return name.toLowerCase().replace(/[ _-]/g, "");
}
