import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { claudeCode } from "./claude-hooks.ts";
import type { Dialect } from "./hook-dialect.ts";
import { moved, type Payload } from "./hook-fields.ts";

/*
 * The hooks of Factory Droid: Claude Code's events, with inputs and results of its own tools. It has no hook for calls
 * that fail; those are read from its transcript (`src/cli/observe/droid-turn.ts`).
 */

const ownSessions = /[\\/]\.factory[\\/]sessions[\\/]/;

export const droid: Dialect = {
  ...claudeCode,
  agent: "droid",
  recognises: ({ transcript_path: path }) => isText(path) && ownSessions.test(path),
  normalise: {
    ...claudeCode.normalise,
    PreToolUse: withUsualInput,
    PostToolUse: ({ tool_response: response, ...call }) => ({
      ...withUsualInput(call),
      ...(isText(response) && receipt.test(response) ? {} : ended(response, "tool_response")),
    }),
    PostToolUseFailure: ({ error, ...call }) => ({ ...withUsualInput(call), ...failure(error) }),
    SubagentStop: (data) =>
      moved(data, {
        task_name: "description",
        task_result: "assistantResponse",
        task_error: "assistantResponse",
      }),
  },
};

/** Whether a payload is from the end of a turn; its transcript has what the hooks did not tell of the turn. */
export function endsDroidTurn(payload: Payload): boolean {
  return payload.hook_event_name === "Stop" && droid.recognises(payload, "Stop");
}

/** Without what Droid asks the model to say of a command's risk. */
function withUsualInput(call: Payload): Payload {
  const { tool_input: input } = call;
  if (!isObject(input)) return call;
  const { riskLevel: _level, riskLevelReason: _reason, ...rest } = input;
  const names = { summary: "description", patterns: "pattern" };
  const usual = call.tool_name === "Execute" || call.tool_name === "Glob" ? moved(rest, names) : input;
  return { ...call, tool_input: usual };
}

/** The result of an edit or of a new file, as JSON, which only repeats the call's input. */
const receipt = /^\{"success":true,"file_path":"/;

/** The last line of a command's output. */
const commandEnd = /\s*\[Process exited with code (-?\d{1,10})\]\s*$/u;

/** What a call printed, without the line that says how it ended. */
function ended(said: unknown, name: string): Payload {
  const end = isText(said) ? commandEnd.exec(said) : null;
  if (!isText(said) || end === null) return { [name]: said };
  return { [name]: said.slice(0, end.index), exitCode: Number(end[1]) };
}

/** What the model is told before the reason. */
const lead = /^(?:Error: )+(?:Command failed \(exit code: -?\d{1,10}\)\s*)?/u;

function failure(report: unknown): Payload {
  const { error, ...end } = ended(isText(report) ? report.replace(lead, "") : report, "error");
  return { ...end, error: error === "" ? `Exit code ${String(end.exitCode)}` : error };
}
