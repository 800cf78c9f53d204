// Records one session of the story: each call appends the hook events it would have caused and moves the
// session's clock on. File tools act on the worktree.

import { createHash } from "node:crypto";
import { type HookPayload, payloadsOf, type SessionEndPayload, type SessionStartPayload } from "./events.ts";
import { linesOf } from "./line-diff.ts";
import { sampleHome, sampleProject } from "./project.ts";
import { commitOutput } from "./terminal-output.ts";
import * as respond from "./tool-responses.ts";
import type { Worktree } from "./worktree.ts";

export interface SampleEvent {
  /** ISO time of the event. */
  readonly at: string;
  readonly payload: HookPayload;
}

export interface SampleSession {
  readonly sessionId: string;
  /** ISO time of the first event. */
  readonly startedAt: string;
  readonly events: readonly SampleEvent[];
}

/** `mark` names a call so that a question can point to it; `tookSeconds` is how long the call ran. */
interface CallOptions {
  readonly mark?: string;
  readonly tookSeconds?: number;
}

export interface SessionRecorder {
  readonly worktree: Worktree;
  start(source?: SessionStartPayload["source"]): void;
  prompt(text: string): void;
  bash(command: string, stdout: string, options?: CallOptions & { readonly stderr?: string }): void;
  bashFails(command: string, exitCode: number, output: string, options?: CallOptions): void;
  read(path: string, options?: CallOptions & { readonly offset?: number; readonly limit?: number }): void;
  /** A search with line numbers in the files whose path begins with `path`. */
  grep(pattern: string, path: string): void;
  /** Files whose path begins with `folder` and ends with `extension`. */
  glob(folder: string, extension: string): void;
  edit(path: string, oldText: string, newText: string, options?: CallOptions): void;
  write(path: string, content: string): void;
  todo(todos: readonly respond.Todo[]): void;
  webFetch(url: string, prompt: string, result: string): void;
  /** Commits everything; the first line of the message is its subject. */
  commit(message: string, options?: CallOptions): void;
  /** The end of a turn with the assistant's words. */
  stop(message: string): void;
  end(reason: SessionEndPayload["reason"]): void;
  /** Delivers the last event a second time, as a retrying hook would. */
  resend(): void;
  pause(minutes: number): void;
  session(): SampleSession;
}

/** The tool use id of the call with that mark. */
export function toolUseId(mark: string): string {
  const digits = createHash("sha256").update(mark).digest("base64url").replaceAll(/[-_]/g, "x");
  return `toolu_01${digits.slice(0, 22)}`;
}

