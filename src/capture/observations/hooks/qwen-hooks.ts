import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { claudeCode } from "./claude-hooks.ts";
import { answerOf, reasonOfServer, withoutNamedFiles } from "./gemini-hooks.ts";
import type { Dialect } from "./hook-dialect.ts";
import type { Payload } from "./hook-fields.ts";

/*
 * The hooks of Qwen Code: Claude Code's events, with tool results in the form of Gemini CLI, from which it
 * was forked.
 */

const ownFolder = /[\\/]\.qwen[\\/]/;

export const qwenCode: Dialect = {
  ...claudeCode,
  agent: "qwen-code",
  // Only Qwen Code sends both a timestamp and a permission mode; older versions lack the mode in some events.
  recognises: (payload) =>
    isText(payload.timestamp) &&
    (isText(payload.permission_mode) ||
      (isText(payload.transcript_path) && ownFolder.test(payload.transcript_path))),
  // It sends this event before each request to its model; only the first of a turn has the user's prompt.
  tellsNothing: (payload, event) =>
    (event === "UserPromptSubmit" && !isText(payload.prompt)) || isScript(payload),
  normalise: {
    ...claudeCode.normalise,
    UserPromptSubmit: promptOfUser,
    PostToolUse: ({ tool_response: response, ...call }) => {
      if (!isObject(response)) return { ...call, tool_response: response };
      const run = commandRun(call.tool_name, response.llmContent);
      if (run === undefined) return { ...call, tool_response: answerOf(response, call.tool_name) };
      const { exitCode, said } = run;
      return {
        ...call,
        ...(exitCode === undefined ? {} : { exitCode }),
        tool_response: said,
      };
    },
    PostToolUseFailure: (data) => {
      const run = commandRun(data.tool_name, data.error);
      if (run === undefined) return { ...data, error: reasonOfServer(data.error) ?? data.error };
      const { exitCode, said } = run;
      if (exitCode === undefined) return { ...data, error: said };
      return { ...data, exitCode, error: said === "" ? `Exit code ${exitCode}` : said };
    },
  },
};

/** A script that calls tools, in place of the model. The calls have events of their own. */
function isScript({ tool_name: tool, tool_input: input }: Payload): boolean {
  return tool === "exec" && isObject(input) && isText(input.source);
}

/** Replaces pasted text in the submitted prompt; the prompt for the model has the whole text. */
const pasted = /\[Pasted Content \d+ chars\]/;

function promptOfUser({ submitted_prompt: submitted, ...data }: Payload): Payload {
  if (isText(submitted) && !pasted.test(submitted)) return { ...data, prompt: submitted };
  return typeof data.prompt === "string" ? { ...data, prompt: withoutNamedFiles(data.prompt) } : data;
}

/** Preceded by the command, and for a long output by a note that its middle was left out. */
const outputBegins = /(?:^|\n)Directory: .*\nOutput: /;
/** May be followed by advice for the model. */
const runEnded = /^\nError: (.*)\nExit Code: (.*)\nSignal: (.*)\nProcess Group PGID: /;

interface CommandRun {
  readonly said: string;
  readonly exitCode?: number;
}

/** The output of a command without the wrapping for the model; undefined for anything else. */
function commandRun(tool: unknown, report: unknown): CommandRun | undefined {
  if (tool !== "run_shell_command" || typeof report !== "string") return undefined;
  const begins = outputBegins.exec(report);
  if (begins === null) return undefined;
  const output = report.slice(begins.index + begins[0].length);
  const end = output.lastIndexOf("\nError: ");
  const [line, error = "", exit = "", signal = ""] = runEnded.exec(output.slice(Math.max(end, 0))) ?? [];
  if (line === undefined) return undefined;
  const said = [
    output.slice(0, end).replace(/^\(empty\)$/, ""),
    error === "(none)" ? "" : `Error: ${error}`,
    // Older versions write 0 for no signal.
    signal === "(none)" || signal === "0" ? "" : `Signal: ${signal}`,
  ];
  return {
    said: said.filter((part) => part !== "").join("\n"),
    ...(/^-?\d{1,10}$/.test(exit) ? { exitCode: Number(exit) } : {}),
  };
}
