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
import { filesOf, plannedConnection } from "./plan.ts";

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

  test("that was edited after connecting is updated, and later restored without our entries", async () => {
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

  test("loses the temporary file of a killed process, but not that of a running one", async () => {
    home.write(path(), "{}");
    const [gone, another] = [4_194_303, process.ppid].map((pid) => `${path()}.memsvc-${pid}-1.tmp`);
    for (const left of [gone, another]) home.write(left ?? "", "half");
    await home.connect("claude-code");
    expect([gone, another].map((left) => existsSync(left ?? ""))).toEqual([false, true]);
  });

  test("has the partial records of a killed process removed", async () => {
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

  test("that its agent writes meanwhile is not overwritten, and earlier files are restored", async () => {
    const [settings = "", state = ""] = home.paths("claude-code");
    home.write(settings, "{}\n");
    await connectWhileAgentWrites(state);
    expect([home.read(settings), home.read(state)]).toEqual(["{}\n", '{"numStartups": 7}']);
    expect(everyFile(join(home.memsvc, "connections"))).toEqual([]);
  });

  test("that cannot be connected again keeps the record of its connection", async () => {
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

  test("that cannot be written leaves no files and folders behind", async () => {
    const [settings = "", state = ""] = home.paths("claude-code");
    const plan = plannedForClaude();
    mkdirSync(state);
    await expect(applyConnection(plan, requestForClaude())).rejects.toThrow();
    expect(existsSync(dirname(settings))).toBe(false);
  });

  test("keeps its byte order mark, and is restored with it", async () => {
    const text = '\uFEFF{"a": 1}\n';
    home.write(path(), text);
    await home.connect("claude-code");
    expect(home.read(path())).toMatch(/^\uFEFF\{"a": 1, "hooks"/u);
    home.write(path(), (home.read(path()) ?? "").replace('"a": 1', '"a": 2'));
    await home.disconnect("claude-code");
    expect(home.read(path())).toBe('\uFEFF{"a": 2}\n');
  });

  test("with a server's entry of Windows paths is connected, one of another program is not", () => {
    const entryOf = (script: string) =>
      JSON.stringify({ mcpServers: { memsvc: { command: "C:\\nodejs\\node.exe", args: [script, "mcp"] } } });
    const connected = (script: string) => {
      home.write(home.paths("claude-code")[1] ?? "", entryOf(script));
      return connectedScopes(agentNamed("claude-code"), home.places);
    };
    expect(connected("C:\\npm\\memsvc\\dist\\main.cjs")).toEqual(["user"]);
    expect(connected("C:\\npm\\other\\dist\\index.cjs")).toEqual([]);
  });

  test("that cannot be parsed connects nothing, whatever is in it", () => {
    home.write(path(), '{"hooks": {"Stop": [{"hooks": [{"command": "/gone observe --hook claude-code"}]}]}');
    expect(connectedScopes(agentNamed("claude-code"), home.places)).toEqual([]);
    expect(brokenConnections(home.places)).toEqual([]);
  });

  test("with a single hook of ours left is still connected, and disconnected", async () => {
    const hook = { type: "command", command: "memsvc observe --hook claude-code" };
    home.write(path(), JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }));
    expect(connectedScopes(agentNamed("claude-code"), home.places)).toEqual(["user"]);
    await home.disconnect("claude-code");
    expect(home.read(path())).toBe("{}");
  });

  test("with another server under our name is left unchanged", async () => {
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
    // Also if memsvc itself writes the entry with such a field.
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

  test("that its agent rewrote in its own style, with other hooks beside ours, is left unchanged", async () => {
    await home.connect("claude-code");
    const settings = JSON.parse(home.read(path()) ?? "");
    settings.hooks.Stop.push({ hooks: [{ type: "command", command: "say done" }] });
    const text = JSON.stringify(settings, null, 4);
    home.write(path(), text);
    await home.connect("claude-code");
    expect(home.read(path())).toBe(text);
  });

  test("of Codex with its servers in an inline table is left unchanged, with a hint", async () => {
    const file = home.paths("codex").at(-1) ?? "";
    const text = 'mcp_servers = { other = { command = "x" } }\n';
    home.write(file, text);
    await expect(home.connect("codex")).rejects.toMatchObject({
      code: "conflict",
      hint: expect.stringContaining("inline table"),
    });
    expect(home.read(file)).toBe(text);
  });

  test("in a folder whose name begins like the home's is accepted", async () => {
    const folder = `${home.places.home}-work`;
    const places = { ...home.places, env: { ...home.places.env, CLAUDE_CONFIG_DIR: folder } };
    const agent = agentNamed("claude-code");
    const plan = plannedConnection({ agent, scope: "user", places, home: home.memsvc, flags: [] });
    expect(plan.map(({ file }) => dirname(file.path))).toEqual([folder, folder]);
  });

  test("that is a link within the home is written at its target and stays a link", async () => {
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

  test("of a project names the program, and that of a user its path", async () => {
    await home.connect("claude-code", "project");
    await home.connect("claude-code");
    expect(home.read(home.paths("claude-code", "project")[0] ?? "")).toContain('"memsvc observe --hook');
    expect(home.read(path())).toContain(process.execPath);
  });

  test("whose entries start a missing program is found", async () => {
    await home.connect("claude-code");
    expect(brokenConnections(home.places).filter(({ program }) => program === process.execPath)).toEqual([]);
    home.write(path(), (home.read(path()) ?? "").replaceAll(process.execPath, "/nowhere/bin/node"));
    expect(brokenConnections(home.places).map(({ path, program }) => [path, program])).toContainEqual([
      path(),
      "/nowhere/bin/node",
    ]);
  });

  test("that is missing because a process was killed is found", async () => {
    const found = () =>
      partialConnections(home.places, home.memsvc).map(({ agent, path }) => [agent.name, path]);
    const [, server = ""] = home.paths("claude-code");
    await applyConnection(plannedForClaude().slice(0, 1), requestForClaude());
    expect(found()).toEqual([["claude-code", server]]);
    await home.connect("claude-code");
    for (const agent of ["codex", "opencode", "gemini-cli"]) await home.connect(agent);
    expect(found()).toEqual([]);
    // A file that the user removed stays removed, and entries of other installations are not ours.
    rmSync(server);
    expect(found()).toEqual([]);
    expect(partialConnections(home.places, join(home.memsvc, "other"))).toEqual([]);
  });

  test("in which Codex put its own tables between our marks keeps them", async () => {
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

describe("settings files with several possible names", () => {
  const server = (text: string | undefined) => (text ?? "").includes('"mcp"');
  const remembered = () =>
    everyFile(join(home.memsvc, "connections")).filter((path) => path.endsWith("receipt.json"));

  test.each(["user", "project"] as const)(
    "of a %s of OpenCode are all updated and all restored",
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

  test("of OpenCode already have what OpenCode itself would add", async () => {
    await home.connect("opencode");
    const plain = home.paths("opencode")[1] ?? "";
    expect(home.read(plain)).toMatch(/^\{\s*"\$schema": "https:\/\/opencode\.ai\/config\.json",/u);
    await home.disconnect("opencode");
    expect(home.read(plain)).toBeUndefined();
  });

  test("of OpenCode keep what it may have added itself, if no record says who did", async () => {
    await home.connect("opencode");
    rmSync(join(home.memsvc, "connections"), { recursive: true });
    await home.disconnect("opencode");
    expect(JSON.parse(home.read(home.paths("opencode")[1] ?? "") ?? "")).toEqual({
      $schema: "https://opencode.ai/config.json",
    });
  });

  test("of Kilo Code are those of its first start, with OpenCode's plugin under its own name", async () => {
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

  test("lose a plugin of ours even if its command was edited into one that cannot be read", async () => {
    const [plugin = ""] = home.paths("opencode");
    await home.connect("opencode");
    for (const edited of ['["memsvc", process.env.FLAG]', '["memsvc", 1]']) {
      home.write(plugin, (home.read(plugin) ?? "").replace(/= \[.*\];/u, `= ${edited};`));
      expect(home.read(plugin)).toContain(edited);
      expect(brokenConnections(home.places).filter(({ path }) => path === plugin)).toEqual([]);
    }
    await home.disconnect("opencode");
    expect(home.read(plugin)).toBeUndefined();
  });

  test("lose our entries even after one was renamed to the other", async () => {
    const plain = home.paths("opencode")[1] ?? "";
    home.write(`${plain}c`, "{}\n");
    await home.connect("opencode");
    renameSync(`${plain}c`, plain);
    await home.disconnect("opencode");
    expect(server(home.read(plain))).toBe(false);
    expect(remembered()).toEqual([]);
  });

  test("of Cline are those of the program, of the extension, or of both, whichever is installed", async () => {
    const places = { ...home.places, env: { CLINE_DIR: join(home.places.home, "cline") } };
    const [extension = "", ...program] = agentNamed("cline")
      .files.filter(({ scope }) => scope === "user")
      .map(({ path }) => path(places));
    const chosen = () =>
      filesOf({ agent: agentNamed("cline"), scope: "user", places }).map(({ path }) => path(places));
    expect(program).toEqual(
      ["plugins/memsvc.js", "data/settings/cline_mcp_settings.json"].map((name) =>
        join(home.places.home, "cline", name),
      ),
    );
    expect(chosen()).toEqual(program);
    mkdirSync(dirname(dirname(extension)), { recursive: true });
    expect(chosen()).toEqual([extension]);
    mkdirSync(places.env.CLINE_DIR);
    expect(chosen()).toEqual([extension, ...program]);
  });

  test("are no longer recorded if their folder was deleted before disconnecting", async () => {
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
  "connecting %s mentions that hooks run only where they are trusted",
  (name) => {
    expect(agentNamed(name).afterwards).toMatch(/trust/);
  },
);

test.each([
  ["warp", "user", ".warp/.mcp.json", {}],
  ["warp", "project", ".warp/.mcp.json", {}],
  ["lm-studio", "user", ".lmstudio/mcp.json", {}],
  ["rovo-dev", "user", ".rovodev/mcp.json", { transport: "stdio" }],
  ["openhands", "user", ".openhands/mcp.json", {}],
] as const)(
  "%s has the server in its %s settings, beside those of others",
  async (name, scope, file, more) => {
    const path = join(home.places[scope === "user" ? "home" : "project"], file);
    const before = '{\n  "mcpServers": {\n    "other": { "command": "other", "args": [] }\n  }\n}\n';
    home.write(path, before);
    await home.connect(name, scope);
    const { mcpServers } = JSON.parse(home.read(path) ?? "") as { mcpServers: Record<string, object> };
    expect(mcpServers).toEqual({
      other: { command: "other", args: [] },
      memsvc: { command: expect.any(String), args: expect.arrayContaining(["mcp"]), ...more },
    });
    await home.disconnect(name, scope);
    expect(home.read(path)).toBe(before);
  },
);

test("paths of settings follow each platform and its environment variables", () => {
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
  expect(first("crush", "win32", xdg)).toBe("/xdg/crush/crush.json");
  expect(first("crush", "darwin", { CRUSH_GLOBAL_CONFIG: "/c" })).toBe("/c/crush.json");
  expect(first("kimi-code", "linux")).toBe("/u/.kimi-code/config.toml");
  expect(first("kimi-code", "linux", { KIMI_CODE_HOME: "/k" })).toBe("/k/config.toml");
  expect(first("claude-code", "linux", { CLAUDE_CONFIG_DIR: "/c" })).toBe("/c/settings.json");
  expect(first("codex", "linux", { CODEX_HOME: "/c" })).toBe("/c/hooks.json");
  expect(first("openhands", "linux", { OPENHANDS_PERSISTENCE_DIR: "/o" })).toBe("/o/mcp.json");
  expect(first("warp", "linux", xdg)).toBe("/u/.warp/.mcp.json");
});
