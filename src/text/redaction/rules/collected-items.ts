import { matchAt } from "../../match-at.ts";
import type { CollectedValue, Position } from "../collections.ts";
import type { Span } from "../rule.ts";

/*
 * The items of a list or record: an optional key and a literal each. The first thing that is neither ends it. Records
 * within it are groups of their own, because each is judged by itself.
 */

interface Item extends CollectedValue {
  readonly span: Span;
}

export interface Group {
  readonly items: Item[];
  readonly position: Position;
}

const reach = 2000;
const mostItems = 64;
const deepest = 6;

const literal =
  "\\\\{0,7}(?:\"([^\"\\\\\\n]{1,200})\\\\{0,7}\"|'([^'\\\\\\n]{1,200})'|`([^`\\\\\\n]{1,200})`)";
const key = "\\\\{0,7}[\"'`]?([\\w.@/-]{1,64})\\\\{0,7}[\"'`]?[ \\t]{0,8}(?:=>|:|=)[ \\t]{0,8}";
const gap = "(?:\\s|\\\\[nrt]|,){0,80}";
const endOfItem = "(?=\\s{0,80}[,)\\]}\\n]|\\\\n)";
const inBrackets = new RegExp(
  `${gap}(?:(?:${key})?${literal}${endOfItem}|${key}([{[])|([}\\]])(?=\\s{0,80}[,}\\]]))`,
  "dy",
);

/** The items in brackets. */
export function groupsInBrackets(text: string, from: number): readonly Group[] {
  const groups: Group[] = [{ items: [], position: "own" }];
  const open = [...groups];
  for (let at = from, count = 0; count < mostItems && at < from + reach; count++) {
    const match = matchAt(inBrackets, text, at);
    const group = open.at(-1);
    if (match === null || group === undefined) break;
    const [whole, itsKey, , , , , nested, closing] = match;
    group.items.push(...itemsIn(match, itsKey, [2, 3, 4]));
    if (closing !== undefined) open.pop();
    if (nested === "{" || nested === "[") {
      if (open.length > deepest) break;
      open.push({ items: [], position: "nested" });
      groups.push(...open.slice(-1));
    }
    at += whole.length;
  }
  return groups;
}

/** What a diff or a listing may put before a line. */
export const lineMark = "(?:[+>](?=[ \\t\\w])|-(?=[ \\t]{2}|\\w)|[ \\t]{0,8}\\d{1,6}[:\\t\\u2192|])?";
const endOfLine = "[ \\t]{0,8}(?:[ \\t]#[^\\n]{0,200})?(?=\\r?\\n|$)";
const plain = '([^\\s"\'`{}[\\]()<>!&*|>%@#,:=-](?:[^\\n"#:=;{}<>()[\\],]|[#:=](?=\\S)){0,199}?)';
const line = new RegExp(
  `${lineMark}([ \\t]{0,40})(?:(?:(- {1,4})|${key})(?:${literal}|${plain})|${key})${endOfLine}\\r?\\n?`,
  "dy",
);

/** The items on the lines below a name of this indentation, in YAML. */
export function groupsOnLines(text: string, from: number, indentation: number): readonly Group[] {
  const groups: Group[] = [];
  const open: { readonly group: Group; readonly indentation: number }[] = [];
  for (let at = from, count = 0; count < mostItems && at < from + reach; count++) {
    const match = matchAt(line, text, at);
    if (match === null) break;
    const [whole, indent = "", dash, itsKey] = match;
    const own = indent.length;
    if (own < indentation || (own === indentation && dash === undefined)) break;
    while ((open.at(-1)?.indentation ?? 0) > own) open.pop();
    if (open.at(-1)?.indentation !== own) {
      if (open.length > deepest) break;
      const group: Group = { items: [], position: open.length === 0 ? "own" : "nested" };
      open.push({ group, indentation: own });
      groups.push(group);
    }
    open.at(-1)?.group.items.push(...itemsIn(match, itsKey, [4, 5, 6, 7]));
    at += whole.length;
  }
  return groups;
}

const sectionLine = new RegExp(`[ \\t]{0,40}${key}${literal}${endOfLine}\\r?\\n?`, "dy");

/** The items of a section in TOML. */
export function groupsInSection(text: string, from: number): readonly Group[] {
  const items: Item[] = [];
  for (let at = from; items.length < mostItems && at < from + reach; ) {
    const match = matchAt(sectionLine, text, at);
    if (match === null) break;
    items.push(...itemsIn(match, match[1], [2, 3, 4]));
    at += match[0].length;
  }
  return [{ items, position: "own" }];
}

const inlineItem =
  /(?:[ \t]{0,4}(?:,|\/(?=[ \t])|\b(?:and|or|und|oder|et|y)\b)){0,2}[ \t]{0,4}([^\s"'`,;:(){}[\]<>|$\\]{4,200})(?=[ \t]{0,4}(?:,|\/[ \t]|\]|\r?\n|\\n|$)|[ \t](?:and|or|und|oder|et|y)[ \t])/diy;

/** The items without quotes on one line: `passwords: a, b`, `[a, b]`. */
export function groupsInline(text: string, from: number): readonly Group[] {
  const items: Item[] = [];
  for (let at = from; items.length < mostItems && at < from + reach; ) {
    const match = matchAt(inlineItem, text, at);
    if (match === null) break;
    items.push(...itemsIn(match, undefined, [1]));
    at += match[0].length;
  }
  return [{ items, position: "inline" }];
}

/* The item in whichever of these groups took part. */
function itemsIn(
  match: RegExpExecArray,
  itsKey: string | undefined,
  groups: readonly number[],
): readonly Item[] {
  return groups.flatMap((group) => {
    const range = match.indices?.[group];
    if (range === undefined) return [];
    const span = { start: range[0], end: range[1] };
    return [{ ...(itsKey ? { key: itsKey } : {}), value: match[group] ?? "", span }];
  });
}
