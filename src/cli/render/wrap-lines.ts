import { scriptPattern } from "../../text/script-pattern.ts";
import { dictionaryScripts } from "../../text/scripts.ts";
import { widthOf } from "./text-width.ts";

const unspaced = scriptPattern(`[${dictionaryScripts}]`);

/**
 * Wraps a text at blanks to a number of columns. A longer word gets a line of its own, so that ids and paths can be
 * copied. Text in scripts without blanks is broken anywhere.
 */
export function wrapLines(text: string, columns: number): string[] {
  // Joined word by word, a long line would be measured as often as it has words.
  if (columns === Number.POSITIVE_INFINITY) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ").flatMap((one) => parted(one, columns))) {
    const last = lines.at(-1);
    const together = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || widthOf(together) > columns) lines.push(word);
    else lines[lines.length - 1] = together;
  }
  return lines;
}

function parted(word: string, columns: number): string[] {
  if (2 * word.length <= columns || word.includes("/") || !unspaced(word).test(word)) return [word];
  const parts: string[] = [];
  let part = "";
  let width = 0;
  for (const character of word) {
    const more = widthOf(character);
    if (width + more > columns && part !== "") {
      parts.push(part);
      [part, width] = ["", 0];
    }
    part += character;
    width += more;
  }
  return [...parts, part];
}

/**
 * A text after a heading; continuation lines are indented to where it began. If the heading takes more than half of the
 * columns, a text that does not fit beside it goes below.
 */
export function hangingIndent(heading: string, text: string, columns: number): string {
  const width = widthOf(heading);
  if (2 * width > columns && width + widthOf(text) > columns)
    return [heading.trimEnd(), ...wrapLines(text, columns - 2).map((line) => `  ${line}`)].join("\n");
  return `${heading}${wrapLines(text, columns - width).join(`\n${" ".repeat(width)}`)}`;
}
