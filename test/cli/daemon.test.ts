import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { isAlive, readLock } from "../../src/config/lock-file.ts";
import { buildOnce, openSandbox, type Sandbox } from "./program-process.ts";

let sandbox: Sandbox;

beforeAll(() => {
  buildOnce();
  sandbox = openSandbox();
});
afterAll(async () => {
  await sandbox.run(["daemon", "stop"]);
  sandbox.remove();
});

describe("memsvc daemon", () => {
  test("knows that none runs, and stopping none is no failure", async () => {
    const status = await sandbox.run(["daemon", "status"]);
    expect(status).toMatchObject({ exit: 7, stderr: "" });
    expect(status.stdout).toMatch(/^no daemon runs on \S+\nstart it: memsvc daemon start\n$/u);
    expect(await sandbox.run(["daemon", "stop"])).toMatchObject({ exit: 0, stdout: "no daemon runs\n" });
    expect((await sandbox.run(["daemon", "logs"])).stderr).toMatch(/^there is no log yet: /u);
  });

  test("starts one that outlives the command, once; logs, restarts and stops it, once", async () => {
    const started = await sandbox.run(["daemon", "start", "--port", "0"]);
    expect(started).toMatchObject({ exit: 0, stderr: "" });
    const [, url = "", pid = ""] = /^memsvc listening on (\S+) \(pid (\d+)\)\n$/u.exec(started.stdout) ?? [];
    expect(await (await fetch(`${url}/livez`)).json()).toMatchObject({ status: "ok" });

    expect(await sandbox.run(["mesh", "peers"])).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/^memsvc: mesh requires MEMSVC_SECRET\nhint: .*memsvc config set/u),
    });

    const again = await sandbox.run(["serve", "--detach"]);
    expect(again).toMatchObject({ exit: 0, stdout: `a daemon runs already at ${url} (pid ${pid})\n` });
    const status = await sandbox.run(["daemon", "status", "--json"]);
    expect(JSON.parse(status.stdout)).toMatchObject({ running: true, pid: Number(pid), url });
    expect((await sandbox.run(["daemon", "logs", "--lines", "1"])).stdout).toMatch(
      /^\d{4}-\S+Z info {2}listening url="http:\S+" viewer="http:\S+" pid=\d+\n$/u,
    );

    // Its own sweeps, which come back for ever, are no work that waits.
    await expect
      .poll(async () => (await sandbox.run(["status"])).stdout, { timeout: 10_000 })
      .toContain("\njobs       0 waiting, 0 failed\n");
    // Passed by, it runs all the same.
    const [told, diagnosed] = await Promise.all(
      ["status", "doctor"].map((command) => sandbox.run([command, "--offline"])),
    );
    expect(told?.stdout).toContain(`daemon at ${url}\n`);
    expect(diagnosed?.stdout).toContain(`a daemon runs at ${url}\n`);

    const restarted = await sandbox.run(["daemon", "restart", "--no-viewer", "--json"]);
    const { pid: next, url: sameUrl } = JSON.parse(restarted.stdout) as { pid: number; url: string };
    expect(next).not.toBe(Number(pid));
    expect(sameUrl).toBe(url);
    await sandbox.run(["daemon", "restart"]);
    expect(await (await fetch(`${url}/livez`)).json()).toMatchObject({ viewerPort: null });
    await sandbox.run(["daemon", "restart", "--viewer-port", "0"]);
    expect(await (await fetch(`${url}/livez`)).json()).toMatchObject({ viewerPort: expect.any(Number) });
    expect(isAlive(Number(pid), sandbox.home)).toBe(false);

    const stopped = await sandbox.run(["daemon", "stop"]);
    expect(stopped).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^the daemon \(pid \d+\) has stopped\n$/u),
    });
    for (const name of ["memsvc.lock", "memsvc.start.json"])
      expect(existsSync(join(sandbox.home, ".memsvc", name))).toBe(false);
    expect((await sandbox.run(["daemon", "stop"])).stdout).toBe("no daemon runs\n");
  });

  test("that hangs does not let status and doctor hang", async () => {
    const own = openSandbox();
    const start = ["daemon", "start", "--port", "0", "--no-viewer", "--json"];
    const { pid } = JSON.parse((await own.run(start)).stdout) as { pid: number };
    process.kill(pid, "SIGSTOP");
    const startedAt = performance.now();
    for (const told of await Promise.all([own.run(["status"]), own.run(["doctor"])])) {
      expect(told).toMatchObject({ exit: 7, stdout: "" });
      expect(told.stderr).toMatch(/was asked and gave no answer\nhint: .*memsvc daemon status\n$/u);
    }
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    process.kill(pid, "SIGCONT");
    await own.run(["daemon", "stop"]);
    own.remove();
  });

  test("says why it did not start, with the exit code and the way out of memsvc serve", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const taken = await sandbox.run(["daemon", "start", "--port", String(port)]);
    other.close();
    expect(taken).toMatchObject({
      exit: 3,
      stderr: `memsvc: the daemon did not start: port ${port} on 127.0.0.1 is taken by another program\nhint: choose another with --port or MEMSVC_PORT; --port 0 takes a free one\n`,
    });
    const own = openSandbox();
    const started = await own.run(["daemon", "start", "--port", "0", "--no-viewer", "--json"]);
    const held = new URL((JSON.parse(started.stdout) as { url: string }).url).port;
    expect((await sandbox.run(["daemon", "start", "--port", held])).stderr).toContain(
      `port ${held} on 127.0.0.1 is taken by the memsvc daemon of another home\nhint: choose another with --port`,
    );
    await own.run(["daemon", "stop"]);
    own.remove();
    const wrong = await sandbox.run(["daemon", "start"], { env: { MEMSVC_PORT: "abc" } });
    expect(wrong.exit).toBe(2);
    expect(wrong.stderr).toMatch(/^memsvc: the daemon did not start: MEMSVC_PORT must be /u);
  });

  test.each([
    ["SIGTERM", "stopped"],
    ["SIGKILL", "ended by SIGKILL"],
  ] as const)(
    "that %s ends while it starts was ended, and is not said to have failed",
    async (signal, how) => {
      const own = openSandbox();
      const ownHome = join(own.home, ".memsvc");
      const starting = own.start(["daemon", "start", "--port", "0"]);
      let stderr = "";
      starting.stderr?.on("data", (text) => {
        stderr += text;
      });
      const exit = new Promise((resolve) => starting.once("close", resolve));
      // It has the lock before it listens; who starts it must not see it listen.
      const { pid } = await vi.waitUntil(() => readLock(ownHome), { timeout: 10_000, interval: 1 });
      starting.kill("SIGSTOP");
      process.kill(pid, signal);
      await vi.waitUntil(() => !isAlive(pid, ownHome), { timeout: 10_000 });
      starting.kill("SIGCONT");
      expect(await exit).toBe(7);
      expect(stderr).toBe(
        `memsvc: the daemon was ${how} while it started\nhint: start it again: memsvc daemon start\n`,
      );
      own.remove();
    },
  );

  test("starts all the same when whoever waits for it breaks off, and nothing of the start is left", async () => {
    const own = openSandbox();
    const ownHome = join(own.home, ".memsvc");
    const starting = own.start(["daemon", "start", "--port", "0"]);
    let stderr = "";
    starting.stderr?.on("data", (text) => {
      stderr += text;
    });
    const ended = new Promise((resolve) => starting.once("close", (_, signal) => resolve(signal)));
    await vi.waitUntil(() => readLock(ownHome), { timeout: 10_000, interval: 1 });
    starting.kill("SIGINT");
    expect(await ended).toBe("SIGINT");
    expect(stderr).toBe("interrupted: the daemon starts all the same\n");
    expect(readdirSync(own.temporary).filter((name) => name.startsWith("memsvc-start-"))).toEqual([]);
    const running = () => own.run(["daemon", "status"]);
    await vi.waitFor(async () => expect((await running()).exit).toBe(0), { timeout: 10_000, interval: 100 });
    expect((await own.run(["daemon", "stop"])).exit).toBe(0);
    own.remove();
  });

  test("of two starts at once one makes the daemon and both find it", async () => {
    const both = await Promise.all([1, 2].map(() => sandbox.run(["daemon", "start", "--port", "0"])));
    expect(both.map(({ exit, stderr }) => [exit, stderr])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    const urls = both.map(({ stdout }) => /http:\S+/u.exec(stdout)?.[0]);
    expect(urls[0]).toBe(urls[1]);
    expect((await sandbox.run(["daemon", "stop"])).exit).toBe(0);
  });
});

