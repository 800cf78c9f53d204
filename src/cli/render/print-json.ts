import type { CommandContext } from "../command.ts";
import { jsonLine } from "./text.ts";

/**
 * Prints an answer as JSON on one line; with --ndjson one line for each of its records. These are found in an answer
 * that counts its records, unless the command passes them.
 */
export function printJson(
  { terminal, globals }: Pick<CommandContext, "terminal" | "globals">,
  answer: object,
  records: readonly object[] = recordsOf(answer),
): void {
  for (const line of globals.ndjson ? records : [answer]) terminal.print(jsonLine(line));
}

/** The records of an answer that is a list with a total; otherwise the answer itself. */
function recordsOf(answer: object): readonly object[] {
  const isList = ["total", "totalCount"].some((name) => typeof Reflect.get(answer, name) === "number");
  const lists = Object.values(answer).filter((value): value is object[] => Array.isArray(value));
  const [records = [answer]] = isList ? lists : [];
  return records;
}
