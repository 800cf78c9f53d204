import { isAgentNote, textOfNote } from "../../capture/observations/prose/agent-notes.ts";
import { outputArrow } from "../../capture/observations/rules/output-arrow.ts";
import { fullTitle } from "../../knowledge/memories/titles/full-title.ts";
import type { OutputOf } from "../../operation/define.ts";
import { leftOutNote } from "../../recall/search/left-out-note.ts";
import type { fullSearch, smartSearch } from "../../recall/search/operations.ts";
import type { Explanation } from "../../recall/search/record.ts";
import { mostHits } from "../../recall/search/search-limits.ts";
import { readableText } from "../../recall/search/snippet.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { lessonDetails } from "./lessons.ts";
import { memoryDetails } from "./memories.ts";
import { counted } from "./quantity.ts";
import type { Quotation } from "./quotation.ts";
import { observationDetails } from "./sessions.ts";
import { oneLine } from "./text.ts";
import { shownTime } from "./time.ts";
import { wrapLines } from "./wrap-lines.ts";

type SmartAnswer = OutputOf<typeof smartSearch>;
type FullAnswer = OutputOf<typeof fullSearch>;
type Result = SmartAnswer["results"][number];

/** The text for a search without hits; that says little about the store if streams were left out or none took part. */
function nothing(answer: Pick<SmartAnswer, "results" | "streams" | "leftOut">): string {
  const note = leftOutNote(answer);
  if (note !== undefined) return `nothing was found, but ${note}`;
  return answer.streams.length > 0
    ? "nothing matches"
    : "nothing was searched: MEMSVC_BM25_WEIGHT, MEMSVC_VECTOR_WEIGHT and MEMSVC_GRAPH_WEIGHT leave no stream that could";
}

export function renderSearch(answer: SmartAnswer, terminal: Terminal, quotation: Quotation): string {
  const parts = answer.results.map((result, at) =>
    result.expanded === true
      ? expandedResult(result, terminal, quotation)
      : hit(result, at + 1, terminal, quotation),
  );
  const missing = (answer.notFound ?? []).map((id) => `not known: ${id}`);
  if (parts.length === 0 && missing.length === 0) return nothing(answer);
  const note = leftOutNote(answer);
  return [
    ...parts,
    ...missing,
    ...moreHits(answer).map((line) => terminal.paint.dim(line)),
    ...(note === undefined ? [] : [terminal.paint.dim(note)]),
  ].join("\n");
}

function moreHits({ totalCount, results }: SmartAnswer): string[] {
  const rest = totalCount - results.length;
  if (rest <= 0) return [];
  const wayToMore =
    results.length < mostHits
      ? `: --limit ${Math.min(totalCount, mostHits)}`
      : `; a search shows at most ${mostHits}`;
  return [`${rest} more${wayToMore}`];
}

function hit(
  result: Result,
  place: number,
  { paint, isForPeople, columns }: Terminal,
  quotation: Quotation,
): string {
  const { passage, kind, narrative } = result;
  // Of a memory without a title, only the first 80 characters are its title.
  const title = kind === "memory" ? fullTitle(result.title, narrative) : result.title;
  const titleWidth = columns - 5;
  const textWidth = Math.max(40, (passage === undefined ? 2 : 3) * (columns - 4));
  const body = passage ?? beyondTitle({ ...result, title }, titleWidth);
  const text = oneLine(quotation.partOf({ title, body }, textWidth), textWidth);
  const answer = oneLine(readableText(result.answer?.narrative ?? ""), 2 * (columns - 6));
  const facts = [
    result.type,
    shownTime(result.timestamp, isForPeople),
    result.project,
    result.obsId,
    result.moreRuns === undefined ? undefined : `and ${counted(result.moreRuns, "more run")}`,
    result.replacedBy === undefined ? undefined : `replaced by ${result.replacedBy}`,
    result.match === "weak" ? "weak match" : undefined,
  ].filter((fact) => fact !== undefined);
  const lines = [
    `${String(place).padStart(2)}. ${paint.bold(oneLine(title, titleWidth))}`,
    ...wrapLines(facts.join(" · "), columns - 4).map((line) => `    ${paint.dim(line)}`),
    ...(text === "" ? [] : wrapLines(text, columns - 4).map((line) => `    ${quotation.emphasised(line)}`)),
    ...(answer === "" ? [] : wrapLines(`→ ${answer}`, columns - 4).map((line) => `    ${line}`)),
  ];
  if (result.explanation === undefined) return lines.join("\n");
  const explanation = wrapLines(explanationLine(result.score, result.explanation), columns - 4);
  return [...lines, ...explanation.map((line) => `    ${paint.cyan(line)}`)].join("\n");
}

