import { endOfMatchAt, matchAt } from "../../match-at.ts";
import { noSpans, type Rule, type Span } from "../rule.ts";
import { namesUser, secretColumnsOf, secretIn, secretsInRow } from "./secret-cells.ts";
import { secretColumn } from "./secret-columns.ts";
import type { Cell } from "./table-layout.ts";

/* Tables in HTML, and lists of terms: a secret is in the cell below its name, or beside it. */

const names = ["password", "passwort", "passphrase", "secret", "token", "credentials", "key"];
const attributes = "(?:\\s[^<>]{0,200})?";
const marks = "(?:b|strong|em|code|span|kbd|pre)";
const cellEnd = `\\s{0,80}(?:</${marks}>\\s{0,40}){0,2}</`;
const endOfName = new RegExp(`[a-z]{3,12}:?(?:</${marks}>\\s{0,40}){0,2}</(t[hd]|dt)>`, "iy");
const plainCell = new RegExp(
  `\\s{0,80}<(t[hd]|d[td])${attributes}>\\s{0,80}(?:<${marks}${attributes}>\\s{0,40}){0,2}([^<>\\s](?:[^<>]{0,510}[^<>\\s])?)${cellEnd}\\1>`,
  "iy",
);
const otherCell = /\s{0,80}<(t[hd]|d[td])(?:\s[^<>]{0,200})?>([^<]|<(?!\/?t[hdr]\b)){0,400}?<\/\1>/iy;
const betweenRows = new RegExp(
  `\\s{0,80}</tr>(?:\\s{0,80}</?t(?:head|body|foot)${attributes}>){0,4}\\s{0,80}<tr${attributes}>`,
  "iy",
);
const longestRow = 2000;
const mostCells = 40;
/** How far the search goes on after the last secret. */
const reach = 4096;

/** The secrets in cells below or beside a name. */
export const htmlTables: Rule = {
  name: "table of HTML",
  triggers: names.flatMap((name) => [`${name}</`, `${name}:</`]),
  find(text, at, floor) {
    const tag = matchAt(endOfName, text, at)?.[1]?.toLowerCase();
    if (tag === undefined) return noSpans;
    const from = Math.max(floor, at - longestRow);
    const before = text.slice(from, at).toLowerCase();
    const start = before.lastIndexOf(tag === "dt" ? "<dt" : "<tr");
    if (start === -1) return noSpans;
    const inRow = tag === "dt" ? from + start : text.indexOf(">", from + start) + 1;
    const [cells, end] = cellsFrom(text, inRow);
    const [name, value] = cells;
    if (name !== undefined && value !== undefined && name.start <= at && at < value.start) {
      const found = besideName(name, value, before.slice(0, start));
      if (found.length > 0) return found;
    }
    return tag === "dt" ? noSpans : belowNames(text, cells, end);
  },
};

function besideName(name: Cell, value: Cell, before: string): readonly Span[] {
  const kind = secretColumn(nameIn(name));
  return secretIn(value, kind, namesUser(lastName.exec(before.slice(-400))?.[1] ?? ""));
}

/* The name in the row or term before: `<td>User</td><td>ada</td></tr>`. */
const lastName = /.*<(?:t[hd]|dt)(?:\s[^<>]{0,200})?>\s{0,80}([\w -]{2,40}):?<\/(?:t[hd]|dt)>\s{0,80}<[td]/s;

function belowNames(text: string, heading: readonly Cell[], from: number): readonly Span[] {
  const columns = secretColumnsOf(heading.map(nameIn));
  if (columns === undefined) return noSpans;
  const found: Span[] = [];
  for (let end = from; end < (found.at(-1)?.end ?? from) + reach; ) {
    const start = endOfMatchAt(betweenRows, text, end);
    if (start === undefined) break;
    const [cells, next] = cellsFrom(text, start);
    if (cells.length !== heading.length || cells.every(({ text: own }, at) => own === heading[at]?.text))
      break;
    found.push(...secretsInRow(cells, columns));
    end = next;
  }
  return found;
}

function nameIn(cell: Cell): string {
  return cell.text.replace(/\s{0,4}:$/, "");
}

/** The cells from a position on, and where they end. A cell that contains more than a text reads as empty. */
function cellsFrom(text: string, from: number): readonly [cells: readonly Cell[], end: number] {
  const cells: Cell[] = [];
  let at = from;
  while (cells.length < mostCells) {
    const match = matchAt(plainCell, text, at) ?? matchAt(otherCell, text, at);
    if (match === null) break;
    const value = plainCell.lastIndex > at ? (match[2] ?? "") : "";
    cells.push({ text: value, start: at + match[0].lastIndexOf(value) });
    at += match[0].length;
  }
  return [cells, at];
}
