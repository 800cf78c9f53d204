import { isObject } from "../../json/is-object.ts";
import { cutText } from "../../text/cut.ts";
import { filesOf } from "./calls/file-paths.ts";
import { contentBlocksIn, firstPresent, textOf } from "./calls/json-text.ts";
import { type InputParts, inputPartsOf } from "./calls/tool-input.ts";
import { isConversationTool, toolKind } from "./calls/tool-kind.ts";
import { onlyShows } from "./commands/command-kind.ts";
import { eventDataObject } from "./event-data.ts";
import { exitCodeIn } from "./outputs/output-lines.ts";

/** An event as an agent's hook reported it. */
export interface Event {
  hookType: string;
  sessionId: string;
  project: string;
  cwd: string;
  /** Milliseconds since 1970, UTC. */
  timestamp: number;
  /** Any JSON value, as it was sent. */
  data: unknown;
}

// The keys of each field, in the order in which they are tried; from the contract on field pick-up.
const textKeys = {
  error: ["error", "errorMessage", "error_message", "stderr"],
  userPrompt: ["userPrompt", "user_prompt", "prompt", "text"],
  assistantResponse: [
    ...["assistantResponse", "assistant_response", "lastAssistantMessage", "last_assistant_message"],
    ...["lastMessage", "last_message", "response", "message"],
  ],
  source: ["source"],
  model: ["model"],
  title: ["title"],
  changeKind: ["changeKind", "change_kind"],
  rootDir: ["rootDir", "root_dir"],
  trigger: ["trigger"],
  customInstructions: ["customInstructions", "custom_instructions"],
  subagentId: ["agentId", "agent_id"],
  subagentKind: ["agentType", "agent_type"],
  subagentPrompt: ["prompt", "description"],
  notificationKind: ["notificationType", "notification_type"],
  message: ["message"],
  taskId: ["taskId", "task_id"],
  taskSubject: ["taskSubject", "task_subject", "subject", "title"],
  taskText: ["taskDescription", "task_description", "description"],
  teammateName: ["teammateName", "teammate_name"],
  teamName: ["teamName", "team_name"],
  stopReason: ["stopReason", "stop_reason"],
  reason: ["reason"],
} as const satisfies Record<string, readonly string[]>;
const toolNameKeys = ["toolName", "tool_name", "tool"];
const toolInputKeys = ["toolInput", "tool_input", "input", "args", "arguments"];
const toolOutputKeys = [
  ...["toolOutput", "tool_output", "toolResponse", "tool_response"],
  ...["output", "result", "content"],
];
/** The keys of what a tool printed. */
export const outputKeys: ReadonlySet<string> = new Set([...toolOutputKeys, ...textKeys.error, "stdout"]);
const durationKeys = ["durationMs", "duration_ms"];
const exitKeys = ["exitCode", "exit_code", "returncode", "returnCode", "code"];
const imageKeys = [
  ...["imageRef", "image_ref", "imagePath", "image_path", "screenshot"],
  ...["imageData", "image_data", "imageBase64", "image_base64"],
];
const longestToolName = 200;
/** Keys of the data under which an event's fields may be nested. */
export const envelopes: readonly string[] = ["payload", "event"];

type TextField = keyof typeof textKeys;
type Wanted = TextField | "toolName" | "toolInput" | "toolOutput" | "durationMs";

const allSix: readonly Wanted[] = [
  ...(["toolName", "toolInput", "toolOutput", "error", "userPrompt", "assistantResponse"] as const),
];
const wantedByHook: ReadonlyMap<string, readonly Wanted[]> = new Map<string, readonly Wanted[]>([
  ["session_start", ["source", "model", "title"]],
  ["prompt_submit", ["userPrompt"]],
  ["pre_tool_use", ["toolName", "toolInput"]],
  ["post_tool_use", ["toolName", "toolInput", "toolOutput", "error", "durationMs", "changeKind", "rootDir"]],
  ["post_tool_failure", ["toolName", "toolInput", "error"]],
  ["pre_compact", ["trigger", "customInstructions"]],
  ["subagent_start", ["subagentId", "subagentKind", "subagentPrompt"]],
  ["subagent_stop", ["subagentId", "subagentKind", "subagentPrompt", "assistantResponse"]],
  ["notification", ["notificationKind", "title", "message"]],
  ["task_completed", ["taskId", "taskSubject", "taskText", "teammateName", "teamName"]],
  ["stop", ["assistantResponse", "stopReason"]],
  ["session_end", ["reason"]],
]);

/** The fields found in an event's data. A missing one was empty, or the hook does not offer it. */
export interface PickedFields extends Partial<Record<TextField, string>> {
  toolName?: string;
  /** As sent. */
  toolInput?: unknown;
  /** As sent. */
  toolOutput?: unknown;
  /** The readable text of the output; `""` when there is none. */
  outputText: string;
  /** The known parts of the input. */
  input: InputParts;
  exitCode?: number;
  durationMs?: number;
  /** At most 20; paths below the event's cwd are relative to it. */
  files: string[];
  /** A path or reference of an image in the event. */
  image?: string;
}

