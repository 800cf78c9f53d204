/*
 * An argument list such as `["mysql", "-p…"]` is checked as the command line it stands for, so that secrets are found
 * in it as in a command line. Lists without an option are not commands.
 */
const option = /^--?[A-Za-z]/;
const longestWord = 512;

/**
 * The command line of an argument list, with `_` for arguments that would need quotes; undefined if the list is not a
 * command.
 */
export function commandLineOf(items: readonly unknown[]): string | undefined {
  const isCommand = items.length > 1 && items.some((item) => typeof item === "string" && option.test(item));
  return isCommand ? items.map(wordOf).join(" ") : undefined;
}

/** The arguments, replaced by what redaction made of the command line; the same list if it changed nothing. */
export function argumentsOf(items: readonly unknown[], line: unknown): readonly unknown[] {
  const words = typeof line === "string" ? line.split(" ") : [];
  if (words.length !== items.length) return items;
  return items.map((item, at) => (words[at] === wordOf(item) ? item : words[at]));
}

function wordOf(item: unknown): string {
  return typeof item === "string" && item.length <= longestWord && /^[^\s[\]]+$/.test(item) ? item : "_";
}
