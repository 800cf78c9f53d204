import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelServer, openModelServer } from "../support/model-server.ts";
import { buildOnce, type DaemonProcess, openSandbox, type Sandbox, startDaemon } from "./program-process.ts";

let server: ModelServer;
let sandbox: Sandbox;
let daemon: DaemonProcess | undefined;
beforeAll(async () => {
  buildOnce();
  server = await openModelServer();
  sandbox = openSandbox();
  const home = join(sandbox.home, ".memsvc");
  mkdirSync(home, { mode: 0o700 });
  const settings = { ...server.env("anthropic", "k-0123456789"), MEMSVC_AUTO_COMPRESS: "true" };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(home, ".env"), lines.join(""), { mode: 0o600 });
});
afterAll(async () => {
  await daemon?.stop();
  sandbox.remove();
  await server.close();
});

const event = {
  hookType: "prompt_submit",
  sessionId: "one",
  project: "shop",
  cwd: "/w/shop",
  timestamp: "2026-03-01T10:00:00Z",
  data: { prompt: "Send each webhook once" },
};

const entry = {
  type: "decision",
  title: "Webhooks are sent at most once",
  facts: ["a webhook is sent at most once"],
  narrative: "The developer decided that a webhook is sent at most once.",
  concepts: ["webhooks"],
  files: [],
};

test("the daemon stops while it waits for a model, and the next one asks the model again", async () => {
  daemon = await startDaemon(sandbox);
  server.answer({ kind: "never" });
  const observed = await sandbox.runHere(["observe", "--json"], { stdin: JSON.stringify(event) });
  expect(JSON.parse(observed.stdout)).toMatchObject({ queued: true });
  await expect.poll(() => server.seen).toHaveLength(1);
  expect(await daemon.stop()).toBe(0);
  // The job was not given all its time in vain.
  const log = readFileSync(join(sandbox.home, ".memsvc", "logs", "memsvc.log"), "utf8");
  expect(JSON.parse(log.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    message: "stopped",
    isAtRest: true,
  });
  server.answer(({ prompt }) => {
    const [, id] = /^(obs_\w+):/u.exec(prompt) ?? [];
    return { kind: "json", value: { observations: [{ id, ...entry }] } };
  });
  daemon = await startDaemon(sandbox);
  const shown = async () => (await sandbox.runHere(["session", "show", "one"])).stdout;
  await expect.poll(shown, { interval: 500 }).toContain(entry.title);
});

test("status and health show the model and its calls and tokens of today", async () => {
  const said = "anthropic claude-haiku-4-5, today 2 calls (1 failed), 120 tokens";
  expect((await sandbox.runHere(["status"])).stdout).toContain(`\nmodel      ${said}\n`);
  expect((await sandbox.runHere(["health"])).stdout).toContain(`\nlanguage model: ${said}\n`);
  const status = JSON.parse((await sandbox.runHere(["status", "--json"])).stdout);
  expect(status.llm).toMatchObject({ provider: "anthropic", today: { byPurpose: { compression: {} } } });
});

test("session summarize prints the summary as text", async () => {
  server.answer({
    kind: "json",
    value: {
      title: "Webhooks",
      narrative: "Webhooks are sent once.",
      keyDecisions: ["at most once"],
      filesModified: [],
      concepts: [],
    },
  });
  const { stdout, exit } = await sandbox.run(["session", "summarize", "one"]);
  expect(exit).toBe(0);
  expect(stdout).toBe(
    "Webhooks\nWebhooks are sent once.\ndecisions:\n- at most once\nby anthropic, of 1 observation, quality 65 of 100\n",
  );
});

test("daemon start says if only an API key makes it use a model, and how to turn that off", async () => {
  const own = openSandbox();
  const start = ["daemon", "start", "--port", "0", "--no-viewer"];
  const key = { ANTHROPIC_API_KEY: "k-0123456789" };
  const told = await own.runHere(start, { env: key });
  expect(told.stderr).toMatch(/^anthropic \(\S+\) writes session summaries, .* MEMSVC_PROVIDER noop$/mu);
  await own.runHere(["daemon", "stop"]);
  for (const env of [
    { ...key, MEMSVC_PROVIDER: "noop" },
    { ...key, MEMSVC_PROVIDER: "anthropic" },
  ]) {
    const { exit, stderr } = await own.runHere(start, { env });
    expect([exit, stderr]).toEqual([0, ""]);
    await own.runHere(["daemon", "stop"]);
  }
  own.remove();
});
