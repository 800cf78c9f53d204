import { wordsOf } from "../operation/command-syntax.ts";
import { ownCommands } from "./commands/table.ts";
import type { OperationEntry } from "./operations/operation-entry.ts";
import { operationTable } from "./operations/operations.generated.ts";

/** The words that name each command, such as `session start`. */
export function commandWords(): string[] {
  const entries: readonly OperationEntry[] = Object.values(operationTable);
  return [
    ...ownCommands.map(({ command }) => wordsOf(command)),
    ...entries.flatMap(({ command }) => (command === undefined ? [] : [wordsOf(command.usage)])),
  ];
}
