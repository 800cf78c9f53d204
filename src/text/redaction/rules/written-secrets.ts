import { endOfMatchAt, matchAt } from "../../match-at.ts";
import { looksChosen, looksRandom } from "../randomness.ts";
import { noSpans, type Rule } from "../rule.ts";
import { secretAt, type ValueForm } from "../value-rule.ts";
import { beforeLiteral, declaredType } from "../vendor-rule.ts";
import { isLiteral } from "./placeholder.ts";
import { isScrambled, isScrambledAlone } from "./scrambled.ts";

/* `key` only after words that make it a secret one; `token` not for page tokens. */
const secretName =
  "(?:(?<=(?:api|access|secret|private|auth|signing|encryption|jwt)[_-]?)key|secret|(?<!page_?)token)\\d{0,2}";

/* An argument of a getter is a name, not a secret: `getSecret("…")`. */
const asked = "(?:get|read|fetch|find|load|resolve)\\w{0,40}";
const endOfName = new RegExp(`${secretName}(?:(?=[\\s"'\`\\\\\\])=:{])|(?=\\()(?<!\\b${asked}))`, "iy");

/*
 * The texts between a name and a literal: in quotes, in a URL, on a line of YAML, in an environment or a log. The last
 * two also contain abbreviated commit hashes.
 */
const inQuotes = new RegExp(
  `[\\\\"'\`\\])]{0,5}[ \\t]{0,4}${declaredType}(?:=>|:=|\\|\\|=?|\\?\\?=?|\\?=|[=:,({])[ \\t]{0,4}${beforeLiteral}\\\\{0,3}["'\`]{1,3}([^\\s"'\`\\\\,;]{8,64})(?=\\\\{0,3}["'\`])`,
  "iy",
);
const inUrl = /(?<=[?&#][\w-]{0,48})=([\w.~%+/-]{8,64})(?![\w.~%+/-])/y;
const onLine = /["'`]?: {1,4}([A-Za-z\d]{12,64})(?=\r?\n|\\n|$)/y;
const inEnvironment = /=([^\s"'`\\,;&|<>(){}]{8,64})(?=[\s"'`\\;&|]|$)/y;
/* Whatever signs it contains, where its quotes or its line tell where it ends. */
const scrambled = new RegExp(
  `[\\\\"'\`\\])]{0,5}[ \\t]{0,4}${declaredType}(?:=>|:=|\\|\\|=?|\\?\\?=?|\\?=|[=:,({])[ \\t]{0,4}(?:\\w{1,12} ?= ?)?${beforeLiteral}\\\\{0,3}["'\`]{1,3}([^\\s"'\`\\\\]{8,128})(?=\\\\{0,3}["'\`])`,
  "iy",
);
const scrambledToEnd = /=([^\s"'`\\]{8,128})(?=[ \t]{0,8}(?:\r?\n|\\[nr]|$))/y;
const formsAfter = (isKey: boolean): readonly ValueForm[] => {
  const isSecret = (value: string) =>
    isMixed(value) && (!isHex(value) || (isKey && value.length >= shortestHexKey));
  return [
    [scrambledToEnd, isScrambledAlone],
    [inQuotes, isMixed],
    [inUrl, isMixed],
    [onLine, isSecret],
    [inEnvironment, isSecret],
    [scrambled, isScrambled],
  ];
};
/* Abbreviated commit hashes are shorter, and no key is one. */
const shortestHexKey = 16;
const forms = { key: formsAfter(true), other: formsAfter(false) };
const keyName = /(?:(?<=(?:api|access|secret|private|signing|encryption)[_-]?)key|(?<=client[_-]?)secret)/iy;

/** Literals of letters and digits, unlike any name, after a name that ends with a word for a secret. */
export const writtenSecrets: Rule = {
  name: "written secret",
  triggers: ["key", "secret", "token"],
  find(text, at) {
    const nameEnd = endOfMatchAt(endOfName, text, at);
    if (nameEnd === undefined) return noSpans;
    return secretAt(matchAt(keyName, text, at) === null ? forms.other : forms.key, text, nameEnd);
  },
};

/* Percent-encoding is removed first, because it has digits of its own. */
function isMixed(written: string): boolean {
  const value = written.replace(/%[\da-f]{2}/gi, "");
  return /\d\D*\d/.test(value) && looksChosen(value) && looksRandom(value) && isLiteral(written);
}

function isHex(value: string): boolean {
  return /^[\da-f]+$/i.test(value);
}
