import { MemsvcError } from "../../operation/errors.ts";
import type { CommandContext, FlagForm, Positionals } from "../command.ts";
import { hintAtUnknownNames } from "../names/unknown-names.ts";
import { exitCodeOf } from "../operations/exit-code.ts";
import type { OperationCommand } from "../operations/operation-entry.ts";
import { type InputForm, inputWithTimes, operationInput } from "../operations/operation-input.ts";
import { operations } from "../operations/operations.ts";
import { printAnswer } from "../render/print-answer.ts";

const formats = ["full", "compact", "narrative"];

/** Flags that select another kind of search. */
export const searchFlags: readonly FlagForm[] = [
  { form: "--format <value>", description: "output format of the records", choices: formats },
  { form: "--token-budget <value>", description: "token budget for the results" },
  { form: "--in <file>", description: "search an exported backup without importing it" },
];

/** Those of them that are input fields. */
export const searchFields: InputForm["flags"] = [
  { field: "format", name: "format", kind: "text" },
  { field: "token_budget", name: "token-budget", kind: "number" },
];

/** The fields of the usual search that the search within a budget and the one in a backup support. */
const budgetedFields = [
  "query",
  "project",
  "limit",
  "sessionId",
  "cwd",
  "source",
  "agentId",
  "includeOrphans",
];
const backupFields = ["query", "project", "limit", "kinds", "includeLessons", "since", "until"];

/** Runs the search that the flags select; undefined if they select the usual one. */
export async function searchVariant(
  context: CommandContext,
  command: OperationCommand,
  positional: Positionals,
  given: Readonly<Record<string, unknown>>,
): Promise<number | undefined> {
  const { format, tokenBudget, in: file } = given;
  const input = await inputWithTimes(command, positional, given);
  if (typeof file === "string") {
    refuseOthers("--in", command, input, backupFields);
    if (format !== undefined) throw unfit("--format", "--in");
    if (tokenBudget !== undefined) throw unfit("--token-budget", "--in");
    if (input.query === undefined) throw new MemsvcError("invalid_input", "<query> is required");
    const { searchExport } = await import("./search-export.ts");
    return searchExport(context, file, input);
  }
  if (format === undefined && tokenBudget === undefined) return undefined;
  refuseOthers(format === undefined ? "--token-budget" : "--format", command, input, budgetedFields);
  const own = operationInput({ positionals: [], flags: searchFields }, [], given);
  const { call } = await context.caller();
  const answer = await call(operations.fullSearch, { ...input, ...own });
  await printAnswer(context, "search.full", answer);
  await hintAtUnknownNames(context, operations.fullSearch, input, answer, call);
  return exitCodeOf(operations.fullSearch, answer);
}

/** Refuses filters that would have no effect: the user would believe that the results are filtered. */
function refuseOthers(
  variant: string,
  { flags }: OperationCommand,
  input: Readonly<Record<string, unknown>>,
  understood: readonly string[],
): void {
  const other = flags.find(({ field }) => input[field] !== undefined && !understood.includes(field));
  if (other !== undefined) throw unfit(`--${other.name}`, variant);
}

function unfit(flag: string, variant: string): MemsvcError {
  return new MemsvcError("invalid_input", `${flag} cannot be combined with ${variant}`, {
    hint: "leave one of them out",
  });
}
