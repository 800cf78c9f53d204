import { indexTokens } from "../../text/tokens.ts";

/** The speaker's name at the beginning of a message, as transcripts have it: `Caroline: …`. */
const label = /^\s*([^\s:/\\._-]{1,40}): /;

/** Whether the query names the speaker of a text. `terms`: the query's index tokens. */
export function isSpokenBy(text: string, terms: ReadonlySet<string>): boolean {
  const [, name = ""] = label.exec(text) ?? [];
  return indexTokens(name).some((token) => terms.has(token));
}
