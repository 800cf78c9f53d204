import { indexTokens } from "./tokens.ts";

/*
 * Compounds are written as one word or as several: `re-index` and `reindex`, `get_user` and `getUser`, `sha-256` and
 * `sha256`. What a compound is joined to is a token of texts that write it so; what one word comes apart into is only
 * known where digits follow letters.
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
