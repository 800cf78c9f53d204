import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { isAlive } from "../../src/config/lock-file.ts";
import { isSuspended } from "../../src/system/is-suspended.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openPeerServer } from "../support/peer-server.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

beforeAll(buildOnce);

/** Whether the system shows that a process is suspended. */
const showsStates = existsSync("/proc/self/stat");

describe("restarting and stopping the daemon", () => {
  const own = forEachTest(openSandbox);
  afterEach(() => own.runHere(["daemon", "stop"]));

  async function startedUrl(...args: readonly string[]): Promise<string> {
    const { stdout } = await own.runHere(["daemon", ...args, "--json"]);
    return (JSON.parse(stdout) as { url: string }).url;
  }

  test("restart with an invalid setting in the config file keeps the running daemon", async () => {
    const url = await startedUrl("start", "--port", "0", "--no-viewer");
    const config = join(own.home, ".memsvc", ".env");
    for (const [line, problem] of [
      ["MEMSVC_HOST=0.0.0.0", "would open the store to the network without a secret"],
      ["MEMSVC_PROVIDER=anthropic", "MEMSVC_PROVIDER is anthropic, but neither"],
      ["MEMSVC_MCP_TIMEOUT_MS=0", "MEMSVC_MCP_TIMEOUT_MS must be"],
    ] as const) {
      writeFileSync(config, `${line}\n`);
      const refused = await own.runHere(["daemon", "restart"]);
      expect(refused).toMatchObject({ exit: 2, stdout: "" });
      expect(refused.stderr).toMatch(/^memsvc: the daemon \(pid \d+\) still runs as it was: .*\nhint: /u);
      expect(refused.stderr).toContain(problem);
      expect(await (await fetch(`${url}/livez`)).json()).toMatchObject({ viewerPort: null });
    }
    rmSync(config);
    expect(await startedUrl("restart")).toBe(url);
  });

  test("restart refuses a wrong flag before it stops the daemon, and keeps the --host of the start", async () => {
    const url = await startedUrl("start", "--port", "0", "--host", "127.0.0.1");
    expect(await own.runHere(["daemon", "restart", "--viewer-port", "many"])).toMatchObject({ exit: 2 });
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    writeFileSync(join(own.home, ".memsvc", ".env"), "MEMSVC_HOST=0.0.0.0\n");
    expect(await startedUrl("restart")).toBe(url);
  });

  test("restart says if it cannot start the new daemon, and the next start keeps the old flags", async () => {
    const url = await startedUrl("start", "--port", "0", "--no-viewer");
    const { port, close } = await openPeerServer(() => undefined);
    const failed = await own.runHere(["daemon", "restart", "--port", String(port)]);
    await close();
    expect(failed).toMatchObject({ exit: 3, stdout: "" });
    expect(failed.stderr).toMatch(
      /is taken by another program\nthe one that ran \(pid \d+\) has stopped; the next start has its flags\nhint: /u,
    );
    const started = await own.runHere(["daemon", "start"]);
    expect(started.stdout).toContain(url);
    expect(started.stderr).toBe(
      `flags of the last one, where none are given: --port ${new URL(url).port} --no-viewer (memsvc daemon stop forgets them)\n`,
    );
    expect(await (await fetch(`${url}/livez`)).json()).toMatchObject({ viewerPort: null });
  });

  test("start and restart work where the flags cannot be stored, and stop ends a suspended daemon", async () => {
    // As on a disk that is full or became read-only.
    mkdirSync(join(own.home, ".memsvc", "memsvc.start.json"), { recursive: true });
    mkdirSync(join(own.home, ".memsvc", "logs"));
    for (const name of ["memsvc.stop", "memsvc.unanswered", "logs/memsvc.log"])
      execFileSync("mkfifo", [join(own.home, ".memsvc", name)]);
    const url = await startedUrl("start", "--port", "0", "--no-viewer");
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    const again = await own.runHere(["daemon", "restart"]);
    expect(again.stdout).toContain(`memsvc listening on ${url} (pid `);
    expect(again.stderr).toBe(
      "the flags of the last daemon could not be read: this one has its port and host\n",
    );
    const { pid } = JSON.parse((await own.runHere(["daemon", "status", "--json"])).stdout) as { pid: number };
    process.kill(pid, "SIGSTOP");
    if (showsStates) {
      // On a busy machine the process runs on for a moment.
      await expect.poll(() => isSuspended(pid)).toBe(true);
      expect((await own.runHere(["daemon", "status"])).stdout).toContain(`or kill -CONT ${pid};`);
      const problem = `memsvc: the daemon (pid ${pid}) is suspended, as by Ctrl-Z\nhint: let it go on: fg in its terminal, or kill -CONT ${pid}; `;
      // At once, though the same would also be told after waiting in vain.
      const startedAt = performance.now();
      for (const [words, otherwise] of [
        [["search", "anything"], "--offline works without it"],
        [["remember", "anything", "--url", url], "--offline works without it"],
        [["daemon", "start"], "memsvc daemon restart ends it and starts another"],
      ] as const)
        expect(await own.runHere(words)).toEqual({ exit: 7, stdout: "", stderr: `${problem}${otherwise}\n` });
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    }
    const stopped = await own.runHere(["daemon", "stop"]);
    expect(stopped.stdout).toMatch(/^the daemon \(pid \d+\) has stopped\n$/u);
    expect(existsSync(join(own.home, ".memsvc", "memsvc.lock"))).toBe(false);
    expect(await own.runHere(["daemon", "stop"])).toEqual({
      exit: 0,
      stdout: "no daemon runs\n",
      stderr: "",
    });
  });

  test("the daemon stops cleanly and forgets its flags when a stop file asks it to, as on Windows", async () => {
    await startedUrl("start", "--port", "0", "--no-viewer");
    const { pid } = JSON.parse((await own.runHere(["daemon", "status", "--json"])).stdout) as { pid: number };
    const home = join(own.home, ".memsvc");
    writeFileSync(join(home, "memsvc.stop"), `${pid}\n`);
    await expect.poll(() => isAlive(pid, home)).toBe(false);
    for (const name of ["memsvc.stop", "memsvc.lock", "memsvc.start.json"])
      expect(existsSync(join(home, name))).toBe(false);
  });

  test("stop forgets the flags of a daemon that was killed, and restart does not reuse them", async () => {
    const url = await startedUrl("start", "--port", "0", "--no-viewer");
    const { pid } = JSON.parse((await own.runHere(["daemon", "status", "--json"])).stdout) as { pid: number };
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isAlive(pid, own.home)).toBe(false);
    expect((await own.runHere(["daemon", "stop"])).stdout).toBe("no daemon runs\n");
    expect(existsSync(join(own.home, ".memsvc", "memsvc.start.json"))).toBe(false);
    expect(await startedUrl("restart", "--port", "0")).not.toBe(url);
  });
});
