import { withoutTerminalEscapes, withoutWrittenEscapes } from "../terminal-escapes.ts";

/* HTML within a text, also HTML that was escaped once more. */
const quoteEntity = /&(?:amp;)?(?:quot|apos|#(?:34|39|x22|x27));/gi;
const doubleQuote = /quot|34|22/;
/* A shell goes on behind a line's last backslash as if there were no break. */
const continuedWord = /\\\r?\n(?<=[\w+/=.-]{4}\\\r?\n)(?=[\w+/=.-]{4})/g;

/**
 * The text without what stands where a name, its value or a token begins or ends, or within it: colours, quotes that
 * are written as entities, lines that go on. A text with a secret loses them.
 */
export function readableText(text: string): string {
  const uncoloured = withoutWrittenEscapes(withoutTerminalEscapes(text));
  const quoted = uncoloured.includes("&")
    ? uncoloured.replace(quoteEntity, (entity) => (doubleQuote.test(entity) ? '"' : "'"))
    : uncoloured;
  return quoted.includes("\\") ? quoted.replace(continuedWord, "") : quoted;
}
