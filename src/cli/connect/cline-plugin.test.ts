import { describe, expect, test, vi } from "vitest";
import { openAgentHome } from "../../../test/support/agent-settings.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { loadPlugin } from "../../../test/support/loaded-plugin.ts";
import { clinePlugin } from "./cline-plugin.ts";

const home = forEachTest(openAgentHome);

type Event = "afterRun" | "afterTool" | "beforeRun" | "beforeTool";

interface Plugin {
  readonly setup: (api: object, host: object) => void;
  readonly hooks: Readonly<Record<Event, (context: object) => unknown>>;
}

async function loaded(answers?: string) {
  const { plugin, told } = await loadPlugin<Plugin>(home, clinePlugin, answers);
  // Cline calls this once without a session, to show its settings.
  plugin.setup({}, {});
  plugin.setup({}, { session: { sessionId: "17_s" }, workspaceInfo: { rootPath: "/p", hint: "p" } });
  return { ...plugin.hooks, told };
}

/* What Cline 3.0.65 sends, shortened. */

function fromUser(id: string, text: string, tag = 'user_input mode="act"') {
  const [name] = tag.split(" ");
  return { id, role: "user", content: [{ type: "text", text: `<${tag}>${text}</${name}>` }] };
}

const asked = fromUser("e60b", "Set the retries");
const given = {
  id: "msg_AFAk",
  role: "user",
  content: [{ type: "text", text: '<hook_context source="RunStart">\nnotes\n</hook_context>' }],
  metadata: { displayRole: "system" },
};
const answer = { id: "msg_Tour", role: "assistant", content: [{ type: "text", text: "I look." }] };

function by(messages: readonly object[], agent: object = { agentId: "agent_1" }) {
  return { snapshot: { conversationId: "conv_1", status: "running", ...agent, messages } };
}

const lead = by([asked, given, answer]);

function call(toolName: string, input: object, agent: object = lead) {
  return { ...agent, toolCall: { type: "tool-call", toolCallId: "call_1", toolName, input }, input };
}

function ended(outputText: string, agent: object = lead, status = "completed") {
  return { ...agent, result: { status, iterations: 2, outputText } };
}

