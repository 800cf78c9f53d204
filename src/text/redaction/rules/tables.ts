import { matchAt } from "../../match-at.ts";
import { looksChosen } from "../randomness.ts";
import { noSpans, type Rule, type Span } from "../rule.ts";
import { valueAt } from "../value-rule.ts";
import { secretColumnsOf, secretsInRow } from "./secret-cells.ts";
import { isSecretCell, secretColumn } from "./secret-columns.ts";
import { cellsOf, isRuler, layoutOf, lineFrom } from "./table-layout.ts";

const nameInHeader =
  /[\w-]{3,30}(?![\w-])(?: (?:key|secret|hash))?["'`*]{0,3}(?:[ \t]{0,80}[|│┃║\r\n]|[,;\t]| {2})/iy;
const longestStart = 1000;
const names = [
  ...["passw", "kennwort", "pwd", "_pass", "passphrase", "secret", "token", "credential"],
  ...["api_key", "apikey", "api key", "access_key", "accesskey", "private_key", "privatekey", "auth_key"],
];

/** How far the search goes on after the last secret. */
const reach = 4096;

/** The secrets in a table with a header, in all columns named like secrets. */
export const tableColumns: Rule = {
  name: "column of a table",
  triggers: names,
  find(text, at, floor) {
    if (matchAt(nameInHeader, text, at) === null) return noSpans;
    const start = startOfLine(text, at);
    if (start === undefined || start < floor) return noSpans;
    const [header, below] = lineFrom(text, start);
    const [second, afterSecond] = lineFrom(text, below);
    const isRuled = second !== "" && isRuler(second);
    const layout = layoutOf(header, isRuled);
    if (layout === undefined) return noSpans;
    const heading = cellsOf(header, start, layout).map((cell) => cell.text.replaceAll("**", ""));
    const columns = secretColumnsOf(heading);
    if (columns === undefined) return noSpans;
    const found: Span[] = [];
    let position = isRuled ? afterSecond : below;
    while (position < text.length && position < (found.at(-1)?.end ?? below) + reach) {
      const [line, next] = lineFrom(text, position);
      if (!isRuler(line)) {
        const cells = cellsOf(line, position, layout);
        if (cells.length !== heading.length || line === header) break;
        found.push(...secretsInRow(cells, columns));
      }
      position = next;
    }
    return found;
  },
};

function startOfLine(text: string, at: number): number | undefined {
  const from = Math.max(0, at - longestStart);
  const start = text.slice(from, at).lastIndexOf("\n") + 1;
  return start === 0 && from > 0 ? undefined : from + start;
}

const namedRow =
  /(?<=(?:^|\n)[ \t]{0,40}[|│┃║]?[ \t]{0,8}`?[\w.-]{0,64})[\w-]{3,30}`?(?:[ \t]{0,60}[|│┃║][ \t]{1,60}| {2,60}|\t{1,4})`?([^\s|│┃║`]{6,512})(?=`?[ \t]{0,200}(?:[|│┃║]|\r?\n|$))/iy;
const nameBefore = /[\w.-]{0,40}$/;
const nameFrom = /[\w-]{3,30}/y;

/**
 * The secret beside its name in the first cell of a row, as psql and mysql show records, and secret stores without
 * rules: `password | …`.
 */
export const tableRows: Rule = {
  name: "row of a table",
  triggers: names,
  find(text, at) {
    const found = valueAt(namedRow, text, at);
    if (found === undefined) return noSpans;
    const [before = ""] = nameBefore.exec(text.slice(Math.max(0, at - 40), at)) ?? [];
    const [rest = ""] = matchAt(nameFrom, text, at) ?? [];
    const column = secretColumn(before + rest);
    if (column === undefined || !isSecretCell(found.value, column, false)) return noSpans;
    const isClear =
      isSecretCell(found.value, "token", false) || (column === "password" && looksChosen(found.value));
    return isClear && !isRuler(lineFrom(text, endOfLine(text, found.span.end))[0]) ? [found.span] : noSpans;
  },
};

function endOfLine(text: string, at: number): number {
  return lineFrom(text, at)[1];
}
