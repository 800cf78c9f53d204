import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildOnce, type DaemonProcess, openSandbox, type Sandbox, startDaemon } from "./program-process.ts";

const program = fileURLToPath(new URL("../../dist/main.cjs", import.meta.url));

interface HookGroup {
  readonly hooks: readonly { readonly command: string }[];
}

beforeAll(buildOnce);

/** A sandbox in whose search path the program has its name. */
function withProgramOnPath(sandbox: Sandbox, ...below: readonly string[]): Record<string, string> {
  const folder = join(sandbox.folder, ...(below.length === 0 ? ["bin"] : below));
  mkdirSync(folder, { recursive: true });
  symlinkSync(program, join(folder, "memsvc"));
  return { PATH: `${folder}:${process.env.PATH ?? ""}` };
}

/** The entry of the MCP server in a settings file of the user. */
function serverIn({ home }: Sandbox, file: string): unknown {
  const { mcpServers } = JSON.parse(readFileSync(join(home, file), "utf8")) as {
    mcpServers: { memsvc: unknown };
  };
  return mcpServers.memsvc;
}

describe("memsvc connect", () => {
  let sandbox: Sandbox;
  let settings: string;
  beforeAll(() => {
    sandbox = openSandbox();
    settings = join(sandbox.home, ".claude", "settings.json");
    mkdirSync(join(sandbox.home, ".claude"));
    writeFileSync(settings, '{\n  "model": "opus" // best\n}\n');
  });
  afterAll(() => sandbox.remove());

  test("--dry-run shows a diff and writes nothing", async () => {
    const { exit, stdout } = await sandbox.runHere(["connect", "claude-code", "--dry-run"]);
    expect(exit).toBe(0);
    expect(stdout).toContain(`--- ${settings}\n+++ ${settings}\n`);
    expect(stdout).toMatch(/^-.*"model": "opus" \/\/ best\n\+.*"model": "opus", \/\/ best$/mu);
    expect(stdout).toMatch(/^--- \/dev\/null\n\+\+\+ .*\.claude\.json$/mu);
    expect(readFileSync(settings, "utf8")).toBe('{\n  "model": "opus" // best\n}\n');
  });

  test("writes the program's name from the PATH, and says what it changed and where the backup is", async () => {
    const env = withProgramOnPath(sandbox);
    const { exit, stdout, stderr } = await sandbox.run(["connect", "claude-code"], { env });
    expect(exit).toBe(0);
    expect(stderr).toMatch(
      /^agents have to ask for what is known; .*: memsvc config set MEMSVC_INJECT_CONTEXT true$/mu,
    );
    expect(stdout).toMatch(/^connected Claude Code\n {2}\S+settings\.json {2}has 14 hooks, backup in \S+\n/u);
    const { hooks } = JSON.parse(readFileSync(settings, "utf8").replace("// best", "")) as {
      hooks: Record<string, readonly HookGroup[]>;
    };
    const commands = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
    expect(new Set(commands.map(({ command }) => command))).toEqual(
      new Set(["memsvc observe --hook claude-code"]),
    );
    const server = JSON.parse(readFileSync(join(sandbox.home, ".claude.json"), "utf8")) as object;
    expect(server).toEqual({ mcpServers: { memsvc: { type: "stdio", command: "memsvc", args: ["mcp"] } } });
    const again = await sandbox.runHere(["connect", "claude-code"], { env });
    expect(again.stdout).toMatch(/^Claude Code is connected already\n/u);
    const listed = await sandbox.runHere(["connect", "--json"]);
    expect((JSON.parse(listed.stdout) as { agents: object[] }).agents).toContainEqual({
      name: "claude-code",
      title: "Claude Code",
      installed: true,
      connected: ["user"],
    });
  });

  test("writes the program's path if npx runs it, because only then its folder is in the PATH", async () => {
    const own = openSandbox();
    const env = withProgramOnPath(own, "node_modules", ".bin");
    await own.runHere(["connect", "claude-code"], { env });
    expect(serverIn(own, ".claude.json")).toMatchObject({
      command: expect.stringMatching(/^\/.*node/u),
      args: [program, "mcp"],
    });
    own.remove();
  });

  test("writes the program's name though a folder of that name is in the PATH before it", async () => {
    const own = openSandbox();
    const { PATH } = withProgramOnPath(own);
    mkdirSync(join(own.folder, "projects", "memsvc"), { recursive: true });
    await own.runHere(["connect", "claude-code"], { env: { PATH: `${own.folder}/projects:${PATH}` } });
    expect(serverIn(own, ".claude.json")).toMatchObject({ command: "memsvc", args: ["mcp"] });
    own.remove();
  });

  test.each([
    ["10", "global/5/.pnpm/memsvc@0.1.0/node_modules", "global/5/node_modules", '"$basedir/PATH"'],
    ["12", "global/v11/58a1/node_modules", "global/v11/58a1/node_modules", "\"$basedir\"/'PATH'"],
  ])("writes what stays when pnpm %s upgrades the program", async (_version, of, lasting, word) => {
    const own = openSandbox();
    const bin = join(own.folder, "p n p m");
    for (const folder of new Set([of, lasting])) {
      mkdirSync(join(bin, folder), { recursive: true });
      symlinkSync(dirname(dirname(program)), join(bin, folder, "memsvc"));
    }
    const started = word.replace("PATH", `${of}/memsvc/dist/main.cjs`);
    const starter = `#!/bin/sh\nbasedir=$(dirname "$0")\nexec node  ${started} "$@"\n`;
    writeFileSync(join(bin, "memsvc"), starter, { mode: 0o755 });
    const env = { HOME: own.home, PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}` };
    for (const agent of ["claude-code", "claude-desktop"])
      execFileSync(join(bin, "memsvc"), ["connect", agent], { env, stdio: "ignore" });
    expect(serverIn(own, ".claude.json")).toMatchObject({ command: "memsvc", args: ["mcp"] });
    expect(serverIn(own, ".config/Claude/claude_desktop_config.json")).toMatchObject({
      args: [join(bin, lasting, "memsvc/dist/main.cjs"), "mcp"],
    });
    own.remove();
  });

  test.each([
    ["npx", "_npx/1a"],
    ["pnpm dlx", "pnpm/dlx/1a"],
    ["bunx", "bunx-0-memsvc@latest"],
  ])("says that the cache of %s, from which it runs, may be cleared", (runner, cache) => {
    const own = openSandbox();
    const modules = join(own.folder, cache, "node_modules");
    mkdirSync(modules, { recursive: true });
    symlinkSync(dirname(dirname(program)), join(modules, "memsvc"));
    const started = join(modules, "memsvc", "dist", "main.cjs");
    const env = { HOME: own.home, PATH: process.env.PATH };
    const { stderr } = spawnSync(process.execPath, [started, "connect", "codex"], { env, encoding: "utf8" });
    expect(stderr).toContain(
      `memsvc runs from the cache of ${runner}, which may be cleared: install it (npm install -g), then connect again\n`,
    );
    own.remove();
  });

  test("writes the program's path for an agent that is started from a desktop, whose PATH is another", async () => {
    const own = openSandbox();
    await own.runHere(["connect", "claude-desktop"], { env: withProgramOnPath(own) });
    expect(serverIn(own, ".config/Claude/claude_desktop_config.json")).toEqual({
      command: expect.stringMatching(/^\/.*node/u),
      args: [program, "mcp"],
    });
    own.remove();
  });

  test("with --json tells what would be written, what was, and what was removed", async () => {
    const own = openSandbox();
    const path = join(own.home, ".config", "zed", "settings.json");
    const told = async (...words: string[]) => {
      const { exit, stdout } = await own.runHere([...words, "--json"]);
      expect(exit).toBe(0);
      return JSON.parse(stdout);
    };
    const written = { path, label: "the MCP server memsvc" };
    expect(await told("connect", "zed", "--dry-run")).toEqual({
      agent: "zed",
      scope: "user",
      dryRun: true,
      files: [{ path, diff: expect.stringContaining('+  "context_servers"') }],
    });
    for (const action of ["created", "unchanged"])
      expect(await told("connect", "zed")).toEqual({
        agent: "zed",
        scope: "user",
        connected: true,
        files: [{ ...written, action }],
      });
    expect(await told("connect", "zed", "--dry-run")).toMatchObject({ dryRun: true, files: [] });
    expect(await told("disconnect", "zed")).toEqual({
      agent: "zed",
      scope: "user",
      connected: false,
      files: [{ ...written, action: "removed" }],
    });
    own.remove();
  });

  test("without an agent lists the known ones, and whether they are installed and connected", async () => {
    const own = openSandbox();
    mkdirSync(join(own.home, ".cursor"));
    await own.runHere(["connect", "codex"]);
    const { stdout, stderr } = await own.runHere(["connect"]);
    expect(stdout).toMatch(/^cursor +Cursor, not connected$/mu);
    expect(stdout).toMatch(/^codex +Codex, connected \(user\)$/mu);
    expect(stdout).toMatch(/^gemini-cli +Gemini CLI, not found here$/mu);
    expect(stderr).toBe("connect one: memsvc connect <agent>\n");
    own.remove();
  });

  test("writes --home into the entries for a store that is not the default one", async () => {
    const { stdout } = await sandbox.runHere([
      "connect",
      "codex",
      "--home",
      join(sandbox.folder, "my store"),
      "--dry-run",
    ]);
    expect(stdout).toContain(String.raw`observe --hook codex --home \"${join(sandbox.folder, "my store")}\"`);
    expect(stdout).toMatch(/^\+args = \[ .*"mcp", "--home", ".*my store" \]$/mu);
  });

  test("is silent about context for new sessions if it is on or the agent cannot read it", async () => {
    const own = openSandbox();
    const given = await own.runHere(["connect", "gemini-cli"], { env: { MEMSVC_INJECT_CONTEXT: "true" } });
    const readsNone = await own.runHere(["connect", "windsurf"]);
    for (const { exit, stderr } of [given, readsNone]) {
      expect(exit).toBe(0);
      expect(stderr).not.toContain("MEMSVC_INJECT_CONTEXT");
    }
    own.remove();
  });

  test("writes --url beside --home only if the environment names both", async () => {
    const env = { MEMSVC_HOME: join(sandbox.folder, "other"), MEMSVC_URL: "http://127.0.0.1:4199" };
    const told = await sandbox.runHere(["connect", "codex", "--dry-run"], { env });
    expect(told.stdout).toContain(`--home ${env.MEMSVC_HOME} --url ${env.MEMSVC_URL}`);
    const flagged = await sandbox.runHere(["connect", "codex", "--dry-run", "--home", env.MEMSVC_HOME], {
      env,
    });
    expect(flagged.stdout).not.toContain("--url");
  });

  test.each(["claude-code", "codex", "opencode", "copilot-cli"])(
    "disconnecting %s refuses entries that another home made",
    async (agent) => {
      const own = openSandbox();
      const home = join(own.folder, "my store");
      await own.runHere(["connect", agent, "--home", home]);
      const other = await own.runHere(["disconnect", agent]);
      expect(other.exit).toBe(5);
      expect(other.stderr).toContain(`belong to another home, ${home}`);
      expect(other.stderr).toContain(`hint: memsvc disconnect ${agent} --home "${home}"`);
      const made = await own.runHere(["disconnect", agent, "--home", home]);
      expect(made.stdout).toContain("held nothing else, and is gone");
      await own.runHere(["connect", agent]);
      expect((await own.runHere(["disconnect", agent, "--home", home])).exit).toBe(5);
      expect((await own.runHere(["disconnect", agent, "--home", "~/.memsvc"])).exit).toBe(0);
      own.remove();
    },
  );

  test("says that Codex asks to trust the hooks, and that codex exec skips them until then", async () => {
    const own = openSandbox();
    const { stderr } = await own.runHere(["connect", "codex"]);
    expect(stderr).toMatch(/trusted them: it asks at its next start, .* codex exec leaves them out/u);
    own.remove();
  });

  test("says how to import the sessions from before, where the agent has transcripts", async () => {
    const own = openSandbox();
    mkdirSync(join(own.home, ".codex", "sessions"), { recursive: true });
    const { stderr } = await own.runHere(["connect", "codex"]);
    expect(stderr).toMatch(/^earlier sessions .*: memsvc replay import ~\/\.codex\/sessions$/mu);
    expect((await own.runHere(["connect", "codex"])).stderr).not.toContain("earlier sessions");
    expect((await own.runHere(["connect", "gemini-cli"])).stderr).not.toContain("earlier sessions");
    expect((await own.runHere(["replay", "import"])).stderr).toMatch(
      /no transcripts of Claude Code .*\nhint: for those of other agents: memsvc replay import ~\/\.codex\/sessions\n/u,
    );
    // As a shell passes it on that does not know the tilde.
    const { exit, stdout } = await own.runHere(["replay", "import", "~/.codex/sessions"]);
    expect([exit, stdout]).toEqual([0, expect.stringContaining("no transcripts there")]);
    own.remove();
  });

  test("connecting again with another --url or --home keeps what the user added to the entry", async () => {
    const own = openSandbox();
    const config = join(own.home, ".codex", "config.toml");
    await own.runHere(["connect", "codex"]);
    const added = 'startup_timeout_sec = 30\n[mcp_servers.memsvc.env]\nAGENT_ID = "codex"\n';
    writeFileSync(config, readFileSync(config, "utf8").replace("# <<<", `${added}# <<<`));
    for (const flags of [["--url", "http://127.0.0.1:4999"], [], ["--home", join(own.folder, "other")]]) {
      const { stdout } = await own.runHere(["connect", "codex", ...flags]);
      expect(stdout).toMatch(/^connected Codex\n/u);
      const text = readFileSync(config, "utf8");
      expect(text).toContain(added);
      expect(text).toContain(`"mcp"${flags.map((flag) => `, "${flag}"`).join("")} ]`);
    }
    const { stdout } = await own.runHere(["disconnect", "codex", "--home", join(own.folder, "other")]);
    expect(stdout).toMatch(/^disconnected Codex\n/u);
    expect(readFileSync(config, "utf8")).toBe("");
    own.remove();
  });

  test("disconnecting OpenCode removes the entry from the old file, even beside a newer one", async () => {
    const own = openSandbox();
    await own.runHere(["connect", "opencode"]);
    const folder = join(own.home, ".config", "opencode");
    writeFileSync(join(folder, "opencode.jsonc"), '{ "theme": "x" }\n');
    const { stdout } = await own.runHere(["disconnect", "opencode"]);
    expect(stdout).toMatch(/opencode\.json {2}held nothing else, and is gone$/mu);
    expect(readdirSync(folder)).toEqual(["opencode.jsonc"]);
    expect(readdirSync(join(own.home, ".memsvc", "connections"))).toEqual([]);
    expect((await own.runHere(["disconnect", "opencode"])).stdout).toBe("OpenCode is not connected\n");
    own.remove();
  });

  test("doctor reports entries that start a missing program, and how to repair them", async () => {
    await sandbox.runHere(["connect", "cursor"]);
    const hooks = join(sandbox.home, ".cursor", "hooks.json");
    writeFileSync(hooks, readFileSync(hooks, "utf8").replaceAll(process.execPath, "/gone/node"));
    const { exit, stdout } = await sandbox.run(["doctor"]);
    expect(exit).toBe(1);
    expect(stdout).toContain(`agent       Cursor starts /gone/node, which is not there (${hooks})\n`);
    expect(stdout).toContain("connect it again: memsvc connect cursor\n");
    await sandbox.runHere(["connect", "cursor"]);
    const env = { PATH: `${join(sandbox.folder, "bin")}:${process.env.PATH ?? ""}` };
    const mended = await sandbox.runHere(["doctor", "--json"], { env });
    expect(JSON.parse(mended.stdout)).toMatchObject({ brokenAgents: [] });
  });

  test("doctor reports entries that name the program if it is no longer in the PATH", async () => {
    const own = openSandbox();
    await own.runHere(["remember", "Notes of a store"]);
    const env = withProgramOnPath(own);
    await own.runHere(["connect", "claude-code"], { env });
    const { exit } = await own.runHere(["doctor"], { env });
    expect(exit).toBe(0);
    const gone = await own.runHere(["doctor"], { env: { PATH: "/usr/bin:/bin" } });
    expect(gone.exit).toBe(1);
    const settings = join(own.home, ".claude", "settings.json");
    expect(gone.stdout).toContain(
      `agent       Claude Code starts memsvc, which is not in the PATH (${settings})\n`,
    );
    expect(gone.stdout).toContain("connect it again: memsvc connect claude-code\n");
    own.remove();
  });

  test("doctor reports entries that start another version of memsvc", async () => {
    const own = openSandbox();
    await own.runHere(["remember", "Notes of a store"]);
    await own.runHere(["connect", "cursor"]);
    const older = join(own.folder, "older", "dist", "main.cjs");
    mkdirSync(dirname(older), { recursive: true });
    writeFileSync(older, "");
    writeFileSync(join(own.folder, "older", "package.json"), '{"name": "memsvc", "version": "0.0.9"}');
    const servers = join(own.home, ".cursor", "mcp.json");
    writeFileSync(servers, readFileSync(servers, "utf8").replace(program, older));
    const { exit, stdout } = await own.runHere(["doctor"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /^agent {7}Cursor starts memsvc 0\.0\.9, and this is \d\S+ \(\S+older\/dist\/main\.cjs in \S+mcp\.json\)$/mu,
    );
    expect(stdout).toContain("connect it again: memsvc connect cursor\n");
    await own.runHere(["connect", "cursor"]);
    expect((await own.runHere(["doctor"])).stdout).not.toContain("Cursor starts");
    own.remove();
  });

  test("doctor reports an agent that is connected only in part, and how to repair it", async () => {
    const own = openSandbox();
    await own.runHere(["remember", "x"]);
    await own.runHere(["connect", "cursor"]);
    // As a process left it that was killed between the two.
    const server = join(own.home, ".cursor", "mcp.json");
    rmSync(server);
    const kept = join(own.home, ".memsvc", "connections");
    for (const folder of readdirSync(kept))
      if (readFileSync(join(kept, folder, "receipt.json"), "utf8").includes(server))
        rmSync(join(kept, folder), { recursive: true });
    const { exit, stdout } = await own.runHere(["doctor"]);
    expect(exit).toBe(1);
    expect(stdout).toContain(
      `agent       Cursor is connected only in part: ${server} has no entry of memsvc\n`,
    );
    expect(stdout).toContain("connect it again: memsvc connect cursor\n");
    await own.runHere(["connect", "cursor"]);
    const mended = await own.runHere(["doctor", "--json"]);
    expect(JSON.parse(mended.stdout)).toMatchObject({ halfConnectedAgents: [] });
    own.remove();
  });

  test("connect and doctor say so if a setting of the agent turns its hooks off", async () => {
    const own = openSandbox();
    await own.runHere(["remember", "x"]);
    const settings = join(own.home, ".claude", "settings.json");
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, '{"disableAllHooks": true}\n');
    const note = `Claude Code does not run the hooks of memsvc: disableAllHooks: true in ${settings}\n`;
    for (const said of ["connected Claude Code", "Claude Code is connected already"]) {
      const { exit, stdout, stderr } = await own.runHere(["connect", "claude-code"]);
      expect({ exit, stdout, stderr }).toEqual({
        exit: 0,
        stdout: expect.stringContaining(said),
        stderr: expect.stringContaining(note),
      });
    }
    const { exit, stdout } = await own.runHere(["doctor"]);
    expect(exit).toBe(1);
    expect(stdout).toContain(`agent       ${note}`);
    expect(JSON.parse((await own.runHere(["doctor", "--json"])).stdout)).toMatchObject({
      silencedAgents: [{ agent: "claude-code", setting: "disableAllHooks: true", path: settings }],
    });
    writeFileSync(settings, readFileSync(settings, "utf8").replace("true", "false"));
    expect((await own.runHere(["doctor"])).exit).toBe(0);
    own.remove();
  });

  test("--scope project writes the project's settings, which start memsvc by its name alone", async () => {
    const project = join(sandbox.folder, "shop");
    mkdirSync(join(project, ".git"), { recursive: true });
    mkdirSync(join(project, "src"));
    const { exit, stderr } = await sandbox.runHere(["connect", "copilot-cli", "--scope", "project"], {
      cwd: join(project, "src"),
      env: { MEMSVC_INJECT_CONTEXT: "true" },
    });
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr:
        "the entries start memsvc by its name: everybody who works on the project needs it in their PATH\n",
    });
    const hooks = readFileSync(join(project, ".github", "hooks", "memsvc.json"), "utf8");
    expect(JSON.parse(hooks)).toMatchObject({
      version: 1,
      hooks: { PreToolUse: [{ bash: "memsvc observe --hook copilot-cli || true" }] },
    });
  });

  test("entries of a project that name no home are removed with any home", async () => {
    const own = openSandbox();
    const project = join(own.folder, "shop");
    mkdirSync(join(project, ".git"), { recursive: true });
    const at = { cwd: project };
    await own.runHere(["connect", "copilot-cli", "--scope", "project"], at);
    rmSync(join(own.home, ".memsvc"), { recursive: true });
    const words = ["disconnect", "copilot-cli", "--scope", "project", "--home", join(own.folder, "other")];
    expect((await own.runHere(words, at)).stdout).toMatch(/^disconnected /u);
    expect(readFileSync(join(project, ".github", "hooks", "memsvc.json"), "utf8")).not.toContain("observe");
    own.remove();
  });

  test("disconnect says of each file whether it is restored, gone, or only without our entries", async () => {
    const own = openSandbox();
    const file = join(own.home, ".claude", "settings.json");
    mkdirSync(dirname(file));
    writeFileSync(file, '{ "model": "opus" }\n');
    const actions = async () => {
      const { stdout } = await own.runHere(["disconnect", "claude-code", "--json"]);
      const { files } = JSON.parse(stdout) as { files: readonly { path: string; action: string }[] };
      return new Map(files.map(({ path, action }) => [basename(path), action]));
    };
    await own.runHere(["connect", "claude-code"]);
    const gone = [".claude.json", "removed"] as const;
    expect(await actions()).toEqual(new Map([["settings.json", "restored"], gone]));
    await own.runHere(["connect", "claude-code"]);
    writeFileSync(file, readFileSync(file, "utf8").replace("opus", "sonnet"));
    expect(await actions()).toEqual(new Map([["settings.json", "taken"], gone]));
    own.remove();
  });

  test("disconnect restores the file, and a second one says that nothing is connected", async () => {
    const { exit, stdout } = await sandbox.run(["disconnect", "claude-code"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^disconnected Claude Code\n/u);
    expect(readFileSync(settings, "utf8")).toBe('{\n  "model": "opus" // best\n}\n');
    expect((await sandbox.runHere(["disconnect", "claude-code"])).stdout).toBe(
      "Claude Code is not connected\n",
    );
  });

  test.each([
    [["connect", "emacs"], 3, /^memsvc: there is no agent emacs .*\nhint: one of claude-code, /u],
    [["connect", "gemini"], 3, /^memsvc: there is no agent gemini .*\nhint: did you mean gemini-cli\?\n$/u],
    [["connect", "clade-code"], 3, /\nhint: did you mean claude-code\?\n$/u],
    [["connect", "claude"], 3, /\nhint: did you mean one of claude-code, claude-desktop\?\n$/u],
    [["connect", "codex", "--scope", "team"], 2, /^memsvc: --scope must be user or project, not "team"/u],
    [["connect", "claude-desktop", "--scope", "project"], 2, /\nhint: use --scope user\n$/u],
  ])("%j is refused with a hint", async (args, exit, words) => {
    const refused = await sandbox.runHere(args);
    expect(refused.exit).toBe(exit);
    expect(refused.stderr).toMatch(words);
  });

  test("names the line and column at which a settings file is invalid", async () => {
    writeFileSync(join(sandbox.home, ".claude.json"), '{\n  "a": \n}\n');
    const { exit, stderr } = await sandbox.runHere(["connect", "claude-code"]);
    expect(exit).toBe(2);
    expect(stderr).toMatch(
      /^memsvc: \S+\.claude\.json: it is not valid JSON: .* at line 3, column 1\nhint: fix /u,
    );
    expect(readFileSync(settings, "utf8")).not.toContain("memsvc");
  });
});

