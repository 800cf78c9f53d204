import type { ObserveInput } from "../../capture/observations/hooks/hook-payload.ts";
import type { ObserveOutcome } from "./observe-outcome.ts";
import type { ObserveTarget } from "./observe-target.ts";

/*
 * What the hooks of connected agents do besides capturing their event: the one at a session's start opens the
 * session and, where MEMSVC_INJECT_CONTEXT says so, hands the context block to the agent; the one at its end ends
 * it. Loaded by the fast path of the command line, so it imports nothing.
 */

/** How an agent takes part. */
export interface HookAgent {
  readonly name: string;
  /** The kinds of event after which a session is over, until something happens in it again. */
  readonly endsWith: readonly ("session_end" | "stop")[];
  /** What the agent reads on standard output as context for its session; undefined: it reads none. */
  readonly contextReply?: (context: string, sessionId: string) => object;
  /** It takes an empty standard output for a fault. */
  readonly alwaysAnswers?: true;
}

function additionalContext(context: string): object {
  return { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: context } };
}

/** The plugin, which may tell of several sessions at once, puts it where the model reads it. */
function contextForPlugin(context: string, sessionId: string): object {
  return { sessionId, context };
}

export const hookAgents = [
  { name: "claude-code", endsWith: ["session_end"], contextReply: additionalContext },
  { name: "codex", endsWith: ["session_end"], contextReply: additionalContext },
  { name: "gemini-cli", endsWith: ["session_end"], contextReply: additionalContext },
  {
    name: "cursor",
    endsWith: ["session_end"],
    contextReply: (context) => ({ additional_context: context }),
    alwaysAnswers: true,
  },
  {
    name: "copilot-cli",
    endsWith: ["session_end"],
    contextReply: (context) => ({ additionalContext: context }),
  },
  // These tell of no end; ends that follow each other cost one run of the work after a session in five minutes.
  { name: "opencode", endsWith: ["stop"], contextReply: contextForPlugin },
  { name: "kilo", endsWith: ["stop"], contextReply: contextForPlugin },
  // Without a terminal its sessions tell of no end, and one at a terminal may be left before a turn is over.
  { name: "qwen-code", endsWith: ["stop", "session_end"], contextReply: additionalContext },
  { name: "windsurf", endsWith: ["stop"] },
] as const satisfies readonly HookAgent[];

/** Agents where they run a hook that stands in the settings of another. */
const borrowers: readonly HookAgent[] = [
  // It tells such a hook what it tells its own, and reads what all of them reply: the context comes once, from its own.
  { name: "cursor", endsWith: ["session_end"], alwaysAnswers: true },
  // It tells of no end.
  { name: "vscode", endsWith: ["stop"], contextReply: additionalContext },
];

/**
 * The agent that a hook works for: the one that it was written for, unless the payload is of one that runs others'
 * hooks. Undefined for a name that is not known, whose events are captured all the same.
 */
export function hookAgentOf(named: string | undefined, speaking: string | undefined): HookAgent | undefined {
  const isLent = named !== undefined && named !== speaking;
  const borrower = isLent ? borrowers.find(({ name }) => name === speaking) : undefined;
  return borrower ?? hookAgents.find(({ name }) => name === named);
}

/** Captures an event, opening or ending its session where the event says so. */
export async function captureForAgent(
  agent: HookAgent,
  input: ObserveInput,
  target: ObserveTarget,
): Promise<ObserveOutcome> {
  const started =
    input.hookType === "session_start" ? await target.send("session/start", startOf(input)) : undefined;
  const observed = await target.send("observe", input);
  const ended = agent.endsWith.some((kind) => kind === input.hookType)
    ? await target.send("session/end", { sessionId: input.sessionId, agentId: input.agentId })
    : undefined;
  const outcomes = [started, observed, ended].filter((outcome) => outcome !== undefined);
  const problems = outcomes.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  const context = target.setting("MEMSVC_INJECT_CONTEXT") === "true" ? contextOf(started?.answer) : "";
  const reply = replyOf(agent, context, input.sessionId);
  return {
    exit: Math.max(...outcomes.map(({ exit }) => exit)),
    ...(observed.answer === undefined ? {} : { answer: observed.answer }),
    ...(reply === undefined ? {} : { reply: JSON.stringify(reply) }),
    ...(outcomes.some(({ isLate }) => isLate) ? { isLate: true } : {}),
    ...(problems.length === 0 ? {} : { problem: [...new Set(problems)].join("\n") }),
  };
}

function startOf({ sessionId, project, cwd, agentId, data }: ObserveInput): object {
  const { model, source } = data;
  return {
    sessionId,
    project,
    cwd,
    ...(typeof model === "string" && model.trim() !== "" ? { model } : {}),
    // What the agent keeps of its conversation then is a summary of its own.
    ...(source === "compact" ? { includeOwn: true } : {}),
    agentId,
  };
}

function contextOf(answer: string | undefined): string {
  if (answer === undefined) return "";
  const { context } = JSON.parse(answer) as { context?: unknown };
  return typeof context === "string" ? context : "";
}

function replyOf(
  { contextReply, alwaysAnswers }: HookAgent,
  context: string,
  sessionId: string,
): object | undefined {
  if (context !== "" && contextReply !== undefined) return contextReply(context, sessionId);
  return alwaysAnswers === true ? {} : undefined;
}
