import { Command, Help } from "commander";
import { wordsOf } from "../operation/command-syntax.ts";
import { version } from "../version.ts";
import type { CommandContext, CommandDefinition, Positionals } from "./command.ts";
import { openContext } from "./command-context.ts";
import { ownCommands } from "./commands/table.ts";
import { reportError } from "./errors/report-error.ts";
import { globalFlags } from "./flags/global-flags.ts";
import { exitCodes, helpPlace, helpWidth } from "./help/help-groups.ts";
import { addFlag, addFlags, describeArguments } from "./operations/command-flags.ts";
import type { OperationCommand, OperationEntry } from "./operations/operation-entry.ts";
import { operationRunner } from "./operations/operation-runner.ts";
import { operationTable } from "./operations/operations.generated.ts";
import { searchFlags } from "./search/search-variants.ts";
import { handleClosedOutput } from "./terminal/closed-output.ts";

/** Runs a command line and returns its exit code. */
export async function runProgram(given: readonly string[]): Promise<number> {
  const args = withHelpAsFlag(given);
  let context: CommandContext | undefined;
  let asked: string | undefined;
  let exit = 0;
  const program = globalProgram();
  const run = async (work: (context: CommandContext) => Promise<number>): Promise<void> => {
    context = openContext(program.opts());
    exit = await work(context);
  };
  handleClosedOutput();
  try {
    const { operands, unknown } = program.parseOptions([...args]);
    [asked] = operands;
    for (const { add } of commandsFor(asked)) add(program, run);
    arrangeHelp(program);
    if (operands.length + unknown.length === 0) await runBare(program, run);
    else await program.parseAsync([...args], { from: "user" });
    return exit;
  } catch (error) {
    const called = calledOf(program, args);
    const help = `${called.words} --help`;
    const flags = flagsOf(program, called);
    const wayOut = { help, worded: wordedOf(called), flags, asked, named: commandsNamed };
    return reportError(error, wayOut, args.includes("--debug"));
  } finally {
    await context?.close();
  }
}

/**
 * Turns `help session start` into `session start --help`, because commander's own help command looks at the first word
 * only.
 */
function withHelpAsFlag(args: readonly string[]): readonly string[] {
  const [first, ...named] = args;
  // Flags are left out: the value of one could be taken for the command, and after `--` the command would be run
  // instead of explained.
  const words = named.filter((word) => !word.startsWith("-"));
  if (first !== "help" || words.length === 0) return args;
  const asked = `${words.join(" ")} `;
  const isKnown = allCommands().some(
    (known) => asked.startsWith(known.words) || known.words.startsWith(asked),
  );
  return isKnown ? [...words, "--help"] : words;
}

/** Commands of all groups with this last word. */
function commandsNamed(word: string): string[] {
  const all = allCommands().map(({ words }) => words.trim());
  return all.filter((words) => words.endsWith(` ${word}`));
}

/** The text of `memsvc --help`, from which the prebuilt text is generated. */
export function programHelp(): string {
  const program = globalProgram().configureOutput({ getOutHelpWidth: () => helpWidth });
  for (const { add } of commandsFor(undefined)) add(program, () => Promise.resolve());
  arrangeHelp(program);
  return program.helpInformation();
}

interface ListedCommand {
  /** All its words, each followed by a blank. */
  readonly words: string;
  /** Its first word. */
  readonly word: string;
  readonly add: (program: Command, run: Run) => void;
}

/** The commands to register for a command line: those that begin with its first word, or all if there are none. */
function commandsFor(asked: string | undefined): readonly ListedCommand[] {
  const all = allCommands();
  const wanted = all.filter(({ word }) => word === asked);
  return wanted.length > 0 ? wanted : all.toSorted((a, b) => helpOrder(a.word) - helpOrder(b.word));
}

function allCommands(): ListedCommand[] {
  const entries: readonly OperationEntry[] = Object.values(operationTable);
  return [
    ...ownCommands.map((definition) => ({
      words: `${wordsOf(definition.command)} `,
      word: firstWord(definition.command),
      add: (program: Command, run: Run) => addOwnCommand(program, definition, run),
    })),
    ...entries.flatMap((entry) => {
      const { command } = entry;
      if (command === undefined) return [];
      const add = (program: Command, run: Run) => addOperation(program, entry, command, run);
      return [{ words: `${wordsOf(command.usage)} `, word: firstWord(command.usage), add }];
    }),
  ];
}

function firstWord(usage: string): string {
  return usage.split(" ", 1)[0] ?? usage;
}

function helpOrder(word: string): number {
  return helpPlace(word)?.order ?? Number.POSITIVE_INFINITY;
}

