import type { CommandContext } from "./command.ts";
import { operationInput } from "./operation-input.ts";
import type { OperationCommand } from "./operation-table.ts";
import { operations } from "./operations.ts";
import { exitOf, rendered } from "./render/render.ts";

/** Flags by which `memsvc search` becomes another search than the usual one. */
export const searchFlags = [
  { form: "--format <value>", description: "records in this form (full, compact, narrative)" },
  { form: "--token-budget <value>", description: "tokens that the results may take" },
  { form: "--in <file>", description: "search an exported backup without importing it" },
] as const;

/** Runs the search that the flags ask for; undefined when they ask for the usual one. */
export async function searchVariant(
  context: CommandContext,
  command: OperationCommand,
  positional: readonly (string | readonly string[] | undefined)[],
  given: Readonly<Record<string, unknown>>,
): Promise<number | undefined> {
  const { format, tokenBudget, in: file } = given;
  const input = operationInput(command, positional, given);
  if (typeof file === "string") {
    const { searchExport } = await import("./search-export.ts");
    return searchExport(context, file, input);
  }
  if (format === undefined && tokenBudget === undefined) return undefined;
  const { call } = await context.caller();
  const answer = await call(operations.fullSearch, {
    ...input,
    ...(format === undefined ? {} : { format }),
    ...(tokenBudget === undefined ? {} : { token_budget: Number(tokenBudget) }),
  });
  const { terminal, globals } = context;
  terminal.print(globals.json ? JSON.stringify(answer) : rendered("search.full", answer, terminal));
  return exitOf("search.full", answer);
}
