import { looksOrdinary, namesMethod } from "../randomness.ts";
import { beforeKey, passwordWords } from "../secret-words.ts";
import { isLiteral } from "./placeholder.ts";

/* Columns of tables, and of statements in SQL, whose values are secrets. */

/** How much a column's name says: `token` may also be the column of a grammar's tokens, or of the names of tokens. */
export type SecretColumn = "password" | "key" | "token";

const passwordName = new RegExp(
  `(?:${passwordWords}|passwort|kennwort|pwd|(?:user|db|smtp|admin)_?pass)(?:[ _-]?(?:hash|digest))?$`,
  "i",
);
const keyName = new RegExp(`(?:(?:${beforeKey}|auth)[ _-]?key|client[ _-]?secret)$`, "i");
const tokenName = /(?<!(?:page|next)[ _-]?)(?:token|secret|credentials?)$/i;

/** What the values of a column are, by its name; undefined if they are no secrets. */
export function secretColumn(name: string): SecretColumn | undefined {
  if (!/^[\w .-]{2,64}$/.test(name)) return undefined;
  if (passwordName.test(name)) return "password";
  if (keyName.test(name)) return "key";
  return tokenName.test(name) ? "token" : undefined;
}

const longestLiteral = 4096;
/*
 * The end of a line, or of the text around the statement: then its quote was never closed, or code builds the
 * statement: VALUES ('" + email + "', '" + password + "')
 */
const endsText = /[\r\n]|^\\?["']|["'`]\s{0,4}[,:;)}\]+]/;

/** Whether a literal in SQL is the secret of such a column. */
export function isSecretLiteral(value: string, column: SecretColumn): boolean {
  if (value.length < 3 || value.length > longestLiteral || !isLiteral(value)) return false;
  if (endsText.test(value)) return false;
  return column === "password" || (column === "key" ? !isUpperName(value) : isIrregular(value));
}

/** Whether a cell of a table is the secret of such a column. Plain words are, if the column of a user is beside it. */
export function isSecretCell(value: string, column: SecretColumn, besideUser: boolean): boolean {
  if (!/^\S{4,512}$/.test(value) || !isLiteral(value) || kindOfValue.test(value) || namesMethod(value))
    return false;
  if (column !== "password") return isIrregular(value) || (column === "key" && isUnlikeWords(value));
  if (/[A-Za-z]/.test(value) && /[\d!@#$%^&*+?~=]/.test(value)) return true;
  return besideUser && /^[\w-]+$/.test(value) && !isUpperName(value);
}

/* Types, dates, times, methods, states and files, as in the documentation of columns and settings. */
const kindOfValue =
  /^(?:\w+\([\d, ]*\)|\w*(?:char|int|float|string|text)\d+|\d{4}-\d\d-\d\d.*|scram-sha-?\d+|sha-\d+|\d+(?:ms|s|min|h|hours?|d|days?|weeks?|years?)|hidden|expired|active|(?:en|dis)abled|never|empty|unset|changed|inherited|supported|plain(?:text)?|hash(?:ed)?|encrypted|bytea|blob|(?:string|int|id|float|boolean)!|!{1,2}[a-z]+|(?:\.{1,2}|~)\/.*)$/i;

function isIrregular(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && isUnlikeWords(value);
}

function isUnlikeWords(value: string): boolean {
  return /[A-Za-z]/.test(value) && !looksOrdinary(value) && !isUpperName(value) && !designToken.test(value);
}

/* Tokens of a design and of a chain: `--gray-100`, `spacing.2xl`, an address. */
const designToken =
  /^(?:(?:--|[$@])?[a-z]{2,30}(?:[-._/](?:[a-z]{2,30}|\d{1,4}[a-z]{0,3})){1,8}|--.*|0x[\da-f]+)$/i;

function isUpperName(value: string): boolean {
  return /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/.test(value) && (value.includes("_") || !/\d/.test(value));
}