function addOperation(program: Command, entry: OperationEntry, shape: OperationCommand, run: Run): void {
  const command = addCommand(program, shape.usage, shape.summary, shape.examples);
  describeArguments(command, shape.positionals);
  addFlags(command, shape.flags);
  if (shape.asksFirst) command.summary(shape.summary).description(`${shape.summary}\n\n${asksFirstHelp}`);
  if (entry.id === "search.smart") for (const flag of searchFlags) addFlag(command, flag);
  const start = operationRunner(entry, shape);
  command.action((...given: unknown[]) => run((opened) => start(opened, ...splitGiven(given))));
}

const asksFirstHelp = "On a terminal, it shows what would be deleted and asks first; --yes confirms.";

function globalProgram(): Command {
  const program = new Command("memsvc")
    .description("Long-term memory for coding agents: local, offline, one file.")
    .version(version, "-V, --version")
    .helpCommand("help [command]", "show the help of a command")
    .showSuggestionAfterError()
    .enablePositionalOptions(false)
    .exitOverride()
    .configureHelp({ minWidthToWrap: narrowestText, subcommandTerm: usageOf, formatHelp: helpOf })
    .configureOutput({
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(helpWidth, process.stdout.columns || helpWidth),
    });
  for (const flag of globalFlags) addFlag(program, flag);
  return program;
}

/** The usual help; the program's own is followed by the exit codes. */
function helpOf(command: Command, help: Help): string {
  const text = Help.prototype.formatHelp.call(help, command, help);
  return command.parent === null
    ? `${text}\n${help.boxWrap(exitCodes, help.helpWidth ?? helpWidth)}\n`
    : text;
}

/** In columns: descriptions are wrapped down to this width, and not at all below it. */
const narrowestText = 20;

/** A command's usage in a list, without "[options]", which nearly all have. */
function usageOf(command: Command): string {
  const positional = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...positional].join(" ");
}

/** Puts commands under headings, and describes a group by its commands. */
function arrangeHelp(program: Command): void {
  for (const command of program.commands) {
    const place = helpPlace(command.name());
    if (place !== undefined) command.helpGroup(place.heading);
    if (command.commands.length > 0)
      command.description(command.commands.map((one) => one.name()).join(", "));
  }
}

interface Called {
  readonly words: string;
  readonly command: Command;
}

/** The command that the arguments call. */
function calledOf(program: Command, args: readonly string[]): Called {
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

/** The visible flags of a command, and the global ones. */
function flagsOf(program: Command, { command }: Called): string[] {
  const shown = [...command.options, ...program.options].filter(({ hidden }) => !hidden);
  return [...new Set(shown.flatMap(({ long }) => long ?? []))];
}

/** The command's words if its last argument is free text, in which a word may begin like a flag. */
function wordedOf({ words, command }: Called): string | undefined {
  const last = command.registeredArguments.at(-1);
  return last?.variadic === true && !/(?:ids?|files|observations)$/iu.test(last.name()) ? words : undefined;
}

type Run = (work: (context: CommandContext) => Promise<number>) => Promise<void>;

function addOwnCommand(program: Command, definition: CommandDefinition, run: Run): void {
  const command = addCommand(
    program,
    definition.command,
    definition.summary,
    definition.examples,
    definition.hidden,
  );
  for (const flag of definition.flags) addFlag(command, flag);
  command.action((...given: unknown[]) =>
    run(async (context) => {
      const { run: start } = await definition.load();
      return start(context, ...splitGiven(given));
    }),
  );
}

/** Adds a command under its words: `session start <id>` becomes `start` in the group `session`. */
function addCommand(
  program: Command,
  usage: string,
  summary: string,
  examples: readonly string[],
  hidden = false,
): Command {
  const words = wordsOf(usage).split(" ");
  const positional = usage.slice(wordsOf(usage).length).trim();
  let parent = program;
  for (const word of words.slice(0, -1)) {
    const group = parent.commands.find((one) => one.name() === word);
    parent = group ?? parent.command(word).helpCommand(false).exitOverride();
  }
  const command =
    parent.commands.find((one) => one.name() === words.at(-1)) ??
    parent.command(words.at(-1) ?? "", { hidden });
  command.description(summary).exitOverride();
  if (positional !== "") command.arguments(positional);
  const shown = examples.map((example) => `  $ ${example}`).join("\n");
  return command.addHelpText("after", `\nExamples:\n${shown}\n\nFlags of every command: memsvc --help`);
}

/** commander passes the positional arguments, then the options, then the command. */
function splitGiven(given: readonly unknown[]): [Positionals, Record<string, unknown>] {
  return [given.slice(0, -2) as Positionals, given.at(-2) as Record<string, unknown>];
}

/** `memsvc` without arguments: the status on a terminal, otherwise the help. */
async function runBare(program: Command, run: Run): Promise<void> {
  if (process.stdout.isTTY !== true) {
    program.outputHelp();
    return;
  }
  const { run: status } = await import("./commands/status.ts");
  await run((context) => status(context, [], {}));
}
