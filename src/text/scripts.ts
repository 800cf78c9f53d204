const hanAndKana = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30FC";
const southEastAsian = "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

/**
 * Chinese, Japanese and Korean, of which near-duplicates compare pairs of characters. U+30FC, the mark that lengthens
 * a vowel, belongs to no script. The text of a character class, to be used with the `u` flag, as below.
 */
export const eastAsianScripts = `${hanAndKana}\\p{Script=Hangul}`;

/** Scripts that are searched by pairs of characters. */
export const unspacedScripts = `${eastAsianScripts}${southEastAsian}`;

/** Scripts written without blanks between words: only a dictionary knows where one ends. */
export const dictionaryScripts = `${hanAndKana}${southEastAsian}`;

/** Texts whose characters need no look into the tables of Unicode. */
export const onlyAscii = /^[\0-\x7f]*$/;

/** Every two neighbouring characters of a run; none for a run of one. */
export function bigrams(run: string): string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
