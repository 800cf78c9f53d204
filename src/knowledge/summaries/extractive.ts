import { isCarriedOut } from "../../capture/observations/calls/tool-hooks.ts";
import { isFileChange } from "../../capture/observations/calls/tool-kind.ts";
import { onlyObserves, withoutPlumbing } from "../../capture/observations/commands/command-kind.ts";
import { exitMarkOf } from "../../capture/observations/commands/exit-mark.ts";
import { isCommitting } from "../../capture/observations/commands/made-commits.ts";
import { isAnswer } from "../../capture/observations/prose/agent-answer.ts";
import { isAgentNote } from "../../capture/observations/prose/agent-notes.ts";
import { decidesNothing } from "../../capture/observations/prose/cues.ts";
import { isShortReply } from "../../capture/observations/prose/short-reply.ts";
import type { SessionObservation } from "../../capture/observations/reads/read-session.ts";
import { textsAfterLabel } from "../../capture/observations/rules/fact-labels.ts";
import type { Steps } from "../../steps.ts";
import { countCodePoints, cutCodePoints } from "../../text/code-points.ts";
import { oneLine } from "../../text/cut.ts";
import { withoutSentenceEnd, withSentenceEnd } from "../../text/sentence-ends.ts";
import { tally } from "../../text/tally.ts";
import { finalGist } from "./answer-gist.ts";
import { failuresIn } from "./failures.ts";
import { overcomeMark, type PartName, partLabels } from "./narrative-parts.ts";

/* Session summaries by rules alone: the same observations always give the same summary. */

const limits = {
  title: 80,
  narrative: 4_000,
  prompts: 5,
  files: 10,
  commands: 5,
  errors: 3,
  seen: 5,
  decisions: 10,
  filesModified: 30,
  concepts: 15,
} as const;

export interface Extract {
  readonly title: string;
  readonly narrative: string;
  readonly keyDecisions: string[];
  readonly filesModified: string[];
  readonly concepts: string[];
}

/**
 * A generator, so that other work can run between its steps: each reads all observations once, which takes
 * some milliseconds if there are thousands.
 */
export function* extractInSteps(
  observations: readonly SessionObservation[],
  firstPrompt: string | null,
): Steps<Extract> {
  const changes = observations.filter((one) => isCarriedOut(one) && isFileChange(one));
  const filesModified = byFrequency(changes.flatMap(({ files }) => files)).slice(0, limits.filesModified);
  yield;
  const title = titleOf(observations, changes, filesModified, firstPrompt);
  const narrative = cutCodePoints(yield* narrativeOf(observations, filesModified), limits.narrative);
  yield;
  const keyDecisions = decisionsOf(observations);
  yield;
  const concepts = byFrequency(observations.flatMap((one) => one.concepts)).slice(0, limits.concepts);
  return { title, narrative, keyDecisions, filesModified, concepts };
}

function byFrequency(values: readonly string[]): string[] {
  return tally(values).map(({ value }) => value);
}

function titleOf(
  observations: readonly SessionObservation[],
  changes: readonly SessionObservation[],
  filesModified: readonly string[],
  firstPrompt: string | null,
): string {
  if (firstPrompt !== null && firstPrompt.trim() !== "") return oneLine(firstPrompt, limits.title);
  const [folder] = byFrequency(filesModified.map(folderOf));
  if (folder !== undefined)
    return `${changes.length} ${changes.length === 1 ? "change" : "changes"} in ${folder}`;
  return cutCodePoints(mostImportant(observations)[0]?.title ?? "", limits.title);
}

function folderOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".";
}

function mostImportant(observations: readonly SessionObservation[]): SessionObservation[] {
  return [...observations].sort((a, b) => b.importance - a.importance);
}

