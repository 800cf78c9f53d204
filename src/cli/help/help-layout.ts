import { type Command, Help } from "commander";
import { exitCodes, helpPlace, helpWidth } from "./help-groups.ts";

/** How commander lays out the help of a command. */
export const helpLayout = {
  /** In columns: descriptions are wrapped down to this width, and not at all below it. */
  minWidthToWrap: 20,
  subcommandTerm: usageOf,
  formatHelp: helpOf,
};

/** commander's help; the program's own is followed by the exit codes. */
function helpOf(command: Command, help: Help): string {
  const text = Help.prototype.formatHelp.call(help, command, help);
  return command.parent === null
    ? `${text}\n${help.boxWrap(exitCodes, help.helpWidth ?? helpWidth)}\n`
    : text;
}

/** A command's usage in a list, without "[options]", which nearly all have. */
function usageOf(command: Command): string {
  return [command.name(), ...positionalsOf(command)].join(" ");
}

/** A command's arguments, as its usage shows them. */
export function positionalsOf(command: Command): readonly string[] {
  return command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
}

/** Puts commands under headings, and describes a group by its commands. */
export function arrangeHelp(program: Command): void {
  for (const command of program.commands) {
    const place = helpPlace(command.name());
    if (place !== undefined) command.helpGroup(place.heading);
    if (command.commands.length > 0)
      command.description(command.commands.map((one) => one.name()).join(", "));
  }
}
