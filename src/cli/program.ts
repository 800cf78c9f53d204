import { Command, CommanderError } from "commander";
import { errorTable, isMemsvcError, type MemsvcError } from "../operation/errors.ts";
import { version } from "../version.ts";
import type { CommandContext, CommandDefinition } from "./command.ts";
import { wordsOf } from "./command.ts";
import { ownCommands } from "./commands/table.ts";
import { openContext } from "./context.ts";
import { addFlag, addFlags, operationRun } from "./operation-command.ts";
import type { OperationEntry } from "./operation-table.ts";
import { operationTable } from "./operations.generated.ts";
import { printable } from "./render/text.ts";
import { searchFlags } from "./search-variants.ts";
import { endWithReader } from "./terminal.ts";
import { wayOutOf } from "./way-out.ts";

/** Runs a command line and returns its exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let context: CommandContext | undefined;
  let exit = 0;
  const program = globalProgram();
  const run = async (work: (context: CommandContext) => Promise<number>): Promise<void> => {
    context = openContext(program.opts());
    exit = await work(context);
  };
  for (const definition of ownCommands) addOwnCommand(program, definition, run);
  const entries: readonly OperationEntry[] = Object.values(operationTable);
  for (const entry of entries) {
    if (entry.command === undefined) continue;
    const command = addCommand(program, entry.command.usage, entry.command.summary, entry.command.examples);
    addFlags(command, entry.command.flags);
    if (entry.id === "search.smart") for (const flag of searchFlags) addFlag(command, flag);
    const start = operationRun(entry, entry.command);
    command.action((...given: unknown[]) => run((opened) => start(opened, ...splitGiven(given))));
  }
  describeGroups(program);
  endWithReader();
  try {
    if (!namesAnything(program, args)) return await runBare(program, args, run, () => exit);
    await program.parseAsync(["node", "memsvc", ...args]);
    return exit;
  } catch (error) {
    return explain(error, helpOf(program, args), args.includes("--debug"));
  } finally {
    await context?.close();
  }
}

function globalProgram(): Command {
  return new Command("memsvc")
    .description("Long-term memory for coding agents: local, offline, one file.")
    .version(version, "-V, --version")
    .option("--json", "print exactly what the API answers")
    .option("-q, --quiet", "no messages besides results and errors")
    .option("--no-color", "no colours")
    .option("--no-input", "never ask anything")
    .option("-y, --yes", "answer yes to every question")
    .option("--home <dir>", "folder of the store (MEMSVC_HOME, ~/.memsvc)")
    .option("--url <address>", "address of the daemon to use (MEMSVC_URL)")
    .option("--secret-file <path>", "file that holds the daemon's secret")
    .option("--offline", "do it in this process, even when a daemon runs")
    .option("--debug", "show stacks of errors")
    .helpCommand("help [command]", "show the help of a command")
    .showSuggestionAfterError()
    .enablePositionalOptions(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
}

/** Whether a command line holds more than flags that every command takes. */
function namesAnything(program: Command, args: readonly string[]): boolean {
  const { operands, unknown } = program.parseOptions([...args]);
  return operands.length > 0 || unknown.length > 0;
}

/** A group is described by what it holds. */
function describeGroups(program: Command): void {
  for (const group of program.commands) {
    if (group.commands.length === 0) continue;
    group.description(group.commands.map((one) => one.name()).join(", "));
  }
}

/** The command line that shows the help of the command that `args` name. */
function helpOf(program: Command, args: readonly string[]): string {
  const path = ["memsvc"];
  let command = program;
  for (const word of args) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) continue;
    path.push(word);
    command = next;
  }
  return [...path, "--help"].join(" ");
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

/** Adds a command under its words; `session start <id>` becomes `start` of the group `session`. */
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

/** commander hands over the positional arguments, then the options, then the command. */
function splitGiven(
  given: readonly unknown[],
): [(string | readonly string[] | undefined)[], Record<string, unknown>] {
  const positional = given.slice(0, -2) as (string | readonly string[] | undefined)[];
  return [positional, given.at(-2) as Record<string, unknown>];
}

/** `memsvc` alone: the state of things for a person, help for anybody else. */
async function runBare(
  program: Command,
  args: readonly string[],
  run: Run,
  exit: () => number,
): Promise<number> {
  program.parseOptions([...args]);
  if (process.stdout.isTTY !== true) {
    program.outputHelp();
    return 0;
  }
  const { run: status } = await import("./commands/status.ts");
  await run((context) => status(context, [], {}));
  return exit();
}

/** Says on standard error what went wrong and the way out of it; returns the exit code. */
function explain(error: unknown, help: string, withStack: boolean): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help")) {
    return error.exitCode === 0 ? 0 : 2;
  }
  const lines = linesOf(error, help);
  if (withStack && error instanceof Error) lines.push(error.stack ?? "");
  // A message may repeat what was given or stored.
  process.stderr.write(`${printable(lines.join("\n"))}\n`);
  if (error instanceof CommanderError) return 2;
  return isMemsvcError(error) ? errorTable[error.code].exit : 1;
}

function linesOf(error: unknown, help: string): string[] {
  if (error instanceof CommanderError) return misused(error, help);
  if (isMemsvcError(error)) return told(error, help);
  return [`memsvc: ${error instanceof Error ? error.message : String(error)}`];
}

/** What commander found wrong with the command line; its suggestion is the way out, else the help is. */
function misused({ message }: CommanderError, help: string): string[] {
  const [problem = "", suggestion] = message.replace(/^error: /u, "").split("\n");
  const meant = /^\(Did you mean (.*)\?\)$/u.exec(suggestion ?? "")?.[1];
  return [`memsvc: ${problem}`, `hint: ${meant === undefined ? `see ${help}` : `did you mean ${meant}?`}`];
}

function told(error: MemsvcError, help: string): string[] {
  const [line = "", ...others] = error.message.split("\n");
  const hint = wayOutOf(error, help);
  return [`memsvc: ${line}`, ...others, ...(hint === undefined ? [] : [`hint: ${hint}`])];
}
