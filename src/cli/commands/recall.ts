import { errorTable } from "../../operation/errors.ts";
import type { CommandRun } from "../command.ts";
import { exitOf } from "../exit-code.ts";
import { inFlagWords } from "../flags/flag-words.ts";
import { tellUnknownNames } from "../names/unknown-names.ts";
import { operationInput } from "../operation-input.ts";
import { operationTable } from "../operations.generated.ts";
import { operations } from "../operations.ts";
import { printJson } from "../print-json.ts";
import { quotation } from "../render/quotation.ts";
import { rendered } from "../render/render.ts";
import { oneLine } from "../render/text.ts";
import { isCancel, multiselect } from "../terminal/prompts.ts";

/** A search whose finds a person may open; without a person at the terminal it is the search alone. */
export const run: CommandRun = async ({ caller, terminal, globals, configuration }, positional, flags) => {
  const { command } = operationTable["search.smart"];
  const input = operationInput(command, positional, flags);
  const { call } = await caller();
  const answer = await call(operations.smartSearch, input).catch((error: unknown) => {
    throw inFlagWords(error, command);
  });
  if (globals.json) printJson({ terminal, globals }, answer);
  else {
    const quoted = await quotation(input.query, terminal);
    terminal.print(rendered("search.smart", answer, terminal, quoted));
  }
  await tellUnknownNames({ terminal, globals, configuration }, operations.smartSearch, input, answer, call);
  if (answer.results.length === 0) return exitOf("search.smart", answer);
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
  const expanded = await call(operations.smartSearch, { expandIds: chosen, agentId });
  terminal.print(rendered("search.smart", expanded, terminal));
  return 0;
};
