import { Command } from "commander";
import { version } from "../version.ts";
import type { CommandContext } from "./command.ts";
import { globalFlagsIn, openContext } from "./command-context.ts";
import { reportError } from "./errors/report-error.ts";
import { usageHelp } from "./errors/usage-help.ts";
import { refuseOtherEncodings } from "./flags/argument-encoding.ts";
import { globalFlags } from "./flags/global-flags.ts";
import { refuseSplitText } from "./flags/split-text.ts";
import { helpWidth } from "./help/help-groups.ts";
import { arrangeHelp, helpLayout } from "./help/help-layout.ts";
import { inSameStore } from "./location/same-store.ts";
import { addFlag } from "./operations/command-flags.ts";
import { allCommands, commandsFor, commandsNamed, type Run } from "./registered-commands.ts";
import { handleClosedOutput } from "./terminal/closed-output.ts";

/** Runs a command line and returns its exit code. */
export async function runProgram(given: readonly string[]): Promise<number> {
  const args = withHelpAsFlag(given);
  let context: CommandContext | undefined;
  let asked: string | undefined;
  let exit = 0;
  const program = globalProgram();
  const run: Run = async (work) => {
    context = openContext(program.opts());
    exit = await work(context);
  };
  handleClosedOutput();
  try {
    refuseOtherEncodings(args);
    const { operands, unknown } = program.parseOptions([...args]);
    [asked] = operands;
    for (const { add } of commandsFor(asked)) add(program, run);
    arrangeHelp(program);
    program.hook("preAction", (_program, called) => refuseSplitText(called, args));
    if (operands.length + unknown.length === 0) await runBare(program, run);
    else await program.parseAsync([...args], { from: "user" });
    return exit;
  } catch (error) {
    const inStore = (hint: string) => inSameStore(hint, globalFlagsIn(program.opts()));
    const wayOut = { ...usageHelp(program, args), asked, named: commandsNamed, inStore };
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

/** The text of `memsvc --help`, from which the prebuilt text is generated. */
export function programHelp(): string {
  const program = globalProgram().configureOutput({ getOutHelpWidth: () => helpWidth });
  for (const { add } of commandsFor(undefined)) add(program, () => Promise.resolve());
  arrangeHelp(program);
  return program.helpInformation();
}

function globalProgram(): Command {
  const program = new Command("memsvc")
    .description("Long-term memory for coding agents: local, offline, one file.")
    .version(version, "-V, --version")
    .helpCommand("help [command]", "show the help of a command")
    .showSuggestionAfterError()
    .enablePositionalOptions(false)
    .exitOverride()
    .configureHelp(helpLayout)
    .configureOutput({
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(helpWidth, process.stdout.columns || helpWidth),
    });
  for (const flag of globalFlags) addFlag(program, flag);
  return program;
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