/**
 * What a text says beyond its title, which mostly is its beginning: neither a title that is shown whole, nor the path
 * of the file that it names, nor the tags of an agent's note. `…` marks where the answer cut the text.
 */
function beyondTitle({ title, narrative, files = [] }: Result, titleWidth: number): string {
  const told = readableText(narrative).trim();
  const words = isAgentNote(told) ? textOfNote(told) : told;
  const [path = "", ...output] = words.split(outputArrow);
  if (output.length > 0 && files.some((file) => title.includes(file) && path.endsWith(file)))
    return output.join(outputArrow);
  const rest =
    words.startsWith(title) && oneLine(title, titleWidth) === title ? words.slice(title.length) : words;
  return rest.trim() === "" || /^\s/u.test(rest) ? rest.trim() : words;
}

/** The composition of a score: each stream's rank, score and contribution, then the bonuses. */
export function explanationLine(score: number, { streams, bonuses, coverage }: Explanation): string {
  const places = Object.entries(streams).map(
    ([name, place]) =>
      `${name}: rank ${place.rank}, score ${place.score.toFixed(3)}, adds ${place.contribution.toFixed(6)}`,
  );
  const extras = Object.entries(bonuses)
    .filter(([, size]) => size > 0)
    .map(([name, size]) => `${name} +${size.toFixed(6)}`);
  const covered = coverage === undefined ? "" : ` (covers ${Math.round(100 * coverage)} % of the query)`;
  return `score ${score} = ${[...places, ...extras].join("; ")}${covered}`;
}

function expandedResult(result: Result, terminal: Terminal, quotation: Quotation): string {
  if (result.memory !== undefined) return `${memoryDetails(result.memory, terminal)}\n`;
  if (result.lesson !== undefined) return `${lessonDetails(result.lesson, terminal)}\n`;
  if (result.observation === undefined) return hit(result, 1, terminal, quotation);
  const around = (result.neighbors ?? []).map(({ obsId, title }) =>
    terminal.paint.dim(`  ${obsId}  ${oneLine(title, 70)}`),
  );
  const surroundings = around.length === 0 ? [] : [terminal.paint.dim("around it:"), ...around];
  return [observationDetails(result.observation, terminal), ...surroundings, ""].join("\n");
}

export function renderFullSearch(answer: FullAnswer, terminal: Terminal): string {
  if (answer.results.length === 0)
    return answer.truncated
      ? `${counted(answer.totalCount, "record")} found, none of which fits into ${answer.tokens_budget} tokens`
      : nothing({ ...answer, results: [] });
  const note = leftOutNote(answer);
  const items =
    answer.text === undefined ? answer.results.map((item) => fullItem(item, terminal)) : [answer.text];
  return [...items, ...(note === undefined ? [] : [terminal.paint.dim(note)])].join("\n");
}

function fullItem(item: FullAnswer["results"][number], { paint, columns }: Terminal): string {
  if (!("observation" in item)) return `- ${oneLine(item.title, columns - 2)}`;
  return `${paint.bold(oneLine(item.observation.title ?? "", columns))}\n${item.observation.narrative ?? ""}\n`;
}
