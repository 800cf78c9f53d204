import type { Command } from "commander";
import { wordsOf } from "../operation/command-syntax.ts";
import type { CommandContext, CommandDefinition, Positionals } from "./command.ts";
import { commandWords } from "./command-words.ts";
import { ownCommands } from "./commands/table.ts";
import { helpPlace } from "./help/help-groups.ts";
import { addFlag, addFlags, describeArguments } from "./operations/command-flags.ts";
import type { OperationCommand, OperationEntry } from "./operations/operation-entry.ts";
import { operationRunner } from "./operations/operation-runner.ts";
import { operationTable } from "./operations/operations.generated.ts";
import { searchFlags } from "./search/search-variants.ts";

/** Opens the context for a command's work, which returns the exit code. */
export type Run = (work: (context: CommandContext) => Promise<number>) => Promise<void>;

interface ListedCommand {
  /** All its words, each followed by a blank. */
  readonly words: string;
  readonly add: (program: Command, run: Run) => void;
}

/** The commands to register for a command line: those that begin with its first word, or all if there are none. */
export function commandsFor(asked: string | undefined): readonly ListedCommand[] {
  const all = allCommands();
  const wanted = all.filter(({ words }) => firstOf(words) === asked);
  return wanted.length > 0 ? wanted : all.toSorted((a, b) => helpOrder(a.words) - helpOrder(b.words));
}

export function allCommands(): ListedCommand[] {
  const entries: readonly OperationEntry[] = Object.values(operationTable);
  return [
    ...ownCommands.map((definition) => ({
      words: `${wordsOf(definition.command)} `,
      add: (program: Command, run: Run) => addOwnCommand(program, definition, run),
    })),
    ...entries.flatMap((entry) => {
      const { command } = entry;
      if (command === undefined) return [];
      const add = (program: Command, run: Run) => addOperation(program, entry, command, run);
      return [{ words: `${wordsOf(command.usage)} `, add }];
    }),
  ];
}

function firstOf(words: string): string {
  return words.slice(0, words.indexOf(" "));
}

function helpOrder(words: string): number {
  return helpPlace(firstOf(words))?.order ?? Number.POSITIVE_INFINITY;
}

/** Commands of all groups with this last word. */
export function commandsNamed(word: string): string[] {
  return commandWords().filter((words) => words.endsWith(` ${word}`));
}

function addOperation(program: Command, entry: OperationEntry, shape: OperationCommand, run: Run): void {
  const command = addCommand(program, shape);
  describeArguments(command, shape.positionals);
  addFlags(command, shape.flags);
  if (shape.asksFirst) command.summary(shape.summary).description(`${shape.summary}\n\n${asksFirstHelp}`);
  if (entry.id === "search.smart") for (const flag of searchFlags) addFlag(command, flag);
  const start = operationRunner(entry, shape);
  command.action((...given: unknown[]) => run((opened) => start(opened, ...splitGiven(given))));
}

const asksFirstHelp = "On a terminal, it shows what would be deleted and asks first; --yes confirms.";

function addOwnCommand(program: Command, definition: CommandDefinition, run: Run): void {
  const command = addCommand(program, { ...definition, usage: definition.command });
  for (const flag of definition.flags) addFlag(command, flag);
  command.action((...given: unknown[]) =>
    run(async (context) => {
      const { run: start } = await definition.load();
      return start(context, ...splitGiven(given));
    }),
  );
}

type Described = Pick<OperationCommand, "usage" | "summary" | "examples"> & Pick<CommandDefinition, "hidden">;

/** Adds a command under its words: `session start <id>` becomes `start` in the group `session`. */
function addCommand(program: Command, { usage, summary, examples, hidden }: Described): Command {
  const words = wordsOf(usage).split(" ");
  const positional = usage.slice(wordsOf(usage).length).trim();
  let parent = program;
  for (const word of words.slice(0, -1)) {
    const group = parent.commands.find((one) => one.name() === word);
    parent = group ?? parent.command(word).helpCommand(false).exitOverride();
  }
  const command =
    parent.commands.find((one) => one.name() === words.at(-1)) ??
    parent.command(words.at(-1) ?? "", { hidden: hidden === true });
  command.description(summary).exitOverride();
  if (positional !== "") command.arguments(positional);
  const shown = examples.map((example) => `  $ ${example}`).join("\n");
  return command.addHelpText("after", `\nExamples:\n${shown}\n\nFlags of every command: memsvc --help`);
}

/** commander passes the positional arguments, then the options, then the command. */
function splitGiven(given: readonly unknown[]): [Positionals, Record<string, unknown>] {
  return [given.slice(0, -2) as Positionals, given.at(-2) as Record<string, unknown>];
}
