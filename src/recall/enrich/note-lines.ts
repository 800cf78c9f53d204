import type { Observation } from "../../capture/observations/record.ts";
import { shortened } from "../context/safe-text.ts";
import type { CompactSearchResult } from "../search/record.ts";
import type { FileNotes } from "./record.ts";

const longestText = 200;

/** What enrich knows, in short: a heading a file, its issues and edits, then memories and tags. */
export function noteLines(
  files: readonly FileNotes[],
  memories: readonly CompactSearchResult[],
  concepts: readonly string[],
): string[] {
  if (files.length === 0 && memories.length === 0) return [];
  return [
    ...files.flatMap(({ file, summary, knownIssues, editHistory }) => [
      `## ${file}: ${summary}`,
      ...knownIssues.map(
        ({ title, timestamp }) => `- issue (${day(timestamp)}): ${shortened(title, longestText)}`,
      ),
      ...editHistory.map(
        ({ title, timestamp }) => `- edit (${day(timestamp)}): ${shortened(title, longestText)}`,
      ),
    ]),
    ...(memories.length === 0 ? [] : ["## Memories"]),
    ...memories.map(
      ({ type, title, narrative }) =>
        `- [${type}] ${narrative.startsWith(title) ? shortened(narrative, longestText) : `${title}: ${shortened(narrative, longestText)}`}`,
    ),
    ...(concepts.length === 0 ? [] : [`Concepts: ${concepts.join(", ")}`]),
  ];
}

/** What happened to each file in earlier sessions. */
export function historyLines(
  files: readonly { readonly file: string; readonly observations: readonly Observation[] }[],
): string[] {
  return files.flatMap(({ file, observations }) => [
    `## ${file}`,
    ...observations.map(
      ({ timestamp, type, title, narrative }) =>
        `- ${day(timestamp)} [${type}] ${title}: ${shortened(narrative, longestText)}`,
    ),
  ]);
}

function day(timestamp: string): string {
  return timestamp.slice(0, 10);
}
