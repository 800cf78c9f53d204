import { cutText, oneLine } from "../../../text/cut.ts";
import { isFileChange } from "../calls/tool-kind.ts";
import { isMilestoneCommand } from "../commands/command-kind.ts";
import { testSummaryLine } from "../outputs/output-lines.ts";
import { cueSentencesOf } from "../prose/cues.ts";
import { type FactLabel, labelledFact } from "./fact-labels.ts";
import type { ParsedEvent } from "./parsed-event.ts";

const mostFacts = 10;
const longestFact = 200;
// Few enough that other facts of an edit fit among the ten.
const mostChangedFiles = 5;

/** The facts of an event: at most 10 lines of at most 200 code points, in the order of the contract. */
export function factsOf(parsed: ParsedEvent): string[] {
  const { picked, type } = parsed;
  const { input } = picked;
  const facts: string[] = [];
  const add = (label: FactLabel, text: string | undefined): void => {
    if (text === undefined || text.trim() === "" || facts.length === mostFacts) return;
    facts.push(cutText(labelledFact(label, oneLine(text, longestFact)), longestFact));
  };
  if (picked.exitCode !== undefined) add("exit code", String(picked.exitCode));
  for (const line of parsed.errorLines) add("error", line);
  if (isFileChange(parsed)) {
    for (const file of picked.files.slice(0, mostChangedFiles)) add("changed file", file);
  }
  add("change", firstDifferingLine(input.oldText, input.newText));
  const runsCommand = type === "command_run" || type === "error";
  if (runsCommand && input.command !== undefined && isMilestoneCommand(input.command))
    add("command", input.command);
  if (runsCommand) add("tests", testSummaryLine(parsed.output));
  const isText = typeof picked.toolInput === "string";
  if (!isText || type === "web_fetch") add("url", input.url);
  if (!isText || type === "search") add("query", input.pattern);
  const said = [
    cueSentencesOf(parsed.isNote ? "" : (parsed.said ?? ""), "user"),
    cueSentencesOf(parsed.answer ?? "", "agent"),
  ];
  for (const sentence of said.flatMap((cues) => cues.decisions).slice(0, 3)) add("decision", sentence);
  for (const sentence of said.flatMap((cues) => cues.preferences).slice(0, 1)) add("preference", sentence);
  return facts;
}

/**
 * The first line of the new text that is not blank and differs from the old text's line with the same number.
 */
function firstDifferingLine(oldText: string | undefined, newText: string | undefined): string | undefined {
  if (oldText === undefined || newText === undefined) return undefined;
  const oldLines = oldText.split("\n", 2000);
  return newText
    .split("\n", 2000)
    .find((line, index) => line.trim() !== "" && line.trimEnd() !== (oldLines[index] ?? "").trimEnd());
}