describe("the plugin for Cline", () => {
  test("reports the prompt, each command and file of a call, what failed, and the answer", async () => {
    const { beforeRun, beforeTool, afterTool, afterRun, told } = await loaded();
    await beforeRun(by([asked]));
    const commands = call("run_commands", { commands: ["npm test", "git status"] });
    await beforeTool(commands);
    await afterTool({
      ...commands,
      result: {
        output: [
          {
            query: "npm test",
            result: "[Command exited with code 3]\n1 failed\n",
            error: "Command exited with code 3",
            success: false,
          },
          { query: "git status", result: "clean\n", success: true },
        ],
      },
    });
    const lost = "Error reading file: ENOENT: no such file or directory, statx '/p/b.ts'";
    await afterTool({
      ...call("read_files", { files: [{ path: "/p/a.ts", start_line: 1 }, { path: "/p/b.ts" }] }),
      result: {
        output: [
          { query: "/p/a.ts", result: "1 | hi", success: true },
          { query: "/p/b.ts", result: "", error: lost, success: false },
        ],
      },
    });
    const edited = { query: "edit:/p/a.ts", result: "Edited /p/a.ts", success: true };
    await afterTool({
      ...call("editor", { path: "/p/a.ts", old_text: "hi", new_text: "ho" }),
      durationMs: 70,
      result: { output: edited },
    });
    await afterTool({
      ...call("run_commands", { commands: 1 }),
      result: { output: { error: "✖ Invalid input → at commands" }, isError: true },
    });
    const found = { content: [{ type: "text", text: "open since May" }] };
    await afterTool({ ...call("tracker__issue", { old_text: "x" }), result: { output: found } });
    await afterRun(ended("One test fails."));
    const events = await told(12);
    expect(events).toMatchObject([
      { hookType: "session_start", sessionId: "17_s", cwd: "/p", data: { source: "startup" } },
      { hookType: "prompt_submit", data: { prompt: "Set the retries" } },
      { hookType: "pre_tool_use", data: { toolInput: { command: "npm test" } } },
      { hookType: "pre_tool_use", data: { toolInput: { command: "git status" } } },
      {
        hookType: "post_tool_failure",
        data: {
          toolName: "run_commands",
          toolInput: { command: "npm test" },
          exitCode: 3,
          error: "1 failed\n",
        },
      },
      {
        hookType: "post_tool_use",
        data: { toolInput: { command: "git status" }, toolOutput: "clean\n" },
      },
      { hookType: "post_tool_use", data: { toolInput: { path: "/p/a.ts" }, toolOutput: "1 | hi" } },
      { hookType: "post_tool_failure", data: { toolInput: { path: "/p/b.ts" }, error: lost } },
      {
        hookType: "post_tool_use",
        data: {
          toolName: "editor",
          toolInput: { path: "/p/a.ts", oldText: "hi", newText: "ho" },
          durationMs: 70,
        },
      },
      { hookType: "post_tool_failure", data: { error: "✖ Invalid input → at commands" } },
      {
        hookType: "post_tool_use",
        data: { toolName: "tracker__issue", toolInput: { old_text: "x" }, toolOutput: found },
      },
      { hookType: "stop", sessionId: "17_s", data: { assistantResponse: "One test fails." } },
    ]);
    expect(JSON.stringify(events)).not.toContain("agentId");
  });

  const words = { command: "git", args: ["commit", "-m", "Cap it"] };

  test.each([
    ["run_commands", { commands: "npm test" }, [{ command: "npm test" }]],
    ["run_commands", ["npm test", "git status"], [{ command: "npm test" }, { command: "git status" }]],
    ["run_commands", { commands: [words] }, [{ command: 'git commit -m "Cap it"' }]],
    ["read_files", { files: { path: "/p/a.ts", start_line: 2 } }, [{ path: "/p/a.ts", start_line: 2 }]],
    ["read_files", { file_paths: ["/p/a.ts", "/p/b.ts"] }, [{ path: "/p/a.ts" }, { path: "/p/b.ts" }]],
    ["read_files", { paths: ["/p/a.ts", "/p/b.ts"] }, [{ path: "/p/a.ts" }, { path: "/p/b.ts" }]],
    ["search_codebase", { queries: "cap" }, [{ pattern: "cap" }]],
  ])("reports each thing that %s does with %j", async (toolName, input, things) => {
    const { beforeRun, beforeTool, afterTool, told } = await loaded();
    await beforeRun(by([asked]));
    await beforeTool(call(toolName, input));
    const output = things.map((_, at) => ({ result: `${at}`, error: "lost", success: at > 0 }));
    await afterTool({ ...call(toolName, input), result: { output } });
    const reported = (await told(2 + 2 * things.length)).slice(2);
    expect(reported).toMatchObject([
      ...things.map((toolInput) => ({ hookType: "pre_tool_use", data: { toolInput } })),
      ...things.map((toolInput, at) => ({
        hookType: at > 0 ? "post_tool_use" : "post_tool_failure",
        data: { toolInput },
      })),
    ]);
  });

  test("reports sub-agents and teammates with their task, in the user's session", async () => {
    const { beforeRun, beforeTool, afterTool, afterRun, told } = await loaded();
    await beforeRun(by([asked]));
    const spawned = call("spawn_agent", { systemPrompt: "You review.", task: "Review a.ts" });
    await beforeTool(spawned);
    const task = { id: "4e23", role: "user", content: [{ type: "text", text: "Review a.ts" }] };
    const child = by([task], { agentId: "agent_2", parentAgentId: "agent_1", conversationId: "conv_2" });
    const mate = by([task], { agentId: "agent_3", conversationId: "conv_3" });
    for (const other of [child, mate]) {
      await beforeRun(other);
      await beforeTool(call("run_commands", { commands: ["cat a.ts"] }, other));
      await afterRun(ended("It is fine.", other));
    }
    await afterTool({ ...spawned, result: { output: { text: "It is fine.", iterations: 2 } } });
    await afterRun(ended("Reviewed."));
    const work = (agentId: string) => [
      { hookType: "subagent_start", sessionId: "17_s", data: { agentId, prompt: "Review a.ts" } },
      { hookType: "pre_tool_use", data: { agentId, toolInput: { command: "cat a.ts" } } },
      { hookType: "subagent_stop", data: { agentId, assistantResponse: "It is fine." } },
    ];
    expect(await told(11)).toMatchObject([
      { hookType: "session_start" },
      { hookType: "prompt_submit" },
      { hookType: "pre_tool_use", data: { toolInput: { prompt: "Review a.ts" } } },
      ...work("agent_2"),
      ...work("agent_3"),
      { hookType: "post_tool_use", data: { toolOutput: "It is fine." } },
      { hookType: "stop" },
    ]);
  });

  test("reports each of the user's prompts once, in resumed sessions and while Cline works, too", async () => {
    const { beforeRun, afterTool, afterRun, told } = await loaded();
    const resumed = [asked, given, answer, fromUser("71c4", "go on")];
    await beforeRun(by(resumed));
    const steered = by([
      ...resumed,
      answer,
      fromUser("msg_pP6V", "/test it\nnow", 'user_command slash="test"'),
    ]);
    const aborted = {
      query: "sleep 9",
      result: "",
      error: "Command failed: Command was aborted",
      success: false,
    };
    await afterTool({
      ...call("run_commands", { commands: ["sleep 9"] }, by(resumed)),
      result: { output: [aborted] },
    });
    await afterRun(ended("I look.", steered, "aborted"));
    expect(await told(5)).toMatchObject([
      { hookType: "session_start", data: { source: "resume" } },
      { hookType: "prompt_submit", data: { prompt: "go on" } },
      { hookType: "post_tool_failure", data: { error: "Command failed: Command was aborted" } },
      { hookType: "prompt_submit", data: { prompt: "/test it\nnow" } },
      { hookType: "stop", data: { assistantResponse: "I look.", stopReason: "aborted" } },
    ]);
  });

  test("adds the context of a session to its first turn only, and to no sub-agent's", async () => {
    const { beforeRun } = await loaded(
      `for (const { hookType, sessionId } of events)
         if (hookType === "session_start") console.log(JSON.stringify({ sessionId, context: "what is known" }));`,
    );
    expect(await beforeRun(by([asked]))).toEqual({ appendContext: "what is known" });
    const task = { id: "4e23", role: "user", content: "Review a.ts" };
    expect(await beforeRun(by([task], { agentId: "agent_2", parentAgentId: "agent_1" }))).toBeUndefined();
    expect(await beforeRun(by([asked, given, answer, fromUser("71c4", "go on")]))).toBeUndefined();
  });

  test("does not fail Cline's turn if it does not understand an event", async () => {
    const { beforeTool, afterRun, told } = await loaded();
    const shown = vi.spyOn(console, "error").mockImplementation(() => undefined);
    expect(await beforeTool({ snapshot: { agentId: "agent_1" } })).toBeUndefined();
    expect(shown).toHaveBeenCalledOnce();
    shown.mockRestore();
    await afterRun(ended("Done."));
    expect(await told(1)).toMatchObject([{ data: { assistantResponse: "Done." } }]);
  });

  test("delays Cline by less than the 3 seconds after which a hook fails its turn", async () => {
    const { beforeRun, afterRun, told } = await loaded();
    const isOver = async (hook: unknown) => {
      let hasEnded = false;
      void Promise.resolve(hook).then(() => {
        hasEnded = true;
      });
      await vi.advanceTimersByTimeAsync(1_999);
      expect(hasEnded).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      return hasEnded;
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      expect(await isOver(beforeRun(by([asked])))).toBe(true);
      expect(await isOver(afterRun(ended("Done.")))).toBe(true);
    } finally {
      vi.useRealTimers();
    }
    expect(await told(3)).toHaveLength(3);
  });
});
