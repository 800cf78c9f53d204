import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, type DaemonProcess, openSandbox, startDaemon } from "./program-process.ts";

/*
 * Two agents at one store that keeps them apart: each command works for the agent that its environment names, whoever
 * carries it out.
 */

beforeAll(buildOnce);

describe.each(["in this process", "through the daemon"])("isolated agents, %s:", (way) => {
  const sandbox = forAllTests(openSandbox);
  let daemon: DaemonProcess | undefined;
  let memory: string;

  const runAs = (agent: string, ...args: readonly string[]) =>
    sandbox.run(args, { env: { AGENT_ID: agent } });
  const runHereAs = (agent: string, ...args: readonly string[]) =>
    sandbox.runHere(args, { env: { AGENT_ID: agent } });
  const printedTo = async (agent: string, ...args: readonly string[]) =>
    (await runHereAs(agent, ...args)).stdout;

  beforeAll(async () => {
    mkdirSync(join(sandbox.home, ".memsvc"));
    writeFileSync(join(sandbox.home, ".memsvc", ".env"), "MEMSVC_AGENT_SCOPE=isolated\n");
    if (way === "through the daemon") daemon = await startDaemon(sandbox);
    memory = (await printedTo("änn", "remember", "Feed the heron at noon", "--project", "aviary")).trim();
    await runHereAs("änn", "session", "start", "morning", "--project", "aviary", "--title", "the heron");
  });
  afterAll(() => daemon?.stop());

  test("only the agent that wrote a memory finds it, unless another names it with --agent-id", async () => {
    const listed = JSON.parse(await printedTo("änn", "memory", "list", "--json"));
    expect(listed.memories).toMatchObject([{ id: memory, agentId: "änn" }]);
    expect((await runHereAs("änn", "search", "heron")).stdout).toContain(memory);
    expect(await printedTo("änn", "session", "list")).toContain("morning");
    expect(await runAs("bob", "search", "heron")).toMatchObject({ exit: 3 });
    expect(await runHereAs("bob", "forget", memory, "--yes")).toMatchObject({ exit: 3 });
    expect(await printedTo("bob", "memory", "list", "--agent-id", "änn")).toContain(memory);
  });

  test("without an agent, show and recall point to --agent-id, which works", async () => {
    for (const [command, what] of [
      ["show", memory],
      ["recall", "heron"],
    ] as const) {
      const refused = await sandbox.runHere([command, what]);
      expect(refused).toMatchObject({ exit: 2, stderr: expect.stringContaining("--agent-id") });
      const of = (agent: string) => sandbox.runHere([command, what, "--agent-id", agent]);
      for (const agent of ["änn", "*"])
        expect(await of(agent)).toMatchObject({ exit: 0, stdout: expect.stringContaining("heron") });
      expect(await of("bob")).toMatchObject({ exit: 3 });
    }
  });

  test("the audit records the agent of an export and of an import", async () => {
    const file = join(sandbox.home, "whole.json");
    await runHereAs("bob", "export", file);
    await runAs("bob", "import", file);
    for (const operation of ["export", "import"]) {
      const { entries } = JSON.parse(await printedTo("änn", "audit", "--operation", operation, "--json"));
      expect(entries, operation).toMatchObject([{ operation, agentId: "bob" }]);
    }
  });

  test("the audit records the agent of an action, a signal, a compressed file and a vault export", async () => {
    const notes = join(sandbox.home, "notes.md");
    const paragraph =
      "A heron stands still for hours, and then takes its fish in the blink of an eye, at noon.";
    writeFileSync(notes, `# Heron\n\n${paragraph}\n\n\n\n${paragraph}\n`);
    const commands = {
      action_create: ["action", "create", "Mend the net"],
      signal_send: ["signal", "send", "The net is mended", "--from", "planner"],
      compress_file: ["compress-file", notes],
      vault_export: ["vault", "export", join(sandbox.home, "vault")],
    };
    for (const [operation, command] of Object.entries(commands)) {
      expect(await runHereAs("bob", ...command), operation).toMatchObject({ exit: 0 });
      const { entries } = JSON.parse(await printedTo("änn", "audit", "--operation", operation, "--json"));
      expect(entries, operation).toMatchObject([{ operation, agentId: "bob" }]);
    }
  });

  test("completions, hints and the status reveal nothing of another agent's work", async () => {
    const looks = [
      ["complete", "--", "memory", "get", ""],
      ["complete", "--", "session", "end", ""],
      ["complete", "--", "memory", "list", "--project", ""],
      ["search", "heron", "--project", "aviari"],
      ["search", "heron", "--project", "aviari", "--agent-id", "bob"],
      ["status"],
    ];
    for (const look of looks) {
      const { stdout, stderr } = await runHereAs("bob", ...look);
      expect(stdout + stderr, look.join(" ")).not.toMatch(
        new RegExp(`${memory}|morning|aviary|heron\\.|1 memory`, "u"),
      );
    }
    expect((await runHereAs("änn", "complete", "--", "memory", "get", "")).stdout).toContain(memory);
    expect((await runHereAs("änn", "search", "egret", "--project", "aviari")).stderr).toContain(
      "did you mean aviary?",
    );
    expect((await runHereAs("änn", "status")).stdout).toContain("1 memory, 1 session");
  });
});
