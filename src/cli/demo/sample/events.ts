// The payloads that Claude Code writes to a hook's stdin, field by field as it names them
// (https://code.claude.com/docs/en/hooks). They carry no time: the recording adds it beside them.

interface Envelope {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
}

interface TurnEnvelope extends Envelope {
  readonly permission_mode: "default" | "acceptEdits";
}

interface ToolCall {
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly tool_use_id: string;
}

export type SessionStartPayload = Envelope & {
  readonly hook_event_name: "SessionStart";
  readonly source: "startup" | "resume";
  readonly model: string;
};

type UserPromptSubmitPayload = TurnEnvelope & {
  readonly hook_event_name: "UserPromptSubmit";
  readonly prompt: string;
};

type PreToolUsePayload = TurnEnvelope & ToolCall & { readonly hook_event_name: "PreToolUse" };

type PostToolUsePayload = TurnEnvelope &
  ToolCall & {
    readonly hook_event_name: "PostToolUse";
    readonly tool_response: Readonly<Record<string, unknown>>;
  };

type PostToolUseFailurePayload = TurnEnvelope &
  ToolCall & {
    readonly hook_event_name: "PostToolUseFailure";
    readonly error: string;
    readonly is_interrupt: boolean;
  };

type StopPayload = TurnEnvelope & {
  readonly hook_event_name: "Stop";
  readonly stop_hook_active: boolean;
  readonly last_assistant_message: string;
};

export type SessionEndPayload = Envelope & {
  readonly hook_event_name: "SessionEnd";
  readonly reason: "prompt_input_exit" | "other";
};

/** A hook payload; `hook_event_name` tells which. */
export type HookPayload =
  | SessionStartPayload
  | UserPromptSubmitPayload
  | PreToolUsePayload
  | PostToolUsePayload
  | PostToolUseFailurePayload
  | StopPayload
  | SessionEndPayload;

/** Builders of the payloads of one session; they only add the fields that all its events share. */
interface PayloadBuilders {
  sessionStart(source: SessionStartPayload["source"]): SessionStartPayload;
  userPromptSubmit(prompt: string): UserPromptSubmitPayload;
  preToolUse(call: ToolCall): PreToolUsePayload;
  postToolUse(call: ToolCall, response: PostToolUsePayload["tool_response"]): PostToolUsePayload;
  postToolUseFailure(call: ToolCall, error: string): PostToolUseFailurePayload;
  stop(lastAssistantMessage: string): StopPayload;
  sessionEnd(reason: SessionEndPayload["reason"]): SessionEndPayload;
}

const MODEL = "claude-sonnet-4-5";

/**
 * Builders for the session `sessionId`, run in the folder `cwd` by the user whose home is `home`.
 * The transcript's place follows Claude Code's rule: the folder's path with dashes for slashes.
 */
export function payloadsOf(sessionId: string, cwd: string, home: string): PayloadBuilders {
  const envelope: Envelope = {
    session_id: sessionId,
    transcript_path: `${home}/.claude/projects/${cwd.replaceAll("/", "-")}/${sessionId}.jsonl`,
    cwd,
  };
  const turn: TurnEnvelope = { ...envelope, permission_mode: "acceptEdits" };
  return {
    sessionStart: (source) => ({ ...envelope, hook_event_name: "SessionStart", source, model: MODEL }),
    userPromptSubmit: (prompt) => ({ ...turn, hook_event_name: "UserPromptSubmit", prompt }),
    preToolUse: (call) => ({ ...turn, hook_event_name: "PreToolUse", ...call }),
    postToolUse: (call, response) => ({
      ...turn,
      hook_event_name: "PostToolUse",
      ...call,
      tool_response: response,
    }),
    postToolUseFailure: (call, error) => ({
      ...turn,
      hook_event_name: "PostToolUseFailure",
      ...call,
      error,
      is_interrupt: false,
    }),
    stop: (lastAssistantMessage) => ({
      ...turn,
      hook_event_name: "Stop",
      stop_hook_active: false,
      last_assistant_message: lastAssistantMessage,
    }),
    sessionEnd: (reason) => ({ ...envelope, hook_event_name: "SessionEnd", reason }),
  };
}
