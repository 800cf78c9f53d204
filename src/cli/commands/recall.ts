import { isCancel, multiselect } from "@clack/prompts";
import type { CommandRun } from "../command.ts";
import { operations } from "../operations.ts";
import { rendered } from "../render/render.ts";
import { oneLine } from "../render/text.ts";

/** A search whose finds a person may open; without a person at the terminal it is the search alone. */
export const run: CommandRun = async ({ caller, terminal, globals }, [query], flags) => {
  const { call } = await caller();
  const { project, limit } = flags;
  const input = {
    query: Array.isArray(query) ? query.join(" ") : query,
    project,
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
  const answer = await call(operations.smartSearch, input);
  terminal.print(globals.json ? JSON.stringify(answer) : rendered("search.smart", answer, terminal));
  if (answer.results.length === 0) return 3;
  if (globals.json || !terminal.isInteractive) return 0;
  const chosen = await multiselect({
    message: "Which ones in full?",
    options: answer.results.map(({ obsId, title }) => ({
      value: obsId,
      label: oneLine(title, terminal.columns - 8),
    })),
    required: false,
  });
  if (isCancel(chosen) || chosen.length === 0) return 0;
  const expanded = await call(operations.smartSearch, { expandIds: chosen });
  terminal.print(rendered("search.smart", expanded, terminal));
  return 0;
};
