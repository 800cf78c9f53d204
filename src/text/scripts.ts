const hanAndKana = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30FC";
const southEastAsian = "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

/**
 * Chinese, Japanese and Korean; near-duplicates compare pairs of characters there. U+30FC, the vowel-lengthening mark,
 * belongs to no script. These are contents of a character class, for patterns with the flag `u`.
 */
export const eastAsianScripts = `${hanAndKana}\\p{Script=Hangul}`;

/** Scripts in which pairs of characters are searched. */
export const unspacedScripts = `${eastAsianScripts}${southEastAsian}`;

/** A letter or digit of a script with blanks between words. */
export const spacedLetter = `(?![${unspacedScripts}])[\\p{L}\\p{N}]`;

/** Scripts without blanks between words, in which only a dictionary finds the ends of words. */
export const dictionaryScripts = `${hanAndKana}${southEastAsian}`;

/** Matches ASCII texts, which need no Unicode tables. */
export const onlyAscii = /^[\0-\x7f]*$/;

/**
 * Matches texts whose letters, digits and marks are ASCII. They may contain dashes, quotation marks, bullets, ellipses
 * and arrows.
 */
export const plainText = /^[\0-\x7f\u2013\u2014\u2018-\u201d\u2022\u2026\u2192]*$/;

/** Every two adjacent characters of a run; none for a run of one. */
export function bigrams(run: string): string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
