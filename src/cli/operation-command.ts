import { type Command, Option } from "commander";
import { idSource } from "../store/ids.ts";
import type { CommandRun, FlagForm } from "./command.ts";
import { operationInput, withDefaults } from "./operation-input.ts";
import type { FlagDefinition, OperationCommand, OperationEntry } from "./operation-table.ts";
import { projectOf } from "./project-of.ts";
import { exitOf, rendered } from "./render/render.ts";
import { jsonLine } from "./render/text.ts";
import { searchVariant } from "./search-variants.ts";
import { readStdin } from "./stdin.ts";

/** Gives a command the flags of its operation's input. */
export function addFlags(command: Command, flags: readonly FlagDefinition[]): void {
  for (const { name, kind, description, choices } of flags) {
    const form =
      kind === "boolean" ? `--${name}` : kind === "list" ? `--${name} <value...>` : `--${name} <value>`;
    addFlag(command, { form, description, choices });
  }
}

/** Gives a command a flag; the values that it may have stand behind its description. */
export function addFlag(command: Command, { form, description, choices = [] }: FlagForm): void {
  const hint = choices.length > 0 ? ` (${choices.join(", ")})` : "";
  command.addOption(new Option(form, `${description}${hint}`));
}

/** Carries out the operation behind a command, prints what it answers, and returns the exit code. */
export function operationRun(entry: OperationEntry, command: OperationCommand): CommandRun {
  return async (context, positional, given) => {
    if (entry.id === "search.smart") {
      const exit = await searchVariant(context, command, positional, given);
      if (exit !== undefined) return exit;
    }
    const { cwd, terminal, globals } = context;
    const input = await withDefaults(entry.id, operationInput(command, positional, given), {
      cwd,
      project: () => projectOf(cwd, context.configuration().settings.projectName),
      newSessionId: () => idSource()("session"),
      stdin: readStdin,
      stdinIsPiped: process.stdin.isTTY !== true,
    });
    const { call } = await context.caller();
    const answer = await call(entry, input);
    if (globals.json) terminal.print(jsonLine(answer));
    else terminal.print(rendered(entry.id, answer, terminal));
    return exitOf(entry.id, answer);
  };
}
