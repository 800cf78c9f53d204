import { indexTokens } from "../../text/tokens.ts";

/** Written records of a conversation name who speaks at the beginning of each message: `Caroline: …`. */
const label = /^\s*([^\s:/\\._-]{1,40}): /;

/** Whether a text begins with the name of somebody whom the query names; `terms` are the query's. */
export function isSpokenBy(text: string, terms: ReadonlySet<string>): boolean {
  const [, name = ""] = label.exec(text) ?? [];
  return indexTokens(name).some((token) => terms.has(token));
}
