import type { Command } from "commander";
import { MemsvcError } from "../../operation/errors.ts";

/**
 * Refuses to store a text in the middle of which there is a flag without a value. Without quotes, as in `remember never
 * use --offline in CI`, the word would be missing in what is stored, and take effect as a flag. Error: invalid_input.
 */
export function refuseSplitText(command: Command, args: readonly string[]): void {
  if (!storesText(command)) return;
  const { options, depth } = within(command);
  const before = depth + command.registeredArguments.length - 1;
  let operands = 0;
  let flag: string | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "--") return;
    const option = options.find(({ long, short }) => word === long || word === short);
    if (option === undefined) {
      if (word.length > 1 && word.startsWith("-")) continue;
      operands += 1;
      if (flag !== undefined && operands > before) throw splitBy(flag);
    } else if (option.required) {
      at += 1;
      while (option.variadic && args[at + 1]?.startsWith("-") === false) at += 1;
    } else if (operands > before) flag = word;
  }
}

/** Whether the last argument of a command is a text that is stored, not words to search for. */
function storesText(command: Command): boolean {
  const last = command.registeredArguments.at(-1);
  return last?.variadic === true && /^(?:content|newContent|text|title|name)$/u.test(last.name());
}

/** The options of a command and of those that it belongs to, and how many words name it. */
function within(command: Command): Pick<Command, "options"> & { readonly depth: number } {
  const { parent } = command;
  if (parent === null) return { options: command.options, depth: 0 };
  const { options, depth } = within(parent);
  return { options: [...command.options, ...options], depth: depth + 1 };
}

function splitBy(flag: string): MemsvcError {
  return new MemsvcError("invalid_input", `${flag} is in the middle of the text, where it counts as a flag`, {
    hint: "put the text in quotes, or the flag before or after it",
  });
}
