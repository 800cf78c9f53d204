import { otherForms } from "../../text/abbreviations.ts";
import { equalAmounts } from "../../text/equal-amounts.ts";
import { regionalSpelling } from "../../text/regional-spellings.ts";
import { scriptPattern } from "../../text/script-pattern.ts";
import {
  isShortHash,
  joinedSpellings,
  otherSpellings,
  rarerSpellings,
  shorterHashes,
} from "../../text/spellings.ts";
import { otherThousands } from "../../text/thousands.ts";
import { formerToken, indexTokens, queryTokens } from "../../text/tokens.ts";
import type { WordIndex } from "../words/word-index.ts";
import { joinWithNeighbours, splitCompounds } from "./compound-words.ts";
import { languagesIn, readInflected, tellingTokens } from "./inflected-words.ts";

/** The words of a query as index tokens, with the other forms in which each is searched for. */
interface AskedWords {
  /** All tokens in the order of the query, with repetitions. An unknown compound is followed by its two halves. */
  readonly sequence: readonly string[];
  readonly asked: readonly string[];
  /** Those of `asked` that occur in the query only as half of a compound. */
  readonly halves: ReadonlySet<string>;
  readonly others: ReadonlyMap<string, readonly string[]>;
  /** Inflected forms of words in languages other than English, which count as much as the word itself. */
  readonly inflected: ReadonlyMap<string, readonly string[]>;
  /** Document frequencies of all these terms; terms in no document are left out. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** The words of only letters that were searched for in rarer spellings in vain. */
  readonly strangers: readonly WholeWord[];
  /** Whether any document contains the word in any of its forms. */
  isKnown(term: string): boolean;
}

/** The most words that are used of a query, which may be a whole text. */
const maxWords = 512;
/** At most this many unknown words of a query are searched for in other spellings. */
const mostRespelt = 4;

/**
 * Words that no document contains are also searched for in rarer spellings. With `allRespelt` all words are: other
 * projects may well contain them.
 */
export async function readAskedWords(
  index: WordIndex,
  query: string,
  documents: number,
  { allRespelt = false }: { readonly allRespelt?: boolean } = {},
): Promise<AskedWords> {
  const languages = languagesIn(query);
  const written = tellingTokens(bothEnds(queryTokens(query), 2 * maxWords), languages);
  const named = new Set(bothEnds([...new Set(written)], maxWords));
  const words = wordsOf(query);
  const others = usualForms(query, named, words);
  const inflected = await readInflected(index, named, languages);
  const terms = [named, ...others.values(), ...inflected.values()].flatMap((some) => [...some]);
  const frequencies = new Map(await index.frequencies(terms, documents));
  const isKnown = (term: string) =>
    [term, ...(others.get(term) ?? []), ...(inflected.get(term) ?? [])].some((form) => frequencies.has(form));
  const lookUp = async (terms: readonly string[]) => {
    for (const [term, found] of await index.frequencies(terms, documents)) frequencies.set(term, found);
  };
  const unknown = [...named].filter((term) => allRespelt || !isKnown(term)).slice(0, mostRespelt);
  if (unknown.length === 0)
    return {
      sequence: written,
      asked: [...named],
      halves: new Set(),
      others,
      inflected,
      frequencies,
      strangers: [],
      isKnown,
    };

  const rarer = new Map([...rarerForms(words, unknown, named), ...(await otherLengths(index, unknown))]);
  for (const [term, forms] of rarer) others.set(term, [...(others.get(term) ?? []), ...forms]);
  await lookUp([...rarer.values()].flat());
  const wholeWords = new Map(words.map(({ word, token }) => [token, word]));
  const strangers = unknown.filter((term) => allRespelt || !isKnown(term));
  const apart = await splitCompounds(
    index,
    strangers.map((token) => ({ token, word: wholeWords.get(token) ?? token })),
    documents,
  );
  const halves = new Set([...apart.values()].flat().filter((half) => !named.has(half)));
  for (const half of halves) others.set(half, otherForms(half));
  await lookUp([...halves].flatMap((half) => [half, ...otherForms(half)]));
  if (allRespelt || frequencies.size === 0) {
    // Nothing is known: search for longer words with the same beginning (`meilisearch` for `meili`, German compounds).
    for (const term of unknown) {
      const respelt = (rarer.get(term) ?? []).filter((form) => !/[-_]/.test(form));
      const longer = await Promise.all([term, ...respelt].map((beginning) => index.longer(beginning)));
      others.set(term, [...new Set([...(others.get(term) ?? []), ...longer.flat()])]);
    }
    await lookUp([...others.values()].flat());
  }
  return {
    sequence: written.flatMap((token) => [token, ...(apart.get(token) ?? [])]),
    asked: [...named, ...halves],
    halves,
    others,
    inflected,
    frequencies,
    strangers: words.filter(({ token }) => strangers.includes(token)),
    isKnown,
  };
}

