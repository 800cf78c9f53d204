import type { Payload } from "../../capture/observations/hooks/hook-fields.ts";
import { isObject } from "../../json/is-object.ts";
import { jsonIn } from "../../json/json-in.ts";
import { lastLines } from "./last-lines.ts";
import { failedOutcome } from "./observe-outcome.ts";
import type { TranscriptRead } from "./transcript-read.ts";

/*
 * Codex does not tell its hooks whether a command failed. Its transcript, one JSON object per line, has the exit code
 * of each command before the hook runs.
 */

/** The end of a command, with its exit code if the transcript has it. */
export function commandOfCodex(ended: Payload): TranscriptRead {
  try {
    const exitCode = exitCodeIn(lastLines(String(ended.transcript_path)), ended.tool_use_id);
    return { payloads: [exitCode === undefined ? ended : { ...ended, exit_code: exitCode }] };
  } catch (error) {
    return { payloads: [ended], failure: failedOutcome(error, "a command's exit code was not captured") };
  }
}

function exitCodeIn(lines: readonly string[], id: unknown): number | undefined {
  const named = `"id":${JSON.stringify(id)}`;
  for (const line of lines) {
    const item = line.includes(named) ? itemIn(line) : undefined;
    if (item?.type === "CommandExecution" && item.id === id && typeof item.exit_code === "number")
      return item.exit_code;
  }
  return undefined;
}

function itemIn(line: string): Payload | undefined {
  const entry = jsonIn(line);
  const payload = isObject(entry) ? entry.payload : undefined;
  const item = isObject(payload) ? payload.item : undefined;
  return isObject(item) ? item : undefined;
}
