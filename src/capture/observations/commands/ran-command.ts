import type { WithJson } from "../../../store/json-columns.ts";
import { eventField } from "../stored-event.ts";
import { exitMarkOf } from "./exit-mark.ts";

/** A command and how it ended. */
export interface RanCommand {
  /** Undefined when the command is not known. */
  readonly command: string | undefined;
  /** Whether the command ended with an exit code other than 0. */
  readonly hasFailed: boolean;
}

/** The columns that a statement has to select so that the command of an observation can be found. */
interface RanColumns {
  readonly type: string;
  readonly title: string;
  readonly compression: string;
  /** The command and exit code from the raw event; only set for observations that a model compressed. */
  readonly ran: string | null;
}

/** A row of a statement for records that contain a command. */
export type RanRow<Row extends RanCommand, Lists extends keyof Row> = Omit<
  WithJson<Row, Lists>,
  keyof RanCommand
> &
  RanColumns;

/** The column `ran`, for a statement over observations. */
export const ranColumn = `CASE WHEN compression = 'llm' AND type = 'command_run' THEN
  (SELECT json_object('command', ${eventField("toolInput")} ->> '$.command', 'exitCode',
    coalesce(${eventField("toolOutput")} ->> '$.exitCode', ${eventField("toolOutput")} ->> '$.exit_code'))
   FROM raw_events WHERE observation_id = observations.id) END AS ran`;

/**
 * The title of a command that was compressed by rules is its first line, followed by the exit code if it
 * failed.
 */
export function ranCommand({ type, title, compression, ran }: RanColumns): RanCommand {
  if (compression !== "synthetic") return inEvent(ran);
  if (type !== "command_run") return { command: undefined, hasFailed: false };
  const mark = exitMarkOf(title);
  return { command: title.slice(0, title.length - mark.length), hasFailed: mark !== "" };
}

/** A title from a model does not contain the command, so it is read from the raw event. */
function inEvent(ran: string | null): RanCommand {
  if (ran === null) return { command: undefined, hasFailed: false };
  // The statement above wrote it.
  const { command, exitCode } = JSON.parse(ran) as { command: unknown; exitCode: unknown };
  return {
    command: typeof command === "string" ? command : undefined,
    hasFailed: exitCode !== null && Number(exitCode) !== 0,
  };
}
