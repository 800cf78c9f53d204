import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forEachTest } from "../support/for-each-test.ts";
import { openPeerServer } from "../support/peer-server.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

beforeAll(buildOnce);

describe.skipIf(process.platform !== "linux")("memsvc service", () => {
  const own = forEachTest(openSandbox);
  let home: string;
  let unit: string;
  let asked: string;
  beforeEach(() => {
    home = join(own.home, ".memsvc");
    unit = join(own.home, ".config", "systemd", "user", "memsvc.service");
    asked = join(own.folder, "asked");
    mkdirSync(home);
    writeFileSync(join(home, ".env"), "MEMSVC_PORT=0\nMEMSVC_VIEWER=false\n");
  });
  afterEach(() => own.runHere(["daemon", "stop"]));

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
      '  *is-active*) kill -0 $(cat "$0.pid") 2>/dev/null ;;',
      `  *start\\ *) ${restart}`,
      '    echo $! > "$0.pid" ;;',
      `  *--now*) kill $(cat "$0.pid"); while [ -e '${home}/memsvc.lock' ]; do sleep 0.1; done ;;`,
      "esac",
    ];
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "systemctl"), `${script.join("\n")}\n`, { mode: 0o755 });
    return { PATH: `${bin}:/usr/bin:/bin` };
  }

  /** What systemctl was asked, apart from the looks after a daemon that takes more than 10 s to start. */
  function askedWords(): string[] {
    const words = existsSync(asked) ? readFileSync(asked, "utf8").trim().split("\n") : [];
    rmSync(asked, { force: true });
    return words.filter((line) => !line.includes("is-active"));
  }

  async function statusOf(): Promise<{ running: boolean; pid: number; url: string }> {
    return JSON.parse((await own.runHere(["daemon", "status", "--json"])).stdout);
  }

  test("install --print-unit prints the unit and writes nothing", async () => {
    const { exit, stdout } = await own.runHere(["service", "install", "--print-unit"]);
    expect(exit).toBe(0);
    expect(stdout).toContain(`"serve" "--home" "${home}"\n`);
    expect(existsSync(unit)).toBe(false);
  });

  test("install fails with a hint and leaves no unit where systemd is not available", async () => {
    for (const flags of [[], ["--dry-run"]]) {
      const { exit, stderr } = await own.runHere(["service", "install", ...flags], {
        env: { PATH: own.folder },
      });
      expect(exit).toBe(1);
      expect(stderr).toMatch(
        /^memsvc: no service can be set up here: systemctl is not there\nhint: .*memsvc daemon start/u,
      );
    }
    const bin = join(own.folder, "no-bus");
    mkdirSync(bin);
    const script = "#!/bin/sh\necho 'Failed to connect to bus: No medium found' >&2\nexit 1\n";
    writeFileSync(join(bin, "systemctl"), script, { mode: 0o755 });
    expect((await own.runHere(["service", "install"], { env: { PATH: bin } })).stderr).toMatch(
      /: Failed to connect to bus: No medium found\nhint: log in .* XDG_RUNTIME_DIR=\/run\/user\/\d+; /u,
    );
    expect(existsSync(unit)).toBe(false);
    expect(await own.runHere(["service", "uninstall"])).toMatchObject({
      exit: 0,
      stdout: "no service is installed\n",
    });
  });

  test("install writes the unit and starts it through systemd, and uninstall undoes both", async () => {
    const env = withSystemctl();
    const installed = await own.run(["service", "install"], { env });
    expect(installed.exit).toBe(0);
    expect(installed.stdout).toBe(`systemd runs the daemon now, and at every login: ${unit}\n`);
    expect((await statusOf()).running).toBe(true);
    const printed = await own.runHere(["service", "install", "--print-unit"]);
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

  test("install says which flags of the daemon that ran a service does not have, and once is enough", async () => {
    const env = withSystemctl();
    await own.runHere(["daemon", "start", "--no-viewer"]);
    const installed = await own.run(["service", "install"], { env });
    expect(installed).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(
        /^without the flags of the one that ran before; .*: memsvc config set MEMSVC_VIEWER false; memsvc daemon restart$/mu,
      ),
    });
    const { pid } = await statusOf();
    askedWords();
    expect(await own.run(["service", "install"], { env })).toMatchObject({
      exit: 0,
      stdout: `the service is installed already: ${unit}\n`,
      stderr: "",
    });
    expect(askedWords()).toEqual(["--user show-environment"]);
    expect(await statusOf()).toMatchObject({ running: true, pid });
    await own.run(["service", "uninstall"], { env });
  });

  test("install undoes a service whose daemon takes no requests, and restarts the old one", async () => {
    const other = await openPeerServer(() => undefined);
    await own.runHere(["daemon", "start"]);
    const { url } = await statusOf();
    writeFileSync(join(home, ".env"), `MEMSVC_PORT=${other.port}\n`);
    await own.runHere(["daemon", "restart", "--port", new URL(url).port, "--no-viewer"]);
    const failed = await own.runHere(["service", "install"], { env: withSystemctl() });
    await other.close();
    expect(failed).toMatchObject({ exit: 7, stdout: "" });
    // A multiple of ten, however long the new daemon takes to find that its port is taken.
    expect(failed.stderr.replace(/\d+0 s$/mu, "10 s").split("\n")).toEqual([
      `the service was undone: ${unit}`,
      `the daemon that ran before runs again at ${url}`,
      "memsvc: systemd was told to run the daemon, but it still accepts no requests after 10 s",
      "hint: see why with: journalctl --user --unit memsvc.service",
      "",
    ]);
    expect(existsSync(unit)).toBe(false);
    expect(await (await fetch(`${url}/livez`)).json()).toMatchObject({ viewerPort: null });
  });

  test("install that fails restarts the old daemon also where its flags cannot be written", async () => {
    mkdirSync(join(home, "memsvc.start.json"));
    await own.runHere(["daemon", "start"]);
    const { url } = await statusOf();
    const failed = await own.runHere(["service", "install"], { env: withSystemctl("exit 1") });
    expect(failed).toMatchObject({ exit: 1, stdout: "" });
    expect(failed.stderr).toContain(`\nthe daemon that ran before runs again at ${url}\n`);
    expect(await statusOf()).toMatchObject({ running: true, url });
  });

  test("install undoes a service that systemd does not start, and restores another home's unit", async () => {
    await own.runHere(["daemon", "start"]);
    const refusing = withSystemctl("exit 1");
    const failed = await own.runHere(["service", "install"], { env: refusing });
    expect(failed).toMatchObject({ exit: 1, stdout: "" });
    expect(failed.stderr).toMatch(
      /^the service was undone: .*\nthe daemon that ran before runs again at http.*\nmemsvc: no service can be set up here: /u,
    );
    expect(existsSync(unit)).toBe(false);
    // Left enabled, it would be looked for at every login.
    expect(askedWords().slice(-2)).toEqual(["--user disable --now memsvc.service", "--user daemon-reload"]);
    expect((await statusOf()).running).toBe(true);

    const elsewhere = ["service", "install", "--print-unit", "--home", join(own.home, "other")];
    const before = (await own.runHere(elsewhere)).stdout;
    mkdirSync(join(unit, ".."), { recursive: true });
    writeFileSync(unit, before);
    const again = await own.runHere(["service", "install"], { env: refusing });
    expect(again.stderr).toMatch(
      /^the service could not be undone completely: .*\nthe daemon that ran before runs again/u,
    );
    expect(readFileSync(unit, "utf8")).toBe(before);
  });

  test("carries out daemon restart and daemon start, and daemon stop names it", async () => {
    const env = withSystemctl();
    await own.runHere(["service", "install"], { env });
    const first = await statusOf();
    askedWords();

    const restarted = await own.runHere(["daemon", "restart"], { env });
    expect(restarted).toMatchObject({ exit: 0, stderr: "systemd runs it, as a service\n" });
    const second = await statusOf();
    expect([second.running, second.pid === first.pid]).toEqual([true, false]);
    expect(askedWords()).toEqual(["--user show-environment", "--user restart memsvc.service"]);

    const withFlags = await own.runHere(["daemon", "restart", "--port", "4417"], { env });
    expect(withFlags).toMatchObject({ exit: 2, stdout: "" });
    expect(withFlags.stderr).toBe(
      "memsvc: the daemon of this home runs as a service, which takes no flags\nhint: memsvc config set MEMSVC_PORT 4417; memsvc daemon restart\n",
    );
    writeFileSync(join(home, ".env"), "MEMSVC_PORT=0\nMEMSVC_HOST=0.0.0.0\n");
    expect(await own.runHere(["daemon", "restart"], { env })).toMatchObject({ exit: 2 });
    expect(await statusOf()).toEqual(second);
    writeFileSync(join(home, ".env"), "MEMSVC_PORT=0\n");

    expect((await own.runHere(["daemon", "stop"], { env })).stderr).toMatch(
      /^its service starts it at the next login/u,
    );
    askedWords();
    expect((await own.runHere(["daemon", "start"], { env })).exit).toBe(0);
    // A daemon that another command has it start is not killed for that: five starts in ten seconds, and it is left failed.
    expect(askedWords()).toEqual(["--user show-environment", "--user start memsvc.service"]);

    const failing = await own.runHere(["daemon", "restart"], { env: withSystemctl("exit 1") });
    expect(failing).toMatchObject({ exit: 1, stdout: "" });
    expect(failing.stderr).toMatch(
      /^memsvc: the service did not start the daemon: .*\nhint: see why with: journalctl/u,
    );
  });

  test("is bypassed by restart without systemctl, and uninstall reports a daemon left running", async () => {
    const env = withSystemctl();
    await own.runHere(["service", "install"], { env });
    const outside = await own.runHere(["daemon", "restart"], { env: { PATH: own.folder } });
    expect(outside.exit).toBe(0);
    expect(outside.stderr).toMatch(
      /^memsvc: the daemon runs outside its service: .*systemctl is not there\n$/u,
    );
    writeFileSync(join(own.folder, "bin", "systemctl"), "#!/bin/sh\n");
    const removed = await own.runHere(["service", "uninstall"], { env });
    expect(removed.stderr).toMatch(/^a daemon still runs \(pid \d+\); stop it with: memsvc daemon stop\n$/u);
  });

  test("of another home is not asked to start this home's daemon", async () => {
    const env = withSystemctl();
    const elsewhere = ["service", "install", "--print-unit", "--home", join(own.home, "other")];
    mkdirSync(join(unit, ".."), { recursive: true });
    writeFileSync(unit, (await own.runHere(elsewhere)).stdout);
    expect(await own.runHere(["daemon", "start"], { env })).toMatchObject({ exit: 0, stderr: "" });
    expect(askedWords()).toEqual([]);
  });

  test("install leaves a foreign unit unchanged and exits with 5", async () => {
    mkdirSync(join(unit, ".."), { recursive: true });
    writeFileSync(unit, "[Service]\nExecStart=/bin/true\n");
    const refused = await own.runHere(["service", "install"], { env: withSystemctl() });
    expect(refused.exit).toBe(5);
    expect(readFileSync(unit, "utf8")).toBe("[Service]\nExecStart=/bin/true\n");
  });
});
