import type { WithJson } from "../../../store/json-columns.ts";
import { eventField } from "../stored-event.ts";

/** What a command was, and how it ended. */
export interface RanCommand {
  /** What was run, where it is known. */
  readonly command: string | undefined;
  /** Whether the command ended with another exit code than 0. */
  readonly hasFailed: boolean;
}

/** What a statement has to select of an observation so that its command can be told. */
interface RanColumns {
  readonly type: string;
  readonly title: string;
  readonly compression: string;
  /** Command and exit code as the event itself has them, for what a model has put in its own words. */
  readonly ran: string | null;
}

/** A row of a statement for records with such a command. */
export type RanRow<Row extends RanCommand, Lists extends keyof Row> = Omit<
  WithJson<Row, Lists>,
  keyof RanCommand
> &
  RanColumns;

/** The column `ran`, in a statement over observations. */
export const ranColumn = `CASE WHEN compression = 'llm' AND type = 'command_run' THEN
  (SELECT json_object('command', ${eventField("toolInput")} ->> '$.command', 'exitCode',
    coalesce(${eventField("toolOutput")} ->> '$.exitCode', ${eventField("toolOutput")} ->> '$.exit_code'))
   FROM raw_events WHERE observation_id = observations.id) END AS ran`;

const failureSuffix = /\s*\(exit -?\d+\)$/u;

/** Of a command that rules compressed, the title is its first line, with the exit code behind it when it failed. */
export function ranCommand({ type, title, compression, ran }: RanColumns): RanCommand {
  if (compression !== "synthetic") return inEvent(ran);
  if (type !== "command_run") return { command: undefined, hasFailed: false };
  return { command: title.replace(failureSuffix, ""), hasFailed: failureSuffix.test(title) };
}

/** A model's titles do not tell the command, so it is read from the event itself. */
function inEvent(ran: string | null): RanCommand {
  if (ran === null) return { command: undefined, hasFailed: false };
  // Written by the statement above.
  const { command, exitCode } = JSON.parse(ran) as { command: unknown; exitCode: unknown };
  return {
    command: typeof command === "string" ? command : undefined,
    hasFailed: exitCode !== null && Number(exitCode) !== 0,
  };
}
