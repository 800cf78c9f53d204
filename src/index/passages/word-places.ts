import { escapePattern } from "../../text/escape-pattern.ts";
import { onlyAscii, plainText } from "../../text/scripts.ts";
import { indexTokens } from "../../text/tokens.ts";
import { scriptPatterns } from "../../text/word-patterns.ts";

/*
 * Finds the words of a query in a text as the index would: in any inflected form, and inside compounds and identifiers.
 * Tokenizing the whole text would take several times as long as tokenizing only the words that begin like one of the
 * query's words (a stem differs from its words only at the end). Runs with letters beyond ASCII, which can be written
 * in several ways, are taken out of the text and tokenized separately.
 */

/** A word of a query: the index tokens that count as the word. */
export interface SoughtWord {
  readonly forms: readonly { readonly term: string }[];
}

/** An occurrence: UTF-16 units from `at` to before `end`. `word`: its place in the list of words to find. */
export interface WordPlace {
  readonly at: number;
  readonly end: number;
  readonly word: number;
}

/** Makes a function that finds the places of words in a text, in the order of the text. */
export function wordFinder(words: readonly SoughtWord[]): (text: string) => WordPlace[] {
  const byTerm = new Map<string, number[]>();
  for (const [word, { forms }] of words.entries())
    for (const { term } of forms) byTerm.set(term, [...(byTerm.get(term) ?? []), word]);
  if (byTerm.size === 0) return () => [];
  const ofTokens = (tokens: readonly string[]) => new Set(tokens.flatMap((token) => byTerm.get(token) ?? []));
  const pattern = beginnings([...byTerm.keys()].filter((term) => onlyAscii.test(term)));
  return (text) => {
    const places: WordPlace[] = [];
    const look = (at: number, end: number, tokens: readonly string[]) => {
      for (const word of ofTokens(tokens)) places.push({ at, end, word });
    };
    const plain = withoutForeignRuns(text, (run, from) => {
      for (const { at, end, tokens } of piecesOf(run)) look(from + at, from + end, tokens);
    });
    for (const { 0: piece, index } of pattern === undefined ? [] : plain.matchAll(pattern))
      if (beginsWord(plain, index)) look(index, index + piece.length, indexTokens(piece));
    return places.sort((a, b) => a.at - b.at || a.word - b.word);
  };
}

/** A pattern for words that begin like a form of one of the terms, up to their ends. */
function beginnings(terms: readonly string[]): RegExp | undefined {
  if (terms.length === 0) return undefined;
  const longestFirst = [...new Set(terms.map(beginningOf))].sort((a, b) => b.length - a.length);
  const literals = longestFirst.map((text) => escapePattern(text).replaceAll("/", "[/\\\\]"));
  return new RegExp(`(?:${literals.join("|")})[a-z0-9]*`, "gi");
}

/**
 * The common beginning of a stem and its words, whose ends may differ: the stem of `try` is `tri`, of `using` `use`.
 */
function beginningOf(term: string): string {
  return term.length > 3 || /^..[ei]$/.test(term) ? term.slice(0, -1) : term;
}

/** Whether a word begins here: after no letter or digit, or in camel case as in `RetryPolicy` and `HTTPServer`. */
function beginsWord(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  if (!/[a-z0-9]/i.test(before)) return true;
  return /[A-Z]/.test(text.charAt(at)) && (/[a-z0-9]/.test(before) || /[a-z]/.test(text.charAt(at + 1)));
}

interface ForeignPatterns {
  readonly letter: RegExp;
  readonly restOfRun: RegExp;
}

let made: ForeignPatterns | undefined;

/** Compiled when first needed, because patterns with Unicode classes take milliseconds to compile. */
function foreignPatterns(): ForeignPatterns {
  const letter = "\\p{L}\\p{N}\\p{M}\\p{Cf}";
  made ??= {
    letter: new RegExp(`[${letter}]`, "gu"),
    restOfRun: new RegExp(`[${letter}_\\-./\\\\]*`, "uy"),
  };
  return made;
}

/** Several times as fast as a pattern for letters beyond ASCII. */
const beyondAscii = /[^\0-\x7f]+/g;
const runCharacter = /[A-Za-z0-9_\-./\\]/;

/** Replaces each run with letters beyond ASCII by as many blanks, and passes the run and its place to `see`. */
function withoutForeignRuns(text: string, see: (run: string, at: number) => void): string {
  if (plainText.test(text)) return text;
  const { letter, restOfRun } = foreignPatterns();
  let plain = "";
  let done = 0;
  for (const { 0: stretch, index } of text.matchAll(beyondAscii)) {
    letter.lastIndex = Math.max(0, done - index);
    // A stretch may be long and have many runs: Chinese prose, or emoji with joiners between them.
    for (let next = letter.exec(stretch); next !== null; next = letter.exec(stretch)) {
      const from = index + next.index;
      let at = from;
      while (at > done && runCharacter.test(text.charAt(at - 1))) at -= 1;
      restOfRun.lastIndex = from;
      const rest = restOfRun.exec(text)?.[0] ?? "";
      const end = from + rest.length;
      see(text.slice(at, end), at);
      plain += text.slice(done, at) + " ".repeat(end - at);
      done = end;
      letter.lastIndex = end - index;
    }
  }
  return plain + text.slice(done);
}

interface Piece {
  readonly at: number;
  readonly end: number;
  readonly tokens: readonly string[];
}

/** The words of a run, with their tokens. */
function* piecesOf(run: string): Generator<Piece> {
  const { unspacedRun, startsUnspaced } = scriptPatterns();
  for (const { 0: part, index: from } of run.matchAll(unspacedRun)) {
    const pieces = startsUnspaced.test(part) ? pairsOf(part) : wordsOf(part);
    for (const { at, end, tokens } of pieces) yield { at: from + at, end: from + end, tokens };
  }
}

function* wordsOf(part: string): Generator<Piece> {
  for (const { 0: word, index: at } of part.matchAll(/[^_\-./\\]+/g))
    yield { at, end: at + word.length, tokens: indexTokens(word) };
}

/** In scripts without blanks, every pair of neighbouring characters is a token; so is a character that is alone. */
function* pairsOf(part: string): Generator<Piece> {
  const letters: { readonly letter: string; readonly at: number }[] = [];
  let at = 0;
  for (const character of part) {
    const letter = character.replace(scriptPatterns().marks, "").normalize("NFKC");
    if (letter !== "") letters.push({ letter, at });
    at += character.length;
  }
  const [only] = letters;
  if (only !== undefined && letters.length === 1) yield { at: 0, end: part.length, tokens: [only.letter] };
  for (const [place, { letter, at: from }] of letters.entries()) {
    const next = letters[place + 1];
    const end = letters[place + 2]?.at ?? part.length;
    if (next !== undefined) yield { at: from, end, tokens: [letter + next.letter] };
  }
}
