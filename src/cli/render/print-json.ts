import type { CommandContext } from "../command.ts";
import { jsonLine } from "./text.ts";

/**
 * Prints an answer as JSON on one line; with --ndjson each of its records gets a line of its own. The records are
 * those of an answer that counts them, unless the command tells them itself.
 */
export function printJson(
  { terminal, globals }: Pick<CommandContext, "terminal" | "globals">,
  answer: object,
  records: readonly object[] = recordsOf(answer),
): void {
  for (const line of globals.ndjson ? records : [answer]) terminal.print(jsonLine(line));
}

/** The records of an answer that is a list, which counts them all; the answer itself where it is none. */
function recordsOf(answer: object): readonly object[] {
  const isList = ["total", "totalCount"].some((name) => typeof Reflect.get(answer, name) === "number");
  const lists = Object.values(answer).filter((value): value is object[] => Array.isArray(value));
  const [records = [answer]] = isList ? lists : [];
  return records;
}
