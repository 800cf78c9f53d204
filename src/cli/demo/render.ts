import { quoteWord } from "../../text/quote-word.ts";
import { explanationLine } from "../render/search.ts";
import { oneLine, printable } from "../render/text.ts";
import { wrapLines } from "../render/wrap-lines.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { DemoAnswer } from "./ask.ts";
import { type DemoOutcome, isSuccess } from "./outcome.ts";
import type { Times } from "./report.ts";

const widest = 100;
const contextLines = 25;
/** The number of answers for which the composition of the score is shown. */
const explained = 2;

/** The whole demo as text for people; only commands to copy may be wider than the terminal. */
export function renderDemo(outcome: DemoOutcome, terminal: Terminal): string {
  const { paint } = terminal;
  const width = Math.min(terminal.columns, widest);
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["What the agent's hooks sent", captured(outcome, terminal)],
    ["What a developer asks later", answers(outcome, terminal, width)],
    [`What happened to ${outcome.file.path}`, fileHistory(outcome, terminal, width)],
    [
      `What the next session begins with (${outcome.context.tokens} tokens)`,
      context(outcome, terminal, width),
    ],
    ["What all of it adds up to", distilledLines(outcome, terminal, width)],
    ["What to do next", nextSteps(outcome, terminal)],
  ];
  return [
    `${paint.bold("memsvc demo")}  ${oneLine(`${outcome.days} days of the project ${outcome.project}, in a scratch store`, width - 13)}`,
    ...sections.flatMap(([title, lines]) => ["", paint.bold.cyan(oneLine(title, width)), ...lines]),
    "",
    verdictLine(outcome, terminal),
  ].join("\n");
}

/** One line: whether everything went as it should. */
export function verdictLine(outcome: DemoOutcome, { paint }: Terminal): string {
  const { answered, questions, secrets, home, removed } = outcome;
  const store = home === undefined ? (removed ? "removed" : "NOT removed") : "kept";
  const line = `${answered} of ${questions.length} answered, ${secrets.stored} secrets stored, scratch store ${store}`;
  return isSuccess(outcome) ? paint.green(`✓ ${line}`) : paint.red(`✗ ${line}`);
}

function captured({ captured: figures, secrets }: DemoOutcome, { paint }: Terminal): string[] {
  const facts: readonly (readonly [string, string])[] = [
    ["sessions", `${figures.sessions}, ${figures.sessionsCompleted} of them completed`],
    ["events", `${figures.events} sent, ${figures.observations} kept`],
    ["duplicates", `${figures.duplicates} dropped`],
    ["memories", `${figures.latestMemories}, and ${figures.memories - figures.latestMemories} replaced`],
    [
      "secrets",
      `${secrets.sent} sent, blacked out in ${secrets.redactedObservations} events; ${secrets.stored} in the store`,
    ],
    ["per event", times(figures.eventMs)],
  ];
  return facts.map(([name, value]) => `  ${paint.dim(name.padEnd(11))} ${value}`);
}

function answers(outcome: DemoOutcome, terminal: Terminal, width: number): string[] {
  return [
    ...outcome.questions.flatMap((answer, at) => answerLines(answer, at < explained, terminal, width)),
    `  ${terminal.paint.dim("per search".padEnd(11))} ${times(outcome.searchMs)}`,
  ];
}

