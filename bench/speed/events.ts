import type { CorpusOptions } from "../corpus.ts";
import { makeCorpus } from "../corpus.ts";

/** The body of a POST to observe. */
export interface ObserveBody {
  readonly hookType: string;
  readonly sessionId: string;
  readonly project: string;
  readonly cwd: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The body of a POST to remember. */
export interface RememberBody {
  readonly content: string;
  readonly project: string;
  readonly concepts: readonly string[];
  readonly files: readonly string[];
}

interface Told {
  readonly title: string;
  readonly body: string;
  readonly file: string;
}

/** The mix of tools that an agent uses: mostly commands, then reading and editing. */
const shapes: readonly ((told: Told) => Pick<ObserveBody, "hookType" | "data">)[] = [
  ({ title, body }) => ({
    hookType: "post_tool_use",
    data: {
      toolName: "Bash",
      toolInput: { command: `npm run test -- ${title}`, description: title },
      toolOutput: { stdout: inLines(body), stderr: "", exitCode: 0 },
    },
  }),
  ({ title, body, file }) => ({
    hookType: "post_tool_use",
    data: {
      toolName: "Edit",
      toolInput: { file_path: file, old_string: title, new_string: inLines(body) },
      toolOutput: { filePath: file, success: true },
    },
  }),
  ({ body, file }) => ({
    hookType: "post_tool_use",
    data: { toolName: "Read", toolInput: { file_path: file }, toolOutput: { content: inLines(body) } },
  }),
  ({ title, body }) => ({ hookType: "prompt_submit", data: { userPrompt: `${title}\n\n${body}` } }),
  ({ title, body, file }) => ({
    hookType: "post_tool_failure",
    data: {
      toolName: "Bash",
      toolInput: { command: `node ${file}` },
      error: `TypeError: ${title}\n    at run (${file}:12:5)\n${inLines(body)}`,
    },
  }),
  ({ body }) => ({ hookType: "stop", data: { lastAssistantMessage: `${body}.` } }),
];

/** Events of agents at work; the same options give the same ones. One in forty begins a session. */
export function* makeEvents(options: CorpusOptions): Generator<ObserveBody> {
  let number = 0;
  for (const { title, body, files, project, sessionId, createdAt } of makeCorpus(options).documents()) {
    const shape = shapes[number % shapes.length];
    const cwd = `/code/${project}`;
    const told = { title, body, file: `${cwd}/${files[0] ?? "src/index.ts"}` };
    number += 1;
    if (shape === undefined) continue;
    yield {
      ...shape(told),
      sessionId: sessionId ?? "session",
      project: project ?? "project",
      cwd,
      timestamp: new Date(createdAt).toISOString(),
    };
  }
}

/** Memories as agents write them: two or three sentences about a thing. */
export function* makeMemories(options: CorpusOptions): Generator<RememberBody> {
  for (const { title, body, project, files, concepts } of makeCorpus({
    wordsPerDocument: 30,
    ...options,
  }).documents()) {
    yield { content: `${title}. ${body}.`, project: project ?? "project", concepts, files };
  }
}

const wordsPerLine = 10;

function inLines(text: string): string {
  const words = text.split(" ");
  const lines: string[] = [];
  for (let at = 0; at < words.length; at += wordsPerLine)
    lines.push(words.slice(at, at + wordsPerLine).join(" "));
  return lines.join("\n");
}
