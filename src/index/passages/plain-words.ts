import { otherForms } from "../../text/abbreviations.ts";
import { otherSpellings } from "../../text/spellings.ts";
import { queryTokens } from "../../text/tokens.ts";
import { toolNames } from "../../text/tool-kinds.ts";
import type { SoughtWord } from "./word-places.ts";

/** The words of a query without an index that could weight them: all have the same weight. */
export function plainWords(query: string): (SoughtWord & { readonly weight: number })[] {
  const tokens = queryTokens(query);
  const tools = toolNames(tokens);
  return [...new Set(tokens)].map((token) => ({
    forms: [token, ...otherForms(token), ...otherSpellings(token), ...(tools.get(token) ?? [])].map(
      (term) => ({
        term,
      }),
    ),
    weight: 1,
  }));
}