/** The tool name of an event, if its hook offers one; the same as that of `pickUpFields`. */
export function toolNameOf(event: Event): string | undefined {
  const { name, wanted } = offerOf(event);
  return wanted.includes("toolName") ? name : undefined;
}

/** Where an event's fields are searched, and which of them its hook offers. */
function offerOf(event: Event) {
  const data = eventDataObject(event.data);
  const sources = [data, ...envelopes.map((key) => data[key])].filter(isObject);
  const given = firstPresent(sources, toolNameKeys);
  const name = typeof given === "string" ? cutText(given.trim(), longestToolName) : undefined;
  const isConversation = isConversationTool(name);
  const wanted = isConversation ? allSix : (wantedByHook.get(event.hookType) ?? allSix);
  return { data, sources, name, isConversation, wanted };
}

/** Picks the fields that the event's hook offers from its data, `data.payload` and `data.event`. */
export function pickUpFields(event: Event): PickedFields {
  const { data, sources, name, isConversation, wanted } = offerOf(event);
  const picked: PickedFields = { outputText: "", input: {}, files: [] };
  for (const field of wanted) {
    switch (field) {
      case "toolName":
        if (name !== undefined) picked.toolName = name;
        break;
      case "toolInput":
        picked.toolInput = firstPresent(sources, toolInputKeys);
        break;
      case "toolOutput":
        picked.toolOutput = firstPresent(sources, toolOutputKeys);
        break;
      case "durationMs": {
        const durationMs = firstPresent(sources, durationKeys);
        if (typeof durationMs === "number") picked.durationMs = durationMs;
        break;
      }
      default: {
        const text = textOf(firstPresent(sources, textKeys[field]));
        if (text.trim() !== "") picked[field] = text;
      }
    }
  }
  if (picked.toolInput === undefined) delete picked.toolInput;
  if (picked.toolOutput === undefined) delete picked.toolOutput;
  pickSubstitutes(event.hookType, sources, picked, isConversation);
  picked.input = inputPartsOf(picked.toolInput);
  picked.outputText = isExitCode(picked.toolOutput) ? "" : printedText(picked.toolOutput);
  const exitCode = exitCodeOf(sources, picked);
  if (exitCode !== undefined) picked.exitCode = exitCode;
  picked.files = filesOf(data, picked.toolInput, event.cwd);
  const image = firstPresent(sources, imageKeys);
  if (typeof image === "string") picked.image = image;
  return picked;
}

function pickSubstitutes(
  hookType: string,
  sources: readonly Record<string, unknown>[],
  picked: PickedFields,
  isConversation: boolean,
): void {
  if (isConversation) {
    const said = textOf(picked.toolInput);
    const answered = textOf(picked.toolOutput);
    if (said !== "") picked.userPrompt = said;
    if (answered !== "") picked.assistantResponse = answered;
  } else if (hookType === "prompt_submit" && picked.userPrompt === undefined) {
    const message = textOf(firstPresent(sources, textKeys.message));
    if (message !== "") picked.userPrompt = message;
  } else if (hookType === "post_tool_failure" && picked.error === undefined) {
    const output = printedText(firstPresent(sources, toolOutputKeys));
    if (output !== "") picked.error = output;
  }
}

function printedText(output: unknown): string {
  return textOf((typeof output === "string" && contentBlocksIn(output)) || output);
}

/** Whether an output consists of an exit code alone, which is a fact and no text. */
function isExitCode(output: unknown): boolean {
  return (
    isObject(output) &&
    Object.entries(output).every(([key, value]) => exitKeys.includes(key) && codeOf(value) !== undefined)
  );
}

function codeOf(value: unknown): number | undefined {
  const isCode = Number.isInteger(value) || (typeof value === "string" && /^-?\d{1,10}$/.test(value));
  return isCode ? Number(value) : undefined;
}

/**
 * The exit code, searched in fields and in the output. The `code` of a fetched page is a status, and a file
 * that was read only quotes codes, so these tools have none, and commands that show files have them only before
 * their output.
 */
function exitCodeOf(sources: readonly Record<string, unknown>[], picked: PickedFields): number | undefined {
  const kind = picked.toolName === undefined ? undefined : toolKind(picked.toolName);
  if (kind === "web_fetch") return undefined;
  const holders = isObject(picked.toolOutput) ? [picked.toolOutput, ...sources] : sources;
  for (const holder of holders) {
    for (const key of exitKeys) {
      const code = Object.hasOwn(holder, key) ? codeOf(holder[key]) : undefined;
      if (code !== undefined) return code;
    }
  }
  if (kind !== undefined && kind !== "command_run") return undefined;
  const text = picked.outputText === "" ? (picked.error ?? "") : picked.outputText;
  return exitCodeIn(onlyShows(picked.input.command ?? "") ? headOf(text) : text);
}

/** What agents put before the output of a command, or of one that failed. */
const heading = /^[^\n]{0,200}\n(?:[^\n]{0,200}\n){0,6}?Output:|^exit code:? -?\d{1,10}(?=\s*(?:\n|$))/i;

function headOf(text: string): string {
  return heading.exec(text)?.[0] ?? "";
}