describe("memsvc daemon restart", () => {
  let own: Sandbox;
  beforeEach(() => {
    own = openSandbox();
  });
  afterEach(async () => {
    await own.run(["daemon", "stop"]);
    own.remove();
  });

  async function startedUrl(...args: readonly string[]): Promise<string> {
    const { stdout } = await own.run(["daemon", ...args, "--json"]);
    return (JSON.parse(stdout) as { url: string }).url;
  }

  test.each([
    ["MEMSVC_HOST=0.0.0.0", "would open the store to the network without a secret"],
    ["MEMSVC_PROVIDER=anthropic", "MEMSVC_PROVIDER is anthropic, but neither"],
    ["MEMSVC_MCP_TIMEOUT_MS=0", "MEMSVC_MCP_TIMEOUT_MS must be"],
  ])("with %s in the config file leaves the daemon that runs alone", async (line, problem) => {
    const url = await startedUrl("start", "--port", "0", "--no-viewer");
    const config = join(own.home, ".memsvc", ".env");
    writeFileSync(config, `${line}\n`);
    const refused = await own.run(["daemon", "restart"]);
    expect(refused).toMatchObject({ exit: 2, stdout: "" });
    expect(refused.stderr).toMatch(/^memsvc: the daemon \(pid \d+\) still runs as it was: .*\nhint: /u);
    expect(refused.stderr).toContain(problem);
    expect(await (await fetch(`${url}/livez`)).json()).toMatchObject({ viewerPort: null });
    rmSync(config);
    expect(await startedUrl("restart")).toBe(url);
  });

  test("is refused a wrong flag before the daemon stops, and a host in the config file counts less than a flag", async () => {
    const url = await startedUrl("start", "--port", "0", "--host", "127.0.0.1");
    expect(await own.run(["daemon", "restart", "--viewer-port", "many"])).toMatchObject({ exit: 2 });
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    writeFileSync(join(own.home, ".memsvc", ".env"), "MEMSVC_HOST=0.0.0.0\n");
    expect(await startedUrl("restart")).toBe(url);
  });

  test("that cannot start the next one says that the last has stopped, and its flags are there for the next start", async () => {
    const url = await startedUrl("start", "--port", "0", "--no-viewer");
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const failed = await own.run(["daemon", "restart", "--port", String(port)]);
    other.close();
    expect(failed).toMatchObject({ exit: 3, stdout: "" });
    expect(failed.stderr).toMatch(
      /is taken by another program\nthe one that ran \(pid \d+\) has stopped; the next start has its flags\nhint: /u,
    );
    const started = await own.run(["daemon", "start"]);
    expect(started.stdout).toContain(url);
    expect(started.stderr).toBe(
      `flags of the last one, where none are given: --port ${new URL(url).port} --no-viewer (memsvc daemon stop forgets them)\n`,
    );
    expect(await (await fetch(`${url}/livez`)).json()).toMatchObject({ viewerPort: null });
  });

  test("that finds no place to note what the next one says tells that the last has stopped", async () => {
    await startedUrl("start", "--port", "0", "--no-viewer");
    const failed = await own.run(["daemon", "restart"], { env: { TMPDIR: join(own.home, "none") } });
    expect(failed).toMatchObject({ exit: 7, stdout: "" });
    expect(failed.stderr).toMatch(
      /is not there and cannot be made\nthe one that ran \(pid \d+\) has stopped; the next start has its flags\nhint: /u,
    );
  });

  test("goes on, as starting and stopping do, where the home takes no note of the flags", async () => {
    // As on a disk that is full or became read-only.
    mkdirSync(join(own.home, ".memsvc", "memsvc.start.json"), { recursive: true });
    const url = await startedUrl("start", "--port", "0", "--no-viewer");
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    const again = await startedUrl("restart");
    expect((await fetch(`${again}/livez`)).status).toBe(200);
    const stopped = await own.run(["daemon", "stop"]);
    expect(stopped.stdout).toMatch(/^the daemon \(pid \d+\) has stopped\n$/u);
    expect(existsSync(join(own.home, ".memsvc", "memsvc.lock"))).toBe(false);
  });

  test("takes up no flags of a daemon that was stopped for good", async () => {
    const url = await startedUrl("start", "--port", "0", "--no-viewer");
    const { pid } = JSON.parse((await own.run(["daemon", "status", "--json"])).stdout) as { pid: number };
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isAlive(pid, own.home)).toBe(false);
    expect((await own.run(["daemon", "stop"])).stdout).toBe("no daemon runs\n");
    expect(existsSync(join(own.home, ".memsvc", "memsvc.start.json"))).toBe(false);
    expect(await startedUrl("restart", "--port", "0")).not.toBe(url);
  });
});

