import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readLock } from "../../src/config/lock-file.ts";
import { openPeerServer, type PeerServer } from "../support/peer-server.ts";
import { buildOnce, type DaemonProcess, openSandbox, type Sandbox, startDaemon } from "./program-process.ts";

const secret = "a-secret-of-more-than-sixteen-letters";
/** Reserved for documentation: nobody answers there. */
const foreignAddress = "http://192.0.2.1:9";
const nobody = "http://127.0.0.1:9";

beforeAll(buildOnce);

const wayOut = "start it with: memsvc daemon start";

test("a command that a sandbox keeps from the home's own daemon does the work itself", async () => {
  const sandbox = openSandbox();
  const daemon = await startDaemon(sandbox);
  const hook = join(sandbox.folder, "no-network.cjs");
  writeFileSync(
    hook,
    `require("node:net").Socket.prototype.connect = function () {
       process.nextTick(() => this.destroy(Object.assign(new Error("connect EPERM"), { code: "EPERM" })));
       return this;
     };`,
  );
  const env = { NODE_OPTIONS: `--require ${hook}` };
  expect(await sandbox.run(["remember", "Ferries leave at noon"], { env })).toMatchObject({
    exit: 0,
    stderr: "",
  });
  expect((await sandbox.runHere(["search", "ferries"])).stdout).toContain("Ferries leave at noon");
  expect((await sandbox.run(["search", "ferries"], { env })).stdout).toContain("Ferries leave at noon");
  // One that was named is somewhere else, for all that is known.
  const url = "http://127.0.0.1:3111";
  expect(await sandbox.run(["search", "ferries", "--url", url], { env })).toMatchObject({
    exit: 7,
    stdout: "",
  });
  await daemon.stop();
  sandbox.remove();
});

test("what is meant for a home whose daemon is stopping never goes to the one that has its port by now", async () => {
  const sandbox = openSandbox();
  const daemon = await startDaemon(sandbox);
  const port = readLock(join(sandbox.home, ".memsvc"))?.port ?? 0;
  // A request under way keeps the daemon from ending.
  const underWay = connect(port, "127.0.0.1");
  underWay.write(
    `POST /memsvc/remember HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
  );
  await once(underWay, "data");
  const stopping = daemon.stop();
  const listens = () =>
    fetch(`http://127.0.0.1:${port}/memsvc/livez`).then(
      () => true,
      () => false,
    );
  await expect.poll(listens).toBe(false);
  const asked: unknown[] = [];
  const other = await openPeerServer(({ url }, response) => {
    asked.push(url);
    response.end("{}");
  }, port);
  const prompt = {
    hook_event_name: "UserPromptSubmit",
    session_id: "one",
    cwd: "/tmp",
    prompt: "Sail at noon",
  };
  const hook = ["observe", "--hook", "claude-code"];
  expect(await sandbox.run(hook, { stdin: JSON.stringify(prompt) })).toMatchObject({ exit: 0, stderr: "" });
  expect(await sandbox.run(["remember", "Ferries leave at noon"])).toMatchObject({ exit: 0 });
  underWay.destroy();
  await stopping;
  await other.close();
  expect(asked).toEqual([]);
  const { stdout } = await sandbox.runHere(["search", "noon"]);
  expect(stdout).toContain("Ferries leave at noon");
  expect(stdout).toContain("Sail at noon");
  sandbox.remove();
});