const dialects = [
  {
    agent: "claude-code",
    events: (cwd: string, session: string) => [
      { hook_event_name: "SessionStart", session_id: session, cwd, source: "startup", model: "m-1" },
      {
        hook_event_name: "UserPromptSubmit",
        session_id: session,
        cwd,
        prompt: "We decided to cap retries at 5",
      },
      { hook_event_name: "SessionEnd", session_id: session, cwd, reason: "other" },
    ],
    context: (text: string) => ({
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text },
    }),
    otherwise: "",
  },
  {
    agent: "qwen-code",
    events: (cwd: string, session: string) => {
      const event = (hook_event_name: string, more: object) => ({
        ...{ hook_event_name, session_id: session, cwd, permission_mode: "yolo" },
        ...{ timestamp: new Date().toISOString(), ...more },
      });
      return [
        event("SessionStart", { source: "startup", model: "m-1" }),
        event("UserPromptSubmit", { prompt: "We decided to cap retries at 5" }),
        event("Stop", { stop_hook_active: false, last_assistant_message: "Capped." }),
      ];
    },
    context: (text: string) => ({
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text },
    }),
    otherwise: "",
  },
  {
    agent: "cursor",
    events: (cwd: string, session: string) => [
      { hook_event_name: "sessionStart", conversation_id: session, workspace_roots: [cwd] },
      {
        hook_event_name: "beforeSubmitPrompt",
        conversation_id: session,
        workspace_roots: [cwd],
        prompt: "We decided to cap retries at 5",
      },
      {
        hook_event_name: "sessionEnd",
        conversation_id: session,
        workspace_roots: [cwd],
        reason: "completed",
      },
    ],
    context: (text: string) => ({ additional_context: text }),
    otherwise: "{}\n",
  },
  {
    agent: "opencode",
    events: (cwd: string, session: string) => {
      const event = (hookType: string, data: object) => ({
        hookType,
        sessionId: session,
        cwd,
        timestamp: new Date().toISOString(),
        data,
      });
      return [
        event("session_start", { source: "startup" }),
        event("prompt_submit", { prompt: "We decided to cap retries at 5" }),
        event("stop", { assistantResponse: "Capped." }),
      ];
    },
    context: (text: string) => ({ sessionId: "opencode", context: text }),
    otherwise: "",
  },
] as const;

