import { matchAt } from "../../match-at.ts";
import { noSpans, type Rule } from "../rule.ts";
import { namesUser } from "./secret-cells.ts";
import { isSecretCell, secretColumn } from "./secret-columns.ts";
import { isStatedSecret } from "./stated-secret.ts";

/*
 * Secrets beside their name in Markdown: `- **Password:** …`, a term and its definition (`API key`, then `: …`), a
 * heading and a value in code below it.
 */

const secretName =
  "(?:password|passwort|passphrase|(?:(?:api|access|secret|auth|bearer|refresh)[ _-])?(?:key|token)|(?:client[ _-])?secret)";
const mark = "(?:\\*\\*|__|[*_`])";
const definition = new RegExp(
  `(${secretName})(?: \\([^()\\n]{1,40}\\))?(?:["'\`]?(?::${mark}|${mark} ?[:\u2013\u2014]|${mark} -| ?:)[ \\t]{1,4}|[ \\t]{0,4}\\r?\\n:[ \\t]{1,4}|${mark}?[ \\t]{0,4}\\r?\\n(?:[ \\t]{0,4}\\r?\\n)?[ \\t]{0,4}(?=\`))(?:\`([^\`\\n]{4,200})\`|([^\\s\`<>(){}[\\],;"']{4,200}))(?=[ \\t]{0,8}(?:\\\\?\\r?\\n|$|[(#<|\u2014\u2013*-]))`,
  "iy",
);
const startOfLine =
  /(?:^|\n)[ \t>]{0,40}(?:(?:[-*+\u2022]|\d{1,3}[.)]|#{1,6})[ \t]{1,4})?(?:\*\*|__|[*_`])?((?:[\w/-]{1,20} ){0,3})$/;
const lineBefore =
  /(?:^|\n)[ \t>]{0,40}(?:(?:[-*+\u2022]|\d{1,3}[.)])[ \t]{1,4})?(?:\*\*|__|[*_`])?([A-Za-z][\w /-]{1,40}?)(?:\*\*|__|[*_`])?(?::|\r?\n:)[^\n]{1,120}\r?\n$/;
const longestLines = 240;
const separators = [":", "*", "__", "_:", "`", "\n"];

/** A secret beside its name, alone on its line. A password may be a plain word below the name of a user. */
export const definedSecrets: Rule = {
  name: "defined secret",
  triggers: [
    "password",
    "passwort",
    "passphrase",
    "api key",
    "access key",
    "secret key",
    "token",
    "secret",
  ].flatMap((name) => separators.map((separator) => name + separator)),
  find(text, at) {
    const [whole, name = "", quoted, bare] = matchAt(definition, text, at) ?? [];
    const value = quoted ?? bare;
    if (whole === undefined || value === undefined) return noSpans;
    const before = text.slice(Math.max(0, at - longestLines), at);
    const line = startOfLine.exec(before);
    if (line === null) return noSpans;
    const start = at + whole.lastIndexOf(value);
    const span = [{ start, end: start + value.length }];
    const column = secretColumn((line[1] ?? "") + name);
    if (column !== "password") return column && isSecretCell(value, column, false) ? span : noSpans;
    const user = lineBefore.exec(before.slice(0, line.index + 1))?.[1] ?? "";
    const isSecret =
      isStatedSecret(value, true) ||
      (!/passw/i.test(value) && isSecretCell(value, "password", namesUser(user)));
    return isSecret ? span : noSpans;
  },
};
