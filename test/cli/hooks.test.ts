import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "libsql";
import { beforeAll, describe, expect, test } from "vitest";
import { observeInputFrom } from "../../src/capture/observations/hooks/hook-payload.ts";
import type { Observation } from "../../src/capture/observations/record.ts";
import type { HookPayload } from "../../src/cli/demo/sample/events.ts";
import {
  type SampleSession,
  sampleProject,
  sampleSecrets,
  sampleSessions,
} from "../../src/cli/demo/sample/history.ts";
import { redactValue } from "../../src/text/redaction/redact.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox, type Sandbox, startDaemon } from "./program-process.ts";
import { storedObservations } from "./stored-observations.ts";

const sandbox = forAllTests(openSandbox);

beforeAll(buildOnce);

/**
 * Sends events as hooks do: the payload on stdin, nothing on stdout or stderr. The first and the last are processes of
 * their own; those between run here, because another process would prove nothing more of the same state of the daemon.
 */
async function hooks(payloads: readonly HookPayload[]): Promise<void> {
  for (const [at, payload] of payloads.entries()) {
    const way = at === 0 || at === payloads.length - 1 ? "run" : "runHere";
    const { exit, stdout, stderr } = await sandbox[way](["observe"], { stdin: JSON.stringify(payload) });
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: "", stderr: "" });
  }
}

