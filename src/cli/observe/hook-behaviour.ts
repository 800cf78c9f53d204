import { turnFailed } from "../../capture/observations/hooks/hook-fields.ts";
import type { ObserveInput } from "../../capture/observations/hooks/hook-payload.ts";
import { isText } from "../../json/is-text.ts";
import type { ObserveOutcome } from "./observe-outcome.ts";
import type { ObserveTarget } from "./observe-target.ts";

/*
 * What the hooks of connected agents do besides capturing an event: the one at a session's start opens the session and,
 * if MEMSVC_INJECT_CONTEXT is on, prints the context block for the agent (for some agents the one at its first prompt
 * does); the one at its end ends the session. The fast path of the command line loads it, so it imports little.
 */

/** How the hooks of an agent behave. */
interface HookBehaviour {
  readonly name: string;
  /** The events that end a session, until something else happens in it. */
  readonly endsWith: readonly ("session_end" | "stop")[];
  /** Formats the context for the agent, which reads it from standard output; undefined if the agent reads none. */
  readonly contextReply?: (context: string, sessionId: string) => object;
  /** What the agent passes on of the context; of a longer one, its model sees only the beginning, or not the middle. */
  readonly contextLimit?: { readonly maxCharacters: number } | { readonly maxBytes: number };
  /** Set if the agent reads it only as a reply to a prompt; then the first prompt of a session gets it. */
  readonly contextAt?: "prompt_submit";
  /** Set if the agent treats an empty standard output as a failure. */
  readonly alwaysAnswers?: true;
}

function additionalContext(context: string): object {
  return { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: context } };
}

/** For the plugin, which may report several sessions at once and passes the context on to the model. */
function contextForPlugin(context: string, sessionId: string): object {
  return { sessionId, context };
}

export const hookBehaviours = [
  {
    name: "claude-code",
    endsWith: ["session_end"],
    contextReply: additionalContext,
    contextLimit: { maxCharacters: 10_000 },
  },
  // The agent's limit is 2,500 tokens, which it counts as four bytes each.
  {
    name: "codex",
    endsWith: ["session_end"],
    contextReply: additionalContext,
    contextLimit: { maxBytes: 10_000 },
  },
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
  // These agents do not report the end of a session. Repeated ends cost one run of the work after a session in five
  // minutes.
  { name: "opencode", endsWith: ["stop"], contextReply: contextForPlugin },
  { name: "kilo", endsWith: ["stop"], contextReply: contextForPlugin },
  { name: "cline", endsWith: ["stop"], contextReply: contextForPlugin },
  // Qwen Code does not report the end of a session without a terminal, and at a terminal a session may be left in the
  // middle of a turn.
  { name: "qwen-code", endsWith: ["stop", "session_end"], contextReply: additionalContext },
  // The same holds for Kimi Code, which reads the replies of hooks only when it is given a prompt.
  {
    name: "kimi-code",
    endsWith: ["stop", "session_end"],
    contextReply: (context) => ({ message: context }),
    contextAt: "prompt_submit",
  },
  { name: "pi", endsWith: ["session_end"], contextReply: contextForPlugin },
  { name: "droid", endsWith: ["session_end"], contextReply: additionalContext },
  // It discards what hooks print at a session's start and with a prompt.
  { name: "grok", endsWith: ["session_end"] },
  { name: "windsurf", endsWith: ["stop"] },
] as const satisfies readonly HookBehaviour[];

/** An agent that has hooks of ours, or our plugin. */
export type HookedAgentName = (typeof hookBehaviours)[number]["name"];

/** How agents behave if they run a hook from another agent's settings. */
const borrowers: readonly HookBehaviour[] = [
  // Cursor also runs such hooks for its own events and reads the replies of all hooks, so only its own hook replies
  // with the context.
  { name: "cursor", endsWith: ["session_end"], alwaysAnswers: true },
  // Grok Build, too, runs such hooks beside its own.
  { name: "grok", endsWith: ["session_end"] },
  // VS Code does not report the end of a session.
  { name: "vscode", endsWith: ["stop"], contextReply: additionalContext },
];

/**
 * The agent that a hook works for: the one in its command, unless the payload is from an agent that runs other agents'
 * hooks. Undefined for an unknown name; its events are captured all the same.
 */
export function hookBehaviourOf(
  named: string | undefined,
  speaking: string | undefined,
): HookBehaviour | undefined {
  const isLent = named !== undefined && named !== speaking;
  const borrower = isLent ? borrowers.find(({ name }) => name === speaking) : undefined;
  return borrower ?? hookBehaviours.find(({ name }) => name === named);
}

/** Captures an event, and opens or ends its session if the event says so. */
export async function captureForAgent(
  agent: HookBehaviour,
  input: ObserveInput,
  target: ObserveTarget,
): Promise<ObserveOutcome> {
  const isStart = input.hookType === "session_start";
  const givesContext =
    target.setting("MEMSVC_INJECT_CONTEXT") === "true" &&
    (agent.contextAt === undefined ? isStart : input.hookType === agent.contextAt);
  const started =
    isStart || givesContext ? await target.send("session/start", startOf(input, agent)) : undefined;
  const observed = await target.send("observe", { ...input, tags: [agent.name] });
  const ended = agent.endsWith.some((kind) => kind === kindOfEnd(input))
    ? await target.send("session/end", { sessionId: input.sessionId, agentId: input.agentId })
    : undefined;
  const outcomes = [started, observed, ended].filter((outcome) => outcome !== undefined);
  const problems = outcomes.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  const context = givesContext ? contextOf(started?.answer, agent) : "";
  const reply = replyOf(agent, context, input.sessionId);
  return {
    exit: Math.max(...outcomes.map(({ exit }) => exit)),
    ...(observed.answer === undefined ? {} : { answer: observed.answer }),
    ...(reply === undefined ? {} : { reply: JSON.stringify(reply) }),
    ...(outcomes.some(({ isLate }) => isLate) ? { isLate: true } : {}),
    ...(problems.length === 0 ? {} : { problem: [...new Set(problems)].join("\n") }),
  };
}

/** A turn that an error ended is over, too. */
function kindOfEnd({ hookType, data }: ObserveInput): string {
  return data.notificationType === turnFailed ? "stop" : hookType;
}

function startOf(
  { sessionId, project, cwd, agentId, data }: ObserveInput,
  { contextLimit }: HookBehaviour,
): object {
  const { model, source } = data;
  return {
    sessionId,
    project,
    cwd,
    ...(isText(model) ? { model } : {}),
    // After a compaction the agent has only a summary of its conversation left.
    ...(source === "compact" ? { includeOwn: true } : {}),
    ...contextLimit,
    agentId,
  };
}

function contextOf(answer: string | undefined, { contextAt }: HookBehaviour): string {
  if (answer === undefined) return "";
  const { context, session } = JSON.parse(answer) as StartAnswer;
  // Before its first prompt a session has at most the event of its start.
  const isLater = contextAt !== undefined && (session?.observationCount ?? 0) > 1;
  return isLater || typeof context !== "string" ? "" : context;
}

interface StartAnswer {
  readonly context?: unknown;
  readonly session?: { readonly observationCount?: number };
}

function replyOf(
  { contextReply, alwaysAnswers }: HookBehaviour,
  context: string,
  sessionId: string,
): object | undefined {
  if (context !== "" && contextReply !== undefined) return contextReply(context, sessionId);
  return alwaysAnswers === true ? {} : undefined;
}
