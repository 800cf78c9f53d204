import { matchAt } from "../../match-at.ts";
import { looksOrdinary } from "../randomness.ts";
import { noSpans, type Rule, type Span } from "../rule.ts";
import { secretAt, valueAt, valueRule } from "../value-rule.ts";
import { isPlaceholder } from "./placeholder.ts";

const scheme = /(?:bearer|basic) {1,4}([A-Za-z0-9._~+/=-]{20,})/iy;

/** The credentials after `Bearer ` or `Basic ` in any case, but not prose such as "basic helix-loop-helix". */
export const authorizationSchemes: Rule = {
  name: "authorization scheme",
  triggers: ["bearer ", "basic "],
  find(text, at) {
    const found = valueAt(scheme, text, at);
    if (found === undefined) return secretAt([[shortBasic, isPair]], text, at);
    return isBasic(text, at) && looksOrdinary(found.value) ? noSpans : [found.span];
  },
};

const shortBasic = /basic {1,4}([A-Za-z0-9+/]{8,19}={0,2})(?![A-Za-z0-9+/=_.-])/iy;

/* Short values count only in the form that Basic requires: base64 of a user name, a colon and a password. */
function isPair(value: string): boolean {
  const decoded = Buffer.from(value, "base64").toString("latin1");
  return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(decoded);
}

function isBasic(text: string, at: number): boolean {
  return /[aA]/.test(text.charAt(at + 1));
}

/* The user option may follow other arguments, also on a later line after a backslash. */
const curlUser =
  /curl\s(?:[^\n\\]|\\[\s\S]){0,400}?(?<=\s)(?:-[uU]|--(?:proxy-)?user)[ =\t]{0,5}(?:"([^"\n]{2,200})"|'([^'\n]{2,200})'|([^\s"'`]{2,200}))/iy;

/** The password in curl's `-u user:password`. */
export const curlUsers: Rule = {
  name: "curl user",
  triggers: ["curl "],
  find(text, at) {
    const match = matchAt(curlUser, text, at);
    const pair = match?.[1] ?? match?.[2] ?? match?.[3];
    if (pair === undefined) return noSpans;
    const end = curlUser.lastIndex - (match?.[3] === undefined ? 1 : 0);
    return passwordOf(pair, end);
  },
};

function passwordOf(pair: string, end: number): readonly Span[] {
  const password = pair.slice(pair.indexOf(":") + 1);
  if (!pair.includes(":") || password.length < 3 || isPlaceholder(password)) {
    return noSpans;
  }
  return [{ start: end - password.length, end }];
}

const isNoPlaceholder = (value: string) => !isPlaceholder(value);

const header =
  /(?:-H|--header)[ =\t]{0,5}\\{0,3}["'](?:authorization|[\w-]{0,32}(?:api-?key|token|secret|auth)[\w-]{0,32}):[ \t]{0,8}(?:(?:basic|bearer|token|apikey|digest)[ \t]{1,4})?(?![\w-]{3,30}[ \t]{1,4}\w{1,30}=|\w{2,30}=\\{0,3}")([^\s"'\\]{8,512})/iy;

/* Schemes with named parameters have rules of their own. */
/** The credentials in a header on a command line: `-H "X-Api-Key: …"`. */
export const headerOptions: Rule = valueRule(
  "header option",
  ["--header", '-h "', "-h '", "-h=", '-h"', "-h'", "-h \\"],
  [[header, isNoPlaceholder]],
);

/*
 * The user may be an e-mail address, and the password a token of some kilobytes. Neither contains a slash, so no search
 * goes beyond the start of the next URL.
 */
const urlUser = /:\\?\/\\?\/[^\s/?#"'`<>\\:]{0,256}:([^\s/?#"'`<>\\]{1,8192})(?=@)/y;

/* The same, percent-encoded inside another URL; `%25` begins double encoding. */
const encodedUser =
  /%3A%2F%2F(?:[\w.~-]|%(?!2F|3A|40)[\dA-F]{2}){0,256}%3A((?:[^\s/?#"'`<>\\&%]|%(?!2F|3A|3F|40|26)[\dA-F]{2}){1,1024})(?=%40)/iy;

/** The password in `scheme://user:password@host`; the slashes may be escaped, as in JSON from PHP. */
export const urlPasswords: Rule = valueRule(
  "password in a url",
  ["://", ":\\/\\/", "%3a%2f%2f"],
  [
    [urlUser, isNoPlaceholder],
    [encodedUser, isNoPlaceholder],
  ],
);