/** A daemon that starts with `env` hangs once it is told to, as in work that does not end, and goes on when told. */
function hanging(own: Sandbox) {
  const [patch, hangs, goesOn] = ["hangs.cjs", "hangs", "goes-on"].map((name) => join(own.home, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(
    patch,
    `const { existsSync, writeFileSync } = require("node:fs");
     process.on("SIGUSR2", () => {
       writeFileSync(${JSON.stringify(hangs)}, "");
       while (!existsSync(${JSON.stringify(goesOn)}))
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
     });`,
  );
  return {
    env: { NODE_OPTIONS: `--require=${patch}` },
    hang: async (pid: number) => {
      process.kill(pid, "SIGUSR2");
      await expect.poll(() => existsSync(hangs)).toBe(true);
    },
    goOn: () => writeFileSync(goesOn, ""),
  };
}

/** Keeps the store locked, so that a daemon which is suspended meanwhile is not suspended in the middle of a write. */
function keptLocked({ home }: Sandbox): { readonly release: () => void } {
  const keeper = new Database(join(home, ".memsvc", "memsvc.db"));
  keeper.exec("PRAGMA busy_timeout = 5000");
  keeper.exec("BEGIN IMMEDIATE");
  return {
    release: () => {
      keeper.exec("ROLLBACK");
      keeper.close();
    },
  };
}

/**
 * Reads a file in another process. If this process closed the database, it would lose the locks of the connections to
 * it that it still has (src/store/lock-safe-read.ts), and the next process would remove the log under them.
 */
function readApart(path: string): string {
  return execFileSync("cat", [path], { encoding: "latin1", maxBuffer: Number.POSITIVE_INFINITY });
}

/** The events of a session as lines, each with the time at which it was recorded. */
function linesOf({ events }: SampleSession): readonly string[] {
  return events.map(({ at, payload }) => JSON.stringify({ ...payload, timestamp: at }));
}

/** What a store holds of payloads: each different one once, in the order of sending, without secrets. */
function expectedOf(payloads: readonly HookPayload[]): readonly unknown[] {
  const different = new Map(payloads.map((payload) => [JSON.stringify(payload), payload]));
  return [...different.values()].map((payload) => {
    const read = observeInputFrom(
      { ...payload },
      { now: () => new Date(), projectOf: () => sampleProject.name, fallbackCwd: "/" },
    );
    return read.kind === "event"
      ? { hookType: read.input.hookType, data: redactValue(read.input.data) }
      : read.reason;
  });
}

function keptOf(observations: readonly Observation[]): readonly unknown[] {
  return observations.map(({ hookType, raw }) => ({ hookType, data: raw?.data }));
}

describe("the hooks of an agent", () => {
  test("store every event exactly once, with the daemon down, up, killed and restarted", async () => {
    // The session that tells an event twice goes one process each, as hooks do; the others at once, for their number.
    const [single = [], others] = [sampleSessions[2]?.events, sampleSessions.toSpliced(2, 1)];
    const singly = single.map(({ payload }) => payload);
    expect(expectedOf(singly)).toHaveLength(singly.length - 1);
    const [up, killed, back] = [6, 16, 19];
    await hooks(singly.slice(0, up));
    const daemon = await startDaemon(sandbox);
    await hooks(singly.slice(up, killed));
    await daemon.kill();
    await hooks(singly.slice(killed, back));
    const restarted = await startDaemon(sandbox);
    await hooks(singly.slice(back));
    const stdin = others.flatMap(linesOf).join("\n");
    const batch = await sandbox.run(["observe", "--batch", "--strict"], { stdin });
    expect(batch).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    for (const { sessionId, events } of sampleSessions) {
      expect(keptOf(await storedObservations(sandbox, sessionId))).toEqual(
        expectedOf(events.map(({ payload }) => payload)),
      );
    }
    expect(await restarted.stop()).toBe(0);
  });

  test("leave no secret in any file of the home", () => {
    const home = join(sandbox.home, ".memsvc");
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const texts = files.map(({ parentPath, name }) => readApart(join(parentPath, name)));
    expect(texts.some((text) => text.includes("nordpost"))).toBe(true);
    for (const secret of sampleSecrets) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });

  test("store an event without a daemon although a setting is wrong, unless it decides where or for whom", async () => {
    const own = openSandbox();
    const event = (text: string) => ({
      stdin: JSON.stringify({ hookType: "prompt_submit", sessionId: "one", data: { prompt: text } }),
    });
    const wrong = { ANTHROPIC_BASE_URL: "proxy:8080", MEMSVC_PORT: "31l1" };
    const kept = await own.run(["observe", "--strict"], { ...event("Paint the boat"), env: wrong });
    expect(kept).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(
        /MEMSVC_PORT must .*; the event was captured all the same\nhint: Correct it in the environment/u,
      ),
    });
    for (const name of ["MEMSVC_DURABILITY", "MEMSVC_AGENT_SCOPE"]) {
      const refused = await own.runHere(["observe", "--strict"], {
        ...event("Oil the oars"),
        env: { [name]: "?" },
      });
      expect(refused).toMatchObject({ exit: 2, stderr: expect.stringContaining("nothing was captured") });
    }
    expect((await own.runHere(["session", "show", "one", "--json"])).stdout).toContain("Paint the boat");
    expect((await own.runHere(["session", "show", "one", "--json"])).stdout).not.toContain("Oil the oars");
    own.remove();
  });

  test("store the events of --batch in order, and skip an invalid line", async () => {
    const own = openSandbox();
    const lines = sampleSessions.flatMap(linesOf);
    lines.splice(3, 0, '{"hook_event_name": "Stop", ');
    const { exit, stdout, stderr } = await own.run(["observe", "--batch", "--json"], {
      stdin: lines.join("\n"),
    });
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(exit).toBe(0);
    expect(stderr).toBe("memsvc observe: line 4: the event is not valid JSON; nothing was captured\n");
    expect(answers).toHaveLength(lines.length - 1);
    expect(answers.filter(({ deduplicated }) => deduplicated === true)).toHaveLength(1);
    const [session] = sampleSessions;
    const shown = await own.runHere(["session", "show", session?.sessionId ?? "", "--raw", "--json"]);
    const { observations } = JSON.parse(shown.stdout) as { observations: readonly Observation[] };
    expect(observations.map(({ timestamp }) => timestamp)).toEqual(session?.events.map(({ at }) => at));
    own.remove();
  });

  test("wait only once per --batch for a daemon that hangs", async () => {
    const own = openSandbox();
    let asked = 0;
    const hanging = createServer((socket) => {
      asked += 1;
      socket.on("error", () => undefined).resume();
    });
    await once(hanging.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/memsvc`;
    const lines = sampleSessions.flatMap(linesOf).slice(0, 3);
    const { exit, stdout } = await own.run(["observe", "--batch", "--strict", "--json", "--url", url], {
      stdin: lines.join("\n"),
    });
    expect({ exit, asked, kept: stdout.trimEnd().split("\n").length }).toEqual({
      exit: 0,
      asked: 1,
      kept: 3,
    });
    hanging.close();
    own.remove();
  });

  test("wait once for a daemon that hangs, and ask it again once it continues", async () => {
    const own = openSandbox();
    const { env, hang, goOn } = hanging(own);
    const start = ["daemon", "start", "--port", "0", "--no-viewer", "--json"];
    const { url, pid } = JSON.parse((await own.runHere(start, { env })).stdout) as {
      url: string;
      pid: number;
    };
    const lines = sampleSessions.flatMap(linesOf);
    // As a batch of one event, which waits for the store as long as it takes: a machine may be too slow for a hook.
    const observe = async (at: number) =>
      own.run(["observe", "--batch", "--strict", "--json"], { stdin: lines[at] ?? "" });
    await hang(pid);
    expect(await observe(0)).toMatchObject({ exit: 0, stderr: "" });
    const note = join(own.home, ".memsvc", "memsvc.unanswered");
    expect(readFileSync(note, "utf8")).toBe(`${url}\n`);
    const notedAt = statSync(note).mtimeMs;
    const later = await Promise.all([1, 2, 3].map(observe));
    expect(later).toMatchObject(later.map(() => ({ exit: 0, stderr: "" })));
    // A hook that asked the daemon would have written the note again.
    expect(statSync(note).mtimeMs).toBe(notedAt);
    goOn();
    await expect.poll(() => existsSync(note)).toBe(false);
    expect(await observe(4)).toMatchObject({ exit: 0, stderr: "" });
    const keeper = keptLocked(own);
    process.kill(pid, "SIGSTOP");
    keeper.release();
    expect(await observe(5)).toMatchObject({ exit: 0, stderr: "" });
    // Where the system shows that it is suspended, it is not even asked.
    expect(existsSync(note)).toBe(!existsSync("/proc/self/stat"));
    process.kill(pid, "SIGCONT");
    const [session] = sampleSessions;
    const shown = await own.runHere(["session", "show", session?.sessionId ?? "", "--raw", "--json"]);
    const { observations } = JSON.parse(shown.stdout) as { observations: readonly Observation[] };
    const told = session?.events.slice(0, 6).map(({ at }) => at);
    expect(observations.map(({ timestamp }) => timestamp).toSorted()).toEqual(told?.toSorted());
    await own.runHere(["daemon", "stop"]);
    own.remove();
  });

  test("give up on a locked store within seconds, and say what happens to the event", async () => {
    const own = openSandbox();
    const start = ["daemon", "start", "--port", "0", "--no-viewer", "--json"];
    const { url, pid } = JSON.parse((await own.runHere(start)).stdout) as { url: string; pid: number };
    const [line = ""] = sampleSessions.flatMap(linesOf);
    const both = () =>
      Promise.all([
        own.run(["observe", "--strict"], { stdin: line }),
        own.run(["observe", "--offline"], { stdin: line }),
      ]);
    // What they take where nothing keeps them waiting, which is long on a busy machine.
    const usual = (await both()).map(({ tookMs }) => tookMs);
    const keeper = keptLocked(own);
    process.kill(pid, "SIGSTOP");
    const [asked, alone] = await both();
    expect(Math.max(asked.tookMs, alone.tookMs)).toBeLessThan(10_000 + Math.max(...usual));
    expect(asked).toMatchObject({
      exit: 1,
      stderr: `memsvc observe: ${url} does not answer, and its store is locked; the request was sent, and is handled when it continues\n`,
    });
    expect(alone).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(
        /was not ready in time: another process .* locked, or the machine is slow or busy; nothing was captured\n$/u,
      ),
    });
    keeper.release();
    process.kill(pid, "SIGCONT");
    await own.runHere(["daemon", "stop"]);
    own.remove();
  });
});

const notEvents: readonly (readonly [string, string])[] = [
  ["broken JSON", '{"hook_event_name": "Stop"'],
  ["nothing", ""],
  ["blanks", " \n "],
  ["a payload of an unknown shape", '{"what": "ever"}'],
  ["an event without a session", '{"hook_event_name": "Stop"}'],
  ["a list", "[1, 2]"],
  ["null", "null"],
];

describe("a hook without a valid event", () => {
  test.each(notEvents)("exits with 0 and says why on stderr: %s", async (_name, stdin) => {
    const { exit, stdout, stderr } = await sandbox.runHere(["observe"], { stdin });
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: "" });
    expect(stderr).toMatch(/^memsvc observe: [^\n]+\n$/u);
  });

  test.each(notEvents)("exits with 2 with --strict: %s", async (_name, stdin) => {
    expect((await sandbox.runHere(["observe", "--strict"], { stdin })).exit).toBe(2);
  });
});

describe("a hook", () => {
  const event = {
    hook_event_name: "Stop",
    session_id: "a-session",
    cwd: "/work",
    last_assistant_message: "done",
  };

  test("ends with its event if the agent leaves its input open, and the event may come in pieces", async () => {
    const prompt = { session_id: "open", hook_event_name: "UserPromptSubmit", cwd: sandbox.home };
    const text = `${JSON.stringify({ ...prompt, prompt: 'Name it {"kiwi"}, not mango' })}\n`;
    const piece = text.indexOf("}") + 1;
    const child = sandbox.start(["observe", "--hook", "claude-code"], { stdin: null });
    child.stdin?.write(text.slice(0, piece));
    await sleep(100);
    child.stdin?.write(text.slice(piece));
    const ended = once(child, "exit", { signal: AbortSignal.timeout(60_000) });
    expect(await ended.finally(() => child.kill())).toEqual([0, null]);
    expect((await sandbox.runHere(["search", "kiwi"])).stdout).toContain("not mango");
  });

  test("prints the API's answer with --json, and for a repeated event the id of the first", async () => {
    const runs = [
      await sandbox.run(["observe", "--json"], { stdin: JSON.stringify(event) }),
      await sandbox.runHere(["observe", "--json"], { stdin: JSON.stringify(event) }),
    ];
    const [first, second] = runs.map(({ stdout }) => JSON.parse(stdout) as Record<string, unknown>);
    expect(first).toMatchObject({ success: true, sessionId: "a-session", deduplicated: false });
    expect(second).toMatchObject({ observationId: first?.observationId, deduplicated: true });
  });

  test("skips calls of memsvc's own tools and tool searches, and says so with --json", async () => {
    const own = openSandbox();
    const call = { session_id: "s-own", cwd: "/code/shop", tool_input: { query: "retries" } };
    const names = [
      ["PreToolUse", "mcp__memsvc__memory_recall"],
      ["PostToolUse", "mcp__memsvc__memory_recall"],
      ["PostToolUseFailure", "memsvc-memory_save"],
      ["PostToolUse", "ToolSearch"],
      ["PostToolUse", "tool_search"],
      ["PostToolUse", "mcp__notes__memory_recall"],
      ["PostToolUse", "mcp__memsvc-docs__lookup"],
    ];
    const stdin = names.map(([event, tool]) =>
      JSON.stringify({ ...call, hook_event_name: event, tool_name: tool }),
    );
    const { exit, stdout, stderr } = await own.runHere(["observe", "--batch", "--json"], {
      stdin: stdin.join("\n"),
    });
    expect([exit, stderr]).toEqual([0, ""]);
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(answers.map(({ skipped }) => skipped)).toEqual([...Array(5).fill(true), undefined, undefined]);
    const kept = (await storedObservations(own, "s-own")).map(({ toolName }) => toolName);
    expect(kept).toEqual(["mcp__notes__memory_recall", "mcp__memsvc-docs__lookup"]);
    own.remove();
  });

  test("reads from Codex's transcript how a command ended", async () => {
    const own = openSandbox();
    const transcript = join(own.home, "rollout.jsonl");
    const item = { type: "CommandExecution", id: "call_1", status: "failed", exit_code: 3 };
    writeFileSync(transcript, `${JSON.stringify({ payload: { type: "item_completed", item } })}\n`);
    const ended = {
      session_id: "s-codex",
      turn_id: "t-1",
      transcript_path: transcript,
      cwd: "/code/shop",
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      tool_response: "Error: expected 5 to be 6\n",
      tool_use_id: "call_1",
    };
    const { exit, stderr } = await own.runHere(["observe", "--hook", "codex"], {
      stdin: JSON.stringify(ended),
    });
    expect([exit, stderr]).toEqual([0, ""]);
    expect(await storedObservations(own, "s-codex")).toMatchObject([{ title: "npm test (exit 3)" }]);
    own.remove();
  });

  test("reads from Copilot CLI's transcript what was answered", async () => {
    const own = openSandbox();
    const transcript = join(own.home, "events.jsonl");
    const timestamp = "2026-11-30T16:42:11.352Z";
    const lines = [
      { type: "assistant.message", data: { content: "Fixed the cap. One test is left." } },
      { type: "hook.start", data: { hookType: "agentStop", input: { timestamp: Date.parse(timestamp) } } },
    ];
    writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const ended = {
      hook_event_name: "Stop",
      session_id: "s-copilot",
      timestamp,
      cwd: "/code/shop",
      transcript_path: transcript,
      stop_reason: "end_turn",
    };
    const { exit, stderr } = await own.runHere(["observe", "--hook", "copilot-cli"], {
      stdin: JSON.stringify(ended),
    });
    expect([exit, stderr]).toEqual([0, ""]);
    expect(await storedObservations(own, "s-copilot")).toMatchObject([
      { type: "conversation", title: "Fixed the cap." },
    ]);
    own.remove();
  });

  test("skips a shell command that only queries memsvc, and says so with --json", async () => {
    const own = openSandbox();
    const commands = [
      "npx memsvc search retries | head -5",
      "memsvc search retries && npm test",
      "grep -r memsvc .",
    ];
    const stdin = commands.map((command) =>
      JSON.stringify({
        session_id: "s-own-run",
        cwd: "/code/shop",
        hook_event_name: "PostToolUse",
        tool_name: "Bash",
        tool_input: { command },
        tool_response: { stdout: "Retries use full jitter" },
      }),
    );
    const { stdout } = await own.runHere(["observe", "--batch", "--json"], { stdin: stdin.join("\n") });
    expect(stdout.split("\n")[0]).toContain('"skipped":true');
    const kept = await storedObservations(own, "s-own-run");
    expect(kept.map(({ title }) => title)).toEqual(commands.slice(1));
    own.remove();
  });

  test("skips an event of Qwen Code with an empty prompt", async () => {
    const own = openSandbox();
    const common = { hook_event_name: "UserPromptSubmit", session_id: "s-qwen", cwd: "/code/shop" };
    const asked = { ...common, timestamp: "2026-11-26T19:56:35.523Z", permission_mode: "yolo" };
    const hook = (prompt: string) =>
      own.runHere(["observe", "--hook", "qwen-code"], { stdin: JSON.stringify({ ...asked, prompt }) });
    for (const prompt of ["Add a cart", ""])
      expect(await hook(prompt)).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    const kept = await storedObservations(own, "s-qwen");
    expect(kept.map(({ title }) => title)).toEqual(["Add a cart"]);
    own.remove();
  });

  test("captures a turn of Windsurf, prints nothing and ends the session", async () => {
    const common = { trajectory_id: "of-windsurf", execution_id: "e", timestamp: new Date().toISOString() };
    for (const [agent_action_name, tool_info] of [
      ["pre_user_prompt", { user_prompt: "Add a cart" }],
      ["post_run_command", { command_line: "npm test", cwd: "/work" }],
      ["post_cascade_response", { response: "### Planner Response\n\nIt is there." }],
    ] as const) {
      const stdin = JSON.stringify({ ...common, agent_action_name, tool_info });
      const run = await sandbox.runHere(["observe", "--hook", "windsurf", "--strict"], { stdin });
      expect(run).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    }
    const titles = (await storedObservations(sandbox, "of-windsurf")).map(({ title }) => title);
    expect(titles).toEqual(["Add a cart", "npm test", "It is there."]);
    const { stdout } = await sandbox.runHere(["session", "show", "of-windsurf", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ session: { status: "completed" } });
  });

  test("exits with 0 despite a wrong flag, wherever the flags stand", async () => {
    const stdin = JSON.stringify(event);
    for (const line of [
      ["observe", "--wrong"],
      ["--home", sandbox.home, "observe", "--wrong"],
      ["--quiet", "observe", "--wrong"],
    ])
      expect(await sandbox.run(line, { stdin })).toMatchObject({ exit: 0, stdout: "" });
    expect((await sandbox.runHere(["--quiet", "observe", "--wrong", "--strict"], { stdin })).exit).toBe(2);
    expect((await sandbox.runHere(["--home", "observe", "search"], { stdin })).exit).toBe(2);
  });

  test("accepts an event behind a byte order mark, as Windows shells write it", async () => {
    const marked = `\uFEFF${JSON.stringify({ ...event, session_id: "marked" })}`;
    const { exit, stderr } = await sandbox.runHere(["observe", "--strict"], { stdin: marked });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(await storedObservations(sandbox, "marked")).toHaveLength(1);
  });

  test("reads a large event whole from a slow writer", async () => {
    const text = JSON.stringify({
      ...event,
      session_id: "slow",
      last_assistant_message: "ä long word ".repeat(20_000),
    });
    const stdin = [text.slice(0, 100_000), text.slice(100_000, 200_000), text.slice(200_000)];
    const { exit, stdout, stderr } = await sandbox.run(["observe", "--strict", "--json"], { stdin });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ sessionId: "slow", deduplicated: false });
  });

  test("exits with 0 if the store cannot be opened, and with 5 with --strict", async () => {
    const env = { MEMSVC_HOME: "/dev/null/nowhere" };
    const mild = await sandbox.run(["observe"], { stdin: JSON.stringify(event), env });
    const strict = await sandbox.runHere(["observe", "--strict"], { stdin: JSON.stringify(event), env });
    expect(mild.exit).toBe(0);
    expect(mild.stderr).toContain("nothing was captured");
    expect(strict.exit).toBe(5);
  });

  test("exits with 0 if a setting is wrong, and not with --strict", async () => {
    const env = { MEMSVC_HOME: "relative" };
    const mild = await sandbox.run(["observe"], { stdin: JSON.stringify(event), env });
    const strict = await sandbox.runHere(["observe", "--strict"], { stdin: JSON.stringify(event), env });
    expect({ exit: mild.exit, stdout: mild.stdout }).toEqual({ exit: 0, stdout: "" });
    expect(mild.stderr).toContain("MEMSVC_HOME must be an absolute path");
    expect(strict.exit).not.toBe(0);
  });
});
