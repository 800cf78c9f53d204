import { errorTable, MemsvcError } from "../../operation/errors.ts";
import type { CommandRun } from "../command.ts";
import { withFlagNames } from "../flags/flag-names.ts";
import { operationInput } from "../operations/operation-input.ts";
import { operationTable } from "../operations/operations.generated.ts";
import { operations } from "../operations/operations.ts";
import { printJson } from "../render/print-json.ts";
import { renderAnswer } from "../render/render-answer.ts";

/** Shows records of any kind in full. */
export const run: CommandRun = async ({ caller, terminal, globals }, [ids], flags) => {
  if (Array.isArray(ids) && ids.some((id: string) => id.trim() === ""))
    throw new MemsvcError("invalid_input", "<id> must not be blank");
  const { command } = operationTable["search.smart"];
  const input = { ...operationInput(command, [], flags), expandIds: ids };
  const { call } = await caller();
  const answer = await call(operations.smartSearch, input).catch((error: unknown) => {
    throw withFlagNames(error, { ...command, positionals: [{ field: "expandIds", name: "id" }] });
  });
  if (globals.json) printJson({ terminal, globals }, answer);
  else terminal.print(renderAnswer("search.smart", answer, terminal));
  return answer.notFound === undefined ? 0 : errorTable.not_found.exit;
};
