import { observeInputFrom } from "../../src/capture/observations/hooks/hook-payload.ts";
import { dayMs, hourMs, minuteMs } from "../../src/time/durations.ts";
import { seededRandom } from "../corpus.ts";
import { dailyChecks, type Topic, topics, unanswerable } from "./agent-topics.ts";

/*
 * The hook events of a coding agent over two weeks of work on three made-up projects, and questions about them. A
 * seeded generator writes them from templates, so they are the same at every run and need no data.
 */

export type QuestionKind =
  | "identifier"
  | "paraphrase"
  | "error"
  | "file history"
  | "decision"
  | "temporal"
  | "unanswerable";

/** A hook's payload with the time at which it was sent; the answers of a question refer to its `label`. */
export interface AgentEvent {
  readonly at: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly label: string;
}

export interface AgentQuestion {
  readonly kind: QuestionKind;
  readonly project: string;
  readonly question: string;
  /** Labels of the events that answer it. */
  readonly answers: readonly string[];
}

const firstDay = Date.UTC(2026, 2, 2, 9);
const days = 14;

/** The time at which the questions are asked: the evening of the last day. */
export const askedAt = firstDay + (days - 1) * dayMs + 9 * hourMs;

const projectNames = [...new Set(topics.map(({ project }) => project))];

export function agentEvents(): AgentEvent[] {
  const random = seededRandom(11);
  const events = [
    ...topics.flatMap((topic, at) => topicSession(topic, dayOf(at), random)),
    ...projectNames.flatMap((project) =>
      Array.from({ length: days }, (_, day) => routineSession(project, day, random)).flat(),
    ),
  ];
  return events.sort((a, b) => a.at - b.at);
}

export function agentQuestions(): AgentQuestion[] {
  const questions = topics.flatMap((topic): AgentQuestion[] => {
    const ask = (kind: QuestionKind, question: string, ...parts: readonly string[]) => ({
      kind,
      project: topic.project,
      question,
      answers: parts.map((part) => `${topic.symbol} ${part}`),
    });
    return [
      ask("identifier", topic.symbol, "fix", "cause", "decision", "reread", "search"),
      ask("identifier", `where is ${topic.symbol} used`, "fix", "cause", "decision", "reread", "search"),
      ask("paraphrase", topic.paraphrase, "request", "cause", "fix"),
      ask("error", topic.error.slice(0, 60), "failure"),
      ask("file history", `what was changed in ${topic.file}`, "fix"),
      ask("file history", `history of ${topic.file.split("/").at(-1)}`, "fix", "read", "reread"),
      ask("decision", topic.aboutDecision, "decision"),
    ];
  });
  const temporal = projectNames.flatMap((project): AgentQuestion[] =>
    [1, 3, 5, 6, 9, 12].flatMap((day) => {
      const answers = [`${project} day ${day} failure`, `${project} day ${day} remark`];
      const kind = "temporal";
      return [{ kind, project, question: `which check failed ${dayWords(day)}`, answers }];
    }),
  );
  const nowhere = unanswerable.map(
    ([project, question]): AgentQuestion => ({
      kind: "unanswerable",
      project,
      question,
      answers: [],
    }),
  );
  return [...questions, ...temporal, ...nowhere];
}

/** The body of an observe request, as the command line makes it from the payload. */
export function observeInputOf({ at, payload }: AgentEvent) {
  const read = observeInputFrom(payload, {
    now: () => new Date(at),
    projectOf: (cwd) => cwd.split("/").at(-1) ?? cwd,
    fallbackCwd: "/code",
  });
  if (read.kind !== "event") throw new Error(read.reason);
  return read.input;
}

/** The day of a topic; topics of one project are a few days apart. */
function dayOf(topic: number): number {
  return (2 * topic + Math.floor(topic / 5)) % days;
}

/** A day as somebody would name it on the last day, a Sunday; the first day is Monday, 2 March. */
function dayWords(day: number): string {
  const date = new Date(firstDay + day * dayMs);
  const name = date.toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
  if (day === days - 2) return "yesterday";
  if (day >= days - 6) return `on ${name}`;
  if (day % 2 === 0) return `${days - 1 - day} days ago`;
  return `on ${date.toISOString().slice(0, 10)}`;
}

type Step = readonly [label: string, event: Readonly<Record<string, unknown>>];

function topicSession(topic: Topic, day: number, random: () => number): AgentEvent[] {
  const { file, symbol, command, error, before, after } = topic;
  const steps: Step[] = [
    ["start", { hook_event_name: "SessionStart", source: "startup", model: "sonnet" }],
    ["request", { hook_event_name: "UserPromptSubmit", prompt: topic.request }],
    ...tool("read", "Read", { file_path: `/code/${topic.project}/${file}` }, listing(file, before, random)),
    ...failing("failure", command, `${progress(random)}\n${error}\n    at ${file}:${line(random)}\n`),
    ...tool("search", "Grep", { pattern: symbol, path: "." }, { mode: "content", content: "", numLines: 0 }),
    [
      "cause",
      {
        hook_event_name: "Stop",
        last_assistant_message: `${topic.cause} I would introduce ${symbol} in ${file}.`,
      },
    ],
    ["go", { hook_event_name: "UserPromptSubmit", prompt: "Yes, please do that and add a test." }],
    ...tool(
      "fix",
      "Edit",
      { file_path: `/code/${topic.project}/${file}`, old_string: before, new_string: after },
      { filePath: file, oldString: before, newString: after, userModified: false },
    ),
    ...tool(
      "reread",
      "Read",
      { file_path: `/code/${topic.project}/${file}` },
      listing(file, `${symbol}\n${after}`, random),
    ),
    ...tool(
      "pass",
      "Bash",
      { command },
      { stdout: `${progress(random)}\nTests  ${9 + Math.floor(30 * random())} passed`, stderr: "" },
    ),
    [
      "decision",
      { hook_event_name: "Stop", last_assistant_message: `Done. ${topic.decision} See ${symbol}.` },
    ],
    ["end", { hook_event_name: "SessionEnd", reason: "exit" }],
  ];
  return eventsOf(
    topic.project,
    `${symbol}-session`,
    firstDay + day * dayMs + 20 * minuteMs,
    steps,
    (label) => `${symbol} ${label}`,
  );
}