describe("a named daemon that does not run", () => {
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = openSandbox();
  });
  afterAll(() => sandbox.remove());

  test.each([
    ["--url", ["status", "--url", nobody], {}],
    ["--url, asked what is wrong,", ["doctor", "--fix", "--url", nobody], {}],
    ["MEMSVC_URL", ["memory", "list"], { MEMSVC_URL: nobody }],
  ])("given by %s exits with 7 and a hint, and is never answered locally", async (_name, args, env) => {
    const { exit, stdout, stderr } = await sandbox.runHere(args, { env });
    expect({ exit, stdout, stderr }).toEqual({
      exit: 7,
      stdout: "",
      stderr: `memsvc: no memsvc daemon answers at ${nobody}/memsvc\nhint: ${wayOut}; if it runs elsewhere, check --url or MEMSVC_URL\n`,
    });
  });

  test("is reported without the password in its address", async () => {
    const guarded = "http://bob:hunter2@127.0.0.1:9";
    const shown = "http://bob:***@127.0.0.1:9/memsvc";
    for (const args of [["status"], ["export", "-"]]) {
      const { exit, stderr } = await sandbox.runHere([...args, "--url", guarded]);
      expect([exit, stderr.split("\n")[0]]).toEqual([7, `memsvc: no memsvc daemon answers at ${shown}`]);
    }
  });

  test.each([`${nobody}?project=shop`, `${nobody}/#memories`])(
    "is refused with exit 2 if its address is %s",
    async (url) => {
      expect(await sandbox.runHere(["status"], { env: { MEMSVC_URL: url } })).toMatchObject({
        exit: 2,
        stderr: `memsvc: ${url} is not an address such as http://127.0.0.1:3111\nhint: correct MEMSVC_URL\n`,
      });
    },
  );

  test("may be named in upper case", async () => {
    const { stderr } = await sandbox.runHere(["status", "--url", nobody.toUpperCase()]);
    expect(stderr).toContain(`memsvc: no memsvc daemon answers at ${nobody}/memsvc\n`);
  });

  test("has no viewer, and neither has a home without a daemon: exit 7", async () => {
    for (const [args, elsewhere] of [
      [["viewer"], ""],
      [["viewer", "--url", nobody], "; if it runs elsewhere, check --url or MEMSVC_URL"],
    ] as const) {
      const { exit, stdout, stderr } = await sandbox.runHere(args);
      expect([exit, stdout, stderr.split("\n")[1]]).toEqual([7, "", `hint: ${wayOut}${elsewhere}`]);
    }
  });

  test("is ignored in the environment if a flag names --home", async () => {
    const env = { MEMSVC_URL: nobody };
    const own = ["--home", join(sandbox.folder, "own")];
    expect(await sandbox.runHere(["remember", "Trams leave at six", ...own], { env })).toMatchObject({
      exit: 0,
    });
    const event = {
      hook_event_name: "UserPromptSubmit",
      session_id: "s",
      cwd: "/w",
      prompt: "Why are trams late?",
    };
    const observed = await sandbox.run(["observe", "--strict", ...own], {
      env,
      stdin: JSON.stringify(event),
    });
    expect(observed).toMatchObject({ exit: 0, stderr: "" });
    const { stdout } = await sandbox.runHere(["search", "trams", ...own], { env });
    expect(stdout).toContain("Trams leave at six");
    expect(stdout).toContain("Why are trams late?");
    expect((await sandbox.runHere(["search", "trams", ...own, "--url", nobody])).exit).toBe(7);
  });

  test("is ignored in the environment with --offline, and refused as a flag, which contradicts it", async () => {
    expect((await sandbox.run(["status", "--offline"], { env: { MEMSVC_URL: nobody } })).exit).toBe(0);
    expect(await sandbox.runHere(["remember", "Trams wait", "--offline", "--url", nobody])).toMatchObject({
      exit: 2,
      stdout: "",
      stderr:
        "memsvc: option '--offline' cannot be used with option '--url <address>'\nhint: leave one of them out\n",
    });
  });

  test("is told apart from a daemon that took the request and gave no answer", async () => {
    const other = createTcpServer((socket) => socket.once("data", () => socket.end()));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { exit, stdout, stderr } = await sandbox.run(["remember", "was it kept?", "--url", url]);
    other.close();
    expect({ exit, stdout }).toEqual({ exit: 7, stdout: "" });
    expect(stderr).toMatch(
      /^memsvc: the memsvc daemon at \S+ was asked and gave no answer\nhint: a change may have/u,
    );
  });
});

describe.each(["<html>hello</html>", '{"ok":true}', '{"message":"created","error":null}'])(
  "another program at the address that answers %s",
  (text) => {
    const sandbox = openSandbox();
    let program: PeerServer;
    let url: string;
    beforeAll(async () => {
      program = await openPeerServer((request, response) => {
        request.resume().on("end", () => response.end(text));
      });
      url = program.url;
      writeFileSync(join(sandbox.home, "backup.json"), '{"version":"0.1.0"}');
    });
    afterAll(async () => {
      await program.close();
      sandbox.remove();
    });

    test.each([
      [["remember", "was it kept?"]],
      [["search", "ferries"]],
      [["status"]],
      [["health", "--json"]],
      [["memory", "list", "--json"]],
      [["session", "start"]],
      [["export", "written.json"]],
      [["import", "backup.json"]],
    ])("is not taken for the daemon by %j", async (args) => {
      const { exit, stdout, stderr } = await sandbox.runHere([...args, "--url", url]);
      expect({ exit, stdout }).toEqual({ exit: 7, stdout: "" });
      expect(stderr).toMatch(
        /answered 200, but not as memsvc does\nhint: another program may be listening there/u,
      );
      expect(existsSync(join(sandbox.home, "written.json"))).toBe(false);
    });

    test("gets no hook event, which is stored locally instead", async () => {
      const stdin = JSON.stringify({ hook_event_name: "Stop", session_id: "not-lost", cwd: "/work" });
      const { exit } = await sandbox.runHere(["observe", "--strict"], { stdin, env: { MEMSVC_URL: url } });
      expect(exit).toBe(0);
      expect((await sandbox.runHere(["session", "show", "not-lost"])).exit).toBe(0);
    });
  },
);

