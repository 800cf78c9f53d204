import { placeRule } from "./place.ts";

/* SQL Server wants letters of both cases and signs or digits; brackets are frequent, as in its documentation. */
const passwordWithout = (excluded: string): string =>
  String.raw`((?=[^\n]{0,128}?[a-z])(?=[^\n]{0,128}?[A-Z])(?!\w{1,60}\(\))[^\s\\${excluded}]{8,128})`;
const inDoubleQuotes = String.raw`${passwordWithout('"')}(?=\\?")`;
const inSingleQuotes = `${passwordWithout("'")}(?=')`;
const toEndOfLine = String.raw`${passwordWithout("\"'\x60;&|<>")}(?=[ \t]{0,8}(?:\r?\n|\\n|$))`;

const pattern = [
  // `-e "SA_PASSWORD=…"`: the quote is before the name.
  String.raw`(?<="\w{0,40})SA_PASSWORD=${inDoubleQuotes}`,
  String.raw`(?<='\w{0,40})SA_PASSWORD=${inSingleQuotes}`,
  String.raw`SA_PASSWORD["']?[ \t]{0,4}[:=][ \t]{0,4}(?:\\?"${inDoubleQuotes}|'${inSingleQuotes}|${toEndOfLine})`,
].join("|");

/** The password of SQL Server's administrator. */
export const sqlServerPassword = placeRule({
  name: "password of SQL Server",
  triggers: ["sa_password"],
  pattern: new RegExp(pattern, "dy"),
});
