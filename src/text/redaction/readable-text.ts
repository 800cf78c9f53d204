import { withoutTerminalEscapes, withoutWrittenEscapes } from "../terminal-escapes.ts";

/* Quotes as HTML entities, also escaped twice. */
const quoteEntity = /&(?:amp;)?(?:quot|apos|#(?:34|39|x22|x27));/gi;
const doubleQuote = /quot|34|22/;
/* A word that is continued on the next line by a backslash, as in shells. */
const continuedWord = /\\\r?\n(?<=[\w+/=.-]{4}\\\r?\n)(?=[\w+/=.-]{4})/g;

/**
 * The text without things that may interrupt a name, a value or a token and so hide a secret: terminal colours, quotes
 * written as entities, line continuations. Only a text with a secret loses them.
 */
export function readableText(text: string): string {
  const uncoloured = withoutWrittenEscapes(withoutTerminalEscapes(text));
  const quoted = uncoloured.includes("&")
    ? uncoloured.replace(quoteEntity, (entity) => (doubleQuote.test(entity) ? '"' : "'"))
    : uncoloured;
  return quoted.includes("\\") ? quoted.replace(continuedWord, "") : quoted;
}
