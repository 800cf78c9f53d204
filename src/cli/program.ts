import { Command, CommanderError } from "commander";
import { errorTable, isMemsvcError, type MemsvcError } from "../operation/errors.ts";
import { version } from "../version.ts";
import type { CommandContext, CommandDefinition } from "./command.ts";
import { wordsOf } from "./command.ts";
import { ownCommands } from "./commands/table.ts";
import { openContext } from "./context.ts";
import { addFlags, operationRun } from "./operation-command.ts";
import type { OperationEntry } from "./operation-table.ts";
import { operationTable } from "./operations.generated.ts";
import { searchFlags } from "./search-variants.ts";

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
    if (entry.id === "search.smart")
      for (const { form, description } of searchFlags) command.option(form, description);
    const start = operationRun(entry, entry.command);
    command.action((...given: unknown[]) => run((opened) => start(opened, ...splitGiven(given))));
  }
  try {
    if (args.length === 0) return await runBare(program, run, () => exit);
    await program.parseAsync(["node", "memsvc", ...args]);
    return exit;
  } catch (error) {
    return explain(error, args.includes("--debug"));
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
    .helpCommand(false)
    .showSuggestionAfterError()
    .enablePositionalOptions(false)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /u, "memsvc: ")) });
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
  for (const { form, description } of definition.flags) command.option(form, description);
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
    parent = group ?? parent.command(word).description(`${word} commands`).exitOverride();
  }
  const command =
    parent.commands.find((one) => one.name() === words.at(-1)) ??
    parent.command(words.at(-1) ?? "", { hidden });
  command.description(summary).exitOverride();
  if (positional !== "") command.arguments(positional);
  const shown = examples.map((example) => `  $ ${example}`).join("\n");
  return command.addHelpText("after", `\nExamples:\n${shown}`);
}

/** commander hands over the positional arguments, then the options, then the command. */
function splitGiven(
  given: readonly unknown[],
): [(string | readonly string[] | undefined)[], Record<string, unknown>] {
  const positional = given.slice(0, -2) as (string | readonly string[] | undefined)[];
  return [positional, given.at(-2) as Record<string, unknown>];
}

/** `memsvc` alone: the state of things for a person, help for anybody else. */
async function runBare(program: Command, run: Run, exit: () => number): Promise<number> {
  program.parseOptions([]);
  if (process.stdout.isTTY !== true) {
    program.outputHelp();
    return 0;
  }
  const { run: status } = await import("./commands/status.ts");
  await run((context) => status(context, [], {}));
  return exit();
}

function explain(error: unknown, withStack: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const lines = isMemsvcError(error)
    ? told(error)
    : [`memsvc: ${error instanceof Error ? error.message : String(error)}`];
  if (withStack && error instanceof Error) lines.push(error.stack ?? "");
  process.stderr.write(`${lines.join("\n")}\n`);
  return isMemsvcError(error) ? errorTable[error.code].exit : 1;
}

function told(error: MemsvcError): string[] {
  const [line = "", ...others] = error.message.split("\n");
  const enableHow = error.extra.enableHow;
  const hint = error.hint ?? (typeof enableHow === "string" ? enableHow : undefined);
  return [`memsvc: ${line}`, ...others, ...(hint === undefined ? [] : [`hint: ${hint}`])];
}
