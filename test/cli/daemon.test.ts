import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { readlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAlive, readLock } from "../../src/config/lock-file.ts";
import { processExists } from "../../src/system/process-exists.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { openPeerServer } from "../support/peer-server.ts";
import { buildOnce, holdingAs, openSandbox, type Sandbox, startDaemon } from "./program-process.ts";

const sandbox = forAllTests(openSandbox);

beforeAll(buildOnce);
afterAll(() => sandbox.runHere(["daemon", "stop"]));

test("a daemon starts and stops if a flag replaces the invalid setting", async () => {
  const own = openSandbox();
  try {
    mkdirSync(join(own.home, ".memsvc"), { mode: 0o700 });
    writeFileSync(join(own.home, ".memsvc", ".env"), "MEMSVC_PORT=abc\n", { mode: 0o600 });
    const daemon = await startDaemon(own);
    const late = setTimeout(() => void daemon.kill(), 60_000);
    expect(await daemon.stop()).toBe(0);
    clearTimeout(late);
  } finally {
    own.remove();
  }
});

test("a daemon makes a config file that others can read its owner's alone, and says so", async () => {
  const own = openSandbox();
  try {
    const file = join(own.home, ".memsvc", ".env");
    mkdirSync(join(own.home, ".memsvc"), { mode: 0o700 });
    writeFileSync(file, "MEMSVC_SERVICE_NAME=mine\n");
    chmodSync(file, 0o644);
    const daemon = await startDaemon(own);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await own.runHere(["daemon", "logs"])).stdout).toContain(
      `${file} could be read by others; its mode is 0600`,
    );
    await daemon.stop();
  } finally {
    own.remove();
  }
});

