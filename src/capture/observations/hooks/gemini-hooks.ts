import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { isEmpty, recordIn, textOf } from "../calls/json-text.ts";
import { claudeCode } from "./claude-hooks.ts";
import type { Dialect } from "./hook-dialect.ts";
import { moved, type Payload } from "./hook-fields.ts";

/* The hooks of Gemini CLI. */

const ownHookTypes = {
  BeforeTool: "pre_tool_use",
  AfterTool: "post_tool_use",
  BeforeAgent: "prompt_submit",
  AfterAgent: "stop",
  PreCompress: "pre_compact",
};

/** Events that Gemini CLI and Claude Code both have. */
const sharedHookTypes = {
  SessionStart: "session_start",
  SessionEnd: "session_end",
  Notification: "notification",
};

export const geminiCli: Dialect = {
  agent: "gemini-cli",
  // For events that both have, a timestamp tells Gemini CLI from Claude Code. Other events of Claude Code are
  // never taken for Gemini CLI's.
  recognises: (payload, event) =>
    Object.hasOwn(ownHookTypes, event) ||
    (isText(payload.timestamp) &&
      (Object.hasOwn(sharedHookTypes, event) || !Object.hasOwn(claudeCode.hookTypes, event))),
  eventKeys: ["hook_event_name"],
  sessionKeys: ["session_id"],
  hookTypes: { ...ownHookTypes, ...sharedHookTypes },
  normalise: {
    BeforeAgent: promptOfUser,
    AfterAgent: (data) => moved(promptOfUser(data), { prompt_response: "assistantResponse" }),
    BeforeTool: nameOfTool,
    // The error of a tool is inside its response: {llmContent, returnDisplay, error}. The output may be
    // empty.
    AfterTool: (data) => {
      const { tool_response: response, ...call } = nameOfTool(data);
      if (!isObject(response)) return { ...call, tool_response: response };
      const { error, ...answer } = response;
      const reason = isObject(error) ? reasonOfServer(error.message) : undefined;
      if (reason !== undefined) return { ...call, error: reason };
      const said = answerOf(answer, call.tool_name);
      return {
        ...call,
        ...(error === undefined || error === null ? {} : { error }),
        ...(Object.values(said).every(isEmpty) ? {} : run(said, call.tool_name)),
      };
    },
  },
};

/** Output of session-start hooks precedes a first prompt that was given on the command line. */
const hookContext = /^<hook_context>[^<]*<\/hook_context>\s*/;

/** The contents of files named by `@` follow the user's prompt. */
const namedFiles = /\n--- Content from referenced (?:files|context) ---\nContent from \S[\s\S]*$/;

function promptOfUser(data: Payload): Payload {
  const { prompt } = data;
  if (typeof prompt !== "string") return data;
  return { ...data, prompt: withoutNamedFiles(prompt.replace(hookContext, "")) };
}

export function withoutNamedFiles(prompt: string): string {
  return prompt.replace(namedFiles, "");
}

/**
 * Tools of MCP servers are called `mcp_<server>_<tool>`, and both names may contain underscores;
 * `mcp_context` has them separately.
 */
function nameOfTool(data: Payload): Payload {
  const { mcp_context: served } = data;
  if (!isObject(served) || !isText(served.server_name) || !isText(served.tool_name)) return data;
  return { ...data, tool_name: `mcp__${served.server_name}__${served.tool_name}` };
}

const serverAnswer = " with response: [";

/** The reason why a server's tool failed: at the end of a long message, after the call, as JSON. */
export function reasonOfServer(message: unknown): string | undefined {
  if (!isText(message)) return undefined;
  const at = message.lastIndexOf(serverAnswer);
  const answer = at < 0 ? undefined : recordIn(message.slice(at + serverAnswer.length, -1));
  const told = isObject(answer?.functionResponse) ? answer.functionResponse.response : undefined;
  const reason = isObject(told) ? textOf(told.content) : "";
  return reason === "" ? undefined : reason;
}

/**
 * The output of a tool without the wrapping for the model, and what it displays. The display of a command is
 * dropped: it is the screen in pieces, in which no secret is whole and could be redacted, and it adds
 * nothing.
 */
export function answerOf({ llmContent, returnDisplay, ...rest }: Payload, tool: unknown): Payload {
  const said = Array.isArray(llmContent) ? llmContent.map(unwrappedPart) : unwrapped(llmContent);
  return {
    ...rest,
    ...(said === undefined ? {} : { llmContent: tool === "run_shell_command" ? commandOutput(said) : said }),
    ...(returnDisplay === undefined || Array.isArray(returnDisplay)
      ? {}
      : { returnDisplay: shownFiles(returnDisplay, tool) }),
  };
}

/** How a command ended, which is only told if it failed, and in what else is told of the run. */
const commandEnd = /(?:^|\n)Exit Code: (-?\d{1,10})((?:\n(?:Signal|Background PIDs): [^\n]*)*)$/;

/** The answer of a tool; of a command that failed also its exit code, in place of the line about it. */
function run(said: Payload, tool: unknown): Payload {
  const { llmContent } = said;
  const end = tool === "run_shell_command" && isText(llmContent) ? commandEnd.exec(llmContent) : null;
  if (!isText(llmContent) || end === null) return { tool_response: said };
  const [, exitCode, rest = ""] = end;
  const printed = `${llmContent.slice(0, end.index)}${rest}`;
  return {
    exitCode: Number(exitCode),
    // Of a command that printed nothing, the display only tells the exit code again.
    ...(printed === "" ? {} : { tool_response: { ...said, llmContent: printed } }),
  };
}

/** Content from outside is wrapped in this tag. */
const untrusted = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/;

function unwrapped(text: unknown): unknown {
  return typeof text === "string" ? (untrusted.exec(text)?.[1] ?? text) : text;
}

function unwrappedPart(part: unknown): unknown {
  return isObject(part) && "text" in part ? { ...part, text: unwrapped(part.text) } : unwrapped(part);
}

/** Removes the process id, which differs in every run, and the label before the output. */
function commandOutput(said: unknown): unknown {
  if (typeof said !== "string" || !said.startsWith("Output: ")) return said;
  return said.replace(/\nProcess Group PGID: \d+$/, "").replace(/^Output: (?:\(empty\)(?:\n|$))?/, "");
}

/**
 * Drops bare file names, which would be taken for paths: the name of the file whose path is in the call, and
 * the entries of a listed folder.
 */
function shownFiles(shown: unknown, tool: unknown): unknown {
  if (!isObject(shown)) return shown;
  const { fileName: _fileName, files, ...rest } = shown;
  return { ...rest, ...(files === undefined || tool === "list_directory" ? {} : { files }) };
}
