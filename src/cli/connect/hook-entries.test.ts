import { afterEach, expect, test, vi } from "vitest";
import { type AgentHome, openAgentHome } from "../../../test/support/agent-settings.ts";
import { hooksOf } from "./hook-entries.ts";

const invocation = { program: ["C:\\Program Files\\nodejs\\node.exe", "C:\\m\\main.cjs"], flags: [] };
const quoted = '"C:/Program Files/nodejs/node.exe" C:/m/main.cjs observe --hook gemini-cli';
let home: AgentHome | undefined;

afterEach(() => {
  vi.unstubAllGlobals();
  home?.remove();
});

test("Gemini CLI's hooks on Windows call a quoted path with &, as PowerShell requires", () => {
  vi.stubGlobal("process", { ...process, platform: "win32" });
  expect(hooksOf("gemini-cli", invocation).SessionStart).toMatchObject({
    hooks: [{ command: `& ${quoted}` }],
  });
  vi.stubGlobal("process", { ...process, platform: "linux" });
  expect(hooksOf("gemini-cli", { ...invocation, program: ["memsvc"] }).SessionStart).toMatchObject({
    hooks: [{ command: "memsvc observe --hook gemini-cli" }],
  });
});

test("Gemini CLI's compression hook runs only for compressions that the user asked for", () => {
  const hooks = hooksOf("gemini-cli", invocation);
  const matched = Object.entries(hooks).filter(([, item]) => "matcher" in item);
  expect(matched).toEqual([["PreCompress", expect.objectContaining({ matcher: "manual" })]]);
});

test("Qwen Code's hooks on Windows use PowerShell if their command needs quotes", () => {
  const commandOf = (program: readonly string[], flags: readonly string[] = []) =>
    hooksOf("qwen-code", { program, flags }).Stop;
  vi.stubGlobal("process", { ...process, platform: "win32" });
  expect(commandOf(invocation.program)).toMatchObject({
    hooks: [{ command: `& ${quoted.replace("gemini-cli", "qwen-code")}`, shell: "powershell" }],
  });
  expect(commandOf(["memsvc"], ["--home", "C:\\my store"])).toMatchObject({
    hooks: [
      { command: expect.stringMatching(/^memsvc\.cmd observe .*"C:\/my store"$/u), shell: "powershell" },
    ],
  });
  // In a project's settings the command is the same for everybody.
  const plain = { name: "memsvc", type: "command", command: "memsvc observe --hook qwen-code" };
  expect(commandOf(["memsvc"])).toEqual({ hooks: [{ ...plain, timeout: 10_000 }] });
  vi.stubGlobal("process", { ...process, platform: "linux" });
  expect(commandOf(["memsvc"])).toEqual({ hooks: [{ ...plain, timeout: 10_000 }] });
});

test("Qwen Code's notification hook runs only for permission prompts", () => {
  const matched = Object.entries(hooksOf("qwen-code", invocation)).filter(([, item]) => "matcher" in item);
  expect(matched).toEqual([["Notification", expect.objectContaining({ matcher: "permission_prompt" })]]);
});

test("Codex's hooks have a command for PowerShell on Windows, if theirs needs quotes or is everybody's", () => {
  const hookOf = (program: readonly string[]) => {
    const { SessionEnd } = hooksOf("codex", { program, flags: [] });
    return (SessionEnd as { hooks: object[] } | undefined)?.hooks[0];
  };
  const plain = { type: "command", command: "memsvc observe --hook codex", timeout: 3 };
  expect(hookOf(["memsvc"])).toEqual(plain);
  vi.stubGlobal("process", { ...process, platform: "win32" });
  expect(hookOf(invocation.program)).toMatchObject({
    commandWindows: `& ${quoted.replace("gemini-cli", "codex")}`,
  });
  expect(hookOf(["memsvc"])).toEqual({ ...plain, commandWindows: "memsvc.cmd observe --hook codex" });
  expect(hookOf(["memsvc.cmd"])).toEqual({ ...plain, command: "memsvc.cmd observe --hook codex" });
});

test("Copilot CLI's hooks start npm's .cmd in PowerShell, whose policy refuses its .ps1", () => {
  expect(hooksOf("copilot-cli", { program: ["memsvc"], flags: [] }).Stop).toMatchObject({
    bash: "memsvc observe --hook copilot-cli || true",
    powershell: "memsvc.cmd observe --hook copilot-cli; exit 0",
  });
});

test("Zed's server entry has no field that Zed asks to remove", async () => {
  home = openAgentHome();
  await home.connect("zed");
  const [path = ""] = home.paths("zed");
  const { context_servers: servers } = JSON.parse(home.read(path) ?? "") as { context_servers: object };
  expect(servers).toEqual({ memsvc: { command: process.execPath, args: expect.any(Array), env: {} } });
});

test("Droid's and Amp's server entries are as their own commands write them", async () => {
  home = openAgentHome();
  const entry = { command: process.execPath, args: expect.any(Array) };
  await home.connect("droid");
  const droid = home.paths("droid").at(-1) ?? "";
  expect(droid).toBe(`${home.places.home}/.factory/mcp.json`);
  expect(JSON.parse(home.read(droid) ?? "")).toEqual({ mcpServers: { memsvc: { type: "stdio", ...entry } } });
  await home.connect("amp");
  const [amp = ""] = home.paths("amp");
  expect(amp).toBe(`${home.places.home}/.config/amp/settings.json`);
  expect(JSON.parse(home.read(amp) ?? "")).toEqual({ "amp.mcpServers": { memsvc: entry } });
});

test("Amp's file with comments is written only if the other is missing, because Amp reads one of them", async () => {
  home = openAgentHome();
  const [plain = ""] = home.paths("amp");
  home.write(`${plain}c`, "{}\n");
  await home.connect("amp");
  expect(home.read(plain)).toBeUndefined();
  expect(home.read(`${plain}c`)).toContain("amp.mcpServers");
  await home.disconnect("amp");
  home.write(plain, "{}\n");
  await home.connect("amp");
  expect(home.read(plain)).toContain("amp.mcpServers");
  expect(home.read(`${plain}c`)).toBe("{}\n");
});

test("Auggie's server entry is as its own command writes it", async () => {
  home = openAgentHome();
  await home.connect("auggie");
  const [path = ""] = home.paths("auggie");
  expect(path).toBe(`${home.places.home}/.augment/settings.json`);
  expect(JSON.parse(home.read(path) ?? "")).toEqual({
    mcpServers: {
      memsvc: { type: "stdio", command: process.execPath, args: expect.any(Array), env: {} },
    },
  });
});

test("Crush's server entry is as its documentation says", async () => {
  home = openAgentHome();
  await home.connect("crush");
  const [path = ""] = home.paths("crush");
  expect(path).toBe(`${home.places.home}/.config/crush/crush.json`);
  expect(JSON.parse(home.read(path) ?? "")).toEqual({
    mcp: { memsvc: { type: "stdio", command: process.execPath, args: expect.any(Array) } },
  });
});
