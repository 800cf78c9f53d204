import truncatedWidth from "fast-string-truncated-width";

/** A text as lines of at most so many columns, parted at blanks; a word that is longer stands alone. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    const together = last === undefined ? word : `${last} ${word}`;
    if (last === undefined || truncatedWidth(together).width > columns) lines.push(word);
    else lines[lines.length - 1] = together;
  }
  return lines;
}

/** A text behind its heading; what does not fit stands below where it began. */
export function hanging(heading: string, text: string, columns: number): string {
  const { width } = truncatedWidth(heading);
  return `${heading}${wrapped(text, columns - width).join(`\n${" ".repeat(width)}`)}`;
}
