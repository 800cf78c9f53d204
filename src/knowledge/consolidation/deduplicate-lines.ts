import { lowerCase } from "../../text/lower-case.ts";
import { trimmedLines } from "../../text/trimmed-lines.ts";

/**
 * Removes the lines of a text whose words, in their order, another line contains, such as the result of an action that
 * is repeated beside it. Case and punctuation do not count.
 */
export function deduplicateLines(text: string): string {
  const lines = trimmedLines(text).map((line) => ({ line, said: wordsOf(line) }));
  return lines
    .filter(({ said }, at) =>
      lines.every((other, otherAt) => !other.said.includes(said) || (other.said === said && otherAt >= at)),
    )
    .map(({ line }) => line)
    .join("\n");
}

/** The words, each between blanks; a line without words, such as `---`, stays as it is. */
function wordsOf(line: string): string {
  const words = lowerCase(line).match(/[\p{L}\p{M}\p{N}]+/gu);
  return words === null ? line : ` ${words.join(" ")} `;
}
