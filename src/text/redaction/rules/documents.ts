import { endOfMatchAt } from "../../match-at.ts";
import { noSpans, type Rule } from "../rule.ts";
import { valueRule } from "../value-rule.ts";

const pemHeader = /-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----/iy;
const pemMarker = /(BEGIN[ A-Z0-9_-]{0,100})?KEY(?: BLOCK)?-----/gi;
/*
 * The contents of a PEM block whose end was cut off: header fields, then lines of base64. Line breaks may be escaped,
 * and listings or diffs may mark the beginnings of lines. Matched in pieces, because V8 overflows its stack in a
 * pattern that matches millions of characters.
 */
const pemBreak = "[\\s\\\\nr\"',+>]{0,8}(?:[ \\t]{0,8}\\d{1,6}[\u2192\\t:|][ \\t]{0,4})?";
const pemFields = new RegExp(
  `(?:${pemBreak}(?:Proc-Type|DEK-Info|Comment|Version): [^\\n\\\\]{0,100}){0,4}`,
  "y",
);
const pemLine = new RegExp(`${pemBreak}[A-Za-z0-9+/=]{40,4096}`, "y");
const pemLastLine = new RegExp(`${pemBreak}[A-Za-z0-9+/=]{1,4096}`, "y");

/**
 * A PEM block of a private key, from its header to its end line; if the next header comes first, the header and the
 * base64 that follows. The search for the end stops at the next header, so no stretch is searched twice.
 */
export const privateKeyBlocks: Rule = {
  name: "private key block",
  triggers: ["-----begin"],
  find(text, at) {
    const body = endOfMatchAt(pemHeader, text, at);
    if (body === undefined) return noSpans;
    pemMarker.lastIndex = body;
    const marker = pemMarker.exec(text);
    if (marker !== null && marker[1] === undefined) return [{ start: at, end: pemMarker.lastIndex }];
    const end = endOfBody(text, body);
    return end > body ? [{ start: at, end }] : noSpans;
  },
};

function endOfBody(text: string, from: number): number {
  const body = endOfMatchAt(pemFields, text, from) ?? from;
  let end = body;
  for (pemLine.lastIndex = end; pemLine.test(text); ) end = pemLine.lastIndex;
  return end === body ? from : (endOfMatchAt(pemLastLine, text, end) ?? end);
}

const pemEnd = /-----END[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----/iy;
const lineBefore = new RegExp(`(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{1,76}={0,2})${pemBreak}$`);
const shortestLine = 40;
const longestLineBefore = 120;
const mostLinesBefore = 256;

/** The end of a private key whose beginning was cut off, as in the output of `tail`: the lines before its end line. */
export const privateKeyRests: Rule = {
  name: "rest of a private key",
  triggers: ["-----end"],
  find(text, at, floor) {
    const end = endOfMatchAt(pemEnd, text, at);
    if (end === undefined) return noSpans;
    let start = at;
    for (let line = 0; line < mostLinesBefore; line++) {
      const found = lineBefore.exec(text.slice(Math.max(floor, start - longestLineBefore), start));
      // Only the last line of a key may be short.
      if (found?.[1] === undefined || (line > 0 && found[1].length < shortestLine)) break;
      start -= found[0].length;
    }
    return at - start > shortestLine ? [{ start, end }] : noSpans;
  },
};

const nugetPassword = /<add\s{1,8}key="(?:ClearText)?Password"\s{1,8}value="([^"\n]{4,256})(?=")/iy;

/** The password of a package source in a NuGet configuration. */
export const nugetPasswords: Rule = valueRule(
  "nuget password",
  ["<add key"],
  [[nugetPassword, (value) => !/^(?:%|\[REDACTED)/.test(value)]],
);
