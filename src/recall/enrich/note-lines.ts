import { isFileChange } from "../../capture/observations/calls/tool-kind.ts";
import { isNoProblem } from "../../capture/observations/outputs/refusals.ts";
import type { Observation } from "../../capture/observations/record.ts";
import { dayText } from "../../operation/fields.ts";
import { beginsWith } from "../../text/cut.ts";
import { shortened } from "../context/safe-text.ts";
import type { CompactSearchResult } from "../search/record.ts";
import { readableText } from "../search/snippet.ts";
import { type Asked, editLines } from "./edit-lines.ts";
import type { FileTold } from "./file-told.ts";
import type { FileNotes } from "./record.ts";

const longestText = 300;
const mostLeft = 3;

/** The short lines of enrich: for each file a heading, its issues and edits; then memories and tags. */
export function noteLines(
  files: readonly FileTold[],
  asked: Asked,
  memories: readonly CompactSearchResult[],
  concepts: readonly string[],
): string[] {
  if (files.length === 0 && memories.length === 0) return [];
  const shown = new Set(memories.map(({ obsId }) => obsId));
  return [
    ...files.flatMap(({ file, summary, knownIssues, edits, left, gone }) => [
      `## ${file}: ${summary}`,
      ...(gone === undefined
        ? []
        : [`- moved or deleted (${dayText(gone.at)}): ${shortened(gone.command, longestText)}`]),
      ...left
        .slice(0, mostLeft)
        .map(({ at, text }) => `- left to do (${dayText(at)}): ${shortened(text, longestText)}`),
      ...issueLines(knownIssues.filter(({ id }) => !shown.has(id))),
      ...editLines(edits, asked),
    ]),
    ...(memories.length === 0 ? [] : ["## Memories"]),
    ...memories.map(({ type, title, narrative }) => `- [${type}] ${told(title, readableText(narrative))}`),
    ...(concepts.length === 0 ? [] : [`Concepts: ${concepts.join(", ")}`]),
  ];
}

/** Lines on each file's history in earlier sessions: errors and other observations, then its edits. */
export function historyLines(
  files: readonly { readonly file: string; readonly observations: readonly Observation[] }[],
  asked: Asked,
): string[] {
  return files.flatMap(({ file, observations }) => [
    `## ${file}`,
    ...observations.filter((one) => !isFileChange(one)).map(observationLine),
    ...editLines(observations.filter(isFileChange), asked),
  ]);
}

/** A line for each distinct issue, with the day when it was last seen. */
function issueLines(issues: FileNotes["knownIssues"]): string[] {
  const telling = issues.filter(({ title }) => !isNoProblem(title));
  return telling
    .filter(({ title }, at) => telling.findIndex((one) => one.title === title) === at)
    .map(({ title, timestamp }) => `- issue (${day(timestamp)}): ${shortened(title, longestText)}`);
}

/** A line for an observation. An error is shown by its title, because its narrative mostly repeats the tool's input. */
function observationLine({ timestamp, type, title, narrative }: Observation): string {
  return `- ${day(timestamp)} [${type}] ${type === "error" ? title : told(title, narrative)}`;
}

/** Title and narrative; a title that is the beginning of the narrative is left out, as it would only repeat it. */
function told(title: string, narrative: string): string {
  return beginsWith(narrative, title)
    ? shortened(narrative, longestText)
    : `${title}: ${shortened(narrative, longestText)}`;
}

function day(timestamp: string): string {
  return timestamp.slice(0, 10);
}