const looked = [
  "README.md",
  "package.json",
  "Makefile",
  "docs/architecture.md",
  "src/index.ts",
  "CHANGELOG.md",
];
const wishes = [
  "Run the checks and tell me what is red today.",
  "What is the state of the branch? Run everything once.",
  "Before I start: are all the checks green?",
];

/** A session of daily routine: looking at files, running checks, one of which fails, and a commit. */
function routineSession(project: string, day: number, random: () => number): AgentEvent[] {
  const [check, complaint] = dailyChecks[
    (day * 5 + projectNames.indexOf(project) * 3) % dailyChecks.length
  ] ?? ["", ""];
  const file = looked[Math.floor(looked.length * random())] ?? "";
  const steps: Step[] = [
    ["start", { hook_event_name: "SessionStart", source: "startup", model: "sonnet" }],
    ["request", { hook_event_name: "UserPromptSubmit", prompt: wishes[day % wishes.length] }],
    ...tool(
      "status",
      "Bash",
      { command: "git status --short" },
      { stdout: ` M ${file}\n?? notes.txt`, stderr: "" },
    ),
    ...tool("read", "Read", { file_path: `/code/${project}/${file}` }, listing(file, `entry ${day}`, random)),
    ...failing(
      "failure",
      "make check",
      `${progress(random)}\nFAIL check ${check}: ${complaint}\n1 failed, ${20 + day} passed\n`,
    ),
    [
      "remark",
      {
        hook_event_name: "Stop",
        last_assistant_message: `One check failed: ${check} (${complaint}). It looks unrelated to our change.`,
      },
    ],
    ...tool(
      "commit",
      "Bash",
      { command: `git commit -am "Routine update ${day}"` },
      { stdout: `[main ${line(random).toString(16)}] Routine update ${day}\n 1 file changed`, stderr: "" },
    ),
    ["end", { hook_event_name: "SessionEnd", reason: "exit" }],
  ];
  return eventsOf(
    project,
    `${project}-day-${day}`,
    firstDay + day * dayMs + 3 * hourMs,
    steps,
    (label) => `${project} day ${day} ${label}`,
  );
}

/** The two hook events of one tool call: before and after it ran. */
function tool(
  label: string,
  name: string,
  input: Readonly<Record<string, unknown>>,
  response: unknown,
): Step[] {
  const call = { tool_name: name, tool_input: input };
  return [
    [`${label} (before)`, { hook_event_name: "PreToolUse", ...call }],
    [label, { hook_event_name: "PostToolUse", ...call, tool_response: response }],
  ];
}

function failing(label: string, command: string, output: string): Step[] {
  const call = { tool_name: "Bash", tool_input: { command } };
  return [
    [`${label} (before)`, { hook_event_name: "PreToolUse", ...call }],
    [label, { hook_event_name: "PostToolUseFailure", ...call, error: `Exit code 1\n${output}` }],
  ];
}

function eventsOf(
  project: string,
  sessionId: string,
  start: number,
  steps: readonly Step[],
  labelled: (label: string) => string,
): AgentEvent[] {
  let calls = 0;
  return steps.map(([label, event], at) => {
    if (event.hook_event_name === "PreToolUse") calls += 1;
    const id = "tool_name" in event ? { tool_use_id: `toolu_${sessionId}_${calls}` } : {};
    return {
      at: start + at * minuteMs,
      label: labelled(label),
      payload: { session_id: sessionId, cwd: `/code/${project}`, ...event, ...id },
    };
  });
}

function listing(file: string, text: string, random: () => number) {
  const lines = Array.from(
    { length: 12 },
    () => sourceLines[Math.floor(sourceLines.length * random())] ?? "",
  );
  return {
    type: "text",
    file: {
      filePath: file,
      content: [...lines.slice(0, 6), text, ...lines.slice(6)].join("\n"),
      numLines: 13,
    },
  };
}

const sourceLines = [
  "// keep in step with the documentation",
  "export interface Options { readonly retries: number; readonly timeoutMs: number }",
  "const defaults = { retries: 3, timeoutMs: 5_000 };",
  "def main(argv: list[str]) -> int:",
  "    logger.info('starting', extra={'version': VERSION})",
  'if err != nil { return fmt.Errorf("open: %w", err) }',
  "func New(opts ...Option) *Client {",
  "}",
  "",
  "import { readFile } from 'node:fs/promises';",
  "await Promise.all(tasks.map((task) => task.run()));",
  "# TODO(team): measure before changing",
].map((text) => text.replace("TODO(team): ", ""));

function progress(random: () => number): string {
  const parts = Array.from(
    { length: 5 },
    () => `  ok ${stepNames[Math.floor(stepNames.length * random())]} ${Math.floor(900 * random())} ms`,
  );
  return parts.join("\n");
}

const stepNames = ["compile", "lint", "unit tests", "type check", "bundle", "smoke test", "link", "format"];

function line(random: () => number): number {
  return 10 + Math.floor(400 * random());
}
