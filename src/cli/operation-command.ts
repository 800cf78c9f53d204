import { isatty } from "node:tty";
import { type Command, Option } from "commander";
import { flagName } from "../operation/command-words.ts";
import { errorTable, isMemsvcError, MemsvcError } from "../operation/errors.ts";
import { idSource } from "../store/ids.ts";
import type { EntryCall, OpenCaller } from "./callers/open-caller.ts";
import type { CommandContext, CommandRun, FlagForm, Positionals } from "./command.ts";
import { exitOf } from "./exit-code.ts";
import { inFlagWords } from "./flags/flag-words.ts";
import { tellUnknownNames } from "./names/unknown-names.ts";
import { onlyLooks } from "./only-looks.ts";
import { operationInput, withDefaults } from "./operation-input.ts";
import type { FlagDefinition, OperationCommand, OperationEntry, Positional } from "./operation-table.ts";
import { printJson } from "./print-json.ts";
import { projectOf } from "./project-of.ts";
import { nothingChanged } from "./render/dry-run.ts";
import { quotation } from "./render/quotation.ts";
import { rendered } from "./render/render.ts";
import { searchFields, searchVariant } from "./search/search-variants.ts";
import { confirmed } from "./terminal/confirm.ts";
import { onInterruption } from "./terminal/on-interruption.ts";
import { readStdinText } from "./terminal/stdin.ts";

/** Gives a command the flags of its operation's input. */
export function addFlags(command: Command, flags: readonly FlagDefinition[]): void {
  for (const { field, name, kind, description, choices } of flags) {
    addFlag(command, { form: `--${name}${placeholders[kind]}`, description, choices });
    // Whoever comes from the API gives the flag the name of its field.
    const own = flagName(field);
    if (flags.every((other) => other.name !== own))
      command.addOption(new Option(`--${own}${placeholders[kind]}`).hideHelp());
  }
}

const placeholders: Readonly<Record<FlagDefinition["kind"], string>> = {
  boolean: "",
  number: " <value>",
  list: " <value...>",
  object: " <json>",
  json: " <json>",
  text: " <value>",
  textOrNull: " <value>",
};

/** Gives a command a flag; the values that it may have stand behind its description. */
export function addFlag(command: Command, { form, description, choices = [] }: FlagForm): void {
  command.addOption(new Option(form, withChoices(description, choices)));
}

/** Tells what a command's arguments are, where one of them has few values. */
export function tellArguments(command: Command, positionals: readonly Positional[]): void {
  positionals.forEach(({ description, choices = [] }, at) => {
    const argument = command.registeredArguments[at];
    if (argument !== undefined && description !== undefined)
      argument.description = withChoices(description, choices);
  });
}

function withChoices(description: string, choices: readonly string[]): string {
  const isTold = choices.every((choice) => description.includes(choice));
  return isTold ? description : `${description} (${choices.join(", ")})`;
}

/** Carries out the operation behind a command, prints what it answers, and returns the exit code. */
export function operationRun(entry: OperationEntry, command: OperationCommand): CommandRun {
  return async (context, positional, given) => {
    try {
      if (entry.id === "search.smart") {
        const exit = await searchVariant(context, command, positional, given);
        if (exit !== undefined) return exit;
      }
      return await oneByOne(context, entry, command, positional, given);
    } catch (error) {
      const searchOwn = entry.id === "search.smart" ? searchFields : [];
      throw inFlagWords(error, { ...command, flags: [...command.flags, ...searchOwn] });
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
  const unknown: MemsvcError[] = [];
  for (const once of repetitions(command, positional)) {
    try {
      const done = await carryOut(context, entry, command, once, given);
      exit = Math.max(exit, done.exit);
      isDryRun ||= done.isDryRun;
    } catch (error) {
      if (!isMemsvcError(error, "not_found")) throw error;
      unknown.push(error);
    }
  }
  if (isDryRun && !context.globals.json) context.terminal.say(nothingChanged);
  if (unknown.length > 0) throw allOf(unknown);
  return exit;
}

/** What could not be found says so after everything else was done. */
function allOf(errors: readonly MemsvcError[]): MemsvcError {
  const [first] = errors;
  const message = errors.map((error) => error.message).join("\n");
  return new MemsvcError("not_found", message, {
    hint: first?.hint,
    cause: first,
    extra: first?.extra ?? {},
  });
}

/** The positionals of each run: one for every value of the first where a command works one by one. */
function repetitions({ oneByOne }: OperationCommand, positional: Positionals): readonly Positionals[] {
  const [first, ...others] = positional;
  if (oneByOne === undefined || first === undefined || typeof first === "string" || first.length === 0) {
    return [positional];
  }
  return first.map((value) => [value, ...others]);
}

async function carryOut(
  context: CommandContext,
  entry: OperationEntry,
  command: OperationCommand,
  positional: Positionals,
  given: Readonly<Record<string, unknown>>,
): Promise<{ readonly exit: number; readonly isDryRun: boolean }> {
  const { cwd, terminal, globals } = context;
  const named = operationInput(command, positional, given);
  const input = await withDefaults(entry.id, named, {
    cwd,
    project: () => projectOf(cwd, context.configuration().settings.projectName),
    newSessionId: () => idSource()("session"),
    stdin: readStdinText,
    stdinIsPiped: () => !isatty(0),
    isForPeople: terminal.isForPeople && !globals.json,
  });
  const caller = await context.caller();
  const { call } = caller;
  if (command.asksFirst && !(await isAgreed(context, entry, input, call)))
    return { exit: errorTable.interrupted.exit, isDryRun: false };
  const release = tellWhenInterrupted(context, entry, input, caller);
  const answer = await call(entry, input).finally(release);
  if (globals.json) printJson(context, answer, recordsIn(answer, command.records));
  else {
    const query = entry.id === "search.smart" ? input.query : undefined;
    const text = rendered(entry.id, answer, terminal, await quotation(query, terminal));
    // A block that holds nothing leaves not even an empty line where it was to go.
    if (text !== "") terminal.print(text);
    await tellUnknownNames(context, entry, named, answer, call);
  }
  return { exit: exitOf(entry.id, answer), isDryRun: "dryRun" in answer && answer.dryRun === true };
}

/** Whoever breaks off a change is told what becomes of it; gives what ends that. */
function tellWhenInterrupted(
  { terminal }: CommandContext,
  entry: OperationEntry,
  { dryRun }: Readonly<Record<string, unknown>>,
  { where }: OpenCaller,
): () => void {
  if (onlyLooks(entry) || dryRun === true) return () => undefined;
  const rest = where.kind === "daemon" ? "the daemon may still do it" : "what was done by then stays";
  return onInterruption(() => terminal.say(`interrupted: ${rest}`));
}

/** Scripts say what they mean, and are not asked. */
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
  terminal.say(rendered(entry.id, preview, terminal));
  return confirmed(context, "Delete it for good?");
}

/** A dry run may leave out what the operation itself needs: nobody is asked about what would be refused. */
async function refuseUnlessValid(entry: OperationEntry, input: unknown): Promise<void> {
  const [{ loadOperation }, { parseInput }] = await Promise.all([
    import("./families.ts"),
    import("../operation/parse.ts"),
  ]);
  parseInput((await loadOperation(entry.family, entry.id)).input, input);
}

function recordsIn(answer: object, field: string | undefined): readonly object[] | undefined {
  const records: unknown = field === undefined ? undefined : Reflect.get(answer, field);
  return Array.isArray(records) ? records : undefined;
}
