import { type Command, Option } from "commander";
import { flagName } from "../../operation/command-syntax.ts";
import type { FlagForm } from "../command.ts";
import type { FlagDefinition, Positional } from "./operation-entry.ts";

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
export function describeArguments(command: Command, positionals: readonly Positional[]): void {
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
