import { isatty } from "node:tty";
import { errorTable } from "../../operation/errors.ts";
import { idSource } from "../../store/ids.ts";
import type { EntryCall, OpenCaller } from "../callers/caller.ts";
import type { CommandContext, CommandRun, Positionals } from "../command.ts";
import { withFlagNames } from "../flags/flag-names.ts";
import { projectNameFor } from "../location/project-name.ts";
import { hintAtUnknownNames } from "../names/unknown-names.ts";
import { nothingChanged } from "../render/dry-run.ts";
import { printAnswer } from "../render/print-answer.ts";
import { renderAnswer } from "../render/render-answer.ts";
import { searchFields, searchVariant } from "../search/search-variants.ts";
import { confirmed } from "../terminal/confirm.ts";
import { readStdinText } from "../terminal/stdin.ts";
import { onTerminationSignal } from "../terminal/termination-signals.ts";
import { withDefaults } from "./default-input.ts";
import { exitCodeOf } from "./exit-code.ts";
import type { OperationCommand, OperationEntry } from "./operation-entry.ts";
import { inputWithTimes } from "./operation-input.ts";
import { isReadOnlyOperation } from "./read-only.ts";
import { tryAll } from "./try-all.ts";

/** Runs the operation of a command, prints its answer, and returns the exit code. */
export function operationRunner(entry: OperationEntry, command: OperationCommand): CommandRun {
  return async (context, positional, given) => {
    try {
      if (entry.id === "search.smart") {
        const exit = await searchVariant(context, command, positional, given);
        if (exit !== undefined) return exit;
      }
      return await oneByOne(context, entry, command, positional, given);
    } catch (error) {
      const searchOwn = entry.id === "search.smart" ? searchFields : [];
      throw withFlagNames(error, { ...command, flags: [...command.flags, ...searchOwn] });
    }
  };
}

async function oneByOne(
  context: CommandContext,
  entry: OperationEntry,
  command: OperationCommand,
  positional: Positionals,
  given: Readonly<Record<string, unknown>>,
): Promise<number> {
  let exit = 0;
  let isDryRun = false;
  const unknown = await tryAll(repetitions(command, positional), async (once) => {
    const done = await carryOut(context, entry, command, once, given);
    exit = Math.max(exit, done.exit);
    isDryRun ||= done.isDryRun;
  });
  if (isDryRun && !context.globals.json) context.terminal.say(nothingChanged);
  if (unknown !== undefined) throw unknown;
  return exit;
}

/** The positionals of each run: one run for each distinct value of the first argument if the command is `oneByOne`. */
function repetitions({ oneByOne }: OperationCommand, positional: Positionals): readonly Positionals[] {
  const [first, ...others] = positional;
  if (oneByOne === undefined || first === undefined || typeof first === "string" || first.length === 0) {
    return [positional];
  }
  return [...new Set(first)].map((value) => [value, ...others]);
}

async function carryOut(
  context: CommandContext,
  entry: OperationEntry,
  command: OperationCommand,
  positional: Positionals,
  given: Readonly<Record<string, unknown>>,
): Promise<{ readonly exit: number; readonly isDryRun: boolean }> {
  const { cwd, terminal, globals } = context;
  const named = await inputWithTimes(command, positional, given);
  const input = await withDefaults(entry.id, named, {
    cwd,
    projectOf: (folder) => projectNameFor(folder, context.configuration().settings.projectName),
    newSessionId: () => idSource()("session"),
    stdin: readStdinText,
    stdinIsPiped: () => !isatty(0),
    claudeFolder: process.env.CLAUDE_CONFIG_DIR?.trim(),
    rows: terminal.isForPeople && !globals.json ? command.rowsForPeople : undefined,
  });
  const caller = await context.caller();
  const { call } = caller;
  if (command.asksFirst && !(await isAgreed(context, entry, input, call)))
    return { exit: errorTable.interrupted.exit, isDryRun: false };
  const release = tellWhenInterrupted(context, entry, input, caller);
  const answer = await call(entry, input).finally(release);
  const query = entry.id === "search.smart" ? input.query : undefined;
  const records = recordsIn(answer, command.records ?? entry.hits);
  await printAnswer(context, entry.id, answer, { query, records });
  await hintAtUnknownNames(context, entry, named, answer, call);
  return { exit: exitCodeOf(entry, answer), isDryRun: "dryRun" in answer && answer.dryRun === true };
}

/** Tells a user who interrupts a change what will become of it; returns a function that stops doing so. */
function tellWhenInterrupted(
  { terminal }: CommandContext,
  entry: OperationEntry,
  { dryRun }: Readonly<Record<string, unknown>>,
  { where }: OpenCaller,
): () => void {
  if (isReadOnlyOperation(entry) || dryRun === true) return () => undefined;
  const rest = where.kind === "daemon" ? "the daemon may still do it" : "what was done until then is kept";
  return onTerminationSignal(() => terminal.say(`interrupted: ${rest}`));
}

/** Whether to go on: on a terminal the user is asked; scripts are not. */
async function isAgreed(
  context: CommandContext,
  entry: OperationEntry,
  input: Readonly<Record<string, unknown>>,
  call: EntryCall,
): Promise<boolean> {
  const { terminal, globals } = context;
  if (!terminal.isInteractive || globals.json || globals.yes || input.dryRun === true) return true;
  await refuseUnlessValid(entry, input);
  const preview: Readonly<Record<string, unknown>> = await call(entry, { ...input, dryRun: true });
  if (preview.wouldDelete === 0) return true;
  terminal.say(renderAnswer(entry.id, preview, terminal));
  return confirmed(context, "Delete it for good?");
}

/**
 * A dry run may accept less than the operation itself requires: the user must not be asked about something that would
 * then be refused.
 */
async function refuseUnlessValid(entry: OperationEntry, input: unknown): Promise<void> {
  const [{ loadOperation }, { parseInput }] = await Promise.all([
    import("./families.ts"),
    import("../../operation/parse.ts"),
  ]);
  parseInput((await loadOperation(entry)).input, input);
}

function recordsIn(answer: object, field: string | undefined): readonly object[] | undefined {
  const records: unknown = field === undefined ? undefined : Reflect.get(answer, field);
  return Array.isArray(records) ? records : undefined;
}
