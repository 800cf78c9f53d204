import { describe, expect, test, vi } from "vitest";
import { openAgentHome } from "../../../test/support/agent-settings.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { loadPlugin } from "../../../test/support/loaded-plugin.ts";
import { piPlugin } from "./pi-plugin.ts";

const home = forEachTest(openAgentHome);

type Handler = (event: object, context: object) => unknown;
type Plugin = (host: object) => void;

/** A session of Pi with the plugin in it, whose events a test sends. */
async function session(answers?: string, entries: readonly object[] = []) {
  const { plugin, told } = await loadPlugin<Plugin>(home, piPlugin, answers);
  const handlers = new Map<string, Handler>();
  const sent: unknown[][] = [];
  plugin({
    on: (name: string, handler: Handler) => handlers.set(name, handler),
    sendMessage: (...message: unknown[]) => sent.push(message),
  });
  let isIdle = true;
  const context = {
    cwd: "/p",
    model: { id: "fable" },
    isIdle: () => isIdle,
    sessionManager: { getSessionId: () => "01a2-s", getEntries: () => entries },
  };
  return {
    told,
    sent,
    happened: (name: string, event: object = {}) => {
      if (name === "agent_start") isIdle = false;
      if (name === "agent_end") isIdle = true;
      return handlers.get(name)?.({ type: name, ...event }, context);
    },
  };
}

type Happened = Awaited<ReturnType<typeof session>>["happened"];

/* What Pi 1.6.0 sends, shortened. */

const typed = (text: string, how: object = {}) => ({ text, source: "interactive", ...how });
const said = (role: string, text: string, stopReason?: string) => ({
  message: { role, content: [{ type: "text", text }], stopReason },
});
const text = (output: string) => ({ content: [{ type: "text", text: output }] });

async function called(happened: Happened, toolName: string, args: object, end: object, id = "call_1") {
  await happened("tool_execution_start", { toolCallId: id, toolName, args });
  await happened("tool_execution_end", { toolCallId: id, toolName, isError: false, durationMs: 7, ...end });
}

const contextAtStart = `for (const { hookType, sessionId, data } of events)
  if (hookType === "session_start") console.log(JSON.stringify({ sessionId, context: data.source + " notes" }));`;

