import type { Observation } from "../../capture/observations/record.ts";
import type { FileTraces, TraceRequest } from "./file-traces.ts";
import type { DatedMove } from "./former-paths.ts";
import { goneSince } from "./gone-since.ts";
import type { LeftInFile, LeftToDo } from "./left-to-do.ts";
import type { FileNotes } from "./record.ts";

/**
 * A file's notes, with its newest edits in full, what was left to do in it since the last edit, and the command that
 * moved or deleted it.
 */
export interface FileTold extends FileNotes {
  readonly edits: readonly Observation[];
  readonly left: readonly LeftInFile[];
  readonly gone: DatedMove | undefined;
}

interface Known {
  readonly request: TraceRequest;
  readonly leftIn: LeftToDo;
  /** The edits of all files, by id. */
  readonly edits: ReadonlyMap<string, Observation>;
}

/** What is told of a file; undefined if nothing is known of it. */
export async function toldOf(
  trace: FileTraces,
  note: FileNotes,
  { request, leftIn, edits }: Known,
): Promise<FileTold | undefined> {
  const { cwd } = request;
  const [lastEdit] = note.editHistory;
  const left = [
    ...(request.isOutside === true ? [] : leftIn(note.file, cwd)),
    ...trace.formerNames.flatMap(({ name, until }) => leftIn(name, cwd).filter(({ at }) => at <= until)),
    // An edit that came later may have done it.
  ].filter(({ at }) => lastEdit === undefined || at >= Date.parse(lastEdit.timestamp));
  const gone = await goneSince(trace, request);
  if (left.length === 0 && gone === undefined && trace.traces.length === 0) return undefined;
  return { ...note, gone, left, edits: note.editHistory.flatMap(({ obsId }) => edits.get(obsId) ?? []) };
}
