import { isObject } from "../../../json/is-object.ts";
import { isText } from "../../../json/is-text.ts";
import { claudeCode } from "./claude-hooks.ts";
import type { Dialect } from "./hook-dialect.ts";
import { moved, type Payload } from "./hook-fields.ts";

/* The hooks of Kimi Code: Claude Code's events, with fields of its own. */

export const kimiCode: Dialect = {
  ...claudeCode,
  agent: "kimi-code",
  recognises: (payload) => isText(payload.client_type),
  normalise: {
    ...claudeCode.normalise,
    PostToolUse: (data) =>
      data.tool_name === "Agent" ? { ...data, tool_output: answerOfSubagent(data.tool_output) } : data,
    PostToolUseFailure: ({ error, ...call }) => ({
      ...call,
      ...failure(isObject(error) ? error.message : error),
    }),
    SubagentStart: (data) => subagent(data),
    SubagentStop: (data) => subagent(data),
    Notification: (data) => moved(data, { body: "message" }),
  },
};

/** Whether a turn of Kimi Code has ended. Its answer is in the transcript (`src/cli/observe/kimi-turn.ts`). */
export function endsKimiTurn(payload: Payload): boolean {
  const { hook_event_name: event, session_id: session } = payload;
  // The session's id is the name of its folder.
  const isFolder = isText(session) && /^[\w-]+$/.test(session);
  return event === "Stop" && isFolder && kimiCode.recognises(payload, event);
}

/** The last line of what a failed command printed; the line before stands for an output that is empty. */
const commandEnd =
  /(?:^Process exited with code -?\d{1,10}\n|\n|^)Command failed with exit code: (-?\d{1,10})\.$/;

function failure(report: unknown): Payload {
  const end = isText(report) ? commandEnd.exec(report) : null;
  if (!isText(report) || end === null) return { error: report };
  const said = report.slice(0, end.index);
  return { exitCode: Number(end[1]), error: said === "" ? `Exit code ${end[1]}` : said };
}

/** The answer stands between facts about the run and a hint for the model. */
const subagentAnswer = /(?:^|\n)\[summary\]\n([\s\S]*?)(?:\n\nresume_hint: .*)?$/;

function answerOfSubagent(output: unknown): unknown {
  return isText(output) ? (subagentAnswer.exec(output)?.[1] ?? output) : output;
}

/** What Kimi Code tells a sub-agent of the repository, before its task. */
const gitContext = /^<git-context>\n[\s\S]*?\n<\/git-context>\s*/;

function subagent({ prompt, ...data }: Payload): Payload {
  return {
    ...moved(data, { agent_name: "agentType" }),
    ...(isText(prompt) ? { prompt: prompt.replace(gitContext, "") } : {}),
  };
}
