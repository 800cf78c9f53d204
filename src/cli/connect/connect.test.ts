import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AgentHome, agentNamed, openAgentHome } from "../../../test/support/agent-settings.ts";
import type { Scope } from "./agent.ts";
import { agents } from "./agents.ts";
import { applyConnection } from "./apply.ts";
import { plannedConnection } from "./plan.ts";
import { brokenConnections, connectedScopes } from "./state.ts";

const everywhere = agents.flatMap(({ name, files }) =>
  [...new Set(files.map(({ scope }) => scope))].map((scope) => [name, scope] as const),
);

let home: AgentHome;
beforeEach(() => {
  home = openAgentHome();
});
afterEach(() => home.remove());

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}

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
  return { home: home.memsvc, agent: "claude-code", scope: "user" } as const;
}

/** Connects an agent that writes the state file after the connection was planned. */
async function connectWhileAgentWrites(state: string): Promise<void> {
  const plan = plannedForClaude();
  home.write(state, '{"numStartups": 7}');
  await expect(applyConnection(plan, requestForClaude())).rejects.toMatchObject({ code: "conflict" });
}

/** What somebody may have in a settings file already. */
function someSettings(path: string): string {
  if (path.endsWith(".toml"))
    return '# models\nmodel = "o3" # best\n\n[mcp_servers.other]\ncommand = "other"\n';
  return [
    "{",
    "    // what I like",
    '    "theme": "dark", /* always */',
    '    "mcpServers": {"other": {"command": "other", "args": []}},',
    '    "hooks": {',
    '        "Stop": [',
    '            { "hooks": [{ "type": "command", "command": "say done" }] } // bell',
    "        ]",
    "    }",
    "}",
    "",
  ].join("\r\n");
}

function isReadable(path: string, text: string): void {
  if (path.endsWith(".toml")) parseToml(text);
  else if (path.endsWith(".json")) expect(parse(text, [], { allowTrailingComma: true })).toBeTypeOf("object");
}

describe.each(everywhere)("the settings of %s (%s)", (name, scope) => {
  test("that are not there are made, read as the agent reads them, and gone again with their folders", async () => {
    const before = everyFile(dirname(home.places.home));
    const files = await home.connect(name, scope);
    expect(files.map(({ action }) => action)).toEqual(files.map(() => "created"));
    for (const { path } of files) {
      isReadable(path, home.read(path) ?? "");
      expect(statSync(path).mode & 0o777).toBe(scope === "user" ? 0o600 : 0o644);
    }
    expect(connectedScopes(agentNamed(name), home.places)).toEqual([scope]);
    const removed = await home.disconnect(name, scope);
    expect(removed.map(({ action }) => action)).toEqual(removed.map(() => "removed"));
    expect(everyFile(dirname(home.places.home)).filter((path) => !path.startsWith("memsvc"))).toEqual(before);
  });

  test("that are there keep every comment and their mode, and come back byte for byte", async () => {
    const paths = home.paths(name, scope).filter((path) => /\.(?:json|toml)$/u.test(path));
    for (const path of paths) home.write(path, someSettings(path), 0o640);
    const files = await home.connect(name, scope).catch((error: Error) => error);
    if (files instanceof Error) {
      // A file that is memsvc's alone is never written over another's.
      expect(files.message).toMatch(/is not a file of memsvc/u);
      return;
    }
    for (const path of paths) {
      const text = home.read(path) ?? "";
      isReadable(path, text);
      for (const piece of ["what I like", "always", "bell"].filter((one) => someSettings(path).includes(one)))
        expect(text).toContain(piece);
      expect(statSync(path).mode & 0o777).toBe(0o640);
      const { backup } = files.find((file) => file.path === path) ?? {};
      expect(readFileSync(backup ?? "", "utf8")).toBe(someSettings(path));
    }
    const again = await home.connect(name, scope);
    expect(again.map(({ action }) => action)).toEqual(again.map(() => "unchanged"));
    await home.disconnect(name, scope);
    for (const path of paths) {
      expect(home.read(path)).toBe(someSettings(path));
      expect(statSync(path).mode & 0o777).toBe(0o640);
    }
    const nothing = await home.disconnect(name, scope);
    expect(nothing.map(({ action }) => action)).toEqual(nothing.map(() => "unchanged"));
  });

  test("that were edited since lose what is ours and nothing else", async () => {
    await home.connect(name, scope);
    const edited = home.paths(name, scope).filter((path) => /\.(?:json|toml)$/u.test(path));
    for (const path of edited) {
      const text = home.read(path) ?? "";
      const isToml = path.endsWith(".toml");
      home.write(path, isToml ? `${text}\n[mine]\nkept = true\n` : text.replace("{", '{ "mine": true,'));
    }
    await home.disconnect(name, scope);
    for (const path of edited) {
      const text = home.read(path);
      if (text === undefined) continue;
      const left = path.endsWith(".toml") ? parseToml(text) : (parse(text) as Record<string, unknown>);
      expect(left.mine).toBeDefined();
      expect(JSON.stringify(left)).not.toContain("memsvc");
    }
    expect(connectedScopes(agentNamed(name), home.places)).toEqual([]);
  });

  test("that cannot be parsed are left alone, all of them, and the place is named", async () => {
    const paths = home.paths(name, scope);
    const broken = paths.at(-1) ?? "";
    if (!/\.(?:json|toml)$/u.test(broken)) return;
    home.write(broken, broken.endsWith(".toml") ? 'a = 1\nb = "\n' : '{\n  "a": 1,\n  "b": \n}\n');
    await expect(home.connect(name, scope)).rejects.toThrow(/is not valid|is not a file of memsvc/u);
    expect(paths.slice(0, -1).map((path) => home.read(path))).toEqual(
      paths.slice(0, -1).map(() => undefined),
    );
  });
});

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

