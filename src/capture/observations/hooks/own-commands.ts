import { reportsCall } from "../calls/tool-hooks.ts";
import { inputPartsOf } from "../calls/tool-input.ts";
import { toolKind } from "../calls/tool-kind.ts";
import { isOwnCommand } from "../commands/own-command.ts";
import { type Event, pickUpFields } from "../pick-up-fields.ts";

/** Whether a tool call runs a command that only queries this program, which is no work on the project. */
export function runsOwnCommand(toolName: string, toolInput: unknown): boolean {
  if (toolKind(toolName) !== "command_run") return false;
  const { command } = inputPartsOf(toolInput);
  return command !== undefined && isOwnCommand(command);
}

/** Whether an event is such a tool call. */
export function isOwnRun(event: Omit<Event, "timestamp">): boolean {
  if (!reportsCall(event.hookType)) return false;
  const { toolName, toolInput } = pickUpFields({ ...event, timestamp: 0 });
  return toolName !== undefined && runsOwnCommand(toolName, toolInput);
}
