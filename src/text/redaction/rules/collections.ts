import { matchAt } from "../../match-at.ts";
import { collectionNamed, secretsAmong } from "../collections.ts";
import { noSpans, type Rule } from "../rule.ts";
import { declaredType } from "../vendor-rule.ts";
import {
  type Group,
  groupsInBrackets,
  groupsInline,
  groupsInSection,
  groupsOnLines,
  lineMark,
} from "./collected-items.ts";

/* Lists and records of secrets in JSON, code, TOML and YAML. */

const opening = new RegExp(
  `[\\w-]{4,24}(?:\\\\{0,7}["'\`])?(?:(?:\\.[\\w-]{1,32}){0,4}\\](?=[ \\t]{0,4}\\r?\\n)|\\]?[ \\t]{0,4}${declaredType}(?:=>|:=|[=:]))[ \\t]{0,4}(?:new \\w{0,20}\\[\\] {0,2}|\\[\\]\\w{1,20}|vec!)?([[({]|\\r?\\n(?=[+>-]?[ \\t]{0,40}[-\\w"'])|(?=[^\\s"'\`,]))`,
  "iy",
);

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
    if (collection === undefined) return noSpans;
    return groupsAfter(text, at, whole, bracket)
      .flatMap(({ items, position }) => {
        const areSecrets = secretsAmong(collection, items, position);
        return items.filter((_, place) => areSecrets[place]).map(({ span }) => span);
      })
      .sort((one, other) => one.start - other.start);
  },
};

/* In YAML and TOML a name starts its line; a capitalised one is a heading of prose. */
const lineBefore = new RegExp(
  `(?:^|\\n)${lineMark}([ \\t]{0,40}(?:- )?)\\[?["']?(?![A-Z][a-z])[\\w.-]{0,64}$`,
);
const longestStart = 120;

function groupsAfter(text: string, at: number, opened: string, bracket: string): readonly Group[] {
  const from = at + opened.length;
  if (/[[({]/.test(bracket)) {
    const groups = groupsInBrackets(text, from);
    if (bracket !== "[" || groups.some(({ items }) => items.length > 0)) return groups;
  } else if (bracket.endsWith("\n")) {
    const start = lineBefore.exec(text.slice(Math.max(0, at - longestStart), at + 2));
    if (start === null) return [];
    const isSection = /\][ \t]*\r?\n$/.test(opened);
    return isSection ? groupsInSection(text, from) : groupsOnLines(text, from, start[1]?.length ?? 0);
  }
  // In code, names without quotes are variables.
  return /:[ \t]{0,4}\[?$|=$/.test(opened) ? groupsInline(text, from) : [];
}
