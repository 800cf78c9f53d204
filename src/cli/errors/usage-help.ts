import type { Command } from "commander";
import { positionalsOf } from "../help/help-layout.ts";

/** What helps after a command line that failed. */
export interface UsageHelp {
  /** The command that shows the help of the called command. */
  readonly help: string;
  /** The called command with its arguments: `memsvc lease acquire <actionId>`. */
  readonly usage: string;
  /** The names of its arguments. */
  readonly positionals: readonly string[];
  /** The called command, if its arguments are free text. */
  readonly worded: string | undefined;
  /** The flags of the called command, and the global ones. */
  readonly flags: readonly string[];
}

/** The help for the command that the arguments call. */
export function usageHelp(program: Command, args: readonly string[]): UsageHelp {
  const { words, command } = calledCommand(program, args);
  const shown = [...command.options, ...program.options].filter(({ hidden }) => !hidden);
  return {
    help: `${words} --help`,
    usage: [words, ...positionalsOf(command)].join(" "),
    positionals: command.registeredArguments.map((argument) => argument.name()),
    worded: takesFreeText(command) ? words : undefined,
    flags: [...new Set(shown.flatMap(({ long }) => long ?? []))],
  };
}

function calledCommand(
  program: Command,
  args: readonly string[],
): { readonly words: string; readonly command: Command } {
  const path = ["memsvc"];
  let command = program;
  for (const word of args) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) continue;
    path.push(word);
    command = next;
  }
  return { words: path.join(" "), command };
}

/** Whether the last argument is free text, in which a word may begin like a flag. */
function takesFreeText(command: Command): boolean {
  const last = command.registeredArguments.at(-1);
  return last?.variadic === true && !/(?:ids?|files|observations)$/iu.test(last.name());
}