test("memsvc takes no daemon of another home for this one's where a lock was copied", async () => {
  const [one, other] = [openSandbox(), openSandbox()];
  await one.run(["daemon", "start", "--port", "0", "--no-viewer"]);
  mkdirSync(join(other.home, ".memsvc"));
  copyFileSync(join(one.home, ".memsvc", "memsvc.lock"), join(other.home, ".memsvc", "memsvc.lock"));
  expect((await other.run(["remember", "kept where it belongs"])).exit).toBe(0);
  expect((await other.run(["search", "belongs"])).stdout).toContain("kept where it belongs");
  expect((await one.run(["search", "belongs"])).stdout).not.toContain("kept where");
  expect((await other.run(["daemon", "stop"])).stdout).toBe("no daemon runs\n");
  expect((await one.run(["daemon", "status"])).exit).toBe(0);
  await one.run(["daemon", "stop"]);
  for (const sandbox of [one, other]) sandbox.remove();
});

describe("a daemon whose files are deleted under it", () => {
  let own: Sandbox;
  let home: string;
  beforeEach(async () => {
    own = openSandbox();
    home = join(own.home, ".memsvc");
    expect((await own.run(["daemon", "start", "--port", "0"])).exit).toBe(0);
  });
  afterEach(async () => {
    await own.run(["daemon", "stop"]);
    own.remove();
  });

  async function pid(): Promise<number> {
    return Number(JSON.parse((await own.run(["daemon", "status", "--json"])).stdout).pid);
  }

  test("is found again after its lock was", async () => {
    const running = await pid();
    rmSync(join(home, "memsvc.lock"));
    await expect.poll(() => existsSync(join(home, "memsvc.lock")), { timeout: 10_000 }).toBe(true);
    expect(await pid()).toBe(running);
  });

  test.each([
    ["its folder", () => home],
    ["its database", () => join(home, "memsvc.db")],
  ])("ends after %s was, so that nothing is acknowledged that nobody can read", async (_name, path) => {
    const running = await pid();
    rmSync(path(), { recursive: true });
    await expect.poll(() => isAlive(running, home), { timeout: 20_000 }).toBe(false);
    expect((await own.run(["remember", "kept"])).exit).toBe(0);
    expect((await own.run(["daemon", "start", "--port", "0"])).exit).toBe(0);
    expect((await own.run(["search", "kept"])).stdout).toContain("kept");
  });

  test("ends after its folder was moved, makes none anew in its place, and what it held is where it went", async () => {
    await own.run(["remember", "said before the home was taken away"]);
    const running = await pid();
    const moved = join(own.home, "moved");
    renameSync(home, moved);
    await expect.poll(() => isAlive(running, home), { timeout: 20_000 }).toBe(false);
    expect(existsSync(home)).toBe(false);
    expect((await own.run(["search", "taken away", "--home", moved])).exit).toBe(0);
  });
});

