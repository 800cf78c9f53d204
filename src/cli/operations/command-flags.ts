import { type Command, Option } from "commander";
import { flagName } from "../../operation/command-syntax.ts";
import type { FlagForm } from "../command.ts";
import type { FlagDefinition, Positional } from "./operation-entry.ts";

/** Gives a command the flags of its operation's input. */
export function addFlags(command: Command, flags: readonly FlagDefinition[]): void {
  for (const { field, name, kind, ...told } of flags) {
    addFlag(command, { form: `--${name}${placeholders[kind]}`, ...told });
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

/** Gives a command a flag; its few values, and what holds without it, stand behind its description. */
export function addFlag(command: Command, { form, ...told }: FlagForm): void {
  command.addOption(new Option(form, toldInFull(told)));
}

/** Tells what a command's arguments are. */
export function describeArguments(command: Command, positionals: readonly Positional[]): void {
  positionals.forEach((told, at) => {
    const argument = command.registeredArguments[at];
    if (argument !== undefined) argument.description = toldInFull(told);
  });
}

function toldInFull(told: Pick<FlagForm, "description" | "choices" | "default">): string {
  const { description, choices = [], default: byDefault } = told;
  const parts = choices.every((choice) => description.includes(choice)) ? [] : [choices.join(", ")];
  if (byDefault !== undefined) parts.push(`default ${byDefault}`);
  return parts.length === 0 ? description : `${description} (${parts.join("; ")})`;
}
