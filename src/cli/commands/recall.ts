import { errorTable, MemsvcError } from "../../operation/errors.ts";
import { mostExpanded } from "../../recall/search/search-limits.ts";
import type { CommandRun } from "../command.ts";
import { withFlagNames } from "../flags/flag-names.ts";
import { hintAtUnknownNames } from "../names/unknown-names.ts";
import { exitCodeOf } from "../operations/exit-code.ts";
import { inputWithTimes } from "../operations/operation-input.ts";
import { operationTable } from "../operations/operations.generated.ts";
import { operations } from "../operations/operations.ts";
import { printAnswer } from "../render/print-answer.ts";
import { renderAnswer } from "../render/render-answer.ts";
import { oneLine } from "../render/text.ts";
import { isCancel, multiselect } from "../terminal/prompts.ts";

/** A search whose hits can be opened interactively; without a person at the terminal it only searches. */
export const run: CommandRun = async (context, positional, flags) => {
  const { caller, terminal, globals } = context;
  const { command } = operationTable["search.smart"];
  const input = await inputWithTimes(command, positional, flags);
  // Without words the operation would ask for records to expand, which this command has no flag for.
  if (String(input.query).trim() === "") throw new MemsvcError("invalid_input", "<query> must not be blank");
  const { call } = await caller();
  const answer = await call(operations.smartSearch, input).catch((error: unknown) => {
    throw withFlagNames(error, command);
  });
  await printAnswer(context, "search.smart", answer, { query: input.query });
  await hintAtUnknownNames(context, operations.smartSearch, input, answer, call);
  if (answer.results.length === 0) return exitCodeOf(operations.smartSearch, answer);
  if (globals.json || !terminal.isInteractive) return 0;
  const chosen = await multiselect({
    message: "Which ones in full?",
    options: answer.results.map(({ obsId, title }) => ({
      value: obsId,
      label: oneLine(title, terminal.columns - 8),
    })),
    required: false,
  });
  if (isCancel(chosen)) return errorTable.interrupted.exit;
  if (chosen.length === 0) return 0;
  const { agentId } = input;
  for (let from = 0; from < chosen.length; from += mostExpanded) {
    const expandIds = chosen.slice(from, from + mostExpanded);
    const expanded = await call(operations.smartSearch, { expandIds, agentId });
    terminal.print(renderAnswer("search.smart", expanded, terminal));
  }
  return 0;
};
