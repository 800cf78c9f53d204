import { endOfMatchAt, matchAt } from "../../match-at.ts";
import { closingQuote } from "../quoted-values.ts";
import { noSpans, type Rule, type Span } from "../rule.ts";
import { isSecretLiteral, type SecretColumn, secretColumn } from "./secret-columns.ts";

/*
 * The secrets among the rows of `INSERT INTO … (email, password) VALUES ('…', '…'), …`, by the position of their
 * columns. The statement may be quoted itself: then its quotes and line breaks are escaped.
 */

const blank = "(?:\\s|\\\\[nrt]){0,40}";
const insertion = new RegExp(
  `(?:insert (?:(?:ignore|or \\w{1,10}|low_priority|delayed) )?into|replace into) {1,4}[\\w."'\`[\\]\\\\$-]{1,200}${blank}\\(([^()]{1,2000})\\)${blank}(?:overriding \\w{1,8} value${blank})?values?${blank}(?=\\()`,
  "iy",
);
const beforeRow = new RegExp(`,?${blank}(?=\\()`, "y");

/** How far the search goes on after the last secret. */
const reach = 8192;
const mostParentheses = 8;

/** The secrets among the values of an INSERT statement. */
export const insertedRows: Rule = {
  name: "row inserted in sql",
  triggers: ["insert into", "insert ignore", "insert or ", "insert low_p", "insert delayed", "replace into"],
  find(text, at) {
    const columns = columnsIn(matchAt(insertion, text, at)?.[1]);
    if (columns === undefined) return noSpans;
    const found: Span[] = [];
    let position: number | undefined = insertion.lastIndex;
    while (position !== undefined) {
      const limit = Math.min(text.length, (found.at(-1)?.end ?? insertion.lastIndex) + reach);
      const row = readRow(text, position, limit);
      if (row === undefined) break;
      found.push(...row.literals.flatMap((literal, place) => secretIn(text, literal, columns[place])));
      position = endOfMatchAt(beforeRow, text, row.end);
    }
    return found;
  },
};

/* What the columns of a list contain; undefined if none of them contains secrets. */
function columnsIn(list: string | undefined): readonly (SecretColumn | undefined)[] | undefined {
  const columns = list?.split(",").map(columnOf);
  return columns?.some((column) => column !== undefined) ? columns : undefined;
}

function columnOf(name: string): SecretColumn | undefined {
  return secretColumn(name.replace(/\\[nrt]/g, " ").replace(/[\s"'`[\]\\]/g, ""));
}

function secretIn(
  text: string,
  literal: Span | undefined,
  column: SecretColumn | undefined,
): readonly Span[] {
  if (literal === undefined || column === undefined) return noSpans;
  return isSecretLiteral(text.slice(literal.start, literal.end), column) ? [literal] : noSpans;
}

/* The first literal of each value, which may be an argument: `crypt('…', gen_salt('bf'))`. */
interface Row {
  readonly literals: readonly (Span | undefined)[];
  readonly end: number;
}

const opening = /(\\{0,7})(["'])/y;

/** Reads a row from its opening parenthesis; undefined if it does not end before the limit. */
function readRow(text: string, from: number, limit: number): Row | undefined {
  const literals: (Span | undefined)[] = [undefined];
  let depth = 0;
  for (let at = from; at < limit; at++) {
    const character = text.charAt(at);
    if (character === "(" && ++depth > mostParentheses) return undefined;
    if (character === ")" && --depth === 0) return { literals, end: at + 1 };
    if (character === "," && depth === 1) literals.push(undefined);
    if (character !== "'" && character !== '"' && character !== "\\") continue;
    const [, escapes = "", quote] = matchAt(opening, text, at) ?? [];
    if (quote === undefined) continue;
    const start = opening.lastIndex;
    const end = closingQuote(text, { quote, backslashes: escapes.length }, start, limit);
    if (end === undefined) return undefined;
    literals[literals.length - 1] ??= { start, end };
    at = end + escapes.length;
  }
  return undefined;
}

const copied =
  /(?<=copy [\w."$-]{1,200} \(([^()\n]{1,2000})\) )from stdin(?: [^;\n]{1,80})?;[ \t]{0,4}\r?\n/iy;
const nextLine = /([^\n]{0,8192})(?:\n|$)/y;

/** The secrets in the rows of a dump of PostgreSQL: `COPY … (email, password) FROM stdin;` */
export const copiedRows: Rule = {
  name: "row copied in sql",
  triggers: ["from stdin"],
  find(text, at) {
    const columns = columnsIn(matchAt(copied, text, at)?.[1]);
    if (columns === undefined) return noSpans;
    const found: Span[] = [];
    let position = copied.lastIndex;
    while (position < text.length && position < (found.at(-1)?.end ?? copied.lastIndex) + reach) {
      const line = matchAt(nextLine, text, position)?.[1];
      if (line === undefined || line.startsWith("\\.")) break;
      let start = position;
      for (const [place, cell] of line.split("\t").entries()) {
        found.push(...secretIn(text, { start, end: start + cell.length }, columns[place]));
        start += cell.length + 1;
      }
      position = nextLine.lastIndex;
    }
    return found;
  },
};
