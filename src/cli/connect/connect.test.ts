import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { agentNamed, everyFile, openAgentHome } from "../../../test/support/agent-settings.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import type { Scope } from "./agent.ts";
import { applyConnection } from "./apply.ts";
import { brokenConnections, connectedScopes } from "./connection-state.ts";
import { partialConnections } from "./partial-connections.ts";
import { plannedConnection } from "./plan.ts";

const home = forEachTest(openAgentHome);

function plannedForClaude() {
  return plannedConnection({
    agent: agentNamed("claude-code"),
    scope: "user",
    places: home.places,
    home: home.memsvc,
    flags: [],
  });
}

function requestForClaude() {
  return { home: home.memsvc, agent: agentNamed("claude-code"), scope: "user" } as const;
}

/** Connects an agent that writes the state file after the connection was planned. */
async function connectWhileAgentWrites(state: string): Promise<void> {
  const plan = plannedForClaude();
  home.write(state, '{"numStartups": 7}');
  await expect(applyConnection(plan, requestForClaude())).rejects.toMatchObject({ code: "conflict" });
}

describe("a settings file", () => {
  const path = () => home.paths("claude-code")[0] ?? "";

  test("that was edited since and is connected again is brought up to date, and then comes back without ours", async () => {
    home.write(path(), '{\n  "a": 1\n}\n');
    await home.connect("claude-code");
    const edited = (home.read(path()) ?? "")
      .replace('"a": 1', '"a": 2')
      .replace(/"timeout": 30/u, '"timeout": 5');
    home.write(path(), edited);
    const [file] = await home.connect("claude-code");
    expect(file?.action).toBe("added");
    expect(home.read(path())).toContain('"timeout": 30');
    await home.disconnect("claude-code");
    expect(home.read(path())).toBe('{\n  "a": 2\n}\n');
  });

  test("that a killed process left half-written beside it is taken away, and not what another one is writing", async () => {
    home.write(path(), "{}");
    const [gone, another] = [4_194_303, process.ppid].map((pid) => `${path()}.memsvc-${pid}-1.tmp`);
    for (const left of [gone, another]) home.write(left ?? "", "half");
    await home.connect("claude-code");
    expect([gone, another].map((left) => existsSync(left ?? ""))).toEqual([false, true]);
  });

  test("of which a killed process left half of what is remembered is remembered without that", async () => {
    home.write(path(), "{}");
    await home.connect("claude-code");
    const connections = join(home.memsvc, "connections");
    const folders = readdirSync(connections).map((name) => join(connections, name));
    const folder = folders.find((one) => existsSync(join(one, "backup"))) ?? "";
    const names = () => readdirSync(folder).sort();
    const before = names();
    for (const name of before) home.write(join(folder, `${name}.memsvc-4194303-1.tmp`), "half");
    home.write(path(), '{"a": 1}');
    await home.connect("claude-code");
    expect(names()).toEqual(before);
  });

  test("that its agent writes meanwhile is not overwritten, and those before it are put back", async () => {
    const [settings = "", state = ""] = home.paths("claude-code");
    home.write(settings, "{}\n");
    await connectWhileAgentWrites(state);
    expect([home.read(settings), home.read(state)]).toEqual(["{}\n", '{"numStartups": 7}']);
  });

  test("that cannot be connected again leave what is remembered of the connection as it was", async () => {
    const [settings = "", state = ""] = home.paths("claude-code");
    home.write(settings, '{"a": 1}\n');
    await home.connect("claude-code");
    const remembered = () =>
      everyFile(join(home.memsvc, "connections"))
        .filter((name) => name.includes("/"))
        .map((name) => home.read(join(home.memsvc, "connections", name)));
    const before = remembered();
    home.write(settings, '{"a": 2}\n');
    await connectWhileAgentWrites(state);
    expect([remembered(), home.read(settings)]).toEqual([before, '{"a": 2}\n']);
  });

  test("that cannot be written leaves nothing behind, not even the folders that were made for others", async () => {
    const [settings = "", state = ""] = home.paths("claude-code");
    const plan = plannedForClaude();
    mkdirSync(state);
    await expect(applyConnection(plan, requestForClaude())).rejects.toThrow();
    expect(existsSync(dirname(settings))).toBe(false);
  });

  test("in which another server has our name is left alone", async () => {
    const text = '{"mcpServers": {"memsvc": {"command": "docker", "args": ["run", "x"]}}}';
    home.write(home.paths("claude-code")[1] ?? "", text);
    await expect(home.connect("claude-code")).rejects.toMatchObject({ code: "conflict" });
    expect(home.read(path())).toBeUndefined();
  });

  test("keeps what a user added to our server's entry", async () => {
    const [, server = ""] = home.paths("claude-code");
    home.write(
      server,
      '{"mcpServers": {"memsvc": {"command": "memsvc", "args": ["mcp"], "env": {"A": "1"}}}}',
    );
    await home.connect("claude-code");
    expect(home.read(server)).toContain('"env": {"A": "1"}');
    expect(home.read(server)).not.toContain('"command": "memsvc"');
    // Also where the entry is made with such a field.
    for (const [agent, made, set] of [
      ["zed", '"env": {}', '"env": {"A": "1"}'],
      ["copilot-cli", '"tools": [\n        "*"\n      ]', '"tools": ["memory_recall"]'],
    ] as const) {
      await home.connect(agent);
      const file = home.paths(agent).at(-1) ?? "";
      const text = (home.read(file) ?? "").replace(made, set);
      expect(text).toContain(set);
      home.write(file, text);
      await home.connect(agent);
      expect(home.read(file)).toBe(text);
    }
  });

  test("that its agent wrote anew, in its own style and with other hooks beside ours, is as it should be", async () => {
    await home.connect("claude-code");
    const settings = JSON.parse(home.read(path()) ?? "");
    settings.hooks.Stop.push({ hooks: [{ type: "command", command: "say done" }] });
    const text = JSON.stringify(settings, null, 4);
    home.write(path(), text);
    await home.connect("claude-code");
    expect(home.read(path())).toBe(text);
  });

  test("of Codex in which the servers are an inline table is left alone, and what is in the way is named", async () => {
    const file = home.paths("codex").at(-1) ?? "";
    const text = 'mcp_servers = { other = { command = "x" } }\n';
    home.write(file, text);
    await expect(home.connect("codex")).rejects.toMatchObject({
      code: "conflict",
      hint: expect.stringContaining("inline table"),
    });
    expect(home.read(file)).toBe(text);
  });

  test("in a folder beside the home whose name begins like the home's is no way out of it", async () => {
    const folder = `${home.places.home}-work`;
    const places = { ...home.places, env: { ...home.places.env, CLAUDE_CONFIG_DIR: folder } };
    const agent = agentNamed("claude-code");
    const plan = plannedConnection({ agent, scope: "user", places, home: home.memsvc, flags: [] });
    expect(plan.map(({ file }) => dirname(file.path))).toEqual([folder, folder]);
  });

  test("that is a link within the home is written where it leads, and stays a link", async () => {
    const real = join(home.places.home, "dotfiles", "settings.json");
    home.write(real, "{}\n");
    mkdirSync(dirname(path()), { recursive: true });
    symlinkSync(real, path());
    await home.connect("claude-code");
    expect(home.read(real)).toContain("observe --hook claude-code");
    expect(lstatSync(path()).isSymbolicLink()).toBe(true);
    await home.disconnect("claude-code");
    expect(home.read(real)).toBe("{}\n");
  });

  test.each(["user", "project"] as const)(
    "of a %s that is a link to somewhere else is refused",
    async (scope: Scope) => {
      const elsewhere = join(dirname(home.places.home), "elsewhere.json");
      home.write(elsewhere, "{}\n");
      const [file = ""] = home.paths("claude-code", scope);
      mkdirSync(dirname(file), { recursive: true });
      symlinkSync(elsewhere, file);
      await expect(home.connect("claude-code", scope)).rejects.toMatchObject({ code: "forbidden" });
      expect(home.read(elsewhere)).toBe("{}\n");
    },
  );

  test("of a project names the program as everybody has it, and one of a user the way to it", async () => {
    await home.connect("claude-code", "project");
    await home.connect("claude-code");
    expect(home.read(home.paths("claude-code", "project")[0] ?? "")).toContain('"memsvc observe --hook');
    expect(home.read(path())).toContain(process.execPath);
  });

  test("whose entries start a program that is gone is found", async () => {
    await home.connect("claude-code");
    expect(brokenConnections(home.places).filter(({ program }) => program === process.execPath)).toEqual([]);
    home.write(path(), (home.read(path()) ?? "").replaceAll(process.execPath, "/nowhere/bin/node"));
    expect(brokenConnections(home.places).map(({ path, program }) => [path, program])).toContainEqual([
      path(),
      "/nowhere/bin/node",
    ]);
  });

  test("that was not written beside another, as by a process that was killed between the two, is found", async () => {
    const found = () =>
      partialConnections(home.places, home.memsvc).map(({ agent, path }) => [agent.name, path]);
    const [, server = ""] = home.paths("claude-code");
    await applyConnection(plannedForClaude().slice(0, 1), requestForClaude());
    expect(found()).toEqual([["claude-code", server]]);
    await home.connect("claude-code");
    for (const agent of ["codex", "opencode", "gemini-cli"]) await home.connect(agent);
    expect(found()).toEqual([]);
    // What somebody took out stays out, and entries that others wrote are theirs.
    rmSync(server);
    expect(found()).toEqual([]);
    expect(partialConnections(home.places, join(home.memsvc, "other"))).toEqual([]);
  });

  test("in which Codex put tables of its own between our marks keeps them", async () => {
    const [, config = ""] = home.paths("codex");
    await home.connect("codex");
    const text = (home.read(config) ?? "").replace(
      "# <<<",
      '[projects."/x"]\ntrust_level = "trusted"\n# <<<',
    );
    home.write(config, text);
    await home.disconnect("codex");
    expect(parseToml(home.read(config) ?? "")).toEqual({ projects: { "/x": { trust_level: "trusted" } } });
  });
});

