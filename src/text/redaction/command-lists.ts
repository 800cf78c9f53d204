/*
 * A list of arguments, `["mysql", "-p…"]`, is read as the command line that it makes, so that what is a secret there is
 * one here. Only lists with an option among them count: others are no commands.
 */
const option = /^--?[A-Za-z]/;
const longestWord = 512;

/** The line of a list of arguments, in which `_` stands for what a line would have to quote; undefined for other lists. */
export function commandLineOf(items: readonly unknown[]): string | undefined {
  const isCommand = items.length > 1 && items.some((item) => typeof item === "string" && option.test(item));
  return isCommand ? items.map(wordOf).join(" ") : undefined;
}

/** The arguments with what their line lost when it was redacted; the same ones where it lost nothing. */
export function argumentsOf(items: readonly unknown[], line: unknown): readonly unknown[] {
  const words = typeof line === "string" ? line.split(" ") : [];
  if (words.length !== items.length) return items;
  return items.map((item, at) => (words[at] === wordOf(item) ? item : words[at]));
}

function wordOf(item: unknown): string {
  return typeof item === "string" && item.length <= longestWord && /^[^\s[\]]+$/.test(item) ? item : "_";
}
