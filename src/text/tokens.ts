import stem from "wink-porter2-stemmer";
import { memoiseWords } from "./memoise-words.ts";
import { withPlainLetters } from "./plain-letters.ts";
import { bigrams, onlyAscii } from "./scripts.ts";
import { stopWords } from "./stop-words.ts";
import { asciiPatterns, scriptPatterns, wordJoints } from "./word-patterns.ts";

/**
 * The words under which documents are indexed. `src/index/sql.ts is broken` gives `src/index/sql.ts`, `sql.ts`, `src`,
 * `index`, `sql`, `ts`, `broken`: a compound is indexed as a whole, so that an exact path ranks first, and in its
 * parts, so that a part finds it too.
 *
 * Tokens consist of letters, digits and, inside, `_ - . /`. Raise the version whenever the same text would give other
 * tokens than before: an index holds the tokens of the version that wrote it.
 */
export const tokenVersion = 3;

/** Index tokens of a text, in order and with repetitions, without stop words. */
export function indexTokens(text: string): string[] {
  return scanText(text).tokens;
}

/** Tokens of a query: like indexTokens, but a query of stop words only keeps them. */
export function queryTokens(text: string): string[] {
  const { tokens, stops } = scanText(text);
  return tokens.length > 0 ? tokens : stops;
}

/** Splits a text into its index tokens and its stop words. */
export function scanText(text: string): { tokens: string[]; stops: string[] } {
  const tokens: string[] = [];
  const stops: string[] = [];
  const ascii = inAscii(text);
  const runs =
    ascii === undefined ? foldCharacters(text).match(scriptPatterns().run) : ascii.match(asciiPatterns.run);
  for (const run of runs ?? []) {
    for (const token of tokensOfRun(run)) {
      if (stopWords.has(token)) stops.push(token);
      else tokens.push(token);
    }
  }
  return { tokens, stops };
}

/** Longer pieces (base64, minified code) are cut; they are still found by their beginning. */
const longestToken = 128;
/** Longer words are not identifiers, so they are not split at capitals. */
const longestCamelWord = 64;
/** Hashes and ids in capitals, as Windows shows them: no word begins between their digits and letters. */
const hexadecimal = /^[\dA-F]{4,}$/;
const longestStemmedWord = 32;
const memoisedWords = 32_768;

const separators = /[_\-./\\]+/;
const outerSeparators = "_-./\\";
const stemmable = /^[a-z]+$/;

/** Dashes, quotation marks, bullets and arrows: not parts of words, and not changed into such by normalisation. */
const foreignMarks = /[\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2190-\u2193]/g;

/** An ASCII text with the same words; undefined if its words contain other characters. */
function inAscii(text: string): string | undefined {
  if (onlyAscii.test(text)) return text;
  // The ellipsis at the end of cut texts; NFKC replaces it in the same way.
  const spelt = text.replaceAll("…", "...").replace(foreignMarks, " ");
  return onlyAscii.test(spelt) ? spelt : undefined;
}

/**
 * NFKC without diacritics and invisible characters, with plain letters. Japanese voicing marks are parts of letters and
 * stay.
 */
function foldCharacters(text: string): string {
  return withPlainLetters(withoutMarks(text));
}

/** NFKC without diacritics and invisible characters. */
export function withoutMarks(text: string): string {
  return text.normalize("NFKD").replace(scriptPatterns().marks, "").normalize("NFKC");
}

/**
 * The token of a word in documents of token version 2, which kept letters such as `ł`; undefined if it is the same.
 * Until these documents are indexed again, they are found by it.
 */
export function formerToken(word: string): string | undefined {
  if (onlyAscii.test(word)) return undefined;
  const former = withoutMarks(word).toLowerCase();
  return withPlainLetters(former) === former ? undefined : former;
}

/** A word is a run without separators, so words and runs share one cache. */
const tokensOfRun = memoiseWords(splitRun, memoisedWords);

function splitRun(run: string): readonly string[] {
  return run.search(wordJoints) < 0 ? splitCompound(run) : splitJoined(run);
}

