import { endOfMatchAt } from "../../match-at.ts";
import { capturedSpans } from "../captures.ts";
import { noSpans, type Rule, type Span } from "../rule.ts";
import { isLiteral } from "./placeholder.ts";

const header = /cookie\\?["']?:[ \t]{0,4}\\?["'`]?(?=[\w.%-]{1,128}=)/iy;
const scriptCookie = /document\.cookie[ ]{0,4}=[ ]{0,4}["'`](?=[\w.%-]{1,128}=)/y;
const curlCookie = /(?:-b|--cookie)[ =]{1,4}\\?["'](?=[\w.%-]{1,128}=)/y;
const crumb = /[ \t]{0,4}([\w.%-]{1,128})=([^;,\s"'`\\<>(){}]{6,4096})?[^;\n"'`\\]{0,200}(?:;|$)?/dy;
const attributes = /^(?:path|domain|expires|max-age|samesite|version|comment|priority)$/i;
const mostCookies = 64;

/** The values in a Cookie or Set-Cookie header, a script's cookie, or curl's `-b`. Names and attributes stay. */
export const cookies: Rule = {
  name: "cookies",
  triggers: ["cookie:", 'cookie":', "cookie':", 'cookie\\":', '-b "', "-b '", "--cookie ", "document.cookie"],
  find(text, at) {
    const from =
      endOfMatchAt(header, text, at) ??
      endOfMatchAt(curlCookie, text, at) ??
      endOfMatchAt(scriptCookie, text, at);
    return from === undefined ? noSpans : crumbsFrom(text, from);
  },
};

function crumbsFrom(text: string, from: number): readonly Span[] {
  const found: Span[] = [];
  crumb.lastIndex = from;
  for (let count = 0; count < mostCookies; count++) {
    const match = crumb.exec(text);
    if (match === null) break;
    if (attributes.test(match[1] ?? "")) continue;
    found.push(...capturedSpans(match, isLiteral).slice(1));
  }
  return found;
}
