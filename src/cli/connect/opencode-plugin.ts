import type { Invocation } from "./invocation.ts";

/*
 * OpenCode has no hooks in its settings: a plugin in its folder is told of everything, and this one hands on what
 * memsvc tells apart. One file serves both generations of OpenCode: the first calls `server`, the second `setup`.
 */

/** What the plugin's file begins with, by which it is known again. */
export const pluginMark = "// Written by memsvc connect opencode";

/** The text of the plugin, which starts `memsvc observe` for each event, one after the other. */
export function openCodePlugin({ program, flags }: Invocation): string {
  const words = JSON.stringify([...program, "observe", "--hook", "opencode", ...flags]);
  return `${pluginMark}; memsvc disconnect opencode removes it.
import { spawn } from "node:child_process";

const [program, ...args] = ${words};
let last = Promise.resolve();

/** A failure here must not become one of OpenCode. */
function observe(cwd, sessionId, hookType, data) {
  if (!sessionId) return;
  const event = { hookType, sessionId, cwd, timestamp: new Date().toISOString(), data };
  last = last.then(() => run(JSON.stringify(event)));
}

function run(text) {
  return new Promise((done) => {
    // What a package manager puts into the search path of Windows is a script of its shell.
    const shell = process.platform === "win32" && program === "memsvc";
    const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"], shell, windowsHide: true });
    child.on("error", done);
    child.on("close", done);
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
}

function textOf(parts) {
  return (parts ?? []).flatMap(({ type, text }) => (type === "text" && text ? [text] : [])).join("\\n");
}

/** OpenCode 1. */
async function server({ directory }) {
  const told = observe.bind(undefined, directory);
  return {
    event: async ({ event: { type, properties = {} } }) => {
      const { sessionID, info } = properties;
      if (type === "session.created") told(info?.id, "session_start", { title: info?.title });
      if (type === "session.idle") told(sessionID, "stop", {});
      if (type === "session.deleted") told(info?.id, "session_end", { reason: "deleted" });
    },
    "chat.message": async ({ sessionID }, { parts }) => told(sessionID, "prompt_submit", { prompt: textOf(parts) }),
    "tool.execute.before": async ({ tool, sessionID }, { args }) =>
      told(sessionID, "pre_tool_use", { toolName: tool, toolInput: args }),
    "tool.execute.after": async ({ tool, sessionID, args }, { title, output, metadata }) =>
      told(sessionID, "post_tool_use", {
        toolName: tool,
        toolInput: args ?? metadata?.input,
        toolOutput: output,
        title,
        exitCode: metadata?.exit,
      }),
    "experimental.session.compacting": async ({ sessionID }) => told(sessionID, "pre_compact", { trigger: "auto" }),
  };
}

/** OpenCode 2. */
async function setup(ctx) {
  const told = observe.bind(undefined, ctx.location?.directory ?? process.cwd());
  const stop = new AbortController();
  await ctx.tool.hook("execute.before", ({ tool, sessionID, input }) => {
    told(sessionID, "pre_tool_use", { toolName: tool, toolInput: input });
  });
  await ctx.tool.hook("execute.after", ({ tool, sessionID, input, status, result, error }) => {
    const isError = status === "error";
    told(sessionID, isError ? "post_tool_failure" : "post_tool_use", {
      toolName: tool,
      toolInput: input,
      ...(isError ? { error: String(error?.message ?? error) } : { toolOutput: result?.output ?? textOf(result?.content) }),
    });
  });
  await ctx.session.hook("prompt", ({ sessionID, prompt }) => {
    told(sessionID, "prompt_submit", { prompt: prompt?.text ?? "" });
  });
  const listen = async () => {
    for await (const { type, data = {} } of ctx.event.subscribe({ signal: stop.signal })) {
      if (type === "session.created") told(data.sessionID, "session_start", { title: data.title });
      if (type === "session.idle" || type === "session.execution.succeeded") told(data.sessionID, "stop", {});
      if (type === "session.deleted") told(data.sessionID, "session_end", { reason: "deleted" });
    }
  };
  // The stream ends with OpenCode, and then nothing is left to tell.
  listen().catch(() => {});
  return () => stop.abort();
}

export default { id: "memsvc", server, setup };
`;
}
