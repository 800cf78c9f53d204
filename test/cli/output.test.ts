import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import { openPeerServer } from "../support/peer-server.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

const program = fileURLToPath(new URL("../../dist/main.cjs", import.meta.url));
const eventsOfBatch = 400;
const evil = "evil \u001b[31mred\u001b[0m \u0007bell \u009b2Jclear \u0085next";
// Every control character but the line break: C0, DEL and C1.
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u;

const sandbox = forAllTests(openSandbox);

beforeAll(async () => {
  buildOnce();
  const event = { hook_event_name: "UserPromptSubmit", session_id: "long", cwd: "/code/shop" };
  const lines = Array.from({ length: eventsOfBatch }, (_, at) =>
    JSON.stringify({ ...event, prompt: `${at} ${"a question that goes on ".repeat(40)}` }),
  );
  await sandbox.runHere(["observe", "--batch"], { stdin: lines.join("\n") });
});

/** Runs a line of a shell in which `memsvc` is the program. */
async function shell(line: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const call = `memsvc() { "${process.execPath}" "${program}" "$@"; }; set -o pipefail; ${line}`;
  return promisify(execFile)("bash", ["-c", call], {
    env: { PATH: process.env.PATH ?? "", HOME: sandbox.home },
    maxBuffer: 64 * 1_024 * 1_024,
  });
}

describe("standard output", () => {
  test.each(["session show long --raw --json", "session show long --limit 400", "export -", "--help"])(
    "that its reader closes early causes no error: %s",
    async (command) => {
      const { stdout, stderr } = await shell(`memsvc ${command} | head -c 20`);
      expect(stdout).toHaveLength(20);
      expect(stderr).toBe("");
    },
  );

  test.each([
    ["--version", ""],
    ["observe --hook cursor", '{"hook_event_name":"stop","conversation_id":"gone","workspace_roots":["/w"]}'],
    ["observe --json", '{"hook_event_name":"Stop","session_id":"gone","cwd":"/w"}'],
  ])("that nobody reads causes no error: %s", async (command, stdin) => {
    // Its reader is gone before anything is written.
    const { stderr } = await shell(`(sleep 0.2; printf '%s' '${stdin}') | memsvc ${command} | exec true`);
    expect(stderr).toBe("");
  });

  test("or standard error that cannot be written makes no hook fail", async () => {
    await shell("printf bad | memsvc observe --hook claude-code 2> >(exec true)");
    const stdin = '{"hook_event_name":"Stop","session_id":"full","cwd":"/w"}';
    const { stderr } = await shell(`printf '%s' '${stdin}' | memsvc observe --json > /dev/full`);
    expect(stderr).toBe("memsvc: no space is left to write the output\n");
  });

  test("is written whole to a slow reader, however long it is", async () => {
    const line = `memsvc session show long --raw --json --limit ${eventsOfBatch} | (sleep 0.3; cat)`;
    const { stdout } = await shell(line);
    expect(stdout.length).toBeGreaterThan(400_000);
    const { observations } = JSON.parse(stdout) as { observations: readonly unknown[] };
    expect(observations.length).toBe(eventsOfBatch);
  });

  test.each([
    "memory list",
    "search evil",
    "search evil --format full",
    "search evil --format narrative",
    "context --project shop",
    "audit",
  ])("contains no control character of stored text: %s", async (command) => {
    const own = openSandbox();
    const { stdout: id } = await own.runHere(["remember", "-", "--project", "shop", "--concept", evil], {
      stdin: evil,
    });
    const shown = await own.runHere(command.split(" "));
    const whole = await own.runHere(["show", id.trim()]);
    const json = await own.runHere(["show", id.trim(), "--json"]);
    expect(shown.exit).toBe(0);
    expect(whole.stdout).toContain("evil [31mred");
    for (const { stdout } of [shown, whole, json]) expect(stdout).not.toMatch(controls);
    const [result] = (JSON.parse(json.stdout) as { results: readonly { memory: { content: string } }[] })
      .results;
    expect(result?.memory.content).toBe(evil);
    own.remove();
  });

  test("has no colour when it is not a terminal", async () => {
    const env = { FORCE_COLOR: "1", TERM: "xterm-256color" };
    expect((await sandbox.run(["status"], { env })).stdout).not.toMatch(controls);
  });
});

test.skipIf(!existsSync("/dev/full"))("output that cannot be written exits with 1 and one line", async () => {
  for (const command of ["status", "session show long --raw --json"]) {
    const { stdout, stderr } = await shell(`memsvc ${command} > /dev/full; echo $?`);
    expect({ stdout, stderr }, command).toEqual({
      stdout: "1\n",
      stderr: "memsvc: no space is left to write the output\n",
    });
  }
});