/** A recorder for the session that begins at the ISO time `startedAt`. */
export function recordSession(sessionId: string, startedAt: string, worktree: Worktree): SessionRecorder {
  const payloads = payloadsOf(sessionId, sampleProject.cwd, sampleHome);
  const events: SampleEvent[] = [];
  let nowMs = Date.parse(startedAt);
  let todos: readonly respond.Todo[] = [];

  const absolute = (path: string): string => `${sampleProject.cwd}/${path}`;
  const add = (secondsLater: number, payload: HookPayload): void => {
    // A varying number of seconds, so that the times do not look artificial.
    nowMs += secondsLater * 1_000 + ((events.length * 3_701) % 9_000) * Math.sign(secondsLater);
    events.push({ at: new Date(nowMs).toISOString(), payload });
  };
  const toolCall = (tool_name: string, tool_input: Record<string, unknown>, mark?: string) => ({
    tool_name,
    tool_input,
    tool_use_id: toolUseId(mark ?? `${sessionId} ${events.length}`),
  });
  const succeed = (
    call: ReturnType<typeof toolCall>,
    response: respond.ToolResponse,
    tookSeconds = 1,
  ): void => add(3 + tookSeconds, payloads.postToolUse(call, response));
  // As installed, the hook before a tool runs only for tools that change files.
  const succeedAfterPre = (call: ReturnType<typeof toolCall>, response: respond.ToolResponse): void => {
    add(14, payloads.preToolUse(call));
    add(1, payloads.postToolUse(call, response));
  };

  const bash: SessionRecorder["bash"] = (command, stdout, options = {}) =>
    succeed(
      toolCall("Bash", { command }, options.mark),
      respond.bashResponse(stdout, options.stderr),
      options.tookSeconds,
    );

  return {
    worktree,
    start: (source = "startup") => add(events.length === 0 ? 0 : 1, payloads.sessionStart(source)),
    prompt: (text) => add(events.length < 2 ? 45 : 110, payloads.userPromptSubmit(text)),
    bash,
    bashFails: (command, exitCode, output, options = {}) => {
      const call = toolCall("Bash", { command }, options.mark);
      add(
        3 + (options.tookSeconds ?? 2),
        payloads.postToolUseFailure(call, `Exit code ${exitCode}\n${output}`),
      );
    },
    read: (path, { mark, offset, limit } = {}) => {
      const range = { ...(offset && { offset }), ...(limit && { limit }) };
      const call = toolCall("Read", { file_path: absolute(path), ...range }, mark);
      succeed(call, respond.readResponse(absolute(path), worktree.read(path), offset, limit));
    },
    grep: (pattern, path) => {
      const call = toolCall("Grep", { pattern, path: absolute(path), output_mode: "content", "-n": true });
      succeed(call, respond.grepResponse(matchesIn(worktree, pattern, path)));
    },
    glob: (folder, extension) => {
      const found = worktree.paths().filter((path) => path.startsWith(folder) && path.endsWith(extension));
      succeed(
        toolCall("Glob", { pattern: `${folder}**/*${extension}` }),
        respond.globResponse(found.map(absolute)),
      );
    },
    edit: (path, oldString, newString, { mark } = {}) => {
      const filePath = absolute(path);
      const call = toolCall(
        "Edit",
        { file_path: filePath, old_string: oldString, new_string: newString },
        mark,
      );
      const { before, after } = worktree.edit(path, oldString, newString);
      succeedAfterPre(call, respond.editResponse({ filePath, oldString, newString, before, after }));
    },
    write: (path, content) => {
      const before = worktree.has(path) ? worktree.read(path) : undefined;
      worktree.write(path, content);
      const call = toolCall("Write", { file_path: absolute(path), content });
      succeedAfterPre(call, respond.writeResponse(absolute(path), content, before));
    },
    todo: (newTodos) => {
      succeed(toolCall("TodoWrite", { todos: newTodos }), respond.todoResponse(todos, newTodos));
      todos = newTodos;
    },
    webFetch: (url, prompt, result) =>
      succeed(toolCall("WebFetch", { url, prompt }), respond.webFetchResponse(url, result), 4),
    commit: (message, options = {}) => {
      const sha = createHash("sha256").update(message).digest("hex").slice(0, 7);
      const output = commitOutput(sha, linesOf(message)[0] ?? "", worktree.commit());
      bash(`git add -A && git commit -m '${message}'`, output, options);
    },
    stop: (message) => add(6, payloads.stop(message)),
    end: (reason) => add(2, payloads.sessionEnd(reason)),
    resend: () => {
      const last = events.at(-1);
      if (last === undefined) throw new Error("nothing was sent yet");
      events.push(last);
    },
    pause: (minutes) => {
      nowMs += minutes * 60_000;
    },
    session: () => ({ sessionId, startedAt, events }),
  };
}

function matchesIn(worktree: Worktree, pattern: string, folder: string): readonly string[] {
  const expression = new RegExp(pattern);
  return worktree
    .paths()
    .filter((path) => path.startsWith(folder) && !path.startsWith(".env"))
    .flatMap((path) =>
      linesOf(worktree.read(path)).flatMap((line, index) =>
        expression.test(line) ? [`${path}:${index + 1}:${line}`] : [],
      ),
    );
}
