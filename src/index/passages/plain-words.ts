import { otherForms } from "../../text/abbreviations.ts";
import { otherSpellings } from "../../text/spellings.ts";
import { queryTokens } from "../../text/tokens.ts";
import type { SoughtWord } from "./word-places.ts";

/** The words of a query where no index is at hand, which knows how much each tells: one is worth as much as another. */
export function plainWords(query: string): (SoughtWord & { readonly weight: number })[] {
  return [...new Set(queryTokens(query))].map((token) => ({
    forms: [token, ...otherForms(token), ...otherSpellings(token)].map((term) => ({ term })),
    weight: 1,
  }));
}
