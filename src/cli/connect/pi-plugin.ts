import { agentPlugin } from "./agent-plugin.ts";
import type { Invocation } from "./invocation.ts";

/** The text of the plugin for Pi, which calls it an extension and loads it anew for each session. */
export function piPlugin(invocation: Invocation): string {
  return agentPlugin("pi", invocation, events);
}

/*
 * Pi forbids a tool whose `tool_call` handler fails, and does not send `tool_result` for calls that did not run, so the
 * events of the execution are used. Before 0.80.4 it does not send `agent_settled`; then the next prompt reports the
 * answer, or the end.
 */
const events = `/** How long Pi waits for memsvc: as long as agents wait for their hooks. Events are sent without waiting. */
const longestWaitMs = 10_000;

/** The text, or all of the content if there is more than text. */
function outputOf(content) {
  const isText = (content ?? []).every(({ type }) => type === "text");
  return isText ? (content ?? []).map(({ text }) => text).join("\\n") : content;
}

const textOf = ({ content }) => content.flatMap(({ type, text }) => (type === "text" && text ? [text] : [])).join("\\n");

const commandEnd = /\\n\\nCommand exited with code (-?\\d+)$/;

function failureOf({ content }) {
  const output = outputOf(content);
  const end = commandEnd.exec(output);
  if (!end) return { error: output };
  const printed = output.slice(0, end.index).trimEnd();
  return { error: printed === "(no output)" ? "Exit code " + end[1] : printed, exitCode: Number(end[1]) };
}

/** The tool with which models write scripts. The calls that a script makes are reported, too, and say what was done. */
const isScript = (toolName) => toolName === "codemode";

/** Pi lists the places that an edit changes, mostly one. */
function inputOf(args) {
  const { edits, ...rest } = args ?? {};
  return edits?.length === 1 ? { ...rest, ...edits[0] } : args;
}

const hasPrompts = ({ sessionManager }) =>
  sessionManager.getEntries().some(({ type, message }) => type === "message" && message.role === "user");

export default function memsvc(pi) {
  /** By its id: the input of each tool call that is going on. */
  const inputs = new Map();
  /** The last answer in the current turn, once there is one. */
  let answer;

  const told = ({ sessionManager, cwd }, hookType, data) =>
    report({ hookType, sessionId: sessionManager.getSessionId(), cwd, data });

  /** memsvc answers this event with the context for the session. */
  const started = (ctx, source) => told(ctx, "session_start", { source, model: ctx.model?.id });

  /** The message that gives the model the context, once. */
  async function contextMessage({ sessionManager }) {
    const sessionId = sessionManager.getSessionId();
    await Promise.race([last, patience(longestWaitMs)]);
    const content = contexts.get(sessionId);
    contexts.delete(sessionId);
    return content && { customType: "memsvc", content, display: false };
  }

  function rested(ctx) {
    if (!answer) return;
    const { text, stopReason } = answer;
    const ending = ["stop", "toolUse"].includes(stopReason) ? {} : { stopReason };
    told(ctx, "stop", { assistantResponse: text, ...ending });
    answer = undefined;
  }

  pi.on("session_start", ({ reason }, ctx) => {
    const isGoingOn = hasPrompts(ctx);
    if (reason !== "reload" || !isGoingOn) started(ctx, isGoingOn ? "resume" : "startup");
  });
  pi.on("input", ({ text, source }, ctx) => {
    if (source === "extension") return;
    if (ctx.isIdle()) rested(ctx);
    told(ctx, "prompt_submit", { prompt: text });
  });
  pi.on("before_agent_start", async (_event, ctx) => {
    const message = await contextMessage(ctx);
    return message && { message };
  });
  pi.on("tool_execution_start", ({ toolCallId, toolName, args }, ctx) => {
    if (isScript(toolName)) return;
    const toolInput = inputOf(args);
    inputs.set(toolCallId, toolInput);
    told(ctx, "pre_tool_use", { toolName, toolInput });
  });
  pi.on("tool_execution_end", ({ toolCallId, toolName, result, isError, durationMs }, ctx) => {
    if (isScript(toolName)) return;
    const call = { toolName, toolInput: inputs.get(toolCallId), durationMs };
    inputs.delete(toolCallId);
    if (isError) told(ctx, "post_tool_failure", { ...call, ...failureOf(result) });
    else {
      const exitCode = result.structuredContent?.exit_code;
      told(ctx, "post_tool_use", { ...call, toolOutput: outputOf(result.content), exitCode });
    }
  });
  pi.on("message_end", ({ message }, ctx) => {
    // A prompt that waited for the answer to an earlier one.
    if (message.role === "user" && answer?.stopReason === "stop") rested(ctx);
    if (message.role === "assistant") answer = { text: textOf(message) || answer?.text, stopReason: message.stopReason };
  });
  pi.on("agent_settled", (_event, ctx) => rested(ctx));
  pi.on("session_before_compact", ({ reason }, ctx) =>
    told(ctx, "pre_compact", { trigger: reason === "manual" ? reason : "auto" }),
  );
  pi.on("session_compact", async ({ compactionEntry }, ctx) => {
    told(ctx, "stop", { assistantResponse: compactionEntry.summary, isCompactSummary: true });
    started(ctx, "compact");
    const message = await contextMessage(ctx);
    if (message) pi.sendMessage(message, { triggerTurn: false });
  });
  pi.on("session_shutdown", async ({ reason }, ctx) => {
    rested(ctx);
    if (reason !== "reload") told(ctx, "session_end", { reason });
    await allTold(9_000, 1_000);
  });
}
`;
