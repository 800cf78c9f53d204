import { isTemporaryFile } from "../../capture/observations/calls/file-paths.ts";
import { isCarriedOut } from "../../capture/observations/calls/tool-hooks.ts";
import {
  type FileMove,
  fileMoves,
  movesIntoFolder,
  nameWithin,
} from "../../capture/observations/commands/file-moves.ts";
import type { Trace } from "../../capture/observations/reads/history.ts";

/** How often each file was touched. */
type Counts = Map<string, number>;

/**
 * How often each file was touched, under its present name if commands moved it, without files that commands
 * deleted. Most frequent first, among equals the one touched last.
 */
export function fileFrequencies(
  traces: readonly Trace[],
): { readonly value: string; readonly count: number }[] {
  const counts: Counts = new Map();
  for (const trace of [...traces].sort((a, b) => a.timestamp - b.timestamp)) {
    // The target of a search is mostly a folder.
    if (trace.type !== "search") for (const file of trace.files) touch(counts, file, 1);
    if (trace.command !== undefined && !trace.hasFailed && isCarriedOut(trace))
      for (const move of fileMoves(trace.command)) carryOver(counts, move);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .filter(({ value }) => !isTemporaryFile(value))
    .reverse()
    .sort((a, b) => b.count - a.count);
}

/** Adds to the count and moves the file to the end, so that the map is ordered by the last touch. */
function touch(counts: Counts, file: string, times: number): void {
  const count = (counts.get(file) ?? 0) + times;
  counts.delete(file);
  counts.set(file, count);
}

function carryOver(counts: Counts, move: FileMove): void {
  const known = [...counts];
  const { from, to } = move;
  const isFolder = to !== undefined && (movesIntoFolder(move) || holdsAny(counts, to));
  for (const name of from) {
    const target = isFolder ? nameWithin(to, name) : to;
    for (const [file, count] of known) {
      if (file !== name && !file.startsWith(`${name}/`)) continue;
      counts.delete(file);
      if (target !== undefined) touch(counts, `${target}${file.slice(name.length)}`, count);
    }
  }
}

function holdsAny(counts: Counts, folder: string): boolean {
  return [...counts.keys()].some((file) => file.startsWith(`${folder}/`));
}