describe("the plugin for Pi", () => {
  test("reports the prompt, each tool call, what failed, the answer, and the session's end", async () => {
    const { happened, told } = await session();
    await happened("session_start", { reason: "startup" });
    await happened("input", typed("Set the cap to 5"));
    await happened("agent_start");
    await happened("message_end", said("user", "Set the cap to 5"));
    await happened("message_end", said("assistant", "I look.", "toolUse"));
    const edits = [{ oldText: "cap = 3", newText: "cap = 5" }];
    await called(
      happened,
      "edit",
      { path: "a.ts", edits },
      { result: text("Successfully replaced 1 block(s).") },
    );
    await called(
      happened,
      "bash",
      { command: "npm test" },
      { isError: true, result: text("1 failed\n\n\nCommand exited with code 3") },
    );
    await called(
      happened,
      "bash",
      { command: "ls" },
      { result: { ...text("a.ts\n"), structuredContent: { output: "a.ts\n", exit_code: 0 } } },
    );
    await called(happened, "read", { path: "b.ts" }, { isError: true, result: text("ENOENT: no such file") });
    const image = { type: "image", data: "iVBORw0", mimeType: "image/png" };
    await called(
      happened,
      "read",
      { path: "c.png" },
      { result: { content: [...text("c.png").content, image] } },
    );
    await happened("message_end", said("assistant", "One test fails.", "stop"));
    await happened("agent_end", { messages: [] });
    await happened("agent_settled", { aborted: false });
    await happened("session_shutdown", { reason: "quit" });
    const events = await told(14);
    expect(events).toMatchObject([
      {
        hookType: "session_start",
        sessionId: "01a2-s",
        cwd: "/p",
        data: { source: "startup", model: "fable" },
      },
      { hookType: "prompt_submit", data: { prompt: "Set the cap to 5" } },
      { hookType: "pre_tool_use", data: { toolName: "edit" } },
      {
        hookType: "post_tool_use",
        data: { toolInput: { path: "a.ts", ...edits[0] }, toolOutput: "Successfully replaced 1 block(s)." },
      },
      { hookType: "pre_tool_use" },
      {
        hookType: "post_tool_failure",
        data: {
          toolName: "bash",
          toolInput: { command: "npm test" },
          error: "1 failed",
          exitCode: 3,
          durationMs: 7,
        },
      },
      { hookType: "pre_tool_use" },
      { hookType: "post_tool_use", data: { toolOutput: "a.ts\n", exitCode: 0 } },
      { hookType: "pre_tool_use" },
      { hookType: "post_tool_failure", data: { error: "ENOENT: no such file" } },
      { hookType: "pre_tool_use" },
      { hookType: "post_tool_use", data: { toolOutput: [{ text: "c.png" }, image] } },
      { hookType: "stop", sessionId: "01a2-s", data: { assistantResponse: "One test fails." } },
      { hookType: "session_end", data: { reason: "quit" } },
    ]);
  });

  test("reports a failed command that printed nothing by its exit code", async () => {
    const { happened, told } = await session();
    const result = text("(no output)\n\nCommand exited with code 4");
    await called(happened, "bash", { command: "exit 4" }, { isError: true, result });
    const failure = { hookType: "post_tool_failure", data: { error: "Exit code 4", exitCode: 4 } };
    expect(await told(2)).toMatchObject([{ hookType: "pre_tool_use" }, failure]);
  });

  test("reports the calls that a script makes in place of the script", async () => {
    const { happened, told } = await session();
    const script = { code: "return tools.bash({ command: 'ls' })" };
    await happened("tool_execution_start", { toolCallId: "call_1", toolName: "codemode", args: script });
    await called(happened, "bash", { command: "ls" }, { result: text("a.ts") }, "call_1/1");
    await happened("tool_execution_end", {
      toolCallId: "call_1",
      toolName: "codemode",
      result: text("a.ts"),
    });
    expect(await told(2)).toMatchObject([
      { hookType: "pre_tool_use", data: { toolName: "bash" } },
      { hookType: "post_tool_use", data: { toolInput: { command: "ls" }, toolOutput: "a.ts" } },
    ]);
  });

  test("reports what the user adds while Pi works, with an answer for each prompt that had to wait", async () => {
    const { happened, told } = await session();
    await happened("input", typed("Fix it"));
    await happened("agent_start");
    await happened("message_end", said("user", "Fix it"));
    await happened("input", typed("in French", { streamingBehavior: "steer" }));
    await happened("input", typed("then rest", { streamingBehavior: "followUp" }));
    await happened("input", typed("Execute the plan", { source: "extension" }));
    await happened("message_end", said("assistant", "I look.", "toolUse"));
    await happened("message_end", said("user", "in French"));
    await happened("message_end", said("assistant", "C'est fait.", "stop"));
    await happened("message_end", said("user", "then rest"));
    await happened("message_end", said("assistant", "", "aborted"));
    await happened("agent_end");
    await happened("agent_settled", { aborted: true });
    expect(await told(5)).toMatchObject([
      { hookType: "prompt_submit", data: { prompt: "Fix it" } },
      { hookType: "prompt_submit", data: { prompt: "in French" } },
      { hookType: "prompt_submit", data: { prompt: "then rest" } },
      { hookType: "stop", data: { assistantResponse: "C'est fait." } },
      { hookType: "stop", data: { stopReason: "aborted" } },
    ]);
  });

  test("reports the answers of versions that do not say when they have settled", async () => {
    const { happened, told } = await session();
    for (const prompt of ["one", "two"]) {
      await happened("input", typed(prompt));
      await happened("agent_start");
      await happened("message_end", said("assistant", `Did ${prompt}.`, "stop"));
      await happened("agent_end");
    }
    await happened("session_shutdown", { reason: "quit" });
    expect(await told(5)).toMatchObject([
      { data: { prompt: "one" } },
      { data: { assistantResponse: "Did one." } },
      { data: { prompt: "two" } },
      { data: { assistantResponse: "Did two." } },
      { hookType: "session_end" },
    ]);
  });

  const earlier = [{ type: "model_change" }, { type: "message", message: { role: "user" } }];

  test.each([
    ["startup", [], ["startup"]],
    ["startup", earlier, ["resume"]],
    ["new", [], ["startup"]],
    ["fork", earlier, ["resume"]],
    ["reload", [], ["startup"]],
    ["reload", earlier, []],
  ])("reports a start by %s after %j as %j", async (reason, entries, sources) => {
    const { happened, told } = await session("", entries);
    await happened("session_start", { reason });
    await happened("input", typed("go on"));
    expect(await told(sources.length + 1)).toMatchObject([
      ...sources.map((source) => ({ hookType: "session_start", data: { source } })),
      { hookType: "prompt_submit" },
    ]);
  });

  test("does not end a session that is loaded again", async () => {
    const { happened, told } = await session();
    await happened("input", typed("go on"));
    await happened("session_shutdown", { reason: "reload" });
    expect(await told(1)).toMatchObject([{ hookType: "prompt_submit" }]);
  });

  test("gives the model the context with the first prompt, and after a compaction at once", async () => {
    const { happened, told, sent } = await session(contextAtStart);
    await happened("session_start", { reason: "startup" });
    const given = (content: string) => ({ customType: "memsvc", content, display: false });
    expect(await happened("before_agent_start", { prompt: "Fix it" })).toEqual({
      message: given("startup notes"),
    });
    expect(await happened("before_agent_start", { prompt: "go on" })).toBeUndefined();
    await happened("session_before_compact", { reason: "threshold" });
    await happened("session_compact", { compactionEntry: { summary: "So far …" }, reason: "threshold" });
    expect(sent).toEqual([[given("compact notes"), { triggerTurn: false }]]);
    expect(await told(4)).toMatchObject([
      { hookType: "session_start" },
      { hookType: "pre_compact", data: { trigger: "auto" } },
      { hookType: "stop", data: { assistantResponse: "So far …", isCompactSummary: true } },
      { hookType: "session_start", data: { source: "compact" } },
    ]);
  });

  test("sends no message if there is no context", async () => {
    const { happened, sent, told } = await session();
    await happened("session_start", { reason: "startup" });
    expect(await happened("before_agent_start", { prompt: "Fix it" })).toBeUndefined();
    await happened("session_compact", { compactionEntry: { summary: "So far …" }, reason: "manual" });
    expect(sent).toEqual([]);
    await told(3);
  });

  test("delays Pi's first request and its end by at most 10 seconds", async () => {
    const { happened, told } = await session();
    const isOver = async (handled: unknown) => {
      let hasEnded = false;
      void Promise.resolve(handled).then(() => {
        hasEnded = true;
      });
      await vi.advanceTimersByTimeAsync(9_999);
      expect(hasEnded).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      return hasEnded;
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await happened("session_start", { reason: "startup" });
      expect(await isOver(happened("before_agent_start", { prompt: "Fix it" }))).toBe(true);
      await happened("input", typed("Fix it"));
      expect(await isOver(happened("session_shutdown", { reason: "quit" }))).toBe(true);
    } finally {
      vi.useRealTimers();
    }
    await told(3);
  });
});
