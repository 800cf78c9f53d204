import { errorTable, isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { ownCommand } from "../../recall/search/reading-commands.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { withFlagNames } from "../flags/flag-names.ts";
import type { OperationEntry } from "../operations/operation-entry.ts";
import { operationInput } from "../operations/operation-input.ts";
import { operationRunner } from "../operations/operation-runner.ts";
import { operationTable } from "../operations/operations.generated.ts";
import { operations } from "../operations/operations.ts";
import { tryAll } from "../operations/try-all.ts";
import { printAnswer } from "../render/print-answer.ts";

/** Shows records of any kind in full: those that a search expands, then those that have a command of their own. */
export const run: CommandRun = async (context, [given], flags) => {
  const ids = given === undefined ? [] : [given].flat();
  if (ids.some((id) => id.trim() === "")) throw new MemsvcError("invalid_input", "<id> must not be blank");
  const { notFound = [], ...answer } = await expanded(context, ids, flags);
  const unknown = notFound.filter((id) => showerOf(id) === undefined);
  if (answer.results.length > 0 || unknown.length > 0) {
    const shown = unknown.length === 0 ? answer : { ...answer, notFound: unknown };
    await printAnswer(context, "search.smart", shown);
  }
  const missing = await tryAll(notFound, async (id) => {
    await showerOf(id)?.(context, [id], flags);
  });
  if (missing !== undefined) throw missing;
  return unknown.length === 0 ? 0 : errorTable.not_found.exit;
};

/** What a search expands of the records. Error: not_found when none is known and none has a command of its own. */
async function expanded(
  { caller }: CommandContext,
  ids: readonly string[],
  flags: Parameters<CommandRun>[2],
): Promise<{ results: readonly object[]; notFound?: readonly string[] | undefined }> {
  const { command } = operationTable["search.smart"];
  const input = { ...operationInput(command, [], flags), expandIds: ids };
  const { call } = await caller();
  return call(operations.smartSearch, input).catch((error: unknown) => {
    if (isMemsvcError(error, "not_found") && ids.some((id) => showerOf(id) !== undefined))
      return { mode: "expanded", results: [], totalCount: 0, streams: [], notFound: [...new Set(ids)] };
    throw withFlagNames(error, { ...command, positionals: [{ field: "expandIds", name: "id" }] });
  });
}

/** Runs the command that shows only this record; undefined if there is none. */
function showerOf(id: string): CommandRun | undefined {
  const words = ownCommand(id);
  if (words === undefined) return undefined;
  const entries: readonly OperationEntry[] = Object.values(operationTable);
  for (const entry of entries)
    if (entry.command?.usage.startsWith(`${words} <`)) return operationRunner(entry, entry.command);
  return undefined;
}
