import { CommanderError } from "commander";
import { exitCodeOfError, isMemsvcError, type MemsvcError, messageOf } from "../../operation/errors.ts";
import { suggestCommands } from "../names/command-synonyms.ts";
import { similarNames } from "../names/similar-names.ts";
import { printable } from "../render/text.ts";
import { describeSystemError } from "./describe-system-error.ts";

/** Where a command line that failed may go on. */
export interface UsageHelp {
  /** The command that shows the help of what was called. */
  readonly help: string;
  /** The command that was called, where it takes words that nobody declared. */
  readonly worded: string | undefined;
  /** The flags that the command which was called has, and those of every command. */
  readonly flags: readonly string[];
  /** The first word that was given: a command, or a group of them. */
  readonly asked: string | undefined;
  /** The commands of any group that end with a word. */
  named(word: string): readonly string[];
}

/** Says on standard error what went wrong and the way out of it; returns the exit code. */
export function reportError(error: unknown, wayOut: UsageHelp, withStack: boolean): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help")) {
    return error.exitCode === 0 ? 0 : 2;
  }
  const lines = linesOf(error, wayOut);
  if (withStack && error instanceof Error) lines.push(error.stack ?? "");
  // A message may repeat what was given or stored.
  process.stderr.write(`${printable(lines.join("\n"))}\n`);
  if (error instanceof CommanderError) return 2;
  return exitCodeOfError(error);
}

function linesOf(error: unknown, wayOut: UsageHelp): string[] {
  if (error instanceof CommanderError) return misused(error, wayOut);
  if (isMemsvcError(error)) return told(error, wayOut);
  const fault = describeSystemError(error);
  if (fault !== undefined) return [`memsvc: ${fault.problem}`, `hint: ${fault.hint}`];
  return [`memsvc: ${messageOf(error)}`];
}

/** What commander found wrong with the command line; its suggestion is the way out, else the help is. */
function misused(
  { code, message }: CommanderError,
  { help, worded, flags, asked, named }: UsageHelp,
): string[] {
  const [problem = "", suggestion] = message.replace(/^error: /u, "").split("\n");
  const typed = /'(.*)'/u.exec(problem)?.[1] ?? "";
  const suggested = /^\(Did you mean (?:one of )?(.*)\?\)$/u.exec(suggestion ?? "")?.[1]?.split(", ") ?? [];
  const elsewhere = code === "commander.unknownCommand" ? suggestCommands(typed, { asked, named }) : [];
  const near = elsewhere.length > 0 ? elsewhere : similarNames(typed, suggested);
  const meant = near.length > 0 ? near : flags.filter((flag) => flag.startsWith(`${typed}-`));
  const asText =
    code === "commander.unknownOption" && worded !== undefined
      ? `, or for a text: ${worded} -- ${typed}`
      : "";
  const hint =
    meant.length === 0
      ? `see ${help}${asText}`
      : `did you mean ${meant.length > 1 ? "one of " : ""}${meant.join(", ")}?`;
  return [`memsvc: ${problem}`, `hint: ${hint}`];
}

function told(error: MemsvcError, { help }: UsageHelp): string[] {
  const [line = "", ...others] = error.message.split("\n");
  const hint = error.hint ?? (error.code === "invalid_input" ? `see ${help}` : undefined);
  return [`memsvc: ${line}`, ...others, ...(hint === undefined ? [] : [`hint: ${hint}`])];
}