test("memsvc daemon logs --follow shows what is added, whole line by whole line", async () => {
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
  await expect.poll(() => shown, { timeout: 10_000 }).toBe("t1 info  old\n");
  appendFileSync(log, '{"time":"t2","level":"warn","mess');
  appendFileSync(log, 'age":"später"}\n');
  await expect.poll(() => shown, { timeout: 10_000 }).toBe("t1 info  old\nt2 warn  später\n");
  following.kill();
  expect((await own.run(["daemon", "logs", "--lines", "some"])).exit).toBe(2);
  own.remove();
});

describe.skipIf(process.platform !== "linux")("memsvc service", () => {
  let own: Sandbox;
  let home: string;
  let unit: string;
  let asked: string;
  beforeEach(() => {
    own = openSandbox();
    home = join(own.home, ".memsvc");
    unit = join(own.home, ".config", "systemd", "user", "memsvc.service");
    asked = join(own.folder, "asked");
    mkdirSync(home);
    writeFileSync(join(home, ".env"), "MEMSVC_PORT=0\nMEMSVC_VIEWER=false\n");
  });
  afterEach(async () => {
    await own.run(["daemon", "stop"]);
    own.remove();
  });

  /**
   * A search path with a systemctl that writes down what it is asked, and starts a unit as systemd does: it is content
   * when the process is there.
   */
  function withSystemctl(
    restart = 'eval "exec $(sed -n s/^ExecStart=//p "$unit")" </dev/null >"$0.said" 2>&1 &',
  ) {
    const bin = join(own.folder, "bin");
    const script = [
      "#!/bin/sh",
      `unit='${unit}'`,
      `echo "$*" >> '${asked}'`,
      'case "$*" in',
      `  *restart*) ${restart}`,
      '    echo $! > "$0.pid" ;;',
      `  *--now*) kill $(cat "$0.pid"); while [ -e '${home}/memsvc.lock' ]; do sleep 0.1; done ;;`,
      "esac",
    ];
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "systemctl"), `${script.join("\n")}\n`, { mode: 0o755 });
    return { PATH: `${bin}:/usr/bin:/bin` };
  }

  function askedWords(): string[] {
    const words = existsSync(asked) ? readFileSync(asked, "utf8").trim().split("\n") : [];
    rmSync(asked, { force: true });
    return words;
  }

  async function statusOf(): Promise<{ running: boolean; pid: number; url: string }> {
    return JSON.parse((await own.run(["daemon", "status", "--json"])).stdout);
  }

  test("prints its unit without touching anything", async () => {
    const { exit, stdout } = await own.run(["service", "install", "--print-unit"]);
    expect(exit).toBe(0);
    expect(stdout).toContain(`"serve" "--home" "${home}"\n`);
    expect(existsSync(unit)).toBe(false);
  });

  test("says plainly where there is no systemd, and leaves nothing behind", async () => {
    for (const flags of [[], ["--dry-run"]]) {
      const { exit, stderr } = await own.run(["service", "install", ...flags], { env: { PATH: own.folder } });
      expect(exit).toBe(1);
      expect(stderr).toMatch(
        /^memsvc: no service can be set up here: systemctl is not there\nhint: .*memsvc daemon start/u,
      );
    }
    expect(existsSync(unit)).toBe(false);
    expect(await own.run(["service", "uninstall"])).toMatchObject({
      exit: 0,
      stdout: "no service is installed\n",
    });
  });

  test("writes the unit, has systemd start it, and takes both back", async () => {
    const env = withSystemctl();
    const installed = await own.run(["service", "install"], { env });
    expect(installed.exit).toBe(0);
    expect(installed.stdout).toBe(`systemd runs the daemon now, and at every login: ${unit}\n`);
    expect((await statusOf()).running).toBe(true);
    const printed = await own.run(["service", "install", "--print-unit"]);
    expect(readFileSync(unit, "utf8")).toBe(printed.stdout);
    expect(await own.run(["service", "uninstall"], { env })).toMatchObject({ exit: 0, stderr: "" });
    expect(existsSync(unit)).toBe(false);
    expect(askedWords()).toEqual([
      "--user show-environment",
      "--user daemon-reload",
      "--user enable memsvc.service",
      "--user restart memsvc.service",
      "--user disable --now memsvc.service",
      "--user daemon-reload",
    ]);
  });

  test("whose daemon never takes requests is taken back, and the one that ran by hand runs again as it was", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    await own.run(["daemon", "start"]);
    const { url } = await statusOf();
    writeFileSync(join(home, ".env"), `MEMSVC_PORT=${(other.address() as AddressInfo).port}\n`);
    await own.run(["daemon", "restart", "--port", new URL(url).port, "--no-viewer"]);
    const failed = await own.run(["service", "install"], { env: withSystemctl() });
    other.close();
    expect(failed).toMatchObject({ exit: 7, stdout: "" });
    expect(failed.stderr.split("\n")).toEqual([
      `the service is taken back: ${unit}`,
      `the daemon that ran before runs again at ${url}`,
      "memsvc: systemd was told to run the daemon, but it takes no requests after 10 s",
      "hint: see why with: journalctl --user --unit memsvc.service",
      "",
    ]);
    expect(existsSync(unit)).toBe(false);
    expect(await (await fetch(`${url}/livez`)).json()).toMatchObject({ viewerPort: null });
  });

  test("that systemd does not start is taken back, and the earlier one of another home is put back", async () => {
    await own.run(["daemon", "start"]);
    const refusing = withSystemctl("exit 1");
    const failed = await own.run(["service", "install"], { env: refusing });
    expect(failed).toMatchObject({ exit: 1, stdout: "" });
    expect(failed.stderr).toMatch(
      /^the service is taken back: .*\nthe daemon that ran before runs again at http.*\nmemsvc: no service can be set up here: /u,
    );
    expect(existsSync(unit)).toBe(false);
    expect((await statusOf()).running).toBe(true);

    const elsewhere = ["service", "install", "--print-unit", "--home", join(own.home, "other")];
    const before = (await own.run(elsewhere)).stdout;
    mkdirSync(join(unit, ".."), { recursive: true });
    writeFileSync(unit, before);
    const again = await own.run(["service", "install"], { env: refusing });
    expect(again.stderr).toMatch(
      /^the service could not be taken back wholly: .*\nthe daemon that ran before runs again/u,
    );
    expect(readFileSync(unit, "utf8")).toBe(before);
  });

  test("starts the daemon again where daemon restart and daemon start are asked to, and has its say after daemon stop", async () => {
    const env = withSystemctl();
    await own.run(["service", "install"], { env });
    const first = await statusOf();
    askedWords();

    const restarted = await own.run(["daemon", "restart"], { env });
    expect(restarted).toMatchObject({ exit: 0, stderr: "systemd runs it, as a service\n" });
    const second = await statusOf();
    expect([second.running, second.pid === first.pid]).toEqual([true, false]);
    expect(askedWords()).toEqual(["--user show-environment", "--user restart memsvc.service"]);

    const withFlags = await own.run(["daemon", "restart", "--port", "4417"], { env });
    expect(withFlags).toMatchObject({ exit: 2, stdout: "" });
    expect(withFlags.stderr).toBe(
      "memsvc: the daemon of this home runs as a service, which takes no flags\nhint: memsvc config set MEMSVC_PORT 4417; memsvc daemon restart\n",
    );
    writeFileSync(join(home, ".env"), "MEMSVC_PORT=0\nMEMSVC_HOST=0.0.0.0\n");
    expect(await own.run(["daemon", "restart"], { env })).toMatchObject({ exit: 2 });
    expect(await statusOf()).toEqual(second);
    writeFileSync(join(home, ".env"), "MEMSVC_PORT=0\n");

    expect((await own.run(["daemon", "stop"], { env })).stderr).toMatch(
      /^its service starts it at the next login/u,
    );
    askedWords();
    expect((await own.run(["daemon", "start"], { env })).exit).toBe(0);
    expect(askedWords()).toEqual(["--user show-environment", "--user restart memsvc.service"]);

    const failing = await own.run(["daemon", "restart"], { env: withSystemctl("exit 1") });
    expect(failing).toMatchObject({ exit: 1, stdout: "" });
    expect(failing.stderr).toMatch(
      /^memsvc: the service did not start the daemon: .*\nhint: see why with: journalctl/u,
    );
  });

  test("that cannot be asked leaves the daemon to the command, which says so; its removal tells of the daemon that stays", async () => {
    const env = withSystemctl();
    await own.run(["service", "install"], { env });
    const outside = await own.run(["daemon", "restart"], { env: { PATH: own.folder } });
    expect(outside.exit).toBe(0);
    expect(outside.stderr).toMatch(
      /^memsvc: the daemon runs outside its service: .*systemctl is not there\n$/u,
    );
    writeFileSync(join(own.folder, "bin", "systemctl"), "#!/bin/sh\n");
    const removed = await own.run(["service", "uninstall"], { env });
    expect(removed.stderr).toMatch(/^a daemon still runs \(pid \d+\); stop it with: memsvc daemon stop\n$/u);
  });

  test("of another home has nothing to do with this one's daemon", async () => {
    const env = withSystemctl();
    const elsewhere = ["service", "install", "--print-unit", "--home", join(own.home, "other")];
    mkdirSync(join(unit, ".."), { recursive: true });
    writeFileSync(unit, (await own.run(elsewhere)).stdout);
    expect(await own.run(["daemon", "start"], { env })).toMatchObject({ exit: 0, stderr: "" });
    expect(askedWords()).toEqual([]);
  });

  test("leaves a unit of somebody else's alone", async () => {
    mkdirSync(join(unit, ".."), { recursive: true });
    writeFileSync(unit, "[Service]\nExecStart=/bin/true\n");
    const refused = await own.run(["service", "install"], { env: withSystemctl() });
    expect(refused.exit).toBe(5);
    expect(readFileSync(unit, "utf8")).toBe("[Service]\nExecStart=/bin/true\n");
  });
});