/** Drops words from the middle: a long text tells its subject at its beginning, a stack trace may at its end. */
function bothEnds(words: readonly string[], room: number): readonly string[] {
  return words.length <= room ? words : [...words.slice(0, room / 2), ...words.slice(-room / 2)];
}

export interface WholeWord {
  readonly word: string;
  readonly token: string;
}

const letters = scriptPattern(String.raw`\p{L}+`, "g");

/** Words of only letters, in lower case, each of which has exactly one index token. */
function wordsOf(query: string): WholeWord[] {
  const text = query.normalize("NFC").toLowerCase();
  return (text.match(letters(text)) ?? []).flatMap((word) => {
    const [token, ...parts] = indexTokens(word);
    return token === undefined || parts.length > 0 ? [] : [{ word, token }];
  });
}

/** The other forms in which each word is always searched for. */
function usualForms(
  query: string,
  named: ReadonlySet<string>,
  words: readonly WholeWord[],
): Map<string, readonly string[]> {
  const together = joinedSpellings(query);
  const thousands = otherThousands(query);
  const amounts = equalAmounts(query);
  const regional = new Map(words.map(({ word, token }) => [token, regionalSpelling(word) ?? ""]));
  const former = new Map(words.map(({ word, token }) => [token, formerToken(word) ?? ""]));
  return new Map(
    [...named].map((term) => {
      const forms = [
        ...otherForms(term).flatMap((form) => [form, ...otherSpellings(form)]),
        ...otherSpellings(term),
        ...indexTokens(regional.get(term) ?? ""),
        ...(together.get(term) ?? []),
        ...(thousands.get(term) ?? []),
        ...(amounts.get(term) ?? []),
        former.get(term) ?? "",
      ];
      return [term, [...new Set(forms)].filter((form) => form !== "" && !named.has(form))];
    }),
  );
}

const dotted = /^v?\d+(?:\.\d+)+$/;

/**
 * For hashes and numbers with dots that occur in no document as they are written: the beginnings and the longer forms
 * of a hash, and the versions or addresses that begin with such a number (`192.168.0.0` for `192.168`) or with which it
 * begins (`20.11` for `20.11.1`).
 */
async function otherLengths(
  index: WordIndex,
  unknown: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const term of unknown) {
    const longer: string[] = [];
    if (isShortHash(term)) longer.push(...(await index.longer(term)));
    for (const number of dotted.test(term) ? [term, ...otherSpellings(term)] : [])
      longer.push(...(await index.longer(number)).filter((form) => form.startsWith(`${number}.`)));
    const forms = [...shorterHashes(term), ...longer, ...shorterVersions(term)];
    if (forms.length > 0) found.set(term, forms);
  }
  return found;
}

function shorterVersions(term: string): string[] {
  if (!dotted.test(term)) return [];
  const numbers = term.split(".");
  const shorter = numbers.slice(2).map((_, dropped) => numbers.slice(0, -1 - dropped).join("."));
  return shorter.flatMap((version) => [version, ...otherSpellings(version)]);
}

/** Rarer spellings, for words that occur in no document as they are written. */
function rarerForms(
  words: readonly WholeWord[],
  unknown: readonly string[],
  named: ReadonlySet<string>,
): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [at, { word, token }] of words.entries()) {
    if (!unknown.includes(token) || found.has(token)) continue;
    const neighbours = [words[at - 1]?.word, words[at + 1]?.word];
    const forms = [...rarerSpellings(word), ...joinWithNeighbours(word, neighbours)];
    found.set(
      token,
      forms.filter((form) => !named.has(form)),
    );
  }
  return found;
}
