import { settingsTable } from "../../config/settings-table.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { completionOf, type StoredNames } from "../completion.ts";
import type { OperationEntry } from "../operation-table.ts";
import { operationTable } from "../operations.generated.ts";
import { operations } from "../operations.ts";
import { ownCommands } from "./table.ts";

const maxNames = 200;

/** Prints one candidate a line. A shell that asks while something is broken gets none, and no message in its way. */
export const run: CommandRun = async (context, [words]) => {
  const entries: readonly OperationEntry[] = Object.values(operationTable);
  const settingNames = settingsTable.map(({ name }) => name);
  const given = Array.isArray(words) ? words : [];
  const completion = completionOf(given, ownCommands, entries, settingNames);
  const candidates = completion.kind === "words" ? completion.words : await stored(context, completion.names);
  const typed = given.at(-1) ?? "";
  const fitting = candidates.filter((candidate) => candidate.startsWith(typed));
  if (fitting.length > 0) context.terminal.print(fitting.join("\n"));
  return 0;
};

async function stored(context: CommandContext, names: StoredNames): Promise<string[]> {
  const { call } = await context.caller();
  if (names === "memories") {
    const answer = await call(operations.listMemories, { latest: true, limit: maxNames, agentId: "*" });
    return "memories" in answer ? answer.memories.map(({ id }) => id) : [];
  }
  const { sessions } = await call(operations.listSessions, { limit: maxNames, agentId: "*" });
  return names === "sessions"
    ? sessions.map(({ id }) => id)
    : [...new Set(sessions.map(({ project }) => project))];
}
