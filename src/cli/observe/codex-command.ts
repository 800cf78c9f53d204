import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Payload } from "../../capture/observations/hooks/hook-fields.ts";
import { isObject } from "../../json/is-object.ts";
import { jsonIn } from "../../json/json-in.ts";
import { failedOutcome } from "./observe-outcome.ts";
import type { TranscriptRead } from "./transcript-read.ts";

/*
 * Codex does not tell its hooks whether a command failed. Its transcript, one JSON object per line, has the exit code of
 * each command before the hook runs.
 */

/** The transcript of a long session has many megabytes; what has just ended is at its end. */
const readBytes = 1024 * 1024;

/** The end of a command, with its exit code if the transcript has it. */
export function commandOfCodex(ended: Payload): TranscriptRead {
  try {
    const exitCode = exitCodeIn(endOf(String(ended.transcript_path)), ended.tool_use_id);
    return { payloads: [exitCode === undefined ? ended : { ...ended, exit_code: exitCode }] };
  } catch (error) {
    return { payloads: [ended], failure: failedOutcome(error, "a command's exit code was not captured") };
  }
}

function endOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, readBytes));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8", 0, read);
  } finally {
    closeSync(file);
  }
}

function exitCodeIn(transcript: string, id: unknown): number | undefined {
  const named = `"id":${JSON.stringify(id)}`;
  for (const line of transcript.split("\n").toReversed()) {
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