test("a daemon in the foreground says why something failed, on one line, without secrets and control characters", async () => {
  const own = openSandbox();
  try {
    const token = ["gh", "p_"].join("") + "a1B2".repeat(9);
    const home = join(own.home, `\u001b[31m${token}\u009b1m`);
    // The flags of the start cannot be kept in a folder.
    mkdirSync(join(home, "memsvc.start.json"), { recursive: true, mode: 0o700 });
    const child = own.start(["serve", "--port", "0", "--no-viewer", "--home", home]);
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const problem =
      /^memsvc: the home cannot be written to: the flags of this start are not kept[^\n]* error="[^\n]+"$/mu;
    await expect.poll(() => said, { timeout: 60_000 }).toMatch(problem);
    const gone = once(child, "close");
    child.kill("SIGTERM");
    await gone;
    const [line = ""] = problem.exec(said) ?? [];
    expect(line).toMatch(/ error="Error: E[A-Z]+: .*\[REDACTED_SECRET\]/u);
    expect(line).not.toContain(token);
    expect(line).not.toMatch(/\p{Cc}/u);
  } finally {
    own.remove();
  }
});

test("status and doctor report a daemon of another version, and that restart replaces it", async () => {
  const own = openSandbox();
  try {
    const patch = join(own.home, "older.cjs");
    writeFileSync(
      patch,
      `const { ServerResponse } = require("node:http");
       const { end } = ServerResponse.prototype;
       ServerResponse.prototype.end = function (body, ...more) {
         const older = body === undefined ? body : Buffer.from(body).toString().replace(/"version":"[^"]+"/u, (told) =>
           '"version":"' + "0".repeat(told.length - 12) + '"');
         return end.call(this, older, ...more);
       };`,
    );
    const daemon = await startDaemon(own, { NODE_OPTIONS: `--require ${JSON.stringify(patch)}` });
    for (const command of ["status", "doctor"])
      expect((await own.runHere([command])).stdout, command).toMatch(
        /^version +the daemon is memsvc 0+, and this command \d+\.\d+\.\d+: memsvc daemon restart$/mu,
      );
    await daemon.stop();
    expect((await own.runHere(["status"])).stdout).not.toMatch(/^version/mu);
  } finally {
    own.remove();
  }
});

test("a write whose answer is lost is not done a second time by the command", async () => {
  const own = openSandbox();
  try {
    const patch = join(own.home, "breaks-off.cjs");
    writeFileSync(
      patch,
      `const { ServerResponse } = require("node:http");
       const { writeHead } = ServerResponse.prototype;
       ServerResponse.prototype.writeHead = function (...given) {
         return this.req.url.endsWith("/remember") ? this.socket.destroy() && this : writeHead.apply(this, given);
       };`,
    );
    const daemon = await startDaemon(own, { NODE_OPTIONS: `--require ${JSON.stringify(patch)}` });
    const lost = await own.runHere(["remember", "Coupons are checked by the bank"]);
    expect(lost).toMatchObject({ exit: 7, stdout: "" });
    await daemon.stop();
    const { memories } = JSON.parse((await own.runHere(["memory", "list", "--json"])).stdout);
    expect(memories).toMatchObject([{ version: 1 }]);
  } finally {
    own.remove();
  }
});

/** Has a daemon stop short of listening, when it has its lock already, until it is told to go on. */
function stoppingShort(own: Sandbox): { readonly env: Record<string, string>; readonly goOn: () => void } {
  const [patch, sign] = [join(own.home, "stops-short.cjs"), join(own.home, "go-on")];
  writeFileSync(
    patch,
    `const { existsSync } = require("node:fs");
     const { Server } = require("node:net");
     const { listen } = Server.prototype;
     Server.prototype.listen = function (...given) {
       const look = () => existsSync(${JSON.stringify(sign)}) ? listen.apply(this, given) : setTimeout(look, 10);
       look();
       return this;
     };`,
  );
  return { env: { NODE_OPTIONS: `--require=${patch}` }, goOn: () => writeFileSync(sign, "") };
}

async function pidIn(home: string): Promise<number> {
  await expect.poll(() => readLock(home)?.pid).toBeDefined();
  return readLock(home)?.pid ?? 0;
}

describe("memsvc daemon", () => {
  test("reports that no daemon runs, and stop succeeds without one", async () => {
    const status = await sandbox.run(["daemon", "status"]);
    expect(status).toMatchObject({ exit: 7, stderr: "" });
    expect(status.stdout).toMatch(/^no daemon runs on \S+\nstart it: memsvc daemon start\n$/u);
    expect(await sandbox.run(["daemon", "stop"])).toMatchObject({ exit: 0, stdout: "no daemon runs\n" });
    expect((await sandbox.runHere(["daemon", "logs"])).stderr).toMatch(/^there is no log yet: /u);
  });

  test("starts a daemon that outlives the command, shows its log, restarts it and stops it", async () => {
    const lock = join(sandbox.home, "lock-of-a-shell");
    const started = await sandbox.run(["daemon", "start", "--port", "0"], { holding: lock });
    expect(started).toMatchObject({ exit: 0, stderr: "" });
    const [, url = "", pid = ""] = /^memsvc listening on (\S+) \(pid (\d+)\)\n$/u.exec(started.stdout) ?? [];
    // Where the system tells.
    expect(await readlink(`/proc/${pid}/fd/${holdingAs}`).catch(() => undefined)).not.toBe(lock);
    expect(await (await fetch(`${url}/livez`)).json()).toMatchObject({ status: "ok" });

    expect(await sandbox.runHere(["mesh", "peers"])).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/^memsvc: mesh requires MEMSVC_SECRET\nhint: .*memsvc config set/u),
    });

    const again = await sandbox.run(["serve", "--detach"]);
    const runs = { exit: 0, stdout: `a daemon runs already at ${url} (pid ${pid})\n` };
    expect(again).toMatchObject({ ...runs, stderr: "" });
    // It would be looked for on a port that it does not have.
    const flags = ["--port", "4123", "--no-viewer"];
    expect(await sandbox.runHere(["daemon", "start", ...flags])).toMatchObject({
      ...runs,
      stderr: `it was started otherwise; to change that: memsvc daemon restart ${flags.join(" ")}\n`,
    });
    for (const port of ["0", new URL(url).port])
      expect(await sandbox.runHere(["daemon", "start", "--port", port])).toMatchObject({
        ...runs,
        stderr: "",
      });
    const status = await sandbox.runHere(["daemon", "status", "--json"]);
    expect(JSON.parse(status.stdout)).toMatchObject({ running: true, pid: Number(pid), url });
    expect((await sandbox.runHere(["daemon", "logs", "--lines", "1"])).stdout).toMatch(
      /^\d{4}-\S+Z info {2}listening url="http:\S+" viewer="http:\S+" pid=\d+\n$/u,
    );

    // Its own sweeps, which come back for ever, are no work that waits.
    await expect
      .poll(async () => (await sandbox.runHere(["status"])).stdout)
      .toContain("\njobs       0 waiting, 0 failed\n");
    // Passed by, it runs all the same.
    const [told, diagnosed] = await Promise.all(
      ["status", "doctor"].map((command) => sandbox.runHere([command, "--offline"])),
    );
    expect(told?.stdout).toContain(`daemon at ${url}\n`);
    expect(diagnosed?.stdout).toContain(`a daemon runs at ${url}\n`);

    const restarted = await sandbox.run(["daemon", "restart", "--no-viewer", "--json"]);
    expect(restarted.exit, restarted.stderr).toBe(0);
    const { pid: next, url: sameUrl } = JSON.parse(restarted.stdout) as { pid: number; url: string };
    expect(next).not.toBe(Number(pid));
    expect(sameUrl).toBe(url);
    await sandbox.runHere(["daemon", "restart"]);
    expect(await (await fetch(`${url}/livez`)).json()).toMatchObject({ viewerPort: null });
    await sandbox.runHere(["daemon", "restart", "--viewer-port", "0"]);
    expect(await (await fetch(`${url}/livez`)).json()).toMatchObject({ viewerPort: expect.any(Number) });
    expect(isAlive(Number(pid), sandbox.home)).toBe(false);

    const stopped = await sandbox.runHere(["daemon", "stop"]);
    expect(stopped).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^the daemon \(pid \d+\) has stopped\n$/u),
    });
    for (const name of ["memsvc.lock", "memsvc.start.json"])
      expect(existsSync(join(sandbox.home, ".memsvc", name))).toBe(false);
    expect((await sandbox.runHere(["daemon", "stop"])).stdout).toBe("no daemon runs\n");
  });

  test("that hangs does not make status and doctor hang", async () => {
    const hanging = await openPeerServer(() => undefined);
    const at = ["--url", `${hanging.url}/memsvc`];
    const startedAt = performance.now();
    const asked = ["status", "doctor"].map((command) => sandbox.run([command, ...at]));
    for (const told of await Promise.all(asked)) {
      expect(told).toMatchObject({ exit: 7, stdout: "" });
      expect(told.stderr).toMatch(/was asked and gave no answer\nhint: .*memsvc daemon status\n$/u);
    }
    // Half of what an answer is given while a daemon says that it lives.
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    await hanging.close();
  });

  test("start says why the daemon did not start, with an exit code and a hint", async () => {
    const { port, close } = await openPeerServer(() => undefined);
    const taken = await sandbox.run(["daemon", "start", "--port", String(port)]);
    await close();
    expect(taken).toMatchObject({
      exit: 3,
      stderr: `memsvc: the daemon did not start: port ${port} on 127.0.0.1 is taken by another program\nhint: choose another with --port or MEMSVC_PORT; --port 0 takes a free one\n`,
    });
    const own = openSandbox();
    const started = await own.runHere(["daemon", "start", "--port", "0", "--no-viewer", "--json"]);
    const held = new URL((JSON.parse(started.stdout) as { url: string }).url).port;
    expect((await sandbox.runHere(["daemon", "start", "--port", held])).stderr).toContain(
      `port ${held} on 127.0.0.1 is taken by the memsvc daemon of another home\nhint: choose another with --port`,
    );
    await own.runHere(["daemon", "stop"]);
    own.remove();
    const wrong = await sandbox.runHere(["daemon", "start"], { env: { MEMSVC_PORT: "abc" } });
    expect(wrong.exit).toBe(2);
    expect(wrong.stderr).toMatch(/^memsvc: the daemon did not start: MEMSVC_PORT must be /u);
  });

  test("start reports the error of a daemon that crashed, not the last line of its output", async () => {
    const own = openSandbox();
    const fails = join(own.home, "fails.cjs");
    writeFileSync(fails, 'if (process.argv.includes("serve")) throw new TypeError("no such thing");\n');
    const crashed = await own.runHere(["daemon", "start"], { env: { NODE_OPTIONS: `--require=${fails}` } });
    expect(crashed).toMatchObject({
      exit: 7,
      stderr:
        "memsvc: the daemon did not start: TypeError: no such thing\nhint: see why with: memsvc serve\n",
    });
    own.remove();
  });

  test.each([
    ["SIGTERM", "stopped"],
    ["SIGKILL", "ended by SIGKILL"],
  ] as const)(
    "start reports a daemon that %s ended while it was starting as ended, not as failed",
    async (signal, how) => {
      const own = openSandbox();
      const ownHome = join(own.home, ".memsvc");
      const { env, goOn } = stoppingShort(own);
      const starting = own.start(["daemon", "start", "--port", "0"], { env });
      let stderr = "";
      starting.stderr?.on("data", (text) => {
        stderr += text;
      });
      const exit = new Promise((resolve) => starting.once("close", resolve));
      const pid = await pidIn(ownHome);
      // It ends only once it has started; who starts it must not see it listen.
      starting.kill("SIGSTOP");
      process.kill(pid, signal);
      goOn();
      await expect.poll(() => isAlive(pid, ownHome)).toBe(false);
      starting.kill("SIGCONT");
      expect(await exit).toBe(7);
      expect(stderr).toBe(
        `memsvc: the daemon was ${how} while it started\nhint: start it again: memsvc daemon start\n`,
      );
      own.remove();
    },
  );

  test("start lets the daemon go on starting when interrupted, and leaves no temporary files", async () => {
    const own = openSandbox();
    const ownHome = join(own.home, ".memsvc");
    const { env, goOn } = stoppingShort(own);
    const starting = own.start(["daemon", "start", "--port", "0"], { env });
    let stderr = "";
    starting.stderr?.on("data", (text) => {
      stderr += text;
    });
    const ended = new Promise((resolve) => starting.once("close", (_, signal) => resolve(signal)));
    await pidIn(ownHome);
    starting.kill("SIGINT");
    expect(await ended).toBe("SIGINT");
    const running = () => own.runHere(["daemon", "status"]);
    expect((await running()).stdout).toMatch(
      /takes no requests\nsee what it does: memsvc daemon logs; end it: memsvc daemon stop\n$/u,
    );
    goOn();
    expect(stderr).toBe("interrupted: the daemon starts anyway\n");
    expect(readdirSync(own.temporary).filter((name) => name.startsWith("memsvc-start-"))).toEqual([]);
    await expect.poll(async () => (await running()).exit, { interval: 100 }).toBe(0);
    expect((await own.runHere(["daemon", "stop"])).exit).toBe(0);
    own.remove();
  });

  test.each([
    ["names none", "/nowhere/at/all"],
    ["cannot be written to", "/proc"],
  ])("start works where the folder for temporary files %s", async (_, folder) => {
    const own = openSandbox();
    const env = { TMPDIR: folder };
    const started = await own.run(["daemon", "start", "--port", "0", "--no-viewer"], { env });
    expect(started).toMatchObject({ exit: 0, stderr: "" });
    expect(readdirSync(join(own.home, ".memsvc")).filter((name) => name.startsWith("memsvc-start-"))).toEqual(
      [],
    );
    const again = await own.runHere(["daemon", "restart"], { env });
    expect(again.stdout.replace(/pid \d+/u, "")).toBe(started.stdout.replace(/pid \d+/u, ""));
    expect(again.stderr).toBe("");
    await own.runHere(["daemon", "stop"]);
    const refused = await own.runHere(["daemon", "start"], { env: { ...env, MEMSVC_PORT: "abc" } });
    expect(refused.stderr).toMatch(/^memsvc: the daemon did not start: MEMSVC_PORT must be /u);
    own.remove();
  });

  test("start in a sandbox says that this process may not listen on, or connect to, the address", async () => {
    const own = openSandbox();
    const sandboxing = join(own.home, "sandboxing.cjs");
    const refused = (call: string) =>
      `Object.assign(new Error("${call} EPERM 127.0.0.1"), { code: "EPERM", syscall: "${call}" })`;
    const net = "require('node:net')";
    writeFileSync(
      sandboxing,
      `${net}.Socket.prototype.connect = function () { process.nextTick(() => this.destroy(${refused("connect")})); return this; };
       ${net}.Server.prototype.listen = function () { process.nextTick(() => this.emit("error", ${refused("listen")})); return this; };`,
    );
    const env = { NODE_OPTIONS: `--require=${sandboxing}` };
    const alone = await own.run(["daemon", "start", "--port", "4359"], { env });
    expect(alone).toMatchObject({
      exit: 3,
      stderr:
        "memsvc: the daemon did not start: this process may not listen on 127.0.0.1:4359 (EPERM)\nhint: start it outside of the sandbox: memsvc daemon start\n",
    });
    const started = await own.runHere(["daemon", "start", "--port", "0", "--no-viewer"]);
    const [, url, pid] = /(http:\S+) \(pid (\d+)\)/u.exec(started.stdout) ?? [];
    const kept = await own.run(["daemon", "start"], { env });
    expect(kept).toMatchObject({
      exit: 7,
      stderr: `memsvc: this process may not connect to the daemon at ${url}, pid ${pid} (EPERM)\nhint: a sandbox prevents it; allow connections to ${new URL(url ?? "").host}\n`,
    });
    // Half of what a daemon is given that may still be starting.
    expect(kept.tookMs).toBeLessThan(30_000);
    expect(await own.run(["daemon", "status"], { env })).toMatchObject({
      exit: 7,
      stdout: `this process may not connect to the daemon at ${url}, pid ${pid} (EPERM)\na sandbox prevents it; allow connections to ${new URL(url ?? "").host}\n`,
    });
    await own.runHere(["daemon", "stop"]);
    own.remove();
  });

  test.runIf(process.platform === "linux")("start and status in a network apart say so", async () => {
    const own = openSandbox();
    const apart = join(own.home, "apart.cjs");
    writeFileSync(
      apart,
      `const fs = require("node:fs"), { readlinkSync } = fs;
       fs.readlinkSync = (path, ...more) => path === "/proc/self/ns/net" ? "net:[1]" : readlinkSync(path, ...more);
       require("node:module").syncBuiltinESMExports();
       require("node:net").Socket.prototype.connect = function () {
         process.nextTick(() => this.destroy(Object.assign(new Error("connect"), { code: "ECONNREFUSED", syscall: "connect" })));
         return this;
       };`,
    );
    const env = { NODE_OPTIONS: `--require=${apart}` };
    const started = await own.runHere(["daemon", "start", "--port", "0", "--no-viewer"]);
    const [, url, pid] = /(http:\S+) \(pid (\d+)\)/u.exec(started.stdout) ?? [];
    const problem = `the daemon at ${url}, pid ${pid}, is on another network than this process\n`;
    const hint = "a sandbox or container separates them: run this where the daemon runs\n";
    const status = await own.run(["daemon", "status"], { env });
    expect(status).toMatchObject({ exit: 7, stdout: problem + hint });
    const kept = await own.run(["daemon", "start"], { env });
    expect(kept).toMatchObject({ exit: 7, stderr: `memsvc: ${problem}hint: ${hint}` });
    await own.runHere(["daemon", "stop"]);
    own.remove();
  });

  test("start twice at once starts one daemon, and both commands report its URL", async () => {
    const both = await Promise.all([1, 2].map(() => sandbox.run(["daemon", "start", "--port", "0"])));
    expect(both.map(({ exit, stderr }) => [exit, stderr])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    const urls = both.map(({ stdout }) => /http:\S+/u.exec(stdout)?.[0]);
    expect(urls[0]).toBe(urls[1]);
    expect((await sandbox.runHere(["daemon", "stop"])).exit).toBe(0);
  });

  test("of two starts at once the slower one leaves no process that takes over when the daemon is stopped", async () => {
    const own = openSandbox();
    const [slow, reached] = [join(own.folder, "slow.cjs"), join(own.folder, "reached")];
    writeFileSync(
      slow,
      `if (process.argv[2] === "serve") {
         require("node:fs").writeFileSync(${JSON.stringify(reached)}, String(process.pid));
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);
       }`,
    );
    const flags = ["daemon", "start", "--port", "0", "--no-viewer"];
    const slower = own.run(flags, { env: { NODE_OPTIONS: `--require=${slow}` } });
    await expect.poll(() => existsSync(reached)).toBe(true);
    expect(await own.runHere(flags)).toMatchObject({ exit: 0 });
    expect((await slower).stdout).toMatch(/^a daemon runs already at http:/u);
    await own.runHere(["daemon", "stop"]);
    await expect.poll(() => processExists(Number(readFileSync(reached, "utf8")))).toBe(false);
    expect((await own.runHere(["daemon", "status"])).stdout).toMatch(/^no daemon runs/u);
    own.remove();
  });

  test("of two starts at once with other flags, the later one says that its flags do not apply", async () => {
    const both = await Promise.all(
      ["localhost", "127.0.0.1"].map((host) =>
        sandbox.run(["daemon", "start", "--port", "0", "--no-viewer", "--host", host]),
      ),
    );
    const later = both.filter(({ stdout }) => stdout.startsWith("a daemon runs already at http:"));
    expect(both.map(({ exit }) => exit)).toEqual([0, 0]);
    expect(later).toHaveLength(1);
    expect(later[0]?.stderr).toContain(
      "it was started otherwise; to change that: memsvc daemon restart --host",
    );
    expect((await sandbox.runHere(["daemon", "stop"])).exit).toBe(0);
  });
});