function answerLines(answer: DemoAnswer, isExplained: boolean, { paint }: Terminal, width: number): string[] {
  const { question, kind, rank, hits, searchMs, shown, why } = answer;
  const mark = answer.answered ? paint.green("✓") : paint.red("✗");
  const place = rank === undefined ? "not found" : `place ${rank}`;
  const streams = Object.keys(shown?.explanation?.streams ?? {}).join(", ");
  const facts = [
    `${place} of ${hits}`,
    shown?.type,
    shown?.timestamp.slice(0, 10),
    streams,
    `${searchMs.toFixed(1)} ms`,
  ];
  const lines = [
    `  ${mark} ${paint.bold(oneLine(question, width - 4))}`,
    `    ${oneLine(textOf(shown), width - 4)}`,
    `    ${paint.dim(oneLine(facts.filter((fact) => fact !== undefined && fact !== "").join(" · "), width - 4))}`,
  ];
  if (!answer.answered) lines.push(`    ${paint.red(oneLine(`expected: ${kind}: ${why}`, width - 4))}`);
  if (isExplained && shown?.explanation !== undefined) {
    lines.push(
      ...wrapLines(explanationLine(shown.score, shown.explanation), width - 4).map(
        (line) => `    ${paint.cyan(line)}`,
      ),
    );
  }
  return lines;
}

/** A memory is shown by its text, an observation by its title. */
function textOf(hit: DemoAnswer["shown"]): string {
  if (hit === undefined) return "no hit at all";
  return hit.kind === "memory" ? hit.narrative : hit.title;
}

function fileHistory({ file }: DemoOutcome, { paint }: Terminal, width: number): string[] {
  return file.changes.map(({ timestamp, edits, prompt }) => {
    const facts = `${timestamp.slice(0, 10)}  ${edits === 1 ? "1 change " : `${edits} changes`}`;
    return `  ${paint.dim(facts)}  ${oneLine(prompt, width - facts.length - 4)}`;
  });
}

function context({ context: { text } }: DemoOutcome, { paint }: Terminal, width: number): string[] {
  const lines = printable(text).trimEnd().split("\n");
  const shown = lines.slice(0, contextLines).map((line) => `  ${paint.dim("│")} ${cut(line, width - 4)}`);
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, `  ${paint.dim(`│ … ${rest} more lines`)}`] : shown;
}

function distilledLines({ distilled }: DemoOutcome, { paint }: Terminal, width: number): string[] {
  const { provider, facts, procedures, insights, graph, examples, warning } = distilled;
  const byModel = provider !== "extractive";
  const rows: readonly (readonly [string, string, string | undefined])[] = [
    ["facts", `${facts}`, examples.fact],
    ["procedures", `${procedures}`, examples.procedure],
    ["insights", `${insights}`, examples.insight],
    ["graph", `${graph.nodes} nodes, ${graph.edges} edges`, undefined],
  ];
  const how = byModel
    ? `drawn by the language model of ${provider}`
    : "drawn by rules, in the session's own words; with --model a language model draws its own";
  return [
    ...rows.map(([name, count, example]) => {
      const text = example === undefined ? count : `${count}, such as: ${example}`;
      return `  ${paint.dim(name.padEnd(11))} ${oneLine(text, width - 14)}`;
    }),
    `  ${paint.dim(oneLine(how, width - 2))}`,
    ...(warning === undefined ? [] : [`  ${paint.yellow(oneLine(warning, width - 2))}`]),
  ];
}

function nextSteps({ home }: DemoOutcome, { paint }: Terminal): string[] {
  const kept =
    home === undefined
      ? []
      : [
          `  The scratch store is in ${home}; look at it, then remove the folder:`,
          `  ${paint.green(`memsvc search "retry-after" --home ${quoteWord(home)}`)}`,
          `  ${paint.green(`memsvc session list --home ${quoteWord(home)}`)}`,
        ];
  const steps: readonly (readonly [string, string])[] = [
    ['memsvc remember "we deploy from main"', "keep something"],
    ['memsvc search "how do we deploy"', "find it again"],
    ["memsvc daemon start", "run the daemon that agents talk to"],
  ];
  return [
    ...kept,
    ...steps.map(([command, effect]) => `  ${paint.green(command.padEnd(39))} ${paint.dim(effect)}`),
  ];
}

function times({ p50, p95 }: Times): string {
  return `${p50} ms (p50), ${p95} ms (p95)`;
}

function cut(line: string, width: number): string {
  const points = [...line];
  return points.length <= width ? line : `${points.slice(0, width - 1).join("")}…`;
}
