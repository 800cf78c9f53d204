import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AgentHome, openAgentHome } from "../../../test/support/agent-settings.ts";
import { openCodePlugin } from "./opencode-plugin.ts";

let home: AgentHome;
beforeEach(() => {
  home = openAgentHome();
});
afterEach(() => home.remove());

describe("the plugin for OpenCode", () => {
  type Hook = (...given: readonly unknown[]) => unknown;
  interface PluginModule {
    readonly default: {
      readonly server: (host: object) => Promise<Record<string, Hook>>;
      readonly setup: (host: object) => Promise<() => void>;
    };
  }

  /** The plugin, starting a program that writes down what it is given; `told` waits for so many events. */
  async function loaded(): Promise<{
    plugin: PluginModule["default"];
    told: (count: number) => Promise<object[]>;
  }> {
    const folder = home.places.home;
    const [log, recorder, plugin] = ["told.ndjson", "recorder.mjs", "plugin.mjs"].map((name) =>
      join(folder, name),
    );
    home.write(
      recorder ?? "",
      `import { appendFileSync, readFileSync } from "node:fs";
       appendFileSync(${JSON.stringify(log)}, readFileSync(0, "utf8") + "\\n");`,
    );
    home.write(plugin ?? "", openCodePlugin({ program: [process.execPath, recorder ?? ""], flags: [] }));
    const module = (await import(plugin ?? "")) as PluginModule;
    const lines = () => (home.read(log ?? "") ?? "").split("\n").filter((line) => line !== "");
    return {
      plugin: module.default,
      told: async (count) => {
        await expect.poll(() => lines().length, { timeout: 10_000 }).toBe(count);
        return lines().map((line) => JSON.parse(line) as object);
      },
    };
  }

  const expected = [
    { hookType: "session_start", sessionId: "s", cwd: "/p", data: { title: "t" } },
    { hookType: "prompt_submit", sessionId: "s", data: { prompt: "do it" } },
    { hookType: "pre_tool_use", sessionId: "s", data: { toolName: "bash", toolInput: { command: "ls" } } },
    { hookType: "post_tool_use", sessionId: "s", data: { toolInput: { command: "ls" }, toolOutput: "a b" } },
    { hookType: "stop", sessionId: "s" },
  ];

  test("tells what happens in the first generation, in order", async () => {
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

  test("tells the same in the second", async () => {
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
});
