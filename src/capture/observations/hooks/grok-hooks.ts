import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { claudeCode } from "./claude-hooks.ts";
import type { Dialect } from "./hook-dialect.ts";
import type { Payload } from "./hook-fields.ts";

/*
 * The hooks of Grok Build, which also runs those in Claude Code's settings: Claude Code's events, with fields in camel
 * case, most of them twice, and results of its own tools. A sub-agent has a session of its own.
 */

type Normalise = (data: Payload) => Payload;

export const grok: Dialect = {
  ...claudeCode,
  agent: "grok",
  recognises: (payload) => isText(payload.hookEventName) && isText(payload.workspaceRoot),
  // A second Stop at the end of the session follows the one at the end of its last turn.
  tellsNothing: ({ reason, lastAssistantMessage: answer }, event) =>
    event === "Stop" && isText(reason) && reason !== "end_turn" && !isText(answer),
  hookTypeOf: (payload, event) => {
    if (event === "UserPromptSubmit" && isText(payload.subagentType)) return "subagent_start";
    if (event === "PostToolUse" && failureIn(payload.toolResult) !== undefined) return "post_tool_failure";
    return claudeCode.hookTypeOf?.(payload, event);
  },
  normalise: {
    ...Object.fromEntries(Object.keys(claudeCode.hookTypes).map((event) => [event, usual(event)])),
    PostToolUse: ({ toolResult: result, tool_response: _same, ...call }) => ({
      ...inUsualNames(call),
      ...outcomeOf(result),
    }),
  },
};

function usual(event: string): Normalise {
  const normalise = claudeCode.normalise?.[event] ?? ((data: Payload) => data);
  return (data) => normalise(inUsualNames(data));
}

const usualNames: ReadonlyMap<string, string> = new Map([
  ["transcriptPath", "transcript_path"],
  ["permissionMode", "permission_mode"],
  ["toolName", "tool_name"],
  ["toolInput", "tool_input"],
  ["toolUseId", "tool_use_id"],
  ["durationMs", "duration_ms"],
  ["lastAssistantMessage", "last_assistant_message"],
  ["subagentType", "agent_type"],
  ["subagentId", "agent_id"],
]);

/** Each field once, with Claude Code's name, and its edits, whose name would make them searches, as Claude Code's. */
function inUsualNames(data: Payload): Payload {
  const renamed = Object.entries(data).map(([name, value]) => [usualNames.get(name) ?? name, value]);
  const { tool_name: tool, ...rest }: Payload = Object.fromEntries(renamed);
  return tool === undefined ? rest : { tool_name: tool === "search_replace" ? "Edit" : tool, ...rest };
}

/** Results of tools that say why the tool did nothing. */
const failures = [
  ...[
    "FileNotFound",
    "IsADirectory",
    "FileTooLarge",
    "FileReadError",
    "FileAlreadyExists",
    "FilenameTooLong",
  ],
  ...["NoMatchesFound", "MultipleMatchesFound", "InvalidInput", "InvalidArgument", "Error"],
];

function failureIn(result: unknown): unknown {
  if (!isObject(result)) return undefined;
  const found = failures.find((name) => Object.hasOwn(result, name));
  return found === undefined ? undefined : result[found];
}

/** The result of a command, of which the model is told the exit code in a line before the output. */
const exitLine = /^exit: -?\d{1,10}\n/;

function outcomeOf(result: unknown): Payload {
  const failure = failureIn(result);
  if (failure !== undefined) return { error: textIn(failure) ?? failure };
  if (!isObject(result)) return { tool_response: result };
  const { type, output_for_prompt: printed, exit_code: exitCode, stdout, text, ...kinds } = result;
  if (type === "Bash" && isText(printed)) return { tool_response: printed.replace(exitLine, ""), exitCode };
  const told =
    text ?? (Array.isArray(stdout) ? textOfBytes(stdout) : Object.values(kinds).map(textIn).find(isText));
  return { tool_response: told ?? result };
}

/** The text in a kind of result. */
function textIn(kind: unknown): string | undefined {
  if (isText(kind)) return kind;
  if (!isObject(kind)) return undefined;
  return [kind.content, kind.tool_output_for_prompt, kind.message].find(isText);
}

function textOfBytes(bytes: readonly unknown[]): string {
  return Buffer.from(bytes.filter((byte) => typeof byte === "number")).toString("utf8");
}
