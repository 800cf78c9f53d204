import { areInflections, inflectionStems } from "../../text/inflections.ts";
import {
  type InflectedLanguage,
  isFunctionWord,
  latinLanguage,
  type ToldLanguage,
} from "../../text/query-language.ts";
import type { WordIndex } from "../words/word-index.ts";

/** The languages of a query's words, as far as they are others than English whose inflections are known. */
export interface WordLanguages {
  /** Undefined if the query is in no such language. */
  readonly ofLatin: ToldLanguage | undefined;
}

const cyrillic = /^[\u0400-\u04ff]+$/;
const latin = /^[a-z]+$/;

export function languagesIn(query: string): WordLanguages {
  return { ofLatin: latinLanguage(query) };
}

function languageOf(token: string, { ofLatin }: WordLanguages): InflectedLanguage | undefined {
  if (cyrillic.test(token)) return "slavic";
  return latin.test(token) ? ofLatin?.language : undefined;
}

/** With fewer marks of its language, a function word may as well be a name: `der`, `des`. */
const certain = 2;

/** The tokens of a query without the function words of its language; all of them if nothing else is asked for. */
export function tellingTokens(tokens: readonly string[], languages: WordLanguages): readonly string[] {
  const isCertain = (language: InflectedLanguage) =>
    language === "slavic" || (languages.ofLatin?.lead ?? 0) >= certain;
  const telling = tokens.filter((token) => {
    const language = languageOf(token, languages);
    return language === undefined || !isCertain(language) || !isFunctionWord(language, token);
  });
  return telling.length === 0 ? tokens : telling;
}

/** Each word costs a walk through the words that begin like it. */
const mostInflected = 8;
/** Too many words begin with fewer letters. */
const shortestBeginning = 3;
/** Of a word's forms, the shortest ones: longer words with the same stem are mostly derived from it. */
const mostForms = 16;

/** The other forms of a query's words, by their tokens, as far as documents contain them. */
export async function readInflected(
  index: WordIndex,
  tokens: ReadonlySet<string>,
  languages: WordLanguages,
): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const token of tokens) {
    const language = languageOf(token, languages);
    const [stem = ""] = language === undefined ? [] : inflectionStems(language, token);
    if (language === undefined || stem.length < shortestBeginning) continue;
    const alike = await index.beginningWith(stem);
    const forms = alike.filter((term) => !tokens.has(term) && areInflections(language, token, term));
    found.set(token, forms.slice(0, mostForms));
    if (found.size === mostInflected) break;
  }
  return found;
}
