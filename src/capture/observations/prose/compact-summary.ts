import { continued } from "./agent-notes.ts";

/*
 * What a model makes of a conversation that has become too long. Claude Code asks it for an analysis before the summary
 * and passes both on to hooks, each in a tag; into its transcript it writes only the summary, between sentences of its
 * own.
 */

const analysisEnd = "</analysis>";
const [summaryBegins, summaryEnds] = ["<summary>", "</summary>"];

/** The summary that a hook was told, without the analysis and the tags. */
export function summaryOfHook(told: string): string {
  const begins = told.indexOf(summaryBegins, Math.max(0, told.indexOf(analysisEnd)));
  if (begins < 0) return told;
  const ends = told.lastIndexOf(summaryEnds);
  return withoutGaps(told.slice(begins + summaryBegins.length, ends < begins ? undefined : ends));
}

const leadEnds = "\nSummary:\n";
/** What the lines after the summary begin with. */
const afterwards = [
  "If you need specific details from before compaction",
  "Continue the conversation from where it left off",
  "The messages after this summary are ",
  "Recent messages are ",
];
const lineAfter = new RegExp(`\\n(?:${afterwards.join("|")})`);

/** The summary in a transcript, without the sentences around it. */
export function summaryOfTranscript(told: string): string {
  const begins = told.startsWith(continued) ? told.indexOf(leadEnds) : -1;
  if (begins < 0) return told;
  const summary = told.slice(begins + leadEnds.length);
  return withoutGaps(summary.slice(0, lineAfter.exec(summary)?.index));
}

/** As in the transcript, where several blank lines are one. */
function withoutGaps(summary: string): string {
  return summary.replace(/\n{3,}/g, "\n\n").trim();
}
