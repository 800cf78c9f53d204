import type { compressFile } from "../../capture/files/operations.ts";
import type { importTranscripts, loadReplay } from "../../capture/replay/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { colouredDiff } from "./coloured-diff.ts";
import { inColumns } from "./columns.ts";
import { dryRunVerb } from "./dry-run.ts";
import { counted, shownDuration } from "./quantity.ts";
import { shownTime } from "./time.ts";

/** A session as a script with time, speaker and text. */
export function renderReplay({ timeline, session }: OutputOf<typeof loadReplay>, terminal: Terminal): string {
  const { paint, isForPeople } = terminal;
  const length = shownDuration(Math.floor(timeline.totalDurationMs / 1_000));
  const facts = `${counted(timeline.eventCount, "event")} in ${length}, from ${shownTime(timeline.startedAt, isForPeople)}`;
  const head = inColumns([[paint.bold(session.id), session.project, facts]], terminal);
  const rows = timeline.events.map(({ offsetMs, kind, label }) => {
    const at = `+${shownDuration(Math.floor(offsetMs / 1_000))}`.padStart(8);
    return [paint.dim(at), kind.padEnd(13), { whole: label }];
  });
  const rest = timeline.truncated === true ? [paint.dim("… and more")] : [];
  return [...head, ...inColumns(rows, terminal), ...rest].join("\n");
}

export function renderImport(answer: OutputOf<typeof importTranscripts>, { paint }: Terminal): string {
  const {
    imported,
    discovered,
    sessionIds,
    observations,
    skippedDuplicates,
    leftDeleted = 0,
    lessons,
  } = answer;
  if (discovered === 0 && !answer.traversalCapped && answer.errors.length === 0)
    return "no transcripts there: memsvc replay import --help says whose are read";
  const done = `imported ${imported} of ${counted(discovered, "transcript")}: ${counted(observations, "new observation")} in ${counted(sessionIds.length, "session")}`;
  const hasFound = imported + skippedDuplicates + leftDeleted + answer.errors.length > 0;
  const notes = [
    ...(hasFound ? [] : ["no events of a session were found there"]),
    ...(lessons > 0 ? [`${counted(lessons, "lesson")} learned`] : []),
    ...(skippedDuplicates > 0 ? [`${counted(skippedDuplicates, "event")} had been imported before`] : []),
    ...(leftDeleted > 0
      ? [`${counted(leftDeleted, "event")} deleted here earlier, and not imported again`]
      : []),
    ...(answer.truncated ? [takenOf(answer)] : []),
    ...(answer.traversalCapped ? ["the folder has too many entries to look at them all"] : []),
    ...answer.errors.map(({ path, error }) => `${path}: ${error}`),
  ];
  return [done, ...notes.map((note) => paint.dim(note))].join("\n");
}

function takenOf({ maxFiles, maxFilesUpperBound }: OutputOf<typeof importTranscripts>): string {
  return maxFiles < maxFilesUpperBound
    ? `only the newest ${maxFiles} were taken: raise --max-files for more, up to ${maxFilesUpperBound}`
    : `only the newest ${maxFiles} were taken, the most at a time: name the folders in it one by one for the rest`;
}

export function renderCompressedFile(answer: OutputOf<typeof compressFile>, { paint }: Terminal): string {
  if ("queued" in answer) return `the file is being shortened: ${answer.jobId}`;
  if ("skipped" in answer)
    return `${dryRunVerb(answer, "left", "leave")} as it is, ${answer.reason}: ${answer.filePath}`;
  const { originalChars, compressedChars, provider, backupPath, warning } = answer;
  const saved = Math.round((1 - compressedChars / originalChars) * 100);
  const done = `${counted(compressedChars, "character")} of ${originalChars}, ${saved} % less, by ${provider}`;
  const notes = warning === undefined ? [] : [warning];
  const change = answer.diff === undefined ? [] : [colouredDiff(answer.diff.trimEnd(), paint)];
  return [
    ...change,
    done,
    `the original ${dryRunVerb(answer, "is", "be kept as")} ${backupPath}`,
    ...notes,
  ].join("\n");
}
