import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as stateless from "@modelcontextprotocol/client";
import { StdioClientTransport as StatelessTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { isAlive, readLock, runningServer, updateLock } from "../../src/config/lock-file.ts";
import { buildOnce, openSandbox, startDaemon } from "../cli/program-process.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openPeerServer } from "../support/peer-server.ts";

/* `memsvc mcp` as agents start it: the built program with its standard input and output, and the daemons it starts. */

const sandbox = forEachTest(openSandbox);
let store: string;
beforeAll(buildOnce);
beforeEach(() => {
  store = join(sandbox.home, ".memsvc");
});
afterEach(async () => {
  const daemon = runningServer(store);
  if (daemon !== undefined) {
    process.kill(daemon.pid, "SIGTERM");
    // It writes its last log line after it has released the home.
    await expect.poll(() => isAlive(daemon.pid, store)).toBe(false);
  }
});

const program = new URL("../../dist/main.cjs", import.meta.url).pathname;

async function agent(env: Readonly<Record<string, string>> = {}, cwd = sandbox.home): Promise<Client> {
  const client = new Client({ name: "agent", version: "1" });
  await client.connect(new StdioClientTransport(shim(env, cwd)));
  return client;
}

/** How an agent starts `memsvc mcp`. */
function shim(env: Readonly<Record<string, string>> = {}, cwd = sandbox.home) {
  return {
    command: process.execPath,
    args: [program, "mcp"],
    cwd,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: sandbox.home,
      TMPDIR: sandbox.temporary,
      MEMSVC_MODEL_DOWNLOAD: "never",
      MEMSVC_PORT: "0",
      ...env,
    },
  };
}

/** The parent process and its ancestors, as far as they still run. */
function ancestorsOf(pid: number): number[] {
  const parent = Number(/\) \S (\d+) /u.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? 0);
  return parent <= 1 ? [parent] : [parent, ...ancestorsOf(parent)];
}

const save = (client: Client, content: string) =>
  client.callTool({ name: "memory_save", arguments: { content } });

test("the instructions for an agent in a repository name the project to save under", async () => {
  const folder = join(sandbox.home, "shop");
  mkdirSync(join(folder, ".git"), { recursive: true });
  mkdirSync(join(folder, "src"));
  const inside = await agent({}, join(folder, "src"));
  const said = inside.getInstructions() ?? "";
  expect(said).toContain(`memory_lesson_save, with "project": "${folder}" for all that does not hold`);
  expect(said.match(/\. |\.$/gu)).toHaveLength(2);
  const project = (JSON.parse(`{${/"project": "[^"]*"/u.exec(said)?.[0]}}`) as { project: string }).project;
  const content = "Uploads are retried";
  await inside.callTool({ name: "memory_save", arguments: { content, project } });
  const known = async (asked: string) =>
    JSON.stringify(
      await inside.callTool({ name: "memory_recall", arguments: { query: "uploads", project: asked } }),
    ).includes(content);
  expect([await known("shop"), await known("/elsewhere")]).toEqual([true, false]);
  await inside.close();

  const outside = await agent();
  expect(outside.getInstructions()).not.toContain("project");
  await outside.close();
  const named = await agent({ MEMSVC_PROJECT_NAME: "web" }, folder);
  expect(named.getInstructions()).toContain('with "project": "web" for all');
  await named.close();
});

