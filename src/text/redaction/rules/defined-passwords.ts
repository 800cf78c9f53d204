import { matchAt } from "../../match-at.ts";
import { noSpans, type Rule } from "../rule.ts";
import { namesUser } from "./secret-cells.ts";
import { isSecretCell } from "./secret-columns.ts";
import { isStatedSecret } from "./stated-secret.ts";

/*
 * Passwords beside their name in Markdown: `- **Password:** …`, a term and its definition (`Password`, then `: …`).
 */

const definition =
  /(?:password|passwort|passphrase)(?: \([^()\n]{1,40}\))?(?:["'`]?(?::(?:\*\*|__)|(?:\*\*|__|`):| ?:)[ \t]{1,4}|[ \t]{0,4}\r?\n:[ \t]{1,4})(?:`([^`\n]{4,200})`|([^\s`<>(){}[\],;"']{4,64}))(?=[ \t]{0,8}(?:\\?\r?\n|$|[(#<|\u2014\u2013*-]))/iy;
const startOfLine =
  /(?:^|\n)[ \t>]{0,40}(?:(?:[-*+\u2022]|\d{1,3}[.)])[ \t]{1,4})?(?:\*\*|__|`)?(?:[\w/-]{1,20} ){0,3}$/;
const lineBefore =
  /(?:^|\n)[ \t>]{0,40}(?:(?:[-*+\u2022]|\d{1,3}[.)])[ \t]{1,4})?(?:\*\*|__|`)?([A-Za-z][\w /-]{1,40}?)(?:\*\*|__|`)?(?::|\r?\n:)[^\n]{1,120}\r?\n$/;
const longestLines = 240;

/** A password beside its name, alone on its line. Plain words count below the name of a user. */
export const definedPasswords: Rule = {
  name: "defined password",
  triggers: [
    "password:",
    "password**",
    "password__",
    "password`",
    "password\n:",
    "passwort:",
    "passwort**",
    "passphrase:",
    "passphrase**",
  ],
  find(text, at) {
    const [whole, quoted, bare] = matchAt(definition, text, at) ?? [];
    const value = quoted ?? bare;
    if (whole === undefined || value === undefined) return noSpans;
    const before = text.slice(Math.max(0, at - longestLines), at);
    const line = startOfLine.exec(before);
    if (line === null) return noSpans;
    const user = lineBefore.exec(before.slice(0, line.index + 1))?.[1] ?? "";
    const isSecret =
      isStatedSecret(value, true) ||
      (!/passw/i.test(value) && isSecretCell(value, "password", namesUser(user)));
    const start = at + whole.lastIndexOf(value);
    return isSecret ? [{ start, end: start + value.length }] : noSpans;
  },
};