test("memsvc daemon logs shows as many lines of a long log as it is told, and says if there is no log", async () => {
  const own = openSandbox();
  const folder = join(own.home, ".memsvc", "logs");
  mkdirSync(folder, { recursive: true });
  const log = join(folder, "memsvc.log");
  const logs = (...flags: string[]) => own.runHere(["daemon", "logs", ...flags]);
  expect(await logs()).toEqual({ exit: 0, stdout: "", stderr: `there is no log yet: ${log}\n` });
  const lines = Array.from(
    { length: 3_000 },
    (_, at) => `{"time":"t${at}","level":"info","message":"übrig"}\n`,
  );
  writeFileSync(log, lines.join(""));
  for (const count of [0, 1, 2_999]) {
    const { stdout } = await logs("--json", "--lines", String(count));
    expect(stdout).toBe(lines.slice(lines.length - count).join(""));
  }
  expect((await logs("--lines", "1")).stdout).toBe("t2999 info  übrig\n");
  for (const count of ["some", "", "-1"]) expect((await logs(`--lines=${count}`)).exit).toBe(2);
  own.remove();
});

test("memsvc daemon logs shows earlier lines, too, after the log was rotated", async () => {
  const own = openSandbox();
  const folder = join(own.home, ".memsvc", "logs");
  mkdirSync(folder, { recursive: true });
  const line = (time: string) => `{"time":"${time}","level":"info","message":"heron"}\n`;
  writeFileSync(join(folder, "memsvc.log.2"), line("t1") + line("t2"));
  writeFileSync(join(folder, "memsvc.log.1"), line("t3"));
  writeFileSync(join(folder, "memsvc.log"), line("t4"));
  for (const count of [1, 2, 3, 4, 9]) {
    const { stdout } = await own.runHere(["daemon", "logs", "--json", "--lines", String(count)]);
    expect(stdout).toBe(["t1", "t2", "t3", "t4"].slice(-count).map(line).join(""));
  }
  own.remove();
});

test("memsvc daemon logs --follow shows added lines once they are complete, also where the log is rotated", async () => {
  const own = openSandbox();
  const folder = join(own.home, ".memsvc", "logs");
  mkdirSync(folder, { recursive: true });
  const log = join(folder, "memsvc.log");
  writeFileSync(log, '{"time":"t1","level":"info","message":"old"}\n');
  const following = own.start(["daemon", "logs", "--follow", "--lines", "1"]);
  let shown = "";
  following.stdout?.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  await expect.poll(() => shown).toBe("t1 info  old\n");
  appendFileSync(log, '{"time":"t2","level":"warn","mess');
  appendFileSync(log, 'age":"später"}\n');
  await expect.poll(() => shown).toBe("t1 info  old\nt2 warn  später\n");
  // The daemon moves a full log away and begins another.
  appendFileSync(log, '{"time":"t3","level":"info","message":"last"}\n');
  renameSync(log, `${log}.1`);
  writeFileSync(log, `{"time":"t4","level":"info","message":"${"first ".repeat(50)}"}\n`);
  await expect.poll(() => shown).toMatch(/später\nt3 info {2}last\nt4 info {2}first (?:first )+\n$/u);
  following.kill();
  own.remove();
});
