// What Claude Code puts in `tool_response`, one function per tool.

import { hunksBetween, linesOf } from "./line-diff.ts";

export type ToolResponse = Readonly<Record<string, unknown>>;

export interface Todo {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
  readonly activeForm: string;
}

export function bashResponse(stdout: string, stderr = ""): ToolResponse {
  return { stdout, stderr, interrupted: false, isImage: false };
}

/** Lines `startLine` to `startLine + lineCount - 1` (or to the end) of a text file. */
export function readResponse(
  filePath: string,
  text: string,
  startLine = 1,
  lineCount?: number,
): ToolResponse {
  const lines = linesOf(text);
  const shown = lines.slice(startLine - 1, lineCount === undefined ? undefined : startLine - 1 + lineCount);
  const file = {
    filePath,
    content: shown.join("\n"),
    numLines: shown.length,
    startLine,
    totalLines: lines.length,
  };
  return { type: "text", file };
}

export function editResponse(edit: {
  readonly filePath: string;
  readonly oldString: string;
  readonly newString: string;
  readonly before: string;
  readonly after: string;
}): ToolResponse {
  return {
    filePath: edit.filePath,
    oldString: edit.oldString,
    newString: edit.newString,
    originalFile: edit.before,
    structuredPatch: hunksBetween(edit.before, edit.after),
    userModified: false,
    replaceAll: false,
  };
}

export function writeResponse(filePath: string, content: string, before: string | undefined): ToolResponse {
  return before === undefined
    ? { type: "create", filePath, content, structuredPatch: [], originalFile: null }
    : {
        type: "update",
        filePath,
        content,
        structuredPatch: hunksBetween(before, content),
        originalFile: before,
      };
}

/** `matches` are lines of the form path:line:text. */
export function grepResponse(matches: readonly string[]): ToolResponse {
  return {
    mode: "content",
    numFiles: 0,
    filenames: [],
    content: matches.length === 0 ? "No matches found" : matches.join("\n"),
    numLines: matches.length,
  };
}

export function globResponse(filenames: readonly string[]): ToolResponse {
  return { filenames, durationMs: 11, numFiles: filenames.length, truncated: false };
}

export function todoResponse(oldTodos: readonly Todo[], newTodos: readonly Todo[]): ToolResponse {
  return { oldTodos, newTodos };
}

export function webFetchResponse(url: string, result: string): ToolResponse {
  return { bytes: 48_213, code: 200, codeText: "OK", result, durationMs: 2_140, url };
}
