import { matchAt } from "../../match-at.ts";
import { type CollectedValue, collectionNamed, secretsAmong } from "../collections.ts";
import { noSpans, type Rule, type Span } from "../rule.ts";
import { declaredType } from "../vendor-rule.ts";

/*
 * Lists and records of secrets in JSON, code, TOML and YAML. An item is an optional key and a literal; the first thing
 * that is neither ends the collection.
 */

interface Item extends CollectedValue {
  readonly span: Span;
}

const reach = 2000;
const mostItems = 64;

const opening = new RegExp(
  `[\\w-]{4,24}(?:\\\\{0,7}["'\`])?(?:\\](?=[ \\t]{0,4}\\r?\\n)|\\]?[ \\t]{0,4}${declaredType}(?:=>|:=|[=:]))[ \\t]{0,4}(?:new \\w{0,20}\\[\\] {0,2}|\\[\\]\\w{1,20}|vec!)?([[({]|\\r?\\n(?=[ \\t]{0,40}[-\\w"']))`,
  "iy",
);
const key = "\\\\{0,7}[\"'`]?([\\w.@/-]{1,64})\\\\{0,7}[\"'`]?[ \\t]{0,8}(?:=>|:|=)[ \\t]{0,8}";
const literal =
  "\\\\{0,7}(?:\"([^\"\\\\\\n]{1,200})\\\\{0,7}\"|'([^'\\\\\\n]{1,200})'|`([^`\\\\\\n]{1,200})`)";
const inBrackets = new RegExp(
  `(?:\\s|\\\\[nrt]|,){0,80}(?:${key})?${literal}(?=\\s{0,80}[,)\\]}\\n]|\\\\n)`,
  "y",
);
const endOfLine = "[ \\t]{0,8}(?:[ \\t]#[^\\n]{0,200})?(?=\\r?\\n|$)";
const plain = '([^\\s"\'`{}[\\]()<>!&*|>%@#,:=-](?:[^\\n"#:=;{}<>()[\\],]|[#:=](?=\\S)){0,199}?)';
const onLine = (before: string) => new RegExp(`${before}(?:${literal}|${plain})${endOfLine}\\r?\\n?`, "y");
const listLine = onLine("(?:[ \\t]{0,40})()- {1,4}");
const recordLine = onLine(`(?:[ \\t]{1,40})${key}`);
const sectionLine = new RegExp(`[ \\t]{0,40}${key}${literal}${endOfLine}\\r?\\n?`, "y");

/** The secrets in a list or record that is named like one. */
export const collectedSecrets: Rule = {
  name: "collected secrets",
  triggers: [
    ...["passwords", "passwds", "passphrases", "pwds", "secrets"],
    ...["api_keys", "apikeys", "api-keys", "access_keys", "accesskeys", "secret_keys", "private_keys"],
    ...["api_tokens", "apitokens", "access_tokens", "accesstokens", "auth_tokens", "refresh_tokens"],
  ],
  find(text, at) {
    const found = matchAt(opening, text, at);
    if (found === null) return noSpans;
    const [whole, bracket = ""] = found;
    const collection = collectionNamed(/^[\w-]+/.exec(whole)?.[0] ?? "");
    if (collection === undefined || (bracket.endsWith("\n") && !startsLine(text, at))) return noSpans;
    const items = itemsFrom(text, at + whole.length, formsAfter(whole, bracket));
    const areSecrets = secretsAmong(collection, items);
    return items.filter((_, place) => areSecrets[place]).map(({ span }) => span);
  },
};

/* In YAML and TOML a name starts its line; a capitalised one is a heading of prose. */
function startsLine(text: string, at: number): boolean {
  return /(?:^|\n)[ \t]{0,40}(?:- )?\[?["']?(?![A-Z][a-z])[\w.-]{0,64}$/.test(
    text.slice(Math.max(0, at - 112), at + 2),
  );
}

function formsAfter(opened: string, bracket: string): readonly RegExp[] {
  if (/[[({]/.test(bracket)) return [inBrackets];
  return /\][ \t]*\r?\n$/.test(opened) ? [sectionLine] : [listLine, recordLine];
}

function itemsFrom(text: string, from: number, forms: readonly RegExp[]): readonly Item[] {
  const items: Item[] = [];
  let form: RegExp | undefined;
  for (let at = from; items.length < mostItems && at < from + reach; ) {
    form ??= forms.find((each) => matchAt(each, text, at) !== null);
    const match = form === undefined ? null : matchAt(form, text, at);
    if (match === null) break;
    const [whole, itsKey, ...written] = match;
    const value = written.find((each) => each !== undefined) ?? "";
    const start = at + whole.lastIndexOf(value);
    items.push({ ...(itsKey ? { key: itsKey } : {}), value, span: { start, end: start + value.length } });
    at += whole.length;
  }
  return items;
}
