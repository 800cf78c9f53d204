import { type Command, Option } from "commander";
import { flagName } from "../../operation/command-syntax.ts";
import type { FlagForm } from "../command.ts";
import type { FlagDefinition, Positional } from "./operation-entry.ts";

/** Adds the flags for the fields of an operation's input. */
export function addFlags(command: Command, flags: readonly FlagDefinition[]): void {
  for (const { field, name, kind, ...told } of flags) {
    addFlag(command, { form: `--${name}${placeholders[kind]}`, ...told });
    // Also accepts the field's own name as a flag, hidden, for users who know the API.
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
  time: " <time>",
};

/** Adds a flag to a command; its choices and its default are appended to its description. */
export function addFlag(command: Command, { form, contradicts, ...told }: FlagForm): void {
  command.addOption(new Option(form, toldInFull(told)).conflicts(contradicts ?? []));
}

/** Describes a command's arguments. */
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
