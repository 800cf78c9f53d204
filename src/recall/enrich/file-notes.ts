import { isFileChange } from "../../capture/observations/calls/tool-kind.ts";
import type { TouchingDocument } from "../../index/documents/touching.ts";
import { dayText, timeText } from "../../operation/fields.ts";
import { tally } from "../../text/tally.ts";
import type { FileTraces } from "./file-traces.ts";
import type { Edit, FileNotes, Issue } from "./record.ts";

const editsPerFile = 5;
const issuesPerFile = 5;
const conceptsInSummary = 3;

/** The notes on one file; `titles`: current titles of memories, where they differ from the stored ones. */
export function fileNotes(
  { file, traces, isCutOff }: FileTraces,
  titles: ReadonlyMap<string, string>,
): FileNotes {
  const edits = newestFirst(traces.filter(isFileChange));
  return {
    file,
    summary: summaryOf(traces, edits, isCutOff ? "at least " : ""),
    editHistory: edits.slice(0, editsPerFile).map((trace) => editOf(trace, file)),
    knownIssues: newestFirst(traces.filter(isIssue))
      .slice(0, issuesPerFile)
      .map((trace) => issueOf({ ...trace, title: titles.get(trace.ref) ?? trace.title }, file)),
  };
}

function isIssue({ kind, type }: TouchingDocument): boolean {
  return type === (kind === "memory" ? "bug" : "error");
}

export function newestFirst<Trace extends { readonly createdAt: number }>(traces: readonly Trace[]): Trace[] {
  return traces.toSorted((a, b) => b.createdAt - a.createdAt);
}

function editOf({ ref, sessionId, createdAt, title, type }: TouchingDocument, file: string): Edit {
  return { obsId: ref, sessionId: sessionId ?? "", timestamp: timeText(createdAt), title, type, file };
}

function issueOf({ ref, kind, title, createdAt }: TouchingDocument, file: string): Issue {
  return {
    id: ref,
    kind: kind === "memory" ? "memory" : "observation",
    title,
    timestamp: timeText(createdAt),
    file,
  };
}

function summaryOf(
  traces: readonly TouchingDocument[],
  edits: readonly TouchingDocument[],
  atLeast: string,
): string {
  const sessions = new Set(traces.flatMap(({ sessionId }) => sessionId ?? [])).size;
  const concepts = conceptsOf(traces).slice(0, conceptsInSummary);
  const [last] = edits;
  return [
    `${atLeast}${edits.length} ${edits.length === 1 ? "edit" : "edits"} in ${atLeast}${sessions} ${sessions === 1 ? "session" : "sessions"}`,
    ...(last === undefined ? [] : [`last edited ${dayText(last.createdAt)}`]),
    ...(concepts.length === 0 ? [] : [`about ${concepts.join(", ")}`]),
  ].join("; ");
}

/** The concepts of the records, most frequent first. */
export function conceptsOf(traces: readonly Pick<TouchingDocument, "concepts">[]): string[] {
  return tally(traces.flatMap(({ concepts }) => concepts)).map(({ value }) => value);
}