/** Some writers separate words that others join by such a joiner, or omit it, so all forms are indexed. */
function splitJoined(run: string): string[] {
  const tokens = [...splitCompound(run.replace(wordJoints, ""))];
  const known = new Set(tokens);
  for (const part of run.split(scriptPatterns().betweenWords)) {
    for (const token of splitCompound(part.replace(wordJoints, "")))
      if (!known.has(token)) tokens.push(token);
  }
  return tokens;
}

function splitCompound(run: string): readonly string[] {
  const compound = trimSeparators(run);
  if (!separators.test(compound)) return splitWord(compound);
  const tokens: string[] = [];
  const segments = compound.split(/[/\\]+/);
  if (segments.length > 1 && compound.length <= longestToken) tokens.push(segments.join("/").toLowerCase());
  for (const segment of segments) {
    const piece = trimSeparators(segment);
    const words = piece.split(separators);
    if (words.length > 1 && piece.length <= longestToken) tokens.push(piece.toLowerCase());
    if (words.length > 2 && piece.length <= longestToken) tokens.push(...innerNames(piece));
    for (const word of words) for (const token of tokensOfRun(word)) tokens.push(token);
  }
  return tokens;
}

/** Dots between digits do not end a name. */
const dotsBetweenNames = /(?<!\d)\.|\.(?!\d)/;
/** With at least two words behind it, because `IL-6-dependent` names no ticket. */
const ticketWithin = /(?<![A-Za-z\d])[A-Z][A-Z\d]*-\d+(?=(?:[-_]\w+){2})/;

/** The names within a longer one: `max_size` in `self.max_size`, `PAY-77` in the branch `PAY-77-refund-flow`. */
function innerNames(piece: string): string[] {
  const parts = piece.split(dotsBetweenNames).map(trimSeparators);
  const names = parts.length > 1 ? parts.filter((part) => /^[A-Za-z].*[-_]/.test(part)) : [];
  names.push(...(ticketWithin.exec(piece) ?? []));
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

function splitWord(word: string): readonly string[] {
  if (onlyAscii.test(word)) return tokensOfSpaced(word);
  const { unspacedRun, startsUnspaced } = scriptPatterns();
  const tokens: string[] = [];
  for (const run of word.match(unspacedRun) ?? []) {
    const found = startsUnspaced.test(run) ? tokensOfUnspaced(run) : tokensOfSpaced(run);
    for (const token of found) tokens.push(token);
  }
  return tokens;
}

/** A single character is a word; a longer run is indexed as pairs. */
function tokensOfUnspaced(run: string): string[] {
  const pairs = bigrams(run);
  return pairs.length > 0 ? pairs : [run];
}

/** Whether a token is a pair of characters from an unspaced script. */
export function isPair(token: string): boolean {
  return !onlyAscii.test(token) && scriptPatterns().pair.test(token);
}

function tokensOfSpaced(word: string): string[] {
  const tokens = [plainToken(word)];
  const { mixedCase, humpBoundary } = onlyAscii.test(word) ? asciiPatterns : scriptPatterns();
  if (word.length <= longestCamelWord && mixedCase.test(word) && !hexadecimal.test(word)) {
    const humps = word.split(humpBoundary);
    if (humps.length > 1) tokens.push(...humps.map(plainToken));
  }
  return tokens.filter((token) => token.length >= 2);
}

function plainToken(word: string): string {
  const lower = cutToken(word).toLowerCase();
  if (lower.length > longestStemmedWord || !stemmable.test(lower) || stopWords.has(lower)) return lower;
  return stem(lower);
}

function cutToken(word: string): string {
  if (word.length <= longestToken) return word;
  const endsInHalfAPair = /[\uD800-\uDBFF]$/.test(word.slice(0, longestToken));
  return word.slice(0, endsInHalfAPair ? longestToken - 1 : longestToken);
}

function trimSeparators(run: string): string {
  let start = 0;
  let end = run.length;
  while (start < end && outerSeparators.includes(run.charAt(start))) start++;
  while (end > start && outerSeparators.includes(run.charAt(end - 1))) end--;
  return run.slice(start, end);
}
