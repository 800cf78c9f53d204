import { agentPlugin } from "./agent-plugin.ts";
import type { Invocation } from "./invocation.ts";

/** The text of the plugin for Cline, which loads it in a process of its own for each session. */
export function clinePlugin(invocation: Invocation): string {
  return agentPlugin("cline", invocation, events);
}

/*
 * With each event Cline sends the whole conversation. It sends `onEvent` for each piece of an answer, so that is left
 * out.
 */
const events = `let sessionId;
let cwd = process.cwd();
/** The agent that works for the user. Others are sub-agents and teammates. */
let lead;
/** The user's messages that were reported, or that are from before this process. */
const reported = new Set();

/** Cline fails the user's turn if a hook takes 3 s. */
const longestWaitMs = 2_000;

function told({ agentId }, hookType, data) {
  const own = agentId === lead ? {} : { agentId };
  report({ hookType, sessionId, cwd, data: { ...data, ...own } });
}

function textOf({ content }) {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap(({ type, text }) => (type === "text" && text ? [text] : [])).join("\\n");
}

/** What the user wrote: Cline puts it into a tag, and sends the model other things as messages of the user, too. */
const ofUser = /^<user_(input|command)\\b[^>]*>([\\s\\S]*)<\\/user_\\1>\\s*$/;

const isOfUser = (message) => message.role === "user" && ofUser.test(textOf(message));

function tellPrompts({ agentId, messages }) {
  if (agentId !== lead) return;
  for (const message of messages.filter((one) => isOfUser(one) && !reported.has(one.id))) {
    reported.add(message.id);
    told({ agentId }, "prompt_submit", { prompt: ofUser.exec(textOf(message))[2] });
  }
}

/** The start of a session, or of this process, which ends if the user pauses for long. */
function began({ agentId, messages }) {
  lead = agentId;
  const earlier = messages.filter(isOfUser).slice(0, -1);
  for (const { id } of earlier) reported.add(id);
  told({ agentId }, "session_start", { source: earlier.length > 0 ? "resume" : "startup" });
}

async function beforeRun({ snapshot }) {
  const { agentId, parentAgentId, messages } = snapshot;
  const task = messages.findLast(({ role }) => role === "user");
  const isLead = !parentAgentId && (lead === undefined || (task && isOfUser(task)));
  if (!isLead) {
    told(snapshot, "subagent_start", { prompt: task && textOf(task) });
    return;
  }
  if (lead === undefined) began(snapshot);
  lead = agentId;
  tellPrompts(snapshot);
  await Promise.race([last, patience(longestWaitMs)]);
  const context = contexts.get(sessionId);
  contexts.delete(sessionId);
  return context ? { appendContext: context } : undefined;
}

/** Tools that do several things in one call: the name of a thing that is a text, and where their input lists them. */
const lists = {
  run_commands: ["command", "commands"],
  read_files: ["path", "files", "file_paths", "paths"],
  search_codebase: ["pattern", "queries"],
  fetch_web_content: ["url", "requests"],
};

/** Fields of tools that have other names here. */
const names = {
  editor: { old_text: "oldText", new_text: "newText" },
  spawn_agent: { task: "prompt" },
};

/** Cline takes a list, or a single thing in its place, and a command as one text, or as a program and its arguments. */
function partsOf(tool, input) {
  const [name, ...places] = lists[tool] ?? [];
  const given = Array.isArray(input) ? input : places.map((place) => input?.[place]).find((one) => one !== undefined);
  if (name && given !== undefined) return [given].flat().map((one) => partOf(one, name));
  const renamed = Object.entries(input ?? {}).map(([key, value]) => [names[tool]?.[key] ?? key, value]);
  return [typeof input === "object" ? Object.fromEntries(renamed) : input];
}

function partOf(thing, name) {
  if (typeof thing === "string") return { [name]: thing };
  if (!Array.isArray(thing?.args)) return thing;
  const words = [thing.command, ...thing.args].map(String);
  return { command: words.map((word) => (/\\s/.test(word) ? JSON.stringify(word) : word)).join(" ") };
}

function beforeTool({ snapshot, toolCall: { toolName }, input }) {
  tellPrompts(snapshot);
  for (const toolInput of partsOf(toolName, input)) told(snapshot, "pre_tool_use", { toolName, toolInput });
}

function afterTool({ snapshot, toolCall: { toolName }, input, result, durationMs }) {
  const parts = partsOf(toolName, input);
  const { output, isError } = result;
  // A call with an invalid input fails as a whole.
  const isListed = Array.isArray(output) && output.length === parts.length;
  const calls = isListed ? parts.map((part, at) => [part, output[at]]) : [[parts.length > 1 ? input : parts[0], output]];
  for (const [toolInput, done] of calls) {
    const call = { toolName, toolInput };
    if (isError || done?.success === false) told(snapshot, "post_tool_failure", { ...call, ...failureOf(done) });
    else told(snapshot, "post_tool_use", { ...call, toolOutput: outputOf(done), ...(parts.length > 1 ? {} : { durationMs }) });
  }
}

/** Tools of Cline say what they did in \`result\`, sub-agents in \`text\`. */
const outputOf = (done) => done?.result ?? done?.text ?? done;

const commandEnd = /^\\[Command exited with code (-?\\d+)\\]\\n?/;

function failureOf(done) {
  const { result, error } = done ?? {};
  const [line, exitCode] = commandEnd.exec(result) ?? [];
  if (line !== undefined)
    return { exitCode: Number(exitCode), error: result.slice(line.length) || "Exit code " + exitCode };
  return { error: error ?? done };
}

/** The end of a run: the user's turn, or the work of another agent. */
async function afterRun({ snapshot, result }) {
  tellPrompts(snapshot);
  const isLead = snapshot.agentId === lead;
  told(snapshot, isLead ? "stop" : "subagent_stop", {
    assistantResponse: result.outputText,
    ...(result.status === "completed" ? {} : { stopReason: result.status }),
  });
  // Cline may end this process now.
  if (isLead) await allTold(longestWaitMs - 500, 500);
}

/** Cline also fails the user's turn if a hook fails. */
function harmless(hook) {
  return async (context) => {
    try {
      return await hook(context);
    } catch (error) {
      console.error(error);
    }
  };
}

export default {
  name: "memsvc",
  manifest: { capabilities: ["hooks"] },
  setup(_api, { session, workspaceInfo } = {}) {
    sessionId = session?.sessionId;
    cwd = workspaceInfo?.rootPath ?? cwd;
  },
  hooks: {
    beforeRun: harmless(beforeRun),
    beforeTool: harmless(beforeTool),
    afterTool: harmless(afterTool),
    afterRun: harmless(afterRun),
  },
};
`;