describe("a daemon with a secret", () => {
  let sandbox: Sandbox;
  let daemon: DaemonProcess;
  let url: string;
  const stranger = openSandbox();
  const secretFile = join(stranger.folder, "secret");

  beforeAll(async () => {
    sandbox = openSandbox();
    await sandbox.runHere(["config", "set", "MEMSVC_SECRET"], { stdin: secret });
    daemon = await startDaemon(sandbox);
    const status = await sandbox.runHere(["status", "--json"]);
    url = (JSON.parse(status.stdout) as { daemon: string }).daemon;
    writeFileSync(secretFile, `${secret}\n`);
  });
  afterAll(async () => {
    await daemon.stop();
    sandbox.remove();
    stranger.remove();
  });

  test("is reached from its own home, whose config holds the secret", async () => {
    expect((await sandbox.runHere(["status"])).stdout).toContain(`daemon at ${url}`);
  });

  test.each([
    [["session", "show", "nope"], "memsvc session list"],
    [["session", "by-commit", "abcdef0"], "memsvc session commits"],
    [["snapshot", "verify", "nope"], "memsvc snapshot list"],
    [["lesson", "strengthen", "nope"], "memsvc lesson search <query>"],
    [["evolve", "nope", "text"], "memsvc search <query>"],
    [["forget", "nope"], "memsvc search <query>"],
    [["verify", "nope"], "memsvc search <query>"],
    [["governance", "delete", "nope"], "memsvc memory list"],
    [["show", "nope"], "memsvc session show nope"],
    [["compress-file", "nope.md"], "check the path"],
    [["branch", "detect", "--cwd", "/nope"], "check the path"],
    [["facet", "tag", "nope", "area", "api", "--target-type", "action"], "memsvc action list"],
    [["routine", "run", "nope"], "memsvc routine list"],
    [["routine", "status", "nope"], "memsvc routine run <routineId>"],
    [["sentinel", "trigger", "nope"], "memsvc sentinel list"],
    [["checkpoint", "resolve", "nope", "passed"], "memsvc checkpoint list"],
    [["sketch", "promote", "nope"], "memsvc sketch list"],
    [["action", "show", "nope"], "memsvc action list"],
    [["mesh", "sync", "nope"], "memsvc mesh peers"],
  ])("answers %j with exit 3 and a hint to the command that lists what exists", async (args, way) => {
    const { exit, stderr } = await sandbox.runHere(args);
    expect(stderr).toContain("\nhint: ");
    expect({ exit, way: stderr.trimEnd().slice(-way.length) }).toEqual({ exit: 3, way });
  });

  test("refuses a hook with a wrong secret, which stores its event locally and says why", async () => {
    const event = { hook_event_name: "Stop", session_id: "refused", cwd: "/work" };
    const env = { MEMSVC_URL: url, MEMSVC_SECRET: "another-secret-of-sixteen-letters" };
    const { exit, stderr } = await stranger.run(["observe"], { stdin: JSON.stringify(event), env });
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: `memsvc observe: ${url} wants another secret (MEMSVC_SECRET or --secret-file) and did not take the event; it is kept in ${join(stranger.home, ".memsvc")}\n`,
    });
    expect((await stranger.runHere(["session", "show", "refused"])).exit).toBe(0);
  });

  test.each([
    ["none", {}],
    ["a wrong one", { MEMSVC_SECRET: "another-secret-of-sixteen-letters" }],
  ])("refuses commands with exit 4 and a hint if the secret is %s", async (_name, env) => {
    const { exit, stdout, stderr } = await stranger.runHere(["memory", "list", "--url", url], { env });
    expect({ exit, stdout, stderr }).toEqual({
      exit: 4,
      stdout: "",
      stderr: "memsvc: unauthorized\nhint: set MEMSVC_SECRET to the daemon's secret, or use --secret-file\n",
    });
  });

  test("accepts the secret from --secret-file, for observe as for other commands", async () => {
    const given = ["--url", url, "--secret-file", secretFile];
    expect((await stranger.runHere(["memory", "list", ...given])).exit).toBe(0);
    const event = { hook_event_name: "Stop", session_id: "from-afar", cwd: "/work" };
    const observed = await stranger.run(["observe", ...given], { stdin: JSON.stringify(event) });
    expect(observed).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    expect((await sandbox.runHere(["session", "show", "from-afar"])).exit).toBe(0);
  });

  test("has its viewer on a separate port, whose URL memsvc viewer prints without a terminal", async () => {
    const { viewerPort } = (await (await fetch(`${url}/livez`)).json()) as { viewerPort: number };
    const told = await sandbox.run(["viewer"]);
    expect(told).toMatchObject({ exit: 0, stdout: `http://127.0.0.1:${viewerPort}/\n`, stderr: "" });
    expect((await fetch(told.stdout.trim())).status).toBe(200);
    const asJson = await stranger.runHere(["viewer", "--json", "--url", url, "--secret-file", secretFile]);
    expect(JSON.parse(asJson.stdout)).toEqual({ url: told.stdout.trim() });
  });

  test.skipIf(process.platform !== "linux")(
    "has its viewer opened for a person, who may also want only the address",
    async () => {
      const { stdout } = await sandbox.runHere(["viewer"]);
      const [bin, opened] = [join(sandbox.folder, "opener"), join(sandbox.folder, "opened")];
      mkdirSync(bin);
      const opener = (exit: number) =>
        writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\necho "$1" >> '${opened}'\nexit ${exit}\n`, {
          mode: 0o755,
        });
      const viewer = (...flags: string[]) =>
        sandbox.runHere(["viewer", ...flags], { env: { PATH: `${bin}:/usr/bin:/bin` }, columns: 80 });
      opener(0);
      for (const flag of ["--print", "--json"]) expect((await viewer(flag)).exit).toBe(0);
      expect(existsSync(opened)).toBe(false);
      expect(await viewer()).toMatchObject({ exit: 0, stdout, stderr: "" });
      expect(readFileSync(opened, "utf8")).toBe(stdout);
      const noBrowser = "no browser could be started here: open the address yourself\n";
      opener(3);
      expect(await viewer()).toMatchObject({ exit: 0, stdout, stderr: noBrowser });
      rmSync(join(bin, "xdg-open"));
      const without = await sandbox.runHere(["viewer"], { env: { PATH: bin }, columns: 80 });
      expect(without).toMatchObject({ exit: 0, stdout, stderr: noBrowser });
    },
  );

  test("cannot be asked with a secret of non-ASCII characters: exit 2", async () => {
    const file = join(stranger.folder, "cyrillic");
    writeFileSync(file, "пароль\n");
    expect(await stranger.runHere(["health", "--url", url, "--secret-file", file])).toMatchObject({
      exit: 2,
      stderr: `memsvc: the secret in ${file} must be of ASCII characters, since no header carries others\nhint: check the path that --secret-file names\n`,
    });
  });

  test("cannot be asked with a secret file that is unreadable: exit 2", async () => {
    const { exit, stderr } = await stranger.runHere(["health", "--url", url, "--secret-file", "missing"]);
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr:
        "memsvc: the secret file missing cannot be read\nhint: check the path that --secret-file names\n",
    });
    execFileSync("mkfifo", [join(stranger.home, "pipe")]);
    expect(await stranger.runHere(["health", "--url", url, "--secret-file", "pipe"])).toMatchObject({
      exit: 2,
      stderr:
        "memsvc: the secret file pipe is a pipe, and nothing came through it\nhint: start the program that writes to it\n",
    });
  });

  test("gets the config file's secret from a hook whose launcher left variables unexpanded", async () => {
    const home = join(stranger.folder, "with-secret");
    mkdirSync(home);
    writeFileSync(join(home, ".env"), `MEMSVC_SECRET=${secret}\n`);
    const unexpanded = (name: string) => `\${${name}}`;
    const env = { MEMSVC_HOME: home, MEMSVC_URL: url, MEMSVC_SECRET: unexpanded("MEMSVC_SECRET") };
    const event = { hook_event_name: "Stop", session_id: "unexpanded", cwd: "/work" };
    const sent = await stranger.run(["observe", "--strict"], { stdin: JSON.stringify(event), env });
    expect(sent).toMatchObject({ exit: 0, stderr: "" });
    expect(existsSync(join(home, "memsvc.db"))).toBe(false);
    expect((await stranger.runHere(["session", "show", "unexpanded"], { env })).exit).toBe(0);
  });

  test("is shown in the status of a home without a store", async () => {
    const env = { MEMSVC_URL: url.replace(/\/memsvc$/u, ""), MEMSVC_SECRET: secret };
    const { exit, stdout } = await stranger.runHere(["status"], { env });
    expect(exit).toBe(0);
    expect(stdout).toContain(`daemon at ${url}`);
  });
});

describe("serve", () => {
  test.each([
    [["--viewer-port", "0"], true],
    [["--no-viewer"], false],
  ])(
    "%j prints the API's URL on its first line, and the viewer's on the second if there is one",
    async (flags, has) => {
      const sandbox = openSandbox();
      const child = sandbox.start(["serve", "--port", "0", ...flags]);
      const written = { stdout: "", stderr: "" };
      child.stderr?.on("data", (chunk: Buffer) => {
        written.stderr += chunk.toString();
      });
      await new Promise<void>((resolve) => {
        child.stdout?.on("data", (chunk: Buffer) => {
          written.stdout += chunk.toString();
          if (written.stdout.includes("\n")) resolve();
        });
      });
      const [, url = ""] = /^memsvc listening on (\S+)\n/u.exec(written.stdout) ?? [];
      const { viewerPort } = (await (await fetch(`${url}/livez`)).json()) as { viewerPort: number | null };
      const ended = new Promise((resolve) => child.on("close", resolve));
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
      expect(viewerPort !== null).toBe(has);
      expect(written).toEqual({
        stdout: `memsvc listening on ${url}\n${has ? `viewer at http://127.0.0.1:${viewerPort}/\n` : ""}`,
        stderr: "",
      });
      sandbox.remove();
    },
  );
});

describe("a daemon behind an https:// address", () => {
  test("is asked over TLS by hooks, too, which store an event locally if it does not take it", async () => {
    const sandbox = openSandbox();
    const firstBytes: number[] = [];
    const proxy = createTcpServer((socket) =>
      socket.once("data", (bytes) => {
        firstBytes.push(bytes[0] ?? 0);
        socket.destroy();
      }),
    );
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { port } = proxy.address() as AddressInfo;
    const event = { hook_event_name: "Stop", session_id: "behind-a-proxy", cwd: "/work" };
    const { exit, stderr } = await sandbox.run(["observe"], {
      stdin: JSON.stringify(event),
      env: { MEMSVC_URL: `https://127.0.0.1:${port}` },
    });
    proxy.close();
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    // A TLS connection begins with a handshake record, type 22.
    expect(firstBytes).toEqual([22]);
    expect((await sandbox.runHere(["session", "show", "behind-a-proxy"])).exit).toBe(0);
    sandbox.remove();
  });
});