test("settings are looked for where each platform and its variables put them", () => {
  const places = { home: "/u", project: "/p", env: {} };
  const first = (name: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}) =>
    agentNamed(name).files[0]?.path({ ...places, platform, env });
  expect(first("vscode", "linux")).toBe("/u/.config/Code/User/mcp.json");
  expect(first("vscode", "darwin")).toBe("/u/Library/Application Support/Code/User/mcp.json");
  expect(first("claude-desktop", "win32", { APPDATA: "/roaming" })).toBe(
    "/roaming/Claude/claude_desktop_config.json",
  );
  expect(first("zed", "darwin")).toBe("/u/.config/zed/settings.json");
  expect(first("claude-code", "linux", { CLAUDE_CONFIG_DIR: "/c" })).toBe("/c/settings.json");
  expect(first("codex", "linux", { CODEX_HOME: "/c" })).toBe("/c/hooks.json");
});

const otherHooks = fc.dictionary(
  fc.constantFrom("Stop", "SessionStart", "Mine"),
  fc.array(fc.record({ hooks: fc.array(fc.record({ type: fc.constant("command"), command: fc.string() })) })),
);
const anySettings = fc
  .tuple(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), fc.option(otherHooks))
  .map(([others, hooks]) => (hooks === null ? others : { ...others, hooks }));

const property = openAgentHome();
afterAll(() => property.remove());

test("any settings come back byte for byte, with a receipt and without one", async () => {
  const [path = ""] = property.paths("claude-code");
  await fc.assert(
    fc.asyncProperty(anySettings, fc.constantFrom("", "  ", "\t"), async (settings, indent) => {
      const text = JSON.stringify(settings, null, indent);
      property.write(path, text);
      await property.connect("claude-code");
      const connected = property.read(path) ?? "";
      const { hooks: _, ...others } = JSON.parse(text) as Record<string, unknown>;
      expect(JSON.parse(connected)).toMatchObject(others);
      const content = agentNamed("claude-code").files[0]?.content({ program: ["memsvc"], flags: [] });
      expect(content?.disconnected(connected, { text })).toBe(text);
      await property.disconnect("claude-code");
      expect(property.read(path)).toBe(text);
    }),
    { numRuns: 40 },
  );
});