function* narrativeOf(
  observations: readonly SessionObservation[],
  filesModified: readonly string[],
): Steps<string> {
  yield;
  const prompts = mostImportant(
    observations.filter(({ hookType, narrative }) => hookType === "prompt_submit" && !isAgentNote(narrative)),
  );
  yield;
  const telling = prompts.filter(({ title }) => !isShortReply(title));
  yield;
  const commands = commandsOf(observations);
  yield;
  const answers = observations.filter(isAnswer);
  const end = finalGist(answers.map(({ narrative }) => narrative));
  yield;
  const errors = errorsOf(observations);
  yield;
  const told = [
    listed(
      "asked",
      titlesOf(telling.length === 0 ? prompts : telling)
        .slice(0, limits.prompts)
        .map(withoutSentenceEnd),
      "; ",
    ),
    listed("changed", filesModified.slice(0, limits.files), ", "),
    listed("ran", commands.slice(0, limits.commands), "; "),
    errors,
    listed("ended", end, ""),
  ].filter((sentence) => sentence !== "");
  return told.length > 0 ? told.join(" ") : whatWasSeen(observations);
}

/**
 * What was run: the last commits first, because their messages say what was done, then other commands by importance.
 */
function commandsOf(observations: readonly SessionObservation[]): string[] {
  const ran = observations.filter(
    (one) => isCarriedOut(one) && one.type === "command_run" && !onlyObserves(one.title),
  );
  const commits = ran.filter(({ title }) => isCommitting(title) && exitMarkOf(title) === "");
  const inOrder = [...commits.slice(1 - limits.commands), ...mostImportant(ran)];
  return [...new Set(inOrder.map(({ title }) => commandOf(title)))];
}

/** For a session without prompts, changes or commands: the most important results of its tools. */
function whatWasSeen(observations: readonly SessionObservation[]): string {
  const seen = observations.filter((one) => one.toolName !== null && isCarriedOut(one));
  const titles = titlesOf(mostImportant(seen)).map(oneItem).slice(0, limits.seen);
  return titles.length === 0 ? "" : withSentenceEnd(titles.join("; "));
}

function titlesOf(observations: readonly SessionObservation[]): string[] {
  return [...new Set(observations.map(({ title }) => title))];
}

/** The command in a title, with the mark of its failure. */
function commandOf(title: string): string {
  const mark = exitMarkOf(title);
  return oneItem(`${withoutPlumbing(title.slice(0, title.length - mark.length))}${mark}`);
}

/** Keeps a text with several parts as one item of a list, whose separator is `; `. */
function oneItem(text: string): string {
  return text.replaceAll("; ", ";");
}

function listed(part: PartName, items: readonly string[], separator: string): string {
  return items.length === 0 ? "" : `${partLabels[part]}: ${withSentenceEnd(items.join(separator))}`;
}

/**
 * The number of errors, and the titles of a few, with those that were overcome later: what was left failing comes
 * first, the newest first.
 */
function errorsOf(observations: readonly SessionObservation[]): string {
  const { count, left, overcome } = failuresIn(observations);
  if (count === 0) return "";
  const named = [...left.map(oneItem), ...overcome.map((title) => `${oneItem(title)}${overcomeMark}`)].slice(
    0,
    limits.errors,
  );
  return listed("errors", [`${count}, such as ${named.join("; ")}`], "");
}

/** The newest ones. What agents only describe or advise takes no place from them. */
function decisionsOf(observations: readonly SessionObservation[]): string[] {
  const decisions = observations.flatMap((one) => {
    const told = textsAfterLabel("decision", one.facts);
    return isAnswer(one) ? told.filter((text) => !decidesNothing(text, "agent")) : told;
  });
  return [...new Set(decisions.reverse())].slice(0, limits.decisions);
}

/** A score from 0 to 100 for how much a summary tells. */
export function summaryQuality({ title, narrative, keyDecisions, filesModified, concepts }: Extract): number {
  return (
    (title === "" ? 0 : 20) +
    (countCodePoints(narrative) >= 20 ? 25 : 0) +
    (countCodePoints(narrative) >= 100 ? 5 : 0) +
    (keyDecisions.length > 0 ? 20 : 0) +
    (filesModified.length > 0 ? 15 : 0) +
    (concepts.length > 0 ? 15 : 0)
  );
}
