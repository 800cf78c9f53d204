import type { CommandContext } from "../command.ts";
import { inSameStore } from "../location/same-store.ts";
import { printJson } from "./print-json.ts";
import { quotation } from "./quotation.ts";
import { type Answer, renderAnswer } from "./render-answer.ts";

/** The outcomes of these name commands, as what is said of an empty list does. */
const namingCommands: ReadonlySet<string> = new Set(["memories.remember", "mesh.sync"]);

interface Shown {
  /** The query whose words are quoted from the hits. */
  readonly query?: unknown;
  /** The records of the answer, if it is no list that counts them. */
  readonly records?: readonly object[] | undefined;
}

/** Prints the answer of an operation: as JSON, or as text for people. */
export async function printAnswer(
  { terminal, globals }: Pick<CommandContext, "terminal" | "globals">,
  operationId: string,
  answer: Answer,
  { query, records }: Shown = {},
): Promise<void> {
  if (globals.json) {
    printJson({ terminal, globals }, answer, records);
    return;
  }
  const text = renderAnswer(operationId, answer, terminal, await quotation(query, terminal));
  const namesCommands = answer.total === 0 || namingCommands.has(operationId);
  // An empty block must not even print an empty line.
  if (text !== "") terminal.print(namesCommands ? inSameStore(text, globals) : text);
}
