import { otherForms } from "../../text/abbreviations.ts";
import { otherSpellings } from "../../text/spellings.ts";
import { queryTokens } from "../../text/tokens.ts";
import type { SoughtWord } from "./word-places.ts";

/** The words of a query without an index that could weight them: all have the same weight. */
export function plainWords(query: string): (SoughtWord & { readonly weight: number })[] {
  return [...new Set(queryTokens(query))].map((token) => ({
    forms: [token, ...otherForms(token), ...otherSpellings(token)].map((term) => ({ term })),
    weight: 1,
  }));
}
