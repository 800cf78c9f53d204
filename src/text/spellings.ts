import { indexTokens } from "./tokens.ts";

/*
 * Compounds are written as one word or as several: `re-index` and `reindex`, `get_user` and `getUser`, `sha-256` and
 * `sha256`. What a compound is joined to is a token of texts that write it so; what one word comes apart into is only
 * known where digits follow letters. Elsewhere every place is tried, for words alone that stand nowhere as they are.
 */

const compound = /^[a-z]+(?:[-_][a-z]+)+$/;
const numbered = /^([a-z]+)([-_]?)(\d+)$/;

/** Index tokens of the other ways to write what this one stands for. */
export function otherSpellings(token: string): readonly string[] {
  if (compound.test(token)) return indexTokens(token.replaceAll(/[-_]/g, ""));
  const [, letters = "", separator = "", digits = ""] = numbered.exec(token) ?? [];
  if (digits === "") return [];
  return [separator === "" ? `${letters}-${digits}` : `${letters}${digits}`];
}

const longestApart = 20;
const german = /[äöüß]|[aou]e|ss/;
const folded: Readonly<Record<string, string>> = { ae: "a", oe: "o", ue: "u", ä: "ae", ö: "oe", ü: "ue" };

/**
 * Index tokens of what a word of letters may be written as that nobody wrote as it stands: in two (`oncall` for
 * `on-call`), or, as in German, with letters that keyboards lack (`groesse` for `Größe`) or without, as in Turkish
 * (`sinif` for `sınıf`, which has an `I` in capitals).
 */
export function rarerSpellings(word: string): readonly string[] {
  const found = new Set<string>();
  if (/^[a-z]+$/.test(word) && word.length <= longestApart) {
    for (let at = 2; at <= word.length - 2; at += 1)
      for (const joint of "-_") found.add(`${word.slice(0, at)}${joint}${word.slice(at)}`);
  }
  if (german.test(word)) {
    // An index has no dots above letters.
    const vowels = word.replace(/[aou]e|[äöü]/g, (vowel) => folded[vowel] ?? vowel);
    for (const one of [word, vowels]) {
      for (const other of [one, one.replaceAll("ss", "ß"), one.replaceAll("ß", "ss")])
        for (const token of indexTokens(other)) found.add(token);
    }
    for (const token of indexTokens(word)) found.delete(token);
  }
  // Harmony of vowels lets few Turkish words have both.
  for (const other of [word.replaceAll("ı", "i"), word.replaceAll("i", "ı")])
    if (other !== word) for (const token of indexTokens(other)) found.add(token);
  return [...found];
}
