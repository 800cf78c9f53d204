import { agentPlugin } from "./agent-plugin.ts";
import type { Invocation } from "./invocation.ts";

/*
 * OpenCode has no hooks in its settings, but loads plugins from a folder. One file serves both generations: OpenCode 1
 * and Kilo Code (a fork of it) call `server`, OpenCode 2 calls `setup`.
 */

export function openCodePlugin(agent: "kilo" | "opencode", invocation: Invocation): string {
  return agentPlugin(agent, invocation, events);
}

const events = `/** By session: a promise of when its context is there. */
const contextsKnown = new Map();
/** A sub-agent has a session of its own. By its id: the session that started it, and the kind of agent. */
const children = new Map();
/** Sessions that were started or resumed since OpenCode was started. */
const known = new Set();
/** By session: the last answer in the current turn. */
const answers = new Map();
/** Sessions whose conversation is being compacted: the next answer is its summary. */
const shortened = new Set();

function observe(cwd, sessionId, hookType, data) {
  if (!sessionId) return;
  const root = rootOf(sessionId);
  const own = root === sessionId ? {} : { agentId: sessionId };
  report({ hookType, sessionId: root, cwd, data: { ...data, ...own } });
}

/** How long a request to a model waits for memsvc: as long as agents wait for their hooks. Events are sent without waiting. */
const longestWaitMs = 10_000;

/** OpenCode waits for this before it ends. */
const beforeEnd = () => allTold(9_000, 1_000);

function rootOf(sessionId) {
  const child = children.get(sessionId);
  return child === undefined ? sessionId : rootOf(child.parent);
}

/** The text that the user wrote, without the contents of mentioned files, which OpenCode adds as synthetic parts. */
function textOf(parts) {
  const texts = (parts ?? []).flatMap(({ type, text, synthetic, ignored }) =>
    type === "text" && text && !synthetic && !ignored ? [text] : [],
  );
  return texts.join("\\n");
}

/** The events that both generations send, for one folder. */
function teller(cwd) {
  const told = observe.bind(undefined, cwd);
  /** memsvc answers this event with the context for the session. */
  const started = (id, data) => {
    told(id, "session_start", data);
    contextsKnown.set(id, last);
  };
  return {
    told,
    began(id, { parentID: parent, title, agent }) {
      known.add(id);
      // A sub-agent's session begins with its prompt.
      if (parent && rootOf(parent) !== id) children.set(id, { parent, agent });
      // Before OpenCode has named a session, its title is the time.
      else started(id, { title: /^New session - \\d/.test(title) ? undefined : title, source: "startup" });
    },
    goneOnWith(id, { parentID: parent }) {
      known.add(id);
      if (parent) children.set(id, { parent });
      else started(id, { source: "resume" });
    },
    prompted(id, prompt, agent) {
      shortened.delete(id);
      answers.set(id, "");
      const child = children.get(id);
      if (child) told(id, "subagent_start", { agentType: agent ?? child.agent, prompt });
      else told(id, "prompt_submit", { prompt });
    },
    answered(id, text) {
      if (text) answers.set(id, text);
    },
    /** After compaction a session needs its context again, as at its start. */
    compacted(id) {
      if (!children.has(id)) started(id, { source: "compact" });
    },
    /** The context for a session. A sub-agent gets none: it has its prompt. */
    async context(id) {
      await Promise.race([contextsKnown.get(id), patience(longestWaitMs)]);
      contextsKnown.delete(id);
      return contexts.get(id);
    },
    /** The summary of a session's conversation after compaction. */
    summarised(id, text) {
      if (text && !children.has(id)) told(id, "stop", { assistantResponse: text, isCompactSummary: true });
    },
    failed: (id, tool, input, error) =>
      told(id, "post_tool_failure", { toolName: tool, toolInput: input, error: String(error?.message ?? error) }),
    /** The end of a turn, which several events report: only the first one counts. */
    rested(id) {
      const answer = answers.get(id);
      if (answer === undefined) return;
      answers.delete(id);
      told(id, children.has(id) ? "subagent_stop" : "stop", { assistantResponse: answer });
    },
    deleted(id) {
      answers.delete(id);
      contexts.delete(id);
      if (!children.delete(id)) told(id, "session_end", { reason: "deleted" });
    },
  };
}

/** What a sub-agent answered, without the tags that tell the model of its run. */
function answerOf(output) {
  const answer = /^<task [^>]*>\\s*<task_result>\\n?([\\s\\S]*?)\\n?<\\/task_result>\\s*<\\/task>\\s*$/.exec(output);
  return answer ? answer[1] : output;
}

/** OpenCode 1. */
async function server({ directory, client }) {
  const tells = teller(directory);
  const { told, began, goneOnWith, prompted, answered, summarised, compacted, failed, rested, deleted } = tells;
  return {
    event: async ({ event: { type, properties = {} } }) => {
      const { sessionID, info, part } = properties;
      if (type === "session.created") began(info?.id, info ?? {});
      if (type === "session.idle") rested(sessionID);
      if (type === "session.compacted") compacted(sessionID);
      if (type === "session.deleted") deleted(info?.id);
      // OpenCode 1 runs no hook after a tool that failed.
      if (type === "message.part.updated" && part?.type === "tool" && part.state?.status === "error")
        failed(part.sessionID, part.tool, part.state.input, part.state.error);
    },
    "chat.message": async ({ sessionID, agent }, { parts }) => {
      // No event reports that a session from before the start of OpenCode is resumed.
      if (!known.has(sessionID)) {
        const found = await client?.session.get({ path: { id: sessionID } }).catch(() => undefined);
        if (found?.data) goneOnWith(sessionID, found.data);
      }
      prompted(sessionID, textOf(parts), agent);
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      // Requests for titles and summaries have the session's id, too; they need only the conversation.
      if (shortened.has(sessionID) || system[0]?.startsWith("You are a title generator")) return;
      const context = await tells.context(sessionID);
      // Some models accept only one system message.
      if (context) system.push([...system.splice(-1), context].join("\\n\\n"));
    },
    "experimental.text.complete": async ({ sessionID }, { text }) =>
      shortened.delete(sessionID) ? summarised(sessionID, text) : answered(sessionID, text),
    "tool.execute.before": async ({ tool, sessionID }, { args }) =>
      told(sessionID, "pre_tool_use", { toolName: tool, toolInput: args }),
    // There is no result if a command's sub-agent failed. Tools of MCP servers have a result of another form.
    "tool.execute.after": async ({ tool, sessionID, args }, result) => {
      if (!result) return;
      const { title, output, content, metadata } = result;
      told(sessionID, "post_tool_use", {
        toolName: tool,
        toolInput: args ?? metadata?.input,
        toolOutput: (tool === "task" ? answerOf(output) : output) ?? content,
        title,
        exitCode: metadata?.exit,
      });
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      shortened.add(sessionID);
      told(sessionID, "pre_compact", { trigger: "auto" });
    },
    dispose: beforeEnd,
  };
}

const turnEnds = new Set([
  "session.idle",
  ...["succeeded", "failed", "interrupted"].map((outcome) => "session.execution." + outcome),
]);

/** OpenCode 2. */
async function setup(ctx) {
  const directory = ctx.location?.directory ?? process.cwd();
  const { told, began, prompted, answered, summarised, failed, rested, deleted } = teller(directory);
  const stop = new AbortController();
  await ctx.tool.hook("execute.before", ({ tool, sessionID, input }) => {
    told(sessionID, "pre_tool_use", { toolName: tool, toolInput: input });
  });
  await ctx.tool.hook("execute.after", ({ tool, sessionID, input, status, result, error }) => {
    if (status === "error") failed(sessionID, tool, input, error);
    else {
      const toolOutput = result?.output ?? textOf(result?.content);
      told(sessionID, "post_tool_use", { toolName: tool, toolInput: input, toolOutput });
    }
  });
  await ctx.session.hook("prompt", ({ sessionID, prompt }) => prompted(sessionID, prompt?.text ?? ""));
  const listen = async () => {
    for await (const { type, location, data = {} } of ctx.event.subscribe({ signal: stop.signal })) {
      const { sessionID } = data;
      // Other folders have plugins of their own.
      if (location?.directory !== undefined && location.directory !== directory) continue;
      if (type === "session.created") began(sessionID, data);
      if (type === "session.text.ended") answered(sessionID, data.text);
      if (turnEnds.has(type)) rested(sessionID);
      if (type === "session.compaction.ended") summarised(sessionID, data.text);
      if (type === "session.deleted") deleted(sessionID);
    }
  };
  // The stream ends when OpenCode ends.
  listen().catch(() => {});
  return () => {
    stop.abort();
    return beforeEnd();
  };
}

export default { id: "memsvc", server, setup };
`;
