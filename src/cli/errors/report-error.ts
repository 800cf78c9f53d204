import { CommanderError } from "commander";
import { exitCodeOfError, isMemsvcError, type MemsvcError, messageOf } from "../../operation/errors.ts";
import { quoteWord } from "../../text/quote-word.ts";
import { meantHint, similarNames } from "../../text/similar-names.ts";
import { suggestCommands } from "../names/command-synonyms.ts";
import { printable } from "../render/text.ts";
import { describeSystemError } from "./describe-system-error.ts";
import type { UsageHelp } from "./usage-help.ts";

/** The ways out after a command line that failed. */
interface WayOut extends UsageHelp {
  /** The first word given: a command, or a group of commands. */
  readonly asked: string | undefined;
  /** The commands of all groups that end with a word. */
  named(word: string): readonly string[];
  /** A hint whose commands name the store that the failed one named. */
  inStore(hint: string): string;
}

/** Prints the error and its hint on standard error; returns the exit code. */
export function reportError(error: unknown, wayOut: WayOut, withStack: boolean): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help")) {
    return error.exitCode === 0 ? 0 : 2;
  }
  const lines = linesOf(error, wayOut);
  if (withStack && error instanceof Error) lines.push(error.stack ?? "");
  // The message may quote input or stored text.
  process.stderr.write(`${printable(lines.join("\n"))}\n`);
  if (error instanceof CommanderError) return 2;
  return exitCodeOfError(error);
}

function linesOf(error: unknown, wayOut: WayOut): string[] {
  if (error instanceof CommanderError) return usageErrorLines(error, wayOut);
  if (isMemsvcError(error)) return told(error, wayOut);
  const fault = describeSystemError(error);
  if (fault !== undefined) return [`memsvc: ${fault.problem}`, `hint: ${wayOut.inStore(fault.hint)}`];
  return [`memsvc: ${messageOf(error)}`];
}

/** Lines for an error that commander found in the command line, with commander's suggestion or the command for help. */
function usageErrorLines(
  { code, message }: CommanderError,
  { help, usage, positionals, worded, flags, asked, named }: WayOut,
): string[] {
  const [problem = "", suggestion] = message.replace(/^error: /u, "").split("\n");
  if (code === "commander.conflictingOption") return [`memsvc: ${problem}`, "hint: leave one of them out"];
  const typed = /'(.*)'/u.exec(problem)?.[1] ?? "";
  const suggested = /^\(Did you mean (?:one of )?(.*)\?\)$/u.exec(suggestion ?? "")?.[1]?.split(", ") ?? [];
  const elsewhere = code === "commander.unknownCommand" ? suggestCommands(typed, { asked, named }) : [];
  const near = elsewhere.length > 0 ? elsewhere : similarNames(typed, suggested);
  const meant = near.length > 0 ? near : flags.filter((flag) => flag.startsWith(`${typed}-`));
  const asText =
    code === "commander.unknownOption" && worded !== undefined
      ? `, or for a text: ${worded} -- ${quoteWord(typed)}`
      : "";
  const positional = positionals.find((name) => name.toLowerCase() === typed.replaceAll("-", ""));
  if (code === "commander.unknownOption" && positional !== undefined)
    return [`memsvc: ${problem}`, `hint: ${positional} is not a flag: ${usage}`];
  const hint = meant.length === 0 ? `see ${help}${asText}` : meantHint(meant);
  return [`memsvc: ${problem}`, `hint: ${hint}`];
}

function told(error: MemsvcError, { help, inStore }: WayOut): string[] {
  const [line = "", ...others] = error.message.split("\n");
  const byDefault = error.code === "invalid_input" ? `see ${help}` : undefined;
  const hint = error.hint === undefined ? byDefault : inStore(error.hint);
  return [`memsvc: ${line}`, ...others, ...(hint === undefined ? [] : [`hint: ${hint}`])];
}
