import { matchAt } from "../../match-at.ts";
import { noSpans, type Rule, type Span } from "../rule.ts";
import { valueAt } from "../value-rule.ts";
import { isSecretCell, secretColumn } from "./secret-columns.ts";
import { isStatedSecret } from "./stated-secret.ts";

/*
 * Secrets in HTML and XML outside tables: `<input name="password" value="…">`, `<property name="password">…`,
 * `<key>APIKey</key><string>…`, `<secret>…</secret>`, `<b>Password:</b> …`. The tags may be escaped: `&lt;secret&gt;`.
 */

const words = ["password", "passwd", "passphrase", "pwd", "secret", "token", "key", "credentials"];
const anyWord = `(?:${words.join("|")}|passwort)`;
const longestTag = 600;
const attribute = /([\w:-]{1,40})\s{0,4}=\s{0,4}(?:"([^"<>\n]{0,400})"|'([^'<>\n]{0,400})')/dg;
const inAttribute = new RegExp(`${anyWord}["'](?=[\\s/>])(?<==["'][\\w.:[\\]-]{0,64}["'])`, "iy");
const nameAttribute = /^(?:name|id|key|property|itemprop|type|autocomplete)$/i;
const valueAttribute = /^(?:value|content)$/i;

/** The value or the content of a tag that another attribute names, whatever the order of the attributes. */
export const attributeSecrets: Rule = {
  name: "secret in an attribute",
  triggers: words.flatMap((word) => [`${word}"`, `${word}'`]),
  find(text, at, floor) {
    if (matchAt(inAttribute, text, at) === null) return noSpans;
    const from = Math.max(floor, at - longestTag);
    const opened = text.slice(from, at).search(/<[a-z][\w:-]{0,40}\s[^<>]*$/i);
    if (opened === -1) return noSpans;
    const start = from + opened;
    const rest = text.slice(start, start + 2 * longestTag);
    const ofTag = secretOfTag(/^[^>]*/.exec(rest)?.[0] ?? "", start);
    return ofTag.length > 0 ? ofTag : namedSecret(text, at, contentOfNamed);
  },
};

function secretOfTag(tag: string, start: number): readonly Span[] {
  const names: string[] = [];
  let value: { readonly text: string; readonly span: Span } | undefined;
  for (const match of tag.matchAll(attribute)) {
    const [, name = "", double, single] = match;
    const range = match.indices?.[double === undefined ? 3 : 2];
    if (nameAttribute.test(name)) names.push(double ?? single ?? "");
    if (valueAttribute.test(name) && range !== undefined)
      value = { text: double ?? single ?? "", span: { start: start + range[0], end: start + range[1] } };
  }
  if (value === undefined) return noSpans;
  const { text, span } = value;
  const isTyped = names.includes("password") && /\stype\s*=\s*["']password/i.test(tag);
  return names.some((name) => isSecretNamed(name, text, isTyped)) ? [span] : noSpans;
}

const lt = "(?:<|&lt;)";
const gt = "(?:>|&gt;)";
const content = "((?:[^\\s<>&]|&(?!lt;)){4,4096})";
const contentOfNamed = new RegExp(
  `${anyWord}["'](?<==["'][\\w.:-]{0,64}["'])(?:\\s[^<>]{0,200})?>(?:<!\\[CDATA\\[)?${content}(?=(?:\\]\\]>)?</)`,
  "iy",
);
const besideName = new RegExp(
  `${anyWord}${lt}/(?:param-)?(?:name|key)${gt}\\s{0,80}${lt}(?:(?:param-)?value|string)${gt}${content}(?=${lt}/)`,
  "iy",
);
const nameBefore = /[\w.:-]{0,64}$/;

const ownElement = new RegExp(
  `${anyWord}${gt}(?<=${lt}(?:\\w{1,20}:)?([\\w.-]{0,40})${gt})(?:<!\\[CDATA\\[)?${content}(?:\\]\\]>)?${lt}/`,
  "iy",
);

/** The content of an element that is named like a secret. */
export const elementSecrets: Rule = {
  name: "secret in an element",
  triggers: words.flatMap((word) => [`${word}>`, `${word}&gt;`]),
  find(text, at) {
    const match = matchAt(ownElement, text, at);
    const [whole = "", name = "", value = ""] = match ?? [];
    if (match === null || !isSecretNamed(name, value, false)) return noSpans;
    const start = at + whole.lastIndexOf(value);
    return [{ start, end: start + value.length }];
  },
};

const marks = "(?:b|strong|em|i|label|span|code|kbd|t[dh])";
const opened = `<${marks}(?:\\s[^<>]{0,200})?>`;
const emphasised = new RegExp(
  `${anyWord}(?::?</${marks}>:?|:(?=\\s{0,8}<))(?<=:(?:</${marks}>)?|[\\w](?=<)|>)\\s{0,8}(?:${opened}\\s{0,8}){0,2}([^\\s<>]{4,200})(?=\\s{0,8}(?:</|<br|\\r?\\n|$))`,
  "iy",
);

/**
 * A secret after its name: in the next element (`<key>APIKey</key><string>…`), or in a text with marks
 * (`<b>Password:</b> …`, `Password: <code>…</code>`).
 */
export const markedSecrets: Rule = {
  name: "secret after a marked name",
  triggers: words.flatMap((word) => [`${word}: <`, `${word}:<`, `${word}</`, `${word}&lt;/`]),
  find(text, at) {
    const beside = namedSecret(text, at, besideName);
    return beside.length > 0 ? beside : namedSecret(text, at, emphasised);
  },
};

function namedSecret(text: string, at: number, pattern: RegExp): readonly Span[] {
  const found = valueAt(pattern, text, at);
  return found !== undefined && isSecretNamed(nameAt(text, at), found.value, false) ? [found.span] : noSpans;
}

const namedFrom = new RegExp(anyWord, "iy");

/* The name of which the word for a secret is the end. */
function nameAt(text: string, at: number): string {
  const before = nameBefore.exec(text.slice(Math.max(0, at - 64), at))?.[0] ?? "";
  const spaced = /(?:api|access|secret|private|auth|client) $/i.exec(text.slice(Math.max(0, at - 8), at));
  return (spaced?.[0] ?? before) + (matchAt(namedFrom, text, at)?.[0] ?? "");
}

function isSecretNamed(name: string, value: string, mayBeWord: boolean): boolean {
  const kind = secretColumn(name.replace(/[.:[\]]+/g, "_").replace(/_$/, ""));
  if (kind === undefined) return false;
  if (kind === "password" && !mayBeWord && !isStatedSecret(value, true)) return false;
  return isSecretCell(value, kind, mayBeWord);
}