test("a limit of open files too low for the store exits with 1 and a hint", async () => {
  for (const files of [22, 24, 26, 28]) {
    const { stdout, stderr } = await shell(`ulimit -n ${files}; memsvc search anything --offline; echo $?`);
    expect({ stdout, stderr }, `${files} files`).toEqual({
      stdout: "1\n",
      stderr: `memsvc: too many files are open to open ${sandbox.home}/.memsvc/memsvc.db\nhint: raise the limit: ulimit -n\n`,
    });
  }
});

test("an export above the limit of file sizes exits with 1 and a hint, and leaves no file", async () => {
  const whole = join(sandbox.home, "whole.json");
  // As on a disk of FAT32, whose files end at 4 GiB.
  const { stdout, stderr } = await shell(`ulimit -f 8; memsvc export "${whole}"; echo $?`);
  expect({ stdout, stderr }).toEqual({
    stdout: "1\n",
    stderr: `memsvc: ${whole} would be larger than the disk or a limit allows\nhint: choose another disk, or raise the limit: ulimit -f\n`,
  });
  expect(readdirSync(sandbox.home).filter((name) => name.startsWith("whole.json"))).toEqual([]);
});

test("standard input that is a folder is named in the error", async () => {
  for (const [command, complaint] of [
    ["observe", "memsvc observe: standard input is a folder, and should be a file; nothing was captured"],
    ["remember -", "memsvc: standard input is a folder, and should be a file"],
  ]) {
    const { stderr } = await shell(`memsvc ${command} < "${sandbox.home}" || true`);
    expect(stderr).toBe(`${complaint}\nhint: check the path\n`);
  }
});

test.skipIf(!existsSync("/proc/self"))("a home that cannot be created is refused", async () => {
  for (const home of ["/proc/x", "/proc/x/y"]) {
    const { stdout, stderr } = await shell(
      `timeout 60 "${process.execPath}" "${program}" remember a --home ${home}; echo $?`,
    );
    expect({ stdout, stderr }).toEqual({
      stdout: "1\n",
      stderr:
        "memsvc: /proc/x is not there and cannot be made\nhint: check the path, and who may write to it\n",
    });
  }
});

test.skipIf(!existsSync("/proc/self"))(
  "a memory file in a folder that cannot be created is refused",
  async () => {
    const { stdout, stderr } = await shell(
      `MEMSVC_BRIDGE_ENABLED=true MEMSVC_BRIDGE_FILE=/proc/x/MEMORY.md \
      timeout 60 "${process.execPath}" "${program}" bridge sync --offline; echo $?`,
    );
    expect({ stdout, stderr }).toEqual({
      stdout: "4\n",
      stderr:
        "memsvc: /proc/x/MEMORY.md could not be read or written (ENOENT)\nhint: let memsvc write there, or name another file with MEMSVC_BRIDGE_FILE\n",
    });
  },
);

test("an error message contains no control characters of an argument", async () => {
  const { stderr } = await sandbox.runHere(["memory", "get", evil.replace("\u0007", "")]);
  expect(stderr).toContain("evil [31mred");
  expect(stderr).not.toMatch(controls);
});

test("an interrupted wait for the daemon exits with 130 and prints nothing", async () => {
  let asked = false;
  const silent = await openPeerServer(() => {
    asked = true;
  });
  const child = sandbox.start(["health", "--url", silent.url]);
  let written = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      written += chunk.toString();
    });
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) => {
    child.on("close", (exit, signal) => resolve([exit, signal]));
  });
  while (!asked) await sleep(10);
  child.kill("SIGINT");
  const [exit, signal] = await ended;
  await silent.close();
  // A process that SIGINT ended is 128 + 2 to the shell that ran it.
  expect(exit ?? (signal === "SIGINT" ? 130 : signal)).toBe(130);
  expect(written).toBe("");
});

test("an interrupted export leaves no file and says so", async () => {
  const slow = await openPeerServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write('{"version":"1","sessions":[');
  });
  const files = () => readdirSync(sandbox.folder).filter((name) => name.includes("cut.json"));
  const child = sandbox.start(["export", join(sandbox.folder, "cut.json"), "--url", slow.url]);
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) => {
    child.on("close", (exit, signal) => resolve([exit, signal]));
  });
  const told = said(child);
  await expect.poll(files).toHaveLength(1);
  child.kill("SIGINT");
  expect(await ended).toEqual([null, "SIGINT"]);
  expect(told()).toBe(`interrupted: ${join(sandbox.folder, "cut.json")} was not written\n`);
  expect(files()).toEqual([]);
  await slow.close();
});

test("a command and a hook work in a current folder that was removed", async () => {
  const folder = join(sandbox.folder, "removed");
  const event = '{"hook_event_name": "Stop", "session_id": "from-nowhere"}';
  const inside = `mkdir ${folder} && cd ${folder} && rmdir ${folder} && memsvc session list && memsvc observe --json <<< '${event}'`;
  const { stdout, stderr } = await shell(inside);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^long /mu);
  expect(stdout).toContain('"success":true');
});