test("the hook after a compaction returns what the session did so far", async () => {
  const sandbox = openSandbox();
  const cwd = join(sandbox.folder, "project");
  mkdirSync(cwd);
  const common = { session_id: "c1", cwd };
  const hook = (event: object) =>
    sandbox.runHere(["observe", "--hook", "claude-code"], {
      stdin: JSON.stringify({ ...common, ...event }),
      env: { MEMSVC_INJECT_CONTEXT: "true" },
    });
  await hook({ hook_event_name: "SessionStart", source: "startup" });
  await hook({ hook_event_name: "UserPromptSubmit", prompt: "cap the retries of the zebra client" });
  expect((await hook({ hook_event_name: "SessionStart", source: "resume" })).stdout).toBe("");
  const { stdout } = await hook({ hook_event_name: "SessionStart", source: "compact" });
  expect(stdout).toMatch(/## This session so far\\n- \S+ cap the retries of the zebra client/u);
  sandbox.remove();
});

test("the first prompt of a session of Kimi Code returns what is known, and later ones do not", async () => {
  const sandbox = openSandbox();
  const cwd = join(sandbox.folder, "project");
  mkdirSync(cwd);
  await sandbox.runHere(["remember", "Retries use full jitter", "--project", "project"]);
  const hook = (event: object) =>
    sandbox.runHere(["observe", "--hook", "kimi-code"], {
      stdin: JSON.stringify({ session_id: "k1", cwd, client_type: "kimi_code_cli", ...event }),
      env: { MEMSVC_INJECT_CONTEXT: "true" },
    });
  const asks = (text: string) =>
    hook({ hook_event_name: "UserPromptSubmit", prompt: [{ type: "text", text }], is_steer: false });
  expect((await hook({ hook_event_name: "SessionStart", source: "startup", model: "k2" })).stdout).toBe("");
  const { message } = JSON.parse((await asks("Cap the retries")).stdout) as { message: string };
  expect(message).toContain("Retries use full jitter");
  await hook({ hook_event_name: "Stop", stop_hook_active: false });
  expect((await asks("Test it")).stdout).toBe("");
  const { stdout } = await sandbox.runHere(["session", "show", "k1", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ session: { status: "active", model: "k2" } });
  sandbox.remove();
});

test("the end of a turn of Droid brings the answer and what failed from its transcript", async () => {
  const sandbox = openSandbox();
  const cwd = join(sandbox.folder, "project");
  const sessions = join(sandbox.folder, ".factory", "sessions");
  for (const folder of [cwd, sessions]) mkdirSync(folder, { recursive: true });
  const transcript = join(sessions, "d1.jsonl");
  const hook = (hook_event_name: string, more: object = {}) =>
    sandbox.runHere(["observe", "--hook", "droid"], {
      stdin: JSON.stringify({ session_id: "d1", transcript_path: transcript, cwd, hook_event_name, ...more }),
    });
  const input = { command: "make", riskLevel: "low" };
  await hook("SessionStart", { source: "startup" });
  await hook("PreToolUse", { tool_name: "Execute", tool_input: input });
  const timestamp = new Date().toISOString();
  const line = (id: string, role: string, block: object) =>
    `${JSON.stringify({ type: "message", id, timestamp, message: { role, content: [block] } })}\n`;
  const content = "Error: Command failed (exit code: 2)\nboom\n\n\n[Process exited with code 2]";
  const turn = [
    line("u", "user", { type: "text", text: "Build it" }),
    line("b", "assistant", { type: "tool_use", id: "c", name: "Execute", input }),
    line("r", "user", { type: "tool_result", tool_use_id: "c", is_error: true, content }),
    line("a", "assistant", { type: "text", text: "It does not build." }),
  ];
  writeFileSync(transcript, turn.join(""));
  expect(await hook("Stop", { message_id: "a" })).toMatchObject({ exit: 0, stdout: "", stderr: "" });
  await hook("SessionEnd", { reason: "other" });
  const { stdout } = await sandbox.runHere(["session", "show", "d1"]);
  expect(stdout).toMatch(/completed.*Session start.*Build it.*Execute failed: boom.*It does not build\./su);
  expect(stdout).toContain("the starts of 1 tool call are left out");
  rmSync(transcript);
  const lost = await hook("Stop", { message_id: "a" });
  expect(lost).toMatchObject({ exit: 0, stderr: expect.stringContaining("only the end of the turn") });
  sandbox.remove();
});

describe.each(["without a daemon", "with a daemon"])("the hooks of a connected agent, %s", (how) => {
  let sandbox: Sandbox;
  let daemon: DaemonProcess | undefined;
  let cwd: string;
  beforeAll(async () => {
    sandbox = openSandbox();
    cwd = join(sandbox.folder, "project");
    mkdirSync(cwd);
    await sandbox.runHere(["remember", "Retries use full jitter", "--project", "project"]);
    if (how === "with a daemon") daemon = await startDaemon(sandbox);
  });
  afterAll(async () => {
    await daemon?.stop();
    sandbox.remove();
  });

  test.each(dialects)(
    "$agent: open its session, return the context if configured, and end it",
    async ({ agent, ...dialect }) => {
      const [start, prompt, end] = dialect.events(cwd, agent);
      const options = (event: object | undefined) => ({ stdin: JSON.stringify(event) });
      const hook = ["observe", "--hook", agent];
      const quiet = { exit: 0, stdout: dialect.otherwise, stderr: "" };
      expect(await sandbox.runHere(hook, options(start))).toMatchObject(quiet);
      const env = { MEMSVC_INJECT_CONTEXT: "true" };
      const { stdout } = await sandbox.run(hook, { ...options(start), env });
      const given = JSON.stringify(JSON.parse(stdout));
      expect(given).toContain("Retries use full jitter");
      expect(Object.keys(JSON.parse(stdout) as object)).toEqual(Object.keys(dialect.context("")));
      expect(await sandbox.runHere(hook, options(prompt))).toMatchObject(quiet);
      expect(await sandbox.runHere(hook, options(end))).toMatchObject(quiet);
      const told = async () => {
        const { stdout: list } = await sandbox.runHere(["session", "list", "--json"]);
        const { sessions } = JSON.parse(list) as { sessions: readonly Record<string, unknown>[] };
        return sessions.find(({ id }) => id === agent);
      };
      // The daemon makes the summary after its answer.
      await expect.poll(async () => (await told())?.summary).toMatch(/cap retries at 5/u);
      const session = await told();
      expect(session).toMatchObject({ project: "project", status: "completed" });
      expect(session?.tags ?? []).not.toContain("implicit");
    },
  );
});
