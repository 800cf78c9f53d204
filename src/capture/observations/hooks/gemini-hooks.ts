import { isObject } from "../../../json/is-object.ts";
import { isEmpty, recordIn, textOf } from "../rules/json-text.ts";
import { claudeCode } from "./claude-hooks.ts";
import type { Dialect } from "./hook-dialect.ts";
import { isText, moved, type Payload } from "./hook-fields.ts";

/* Gemini CLI's hooks. */

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
  // A time tells it from Claude Code where both have an event, but never makes its own of Claude Code's others.
  recognises: (payload, event) =>
    Object.hasOwn(ownHookTypes, event) ||
    (event !== "" &&
      isText(payload.timestamp) &&
      (Object.hasOwn(sharedHookTypes, event) || !Object.hasOwn(claudeCode.hookTypes, event))),
  eventKeys: ["hook_event_name"],
  sessionKeys: ["session_id"],
  hookTypes: { ...ownHookTypes, ...sharedHookTypes },
  normalise: {
    BeforeAgent: promptOfUser,
    AfterAgent: (data) => moved(promptOfUser(data), { prompt_response: "assistantResponse" }),
    BeforeTool: nameOfTool,
    // A failed tool is told inside its response: {llmContent, returnDisplay, error}. A tool may have said nothing.
    AfterTool: (data) => {
      const { tool_response: response, ...call } = nameOfTool(data);
      if (!isObject(response)) return { ...call, tool_response: response };
      const { error, ...answer } = response;
      const reason =
        isObject(error) && error.type === "mcp_tool_error" ? reasonOfServer(error.message) : undefined;
      if (reason !== undefined) return { ...call, error: reason };
      const said = answerOf(answer, call.tool_name);
      return {
        ...call,
        ...(error === undefined || error === null ? {} : { error }),
        ...(Object.values(said).every(isEmpty) ? {} : { tool_response: said }),
      };
    },
  },
};

/** What hooks said at the session's start stands before the first prompt that was given on the command line. */
const hookContext = /^<hook_context>[^<]*<\/hook_context>\s*/;

/** Behind what the user wrote stands all that is in the files named there by `@`. */
const namedFiles = /\n--- Content from referenced (?:files|context) ---\nContent from \S[\s\S]*$/;

function promptOfUser(data: Payload): Payload {
  const { prompt } = data;
  if (typeof prompt !== "string") return data;
  return { ...data, prompt: withoutNamedFiles(prompt.replace(hookContext, "")) };
}

export function withoutNamedFiles(prompt: string): string {
  return prompt.replace(namedFiles, "");
}

/** A server's tool is `mcp_<server>_<tool>`, where both may have underscores; beside it they stand apart. */
function nameOfTool(data: Payload): Payload {
  const { mcp_context: served } = data;
  if (!isObject(served) || !isText(served.server_name) || !isText(served.tool_name)) return data;
  return { ...data, tool_name: `mcp__${served.server_name}__${served.tool_name}` };
}

const serverAnswer = " with response: [";

/** Why a server's tool failed, which stands at the end of a long message, behind the call as JSON. */
export function reasonOfServer(message: unknown): string | undefined {
  if (!isText(message)) return undefined;
  const at = message.lastIndexOf(serverAnswer);
  const answer = at < 0 ? undefined : recordIn(message.slice(at + serverAnswer.length, -1));
  const told = isObject(answer?.functionResponse) ? answer.functionResponse.response : undefined;
  const reason = isObject(told) ? textOf(told.content) : "";
  return reason === "" ? undefined : reason;
}

/**
 * What a tool said, without what is around it for the model, and what it shows. Of a command that is a screen in pieces
 * of lines, where no secret is whole, and says nothing more.
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

/** What comes from outside is marked as such. */
const untrusted = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/;

function unwrapped(text: unknown): unknown {
  return typeof text === "string" ? (untrusted.exec(text)?.[1] ?? text) : text;
}

function unwrappedPart(part: unknown): unknown {
  return isObject(part) && "text" in part ? { ...part, text: unwrapped(part.text) } : unwrapped(part);
}

/** The process differs with every run, and tells nothing of it. */
function commandOutput(said: unknown): unknown {
  if (typeof said !== "string" || !said.startsWith("Output: ")) return said;
  return said.replace(/\nProcess Group PGID: \d+$/, "").replace(/^Output: (?:\(empty\)(?:\n|$))?/, "");
}

/** Bare names would be read as paths: of a file whose path the call has, and of all that stands in a folder. */
function shownFiles(shown: unknown, tool: unknown): unknown {
  if (!isObject(shown)) return shown;
  const { fileName: _fileName, files, ...rest } = shown;
  return { ...rest, ...(files === undefined || tool === "list_directory" ? {} : { files }) };
}