test("a command that needs the current folder says that it no longer exists", async () => {
  const folder = join(sandbox.folder, "removed");
  for (const command of ["export x.json", "vault export ./notes", "replay import ./transcripts"]) {
    const inside = `mkdir ${folder} && cd ${folder} && rmdir ${folder} && memsvc ${command} || true`;
    expect((await shell(inside)).stderr, command).toBe(
      "memsvc: the current folder no longer exists\nhint: change to one that exists: cd ~\n",
    );
  }
});

test("a store that this user may not read is reported as such, not as an empty one", async () => {
  const own = openSandbox();
  const home = join(own.home, "locked", "home");
  await own.runHere(["remember", "It is there", "--home", home]);
  chmodSync(join(own.home, "locked"), 0o000);
  // The superuser may look at everything, so another user asks.
  const asked = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  for (const command of ["status", "doctor"]) {
    const answer = await promisify(execFile)(process.execPath, [program, command, "--home", home], {
      cwd: "/",
      env: { PATH: process.env.PATH ?? "", HOME: own.home },
      ...asked,
    }).catch((error: unknown) => error);
    expect(answer, command).toMatchObject({ code: 1, stdout: "" });
    expect((answer as { stderr: string }).stderr, command).toMatch(
      /^memsvc: this user has no access to \S+\nhint: /u,
    );
  }
  chmodSync(join(own.home, "locked"), 0o700);
  own.remove();
});

describe("a process that runs out of events before its command is done", () => {
  test.each([
    [["remember", "-"], 1],
    [["observe"], 0],
    [["observe", "--strict"], 1],
  ] as const)("says so, and exits with 0 only as a hook: %j", async (args, exit) => {
    const hook = join(sandbox.folder, "silent-input.cjs");
    // An input from which nothing ever comes, and that keeps no process alive either.
    writeFileSync(
      hook,
      `Object.defineProperty(process, "stdin", { value: new (require("node:stream").Readable)({ read() {} }) });
       const fs = require("node:fs");
       const { readSync } = fs;
       fs.readSync = (file, ...others) => {
         if (file === 0) throw Object.assign(new Error("empty for the moment"), { code: "EAGAIN" });
         return readSync(file, ...others);
       };`,
    );
    const run = await sandbox.run(args, { env: { NODE_OPTIONS: `--require ${hook}` } });
    expect(run).toMatchObject({ exit, stdout: "" });
    expect(run.stderr).toMatch(/^memsvc: ended before it was done/u);
  });
});

test.each([
  ["an import whose input is incomplete", ["import", "-"], "nothing was imported"],
  ["an import that a daemon has received", ["import", "whole.json"], "the daemon may still import it"],
  ["a write that was sent to a daemon", ["remember", "Ports"], "the daemon may still do it"],
  ["a read that was sent to a daemon", ["search", "Ports"], undefined],
])("%s says what becomes of it when it is interrupted", async (_what, args, outcome) => {
  let arrived = false;
  const silent = await openPeerServer((request) => {
    request.on("data", () => undefined);
    const isWhole = args[1] !== "-";
    request.on(isWhole ? "end" : "data", () => {
      arrived = true;
    });
    if (request.method === "GET") arrived = true;
  });
  writeFileSync(join(sandbox.folder, "whole.json"), "{}");
  const child = spawn(process.execPath, [program, ...args, "--url", silent.url], {
    cwd: sandbox.folder,
    env: { PATH: process.env.PATH ?? "", HOME: sandbox.home },
  });
  const told = said(child);
  child.stdin.write('{"version":');
  if (args[1] !== "-") child.stdin.end();
  const ended = once(child, "close");
  while (!arrived) await sleep(10);
  await sleep(50);
  child.kill("SIGINT");
  expect(await ended).toEqual([null, "SIGINT"]);
  expect(told()).toBe(outcome === undefined ? "" : `interrupted: ${outcome}\n`);
  await silent.close();
});

function said(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.on("data", (part: Buffer) => {
    text += part.toString();
  });
  return () => text;
}

test("a lock file that this user may not read is reported as such, not as no daemon", async () => {
  const own = openSandbox();
  const home = join(own.home, ".memsvc");
  mkdirSync(home);
  writeFileSync(join(home, "memsvc.lock"), `${process.pid} 3111 127.0.0.1\n`, { mode: 0o000 });
  for (const folder of [own.folder, own.home, home]) chmodSync(folder, 0o755);
  const asked = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  for (const command of ["status", "stop"]) {
    const answer = await promisify(execFile)(process.execPath, [program, "daemon", command], {
      cwd: "/",
      env: { PATH: process.env.PATH ?? "", HOME: own.home },
      ...asked,
    }).catch((error: unknown) => error);
    expect(answer, command).toMatchObject({ code: 4, stdout: "" });
    expect((answer as { stderr: string }).stderr, command).toMatch(
      /^memsvc: the lock \S+ cannot be read \(EACCES\)\nhint: it may be that of another user's memsvc/u,
    );
  }
  own.remove();
});
