import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openAgentHome } from "../../../test/support/agent-settings.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { loadPlugin } from "../../../test/support/loaded-plugin.ts";
import { openCodePlugin } from "./opencode-plugin.ts";

const home = forEachTest(openAgentHome);
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

describe("the plugin for OpenCode", () => {
  type Hook = (...given: readonly unknown[]) => unknown;
  interface Plugin {
    readonly server: (host: object) => Promise<Record<string, Hook>>;
    readonly setup: (host: object) => Promise<() => void>;
  }

  const loaded = (answers?: string) =>
    loadPlugin<Plugin>(home, (invocation) => openCodePlugin("opencode", invocation), answers);

  const expected = [
    { hookType: "session_start", sessionId: "s", cwd: "/p", data: { title: "t" } },
    { hookType: "prompt_submit", sessionId: "s", data: { prompt: "do it" } },
    { hookType: "pre_tool_use", sessionId: "s", data: { toolName: "bash", toolInput: { command: "ls" } } },
    { hookType: "post_tool_use", sessionId: "s", data: { toolInput: { command: "ls" }, toolOutput: "a b" } },
    { hookType: "stop", sessionId: "s" },
  ];

  test.each([
    ["memsvc", "/my data/m"],
    ["memsvc.cmd", "/data & more/m"],
  ])("%s gets the home %s from the Windows shell as one word", async (name, memory) => {
    const { home: folder } = home.places;
    const [log, file] = [join(folder, "words.txt"), join(folder, "by-name.mjs")];
    const script = `#!/bin/sh\nprintf '%s\\n' "$@" >${log}\n`;
    home.write(join(folder, "bin", name), script);
    chmodSync(join(folder, "bin", name), 0o755);
    home.write(file, openCodePlugin("opencode", { program: [name], flags: ["--home", memory] }));
    vi.stubEnv("PATH", `${join(folder, "bin")}:${process.env.PATH}`);
    vi.stubGlobal("process", Object.setPrototypeOf({ platform: "win32" }, process));
    const { default: plugin } = (await import(file)) as { default: Plugin };
    const hooks = await plugin.server({ directory: "/p" });
    await hooks.event?.({
      event: { type: "session.created", properties: { info: { id: "s", title: "t" } } },
    });
    await expect.poll(() => home.read(log)).toBe(`observe\n--hook\nopencode\n--home\n${memory}\n`);
  });

  test("reports the events of OpenCode's first generation in order", async () => {
    const { plugin, told } = await loaded();
    const hooks = await plugin.server({ directory: "/p" });
    const tool = { tool: "bash", sessionID: "s", callID: "c" };
    await hooks.event?.({
      event: { type: "session.created", properties: { info: { id: "s", title: "t" } } },
    });
    await hooks["chat.message"]?.({ sessionID: "s" }, { parts: [{ type: "text", text: "do it" }] });
    await hooks["tool.execute.before"]?.(tool, { args: { command: "ls" } });
    await hooks["tool.execute.after"]?.(
      { ...tool, args: { command: "ls" } },
      { output: "a b", metadata: {} },
    );
    await hooks.event?.({ event: { type: "session.idle", properties: { sessionID: "s" } } });
    expect(await told(expected.length)).toMatchObject(expected);
  });

  test("reports the same events of the second generation", async () => {
    const { plugin, told } = await loaded();
    const hooks = new Map<string, Hook>();
    const hook = (name: string, run: Hook) => {
      hooks.set(name, run);
      return Promise.resolve();
    };
    let hasEvents: () => void = () => undefined;
    async function* subscribe() {
      yield { type: "session.created", data: { sessionID: "s", title: "t" } };
      await new Promise<void>((resolve) => {
        hasEvents = resolve;
      });
      yield { type: "session.idle", data: { sessionID: "s" } };
    }
    const stop = await plugin.setup({
      location: { directory: "/p" },
      tool: { hook },
      session: { hook },
      event: { subscribe },
    });
    await told(1);
    const tool = { tool: "bash", sessionID: "s", id: "c", input: { command: "ls" } };
    hooks.get("prompt")?.({ sessionID: "s", prompt: { text: "do it" } });
    hooks.get("execute.before")?.(tool);
    hooks.get("execute.after")?.({ ...tool, status: "completed", result: { output: "a b" } });
    hasEvents();
    expect(await told(expected.length)).toMatchObject(expected);
    stop();
  });

  const hostOf = (run: (hooks: Record<string, Hook>) => Promise<void>) => async () => {
    const { plugin, told } = await loaded();
    const hooks = await plugin.server({ directory: "/p" });
    await run(hooks);
    return told;
  };
  const happened = (hooks: Record<string, Hook>, type: string, properties: object) =>
    hooks.event?.({ event: { type, properties } });

  test("reports the first generation's answers, failures, MCP tools and the user's own prompt", async () => {
    const told = await hostOf(async (hooks) => {
      await hooks["chat.message"]?.(
        { sessionID: "s" },
        {
          parts: [
            { type: "text", text: "look at @a.ts" },
            { type: "text", text: "Called the Read tool with the following input", synthetic: true },
            { type: "file", url: "file:///p/a.ts" },
          ],
        },
      );
      const issue = { tool: "tracker_issue", sessionID: "s", callID: "c1", args: { id: 7 } };
      await hooks["tool.execute.after"]?.(issue, { content: [{ type: "text", text: "open since May" }] });
      const state = { status: "error", input: { filePath: "/p/b.ts" }, error: "File not found: /p/b.ts" };
      await happened(hooks, "message.part.updated", {
        part: { type: "tool", tool: "read", callID: "c2", sessionID: "s", state },
      });
      await hooks["experimental.text.complete"]?.({ sessionID: "s" }, { text: "I look." });
      await hooks["experimental.text.complete"]?.({ sessionID: "s" }, { text: "a.ts is empty." });
      await happened(hooks, "session.idle", { sessionID: "s" });
      await happened(hooks, "session.idle", { sessionID: "s" });
    })();
    expect(await told(4)).toMatchObject([
      { hookType: "prompt_submit", data: { prompt: "look at @a.ts" } },
      {
        hookType: "post_tool_use",
        data: { toolName: "tracker_issue", toolOutput: [{ text: "open since May" }] },
      },
      {
        hookType: "post_tool_failure",
        data: { toolName: "read", toolInput: { filePath: "/p/b.ts" }, error: "File not found: /p/b.ts" },
      },
      { hookType: "stop", data: { assistantResponse: "a.ts is empty." } },
    ]);
  });

  test.each([
    [
      "task",
      '<task id="child" state="completed">\n<task_result>\nin src/read.ts\n</task_result>\n</task>',
      "in src/read.ts",
    ],
    ["task", "in src/read.ts", "in src/read.ts"],
    [
      "read",
      "<task id='1'><task_result>\nx</task_result></task>",
      "<task id='1'><task_result>\nx</task_result></task>",
    ],
  ])("reports what %s gave, of a sub-agent only the answer: %j", async (tool, output, toolOutput) => {
    const told = await hostOf(async (hooks) => {
      await hooks["tool.execute.after"]?.({ tool, sessionID: "s", args: {} }, { output, metadata: {} });
    })();
    expect(await told(1)).toMatchObject([{ hookType: "post_tool_use", data: { toolOutput } }]);
  });

  test("reports a sub-agent's work in the session of its parent", async () => {
    const told = await hostOf(async (hooks) => {
      await happened(hooks, "session.created", {
        info: { id: "child", parentID: "s", title: "Look (@explore)" },
      });
      await hooks["chat.message"]?.(
        { sessionID: "child", agent: "explore" },
        { parts: [{ type: "text", text: "find the parser" }] },
      );
      await hooks["tool.execute.before"]?.(
        { tool: "grep", sessionID: "child" },
        { args: { pattern: "parse" } },
      );
      await hooks["experimental.text.complete"]?.({ sessionID: "child" }, { text: "in src/read.ts" });
      await happened(hooks, "session.idle", { sessionID: "child" });
      await happened(hooks, "session.deleted", { info: { id: "child", parentID: "s" } });
      await happened(hooks, "session.deleted", { info: { id: "s" } });
    })();
    const ofChild = { sessionId: "s", data: { agentId: "child" } };
    expect(await told(4)).toMatchObject([
      { ...ofChild, hookType: "subagent_start", data: { agentType: "explore", prompt: "find the parser" } },
      { ...ofChild, hookType: "pre_tool_use" },
      { ...ofChild, hookType: "subagent_stop", data: { assistantResponse: "in src/read.ts" } },
      { sessionId: "s", hookType: "session_end" },
    ]);
  });

  test("asks OpenCode for the parent of a session that began before OpenCode was started", async () => {
    const { plugin, told } = await loaded();
    const asked: string[] = [];
    const get = ({ path: { id } }: { path: { id: string } }) => {
      asked.push(id);
      if (id === "lost") return Promise.reject(new Error("no such session"));
      return Promise.resolve({ data: id === "child" ? { id, parentID: "s" } : { id } });
    };
    const hooks = await plugin.server({ directory: "/p", client: { session: { get } } });
    for (const sessionID of ["s", "child", "child", "lost"])
      await hooks["chat.message"]?.({ sessionID }, { parts: [{ type: "text", text: sessionID }] });
    expect(await told(5)).toMatchObject([
      { hookType: "session_start", sessionId: "s", data: { source: "resume" } },
      { hookType: "prompt_submit", sessionId: "s" },
      { hookType: "subagent_start", sessionId: "s", data: { prompt: "child", agentId: "child" } },
      { hookType: "subagent_start", sessionId: "s" },
      { hookType: "prompt_submit", sessionId: "lost" },
    ]);
    expect(asked).toEqual(["s", "child", "lost"]);
  });

  test("reports a compaction summary apart from the last answer", async () => {
    const told = await hostOf(async (hooks) => {
      const completed = (text: string) => hooks["experimental.text.complete"]?.({ sessionID: "s" }, { text });
      await hooks["chat.message"]?.({ sessionID: "s" }, { parts: [{ type: "text", text: "set the port" }] });
      await completed("I look.");
      await hooks["experimental.session.compacting"]?.({ sessionID: "s" }, { context: [] });
      await completed("So far the port was set to 4222.");
      await happened(hooks, "session.compacted", { sessionID: "s" });
      await happened(hooks, "session.idle", { sessionID: "s" });
    })();
    expect(await told(5)).toMatchObject([
      { hookType: "prompt_submit" },
      { hookType: "pre_compact" },
      {
        hookType: "stop",
        data: { assistantResponse: "So far the port was set to 4222.", isCompactSummary: true },
      },
      { hookType: "session_start", data: { source: "compact" } },
      { hookType: "stop", data: { assistantResponse: "I look." } },
    ]);
  });

  test("reports no title that is only the default with its time", async () => {
    const told = await hostOf(async (hooks) => {
      for (const title of ["New session - 2026-11-26T11:14:48.342Z", "New session - of the client"])
        await happened(hooks, "session.created", { info: { id: title, title } });
    })();
    const [unnamed, named] = (await told(2)) as { data: { title?: string } }[];
    expect(unnamed?.data.title).toBeUndefined();
    expect(named?.data.title).toBe("New session - of the client");
  });

  test("adds the context of a session to that session's requests only, once it is known", async () => {
    const { plugin } = await loaded(
      `for (const { hookType, sessionId, data } of events)
         if (hookType === "session_start")
           console.log(JSON.stringify({ sessionId, context: data.source + " of " + sessionId }));`,
    );
    const get = ({ path: { id } }: { path: { id: string } }) => Promise.resolve({ data: { id } });
    const hooks = await plugin.server({ directory: "/p", client: { session: { get } } });
    const systemOf = async (sessionID: string, ...system: string[]) => {
      await hooks["experimental.chat.system.transform"]?.({ sessionID }, { system });
      return system;
    };
    await happened(hooks, "session.created", { info: { id: "s" } });
    await happened(hooks, "session.created", { info: { id: "child", parentID: "s" } });
    for (const _request of [1, 2])
      expect(await systemOf("s", "You are opencode")).toEqual(["You are opencode\n\nstartup of s"]);
    expect(await systemOf("s", "You are a title generator.")).toEqual(["You are a title generator."]);
    expect(await systemOf("child", "You are opencode")).toEqual(["You are opencode"]);
    await hooks["chat.message"]?.({ sessionID: "older" }, { parts: [{ type: "text", text: "go on" }] });
    expect(await systemOf("older")).toEqual(["resume of older"]);
    await hooks["experimental.session.compacting"]?.({ sessionID: "s" }, { context: [] });
    expect(await systemOf("s", "You summarise")).toEqual(["You summarise"]);
    await hooks["experimental.text.complete"]?.({ sessionID: "s" }, { text: "So far …" });
    await happened(hooks, "session.compacted", { sessionID: "s" });
    expect(await systemOf("s")).toEqual(["compact of s"]);
  });

  test("survives an unusable tool result, and reports what follows before OpenCode ends", async () => {
    const told = await hostOf(async (hooks) => {
      const tool = { tool: "task", sessionID: "s", callID: "c" };
      await hooks["tool.execute.after"]?.({ ...tool, args: { prompt: "review" } }, undefined);
      await hooks["tool.execute.after"]?.({ ...tool, args: { size: 1n } }, { output: "done" });
      await hooks["chat.message"]?.({ sessionID: "s" }, { parts: [{ type: "text", text: "go on" }] });
      await hooks.dispose?.();
      expect(home.read(join(home.places.home, "told.ndjson"))).toContain("go on");
    })();
    expect(await told(1)).toMatchObject([{ hookType: "prompt_submit", data: { prompt: "go on" } }]);
  });

  test("reports events that pile up as one ordered batch", async () => {
    const { plugin, told, starts } = await loaded();
    const hooks = await plugin.server({ directory: "/p" });
    const commands = Array.from({ length: 30 }, (_, at) => `echo ${at}`);
    for (const command of commands)
      await hooks["tool.execute.before"]?.({ tool: "bash", sessionID: "s" }, { args: { command } });
    expect(await told(30)).toMatchObject(commands.map((command) => ({ data: { toolInput: { command } } })));
    const words = ["observe", "--hook", "opencode"];
    expect(starts()).toEqual([words, [...words, "--batch"]]);
  });

  test("delays OpenCode's end by at most 10 seconds, and still reports the rest", async () => {
    const { plugin, told } = await loaded();
    const hooks = await plugin.server({ directory: "/p" });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await happened(hooks, "session.created", { info: { id: "s" } });
      await hooks["tool.execute.before"]?.({ tool: "bash", sessionID: "s" }, { args: { command: "ls" } });
      let hasEnded = false;
      const ended = Promise.resolve(hooks.dispose?.()).then(() => {
        hasEnded = true;
      });
      await vi.advanceTimersByTimeAsync(9_999);
      expect(hasEnded).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await ended;
    } finally {
      vi.useRealTimers();
    }
    expect(await told(2)).toHaveLength(2);
  });

  test("reports the second generation's answers and failures once, and nothing of other folders", async () => {
    const { plugin, told } = await loaded();
    const hooks = new Map<string, Hook>();
    const hook = (name: string, run: Hook) => {
      hooks.set(name, run);
      return Promise.resolve();
    };
    async function* subscribe() {
      const location = { directory: "/p" };
      yield { type: "session.created", location: { directory: "/other" }, data: { sessionID: "o" } };
      yield {
        type: "session.created",
        location,
        data: { sessionID: "child", parentID: "s", agent: "explore" },
      };
      hooks.get("prompt")?.({ sessionID: "child", prompt: { text: "find it" } });
      hooks.get("execute.after")?.({
        tool: "read",
        sessionID: "s",
        status: "error",
        error: { message: "no file" },
      });
      yield {
        type: "session.text.ended",
        location,
        data: { sessionID: "s", ordinal: 0, text: "There is none." },
      };
      yield { type: "session.execution.failed", location, data: { sessionID: "s" } };
      yield { type: "session.idle", location, data: { sessionID: "s" } };
      yield {
        type: "session.compaction.ended",
        location,
        data: { sessionID: "s", reason: "auto", text: "So far …" },
      };
      await new Promise(() => undefined);
    }
    await plugin.setup({
      location: { directory: "/p" },
      tool: { hook },
      session: { hook },
      event: { subscribe },
    });
    expect(await told(4)).toMatchObject([
      { hookType: "subagent_start", sessionId: "s", data: { agentType: "explore", prompt: "find it" } },
      { hookType: "post_tool_failure", data: { toolName: "read", error: "no file" } },
      { hookType: "stop", data: { assistantResponse: "There is none." } },
      { hookType: "stop", data: { assistantResponse: "So far …" } },
    ]);
  });
});