test("two agents start one daemon, which outlives both and does not take their settings", async () => {
  // The daemon takes settings from the config file, and none from the agent that happens to start it.
  mkdirSync(store, { recursive: true });
  writeFileSync(join(store, ".env"), "MEMSVC_SLOTS=true\n");
  const own = { MEMSVC_AGENT_SCOPE: "isolated", MEMSVC_SLOTS: "false", OPENAI_API_KEY: "of-an-agent" };
  const [ann, bob] = await Promise.all([
    agent({ AGENT_ID: "ann", ...own }),
    agent({ AGENT_ID: "bob", ...own }),
  ]);
  const saved = await Promise.all([save(ann, "Ann likes tabs"), save(bob, "Bob likes spaces")]);
  expect(saved.map(({ isError }) => isError)).toEqual([undefined, undefined]);
  // Some agents kill all descendants of their servers when they end.
  if (existsSync("/proc/self/stat"))
    expect(ancestorsOf(runningServer(store)?.pid ?? 0)).not.toContain(process.pid);
  const tooLong = await save(ann, "x".repeat(11 * 1_048_576));
  expect(JSON.stringify(tooLong.structuredContent)).toMatch(/answered 413: .*MEMSVC_MAX_BODY_BYTES/u);
  const found = await ann.callTool({ name: "memory_smart_search", arguments: { query: "likes" } });
  expect(found.structuredContent).toMatchObject({ totalCount: 2 });
  await Promise.all([ann.close(), bob.close()]);
  const daemon = runningServer(store);
  expect(daemon?.port).toBeGreaterThan(0);
  const astray = await agent({ MEMSVC_URL: "http://127.0.0.1:1" });
  const { structuredContent } = await save(astray, "nowhere");
  expect(JSON.stringify(structuredContent)).toMatch(
    new RegExp(
      `127.0.0.1:1/.*runs at http://127.0.0.1:${daemon?.port}/memsvc.*memsvc daemon start --port 1"`,
      "u",
    ),
  );
  await astray.close();
  const { stdout } = await sandbox.runHere(["memory", "list", "--json"]);
  const { memories } = JSON.parse(stdout) as { memories: { agentId?: string }[] };
  expect(memories.map(({ agentId }) => agentId).toSorted()).toEqual(["ann", "bob"]);
  const flags = JSON.parse((await sandbox.runHere(["flags", "--json"])).stdout) as {
    provider: string;
    features: { key: string; enabled: boolean }[];
  };
  expect(flags.provider).toBe("noop");
  expect(flags.features).toContainEqual(expect.objectContaining({ key: "MEMSVC_SLOTS", enabled: true }));
  const started = readFileSync(join(store, "logs", "memsvc.log"), "utf8").match(/"listening"/gu);
  expect(started).toHaveLength(1);
  expect(readLock(store)?.pid).toBe(daemon?.pid);
});

test("an agent of version 2026-07-28, which asks first what is spoken, saves and finds", async () => {
  const client = new stateless.Client(
    { name: "agent", version: "1" },
    { versionNegotiation: { mode: "auto" } },
  );
  await client.connect(new StatelessTransport(shim()));
  expect([client.getProtocolEra(), client.getNegotiatedProtocolVersion()]).toEqual(["modern", "2026-07-28"]);
  expect((await client.listTools()).tools.length).toBeGreaterThan(30);
  await client.callTool({ name: "memory_save", arguments: { content: "Uploads are retried" } });
  const found = await client.callTool({ name: "memory_recall", arguments: { query: "uploads" } });
  expect(found.structuredContent).toMatchObject({ totalCount: 1 });
  await client.close();
});

