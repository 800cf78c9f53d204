/*
 * Changes of a file as `SEARCH` and `REPLACE` blocks, with which Cline and Roo Code have a model tell them. Roo Code puts
 * the number of the first line before the old text.
 */

export interface Edit {
  readonly old_string: string;
  readonly new_string: string;
}

const blockStart = /^(?:-{5,}|<{5,}) SEARCH>?[^\n]*$/;
const middle = /^={5,}$/;
const blockEnd = /^(?:\+{5,}|>{5,}) REPLACE>?[^\n]*$/;
const lineNumber = /^:(?:start|end)_line:/;

/** The changes that a text tells; none if it has no such block. */
export function editsIn(diff: string): readonly Edit[] {
  const edits: Edit[] = [];
  let before: string[] | undefined;
  let after: string[] | undefined;
  for (const line of diff.split(/\r?\n/)) {
    if (blockStart.test(line)) [before, after] = [[], undefined];
    else if (before !== undefined && after === undefined && middle.test(line)) after = [];
    else if (before !== undefined && after !== undefined && blockEnd.test(line)) {
      edits.push({ old_string: withoutNumbers(before).join("\n"), new_string: after.join("\n") });
      [before, after] = [undefined, undefined];
    } else (after ?? before)?.push(line);
  }
  return edits;
}

function withoutNumbers(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !lineNumber.test(line));
  return first > 0 ? lines.slice(/^-{5,}$/.test(lines[first] ?? "") ? first + 1 : first) : lines;
}