describe("MEMSVC_REQUIRE_HTTPS", () => {
  const env = { MEMSVC_REQUIRE_HTTPS: "1", MEMSVC_SECRET: secret };

  test("keeps the secret from being sent over a network unencrypted", async () => {
    const sandbox = openSandbox();
    const { exit, stderr } = await sandbox.runHere(["memory", "list", "--url", foreignAddress], { env });
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr:
        "memsvc: the secret is not sent to 192.0.2.1 without encryption (MEMSVC_REQUIRE_HTTPS)\nhint: use an https:// address\n",
    });
    sandbox.remove();
  });

  test("makes a hook store its event locally without connecting, and say so", async () => {
    const sandbox = openSandbox();
    const event = { hook_event_name: "Stop", session_id: "kept", cwd: "/work" };
    const [hook, asked] = [join(sandbox.folder, "noting.cjs"), join(sandbox.folder, "asked")];
    writeFileSync(
      hook,
      `require("node:net").Socket.prototype.connect = function () {
         require("node:fs").writeFileSync(${JSON.stringify(asked)}, "");
         return this;
       };`,
    );
    const { exit, stderr } = await sandbox.run(["observe"], {
      stdin: JSON.stringify(event),
      env: { ...env, MEMSVC_URL: foreignAddress, NODE_OPTIONS: `--require ${hook}` },
    });
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: `memsvc observe: ${foreignAddress}/memsvc did not take the event; it is kept in ${join(sandbox.home, ".memsvc")}\n`,
    });
    expect(existsSync(asked)).toBe(false);
    expect((await sandbox.runHere(["session", "show", "kept"])).exit).toBe(0);
    sandbox.remove();
  });
});
