import { isAbsolute, resolve } from "node:path";
import { flagName, optionName } from "../../operation/command-syntax.ts";
import { expandHome } from "../../paths/expand-home.ts";
import { projectFolderOf } from "../../paths/project-folder.ts";
import type { Positionals } from "../command.ts";
import { checkChoice, parseFlagValue, type ValueFlag } from "../flags/parse-flag-value.ts";
import { readTimesInWords } from "../flags/times-in-words.ts";
import type { OperationCommand } from "./operation-entry.ts";

/** The parts of a command that are needed to read its input. */
export interface InputForm extends Pick<OperationCommand, "positionals"> {
  readonly flags: readonly ValueFlag[];
}

/** Builds an operation's input from the positional arguments and flags of a command line. */
export function operationInput(
  { positionals, flags }: InputForm,
  positional: Positionals,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  positionals.forEach(({ field, kind, choices }, at) => {
    const value = positional[at];
    // An omitted variadic is an empty list. An empty string was given explicitly, and the operation will refuse it.
    if (value === undefined || (typeof value !== "string" && value.length === 0)) return;
    if (typeof value === "string") checkChoice(`<${field}>`, choices, value);
    input[field] = kind === "list" || typeof value === "string" ? value : value.join(" ");
  });
  for (const flag of flags) {
    const value = parseFlagValue(
      flag,
      given[optionName(flag.name)] ?? given[optionName(flagName(flag.field))],
    );
    if (value !== undefined) input[flag.field] = value;
  }
  return withPaths(input);
}

/** The same, with times that are told in words read. Error: invalid_input for words that name no time. */
export async function inputWithTimes(
  form: InputForm,
  positional: Positionals,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  return readTimesInWords(operationInput(form, positional, given), form.flags);
}

/**
 * On a command line `.` and `./x` mean folders relative to the working folder, and the projects that these belong to.
 */
function withPaths(input: Record<string, unknown>): Record<string, unknown> {
  const { project, cwd, vaultDir } = input;
  if (typeof project === "string" && isOfWorkingFolder(project))
    input.project = projectFolderOf(resolve(project));
  // Shells leave the tilde of `--cwd=~/x` alone.
  if (typeof cwd === "string" && cwd !== "" && !isAbsolute(cwd)) input.cwd = resolve(expandHome(cwd));
  if (typeof vaultDir === "string" && isOfWorkingFolder(vaultDir)) input.vaultDir = resolve(vaultDir);
  return input;
}

function isOfWorkingFolder(path: string): boolean {
  return /^\.{1,2}(?:[/\\]|$)/u.test(path);
}