test("without autostart nothing is started or stored, tools are listed and calls say what to do", async () => {
  const unexpanded = ["$", "{SECRET}"].join("");
  const client = await agent({ MEMSVC_MCP_AUTOSTART: "false", MEMSVC_SECRET: unexpanded });
  expect((await client.listTools()).tools.length).toBeGreaterThan(30);
  const { isError, structuredContent } = await save(client, "lost?");
  expect([isError, JSON.stringify(structuredContent)]).toEqual([
    true,
    expect.stringMatching(/no memsvc daemon answers \(none works on .*memsvc daemon start/u),
  ]);
  await client.close();
  expect(existsSync(store)).toBe(false);
});

test("MEMSVC_TOOLS of an agent decides which tools that agent gets, whatever the daemon's", async () => {
  const daemon = await startDaemon(sandbox);
  const [ann, bob] = await Promise.all([agent({ MEMSVC_TOOLS: "core" }), agent()]);
  const [ofAnn, ofBob] = await Promise.all([ann.listTools(), bob.listTools()]);
  expect([ofAnn.tools.length, ofBob.tools.length > 30]).toEqual([8, true]);
  const get = { name: "memory_get", arguments: { memoryId: "mem_1" } };
  await expect(ann.callTool(get)).rejects.toThrow(/MEMSVC_TOOLS=core/u);
  const unknown = (client: Client) =>
    client.callTool({ name: "memory_smart_search", arguments: { expandIds: ["mem_1"] } });
  expect((await unknown(ann)).isError).toBe(true);
  expect((await bob.callTool(get)).structuredContent).toMatchObject({ status: 404 });
  await Promise.all([ann.close(), bob.close()]);
  await daemon.stop();
});

test("without autostart a call made while the daemon starts waits for it", async () => {
  const daemon = await startDaemon(sandbox);
  const holder = runningServer(store);
  if (holder === undefined) throw new Error("no daemon runs");
  const client = await agent({ MEMSVC_MCP_AUTOSTART: "false" });
  updateLock(store, { ...holder, port: 0 });
  const saved = save(client, "kept over a restart");
  await sleep(300);
  updateLock(store, holder);
  expect((await saved).structuredContent).toMatchObject({ success: true });
  await client.close();
  await daemon.stop();
});

test("the daemon of another home on the port is not used", async () => {
  const other = openSandbox();
  const daemon = await startDaemon(other);
  const port = runningServer(join(other.home, ".memsvc"))?.port;
  const client = await agent({ MEMSVC_PORT: String(port) });
  const { isError, structuredContent } = await save(client, "mine alone");
  expect(isError).toBe(true);
  expect(JSON.stringify(structuredContent)).toContain("taken by the memsvc daemon of another home");
  await client.close();
  expect((await other.runHere(["memory", "list"])).stdout).not.toContain("mine alone");
  await daemon.stop();
  other.remove();
});

test("a relative path is resolved in the agent's folder, not in the daemon's", async () => {
  const project = join(sandbox.home, "shop");
  mkdirSync(project);
  const text = "# Notes\n\n\n\n\nShort.   \n";
  const [ofDaemon, ofAgent] = [join(sandbox.home, "NOTES.md"), join(project, "NOTES.md")];
  for (const path of [ofDaemon, ofAgent]) writeFileSync(path, text);
  const daemon = await startDaemon(sandbox);
  const client = await agent({}, project);
  const compress = (filePath: string) =>
    client.callTool({ name: "memory_compress_file", arguments: { filePath } });
  expect((await compress("NOTES.md")).structuredContent).toMatchObject({ filePath: realpathSync(ofAgent) });
  expect(readFileSync(ofAgent, "utf8")).not.toBe(text);
  expect(readFileSync(ofDaemon, "utf8")).toBe(text);
  await client.close();
  await daemon.stop();
});

test("a call reports why the daemon did not start, in the daemon's words", async () => {
  const { port, close } = await openPeerServer((_, response) => response.writeHead(404).end());
  const client = await agent({ MEMSVC_PORT: String(port) });
  const { structuredContent } = await save(client, "lost?");
  expect(JSON.stringify(structuredContent)).toContain(`port ${port} on 127.0.0.1 is taken`);
  await client.close();
  await close();
});

test("standard output has only answers, framed like their messages, and ends with the input", async () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const pong = '{"jsonrpc":"2.0","id":1,"result":{}}';
  const { exit, stdout } = await sandbox.run(["mcp", "--url", "http://127.0.0.1:1"], {
    env: { MEMSVC_MCP_AUTOSTART: "false" },
    stdin: [`${ping}\nContent-Length: ${ping.length}\r\n\r\n`, `${ping}nonsense\n`],
  });
  expect(exit).toBe(0);
  const fault = /^\{"jsonrpc":"2.0","id":null,"error":\{"code":-32700.*\n/mu;
  expect(stdout).toMatch(fault);
  expect(stdout.replace(fault, "")).toBe(`${pong}\nContent-Length: ${pong.length}\r\n\r\n${pong}`);
});