describe("settings that an agent has under several names", () => {
  const server = (text: string | undefined) => (text ?? "").includes('"mcp"');
  const remembered = () =>
    everyFile(join(home.memsvc, "connections")).filter((path) => path.endsWith("receipt.json"));

  test.each(["user", "project"] as const)(
    "of a %s of OpenCode are all brought up to date and all given back, whichever is there by then",
    async (scope) => {
      await home.connect("opencode", scope);
      const plain = home.paths("opencode", scope)[1] ?? "";
      const commented = `${plain}c`;
      home.write(commented, '{ "theme": "x" } // mine\n');
      const old = (home.read(plain) ?? "").replace('"mcp"\n', '"mcp",\n        "--url=x"\n');
      home.write(plain, old);
      await home.connect("opencode", scope);
      expect([plain, commented].map((path) => server(home.read(path)))).toEqual([true, true]);
      expect(home.read(plain)).not.toContain("--url=x");
      expect(connectedScopes(agentNamed("opencode"), home.places)).toEqual([scope]);
      await home.disconnect("opencode", scope);
      expect([home.read(plain), home.read(commented)]).toEqual([undefined, '{ "theme": "x" } // mine\n']);
      expect(connectedScopes(agentNamed("opencode"), home.places)).toEqual([]);
      expect(remembered()).toEqual([]);
    },
  );

  test("of OpenCode hold already what OpenCode would write into them when it reads them", async () => {
    await home.connect("opencode");
    const plain = home.paths("opencode")[1] ?? "";
    expect(home.read(plain)).toMatch(/^\{\s*"\$schema": "https:\/\/opencode\.ai\/config\.json",/u);
    await home.disconnect("opencode");
    expect(home.read(plain)).toBeUndefined();
  });

  test("of Kilo Code are those that it makes at its first start, with the plugin of OpenCode in its own name", async () => {
    const [plugin = "", plain = ""] = home.paths("kilo");
    const made = '{\n  "$schema": "https://app.kilo.ai/config.json"\n}';
    home.write(`${plain}c`, made);
    await home.connect("kilo");
    expect(home.read(plain)).toBeUndefined();
    expect(server(home.read(`${plain}c`))).toBe(true);
    expect(home.read(plugin)).toMatch(/^\/\/ Written by memsvc connect kilo; .*"--hook","kilo"/su);
    await home.disconnect("kilo");
    expect([home.read(plugin), home.read(`${plain}c`)]).toEqual([undefined, made]);
  });

  test("of which one was given the other's name lose what is ours there", async () => {
    const plain = home.paths("opencode")[1] ?? "";
    home.write(`${plain}c`, "{}\n");
    await home.connect("opencode");
    renameSync(`${plain}c`, plain);
    await home.disconnect("opencode");
    expect(server(home.read(plain))).toBe(false);
    expect(remembered()).toEqual([]);
  });

  test("are not remembered any longer when their folder went before they were given back", async () => {
    const folder = join(home.places.home, ".cline");
    mkdirSync(folder);
    await home.connect("cline");
    expect(remembered()).not.toEqual([]);
    rmSync(folder, { recursive: true });
    await home.disconnect("cline");
    expect(remembered()).toEqual([]);
  });
});

test.each(["codex", "gemini-cli"])(
  "who connects %s is told that it runs hooks only where they are trusted",
  (name) => {
    expect(agentNamed(name).afterwards).toMatch(/trust/);
  },
);

test("settings are looked for where each platform and its variables put them", () => {
  const places = { home: "/u", project: "/p", env: {} };
  const first = (name: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}) =>
    agentNamed(name).files[0]?.path({ ...places, platform, env });
  expect(first("vscode", "linux")).toBe("/u/.config/Code/User/mcp.json");
  expect(first("vscode", "darwin")).toBe("/u/Library/Application Support/Code/User/mcp.json");
  expect(first("claude-desktop", "win32", { APPDATA: "/roaming" })).toBe(
    "/roaming/Claude/claude_desktop_config.json",
  );
  const xdg = { XDG_CONFIG_HOME: "/xdg" };
  expect(first("zed", "linux", xdg)).toBe("/xdg/zed/settings.json");
  expect(first("zed", "darwin", xdg)).toBe("/u/.config/zed/settings.json");
  expect(first("gemini-cli", "linux")).toBe("/u/.gemini/settings.json");
  expect(first("gemini-cli", "linux", { GEMINI_CLI_HOME: "/g" })).toBe("/g/.gemini/settings.json");
  expect(first("kilo", "linux", xdg)).toBe("/xdg/kilo/plugins/memsvc.js");
  expect(first("qwen-code", "linux")).toBe("/u/.qwen/settings.json");
  expect(first("qwen-code", "linux", { QWEN_HOME: "/q" })).toBe("/q/settings.json");
  expect(first("claude-code", "linux", { CLAUDE_CONFIG_DIR: "/c" })).toBe("/c/settings.json");
  expect(first("codex", "linux", { CODEX_HOME: "/c" })).toBe("/c/hooks.json");
});
