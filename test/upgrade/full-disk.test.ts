import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { errorCode } from "../../src/system/error-code.ts";
import { buildOnce, openSandbox, type Sandbox } from "../cli/program-process.ts";
import { homeOf, serveWell, storeOf } from "../crash/daemon.ts";
import { missingOverHttp } from "../crash/found-over-http.ts";
import { memoryWith } from "../crash/http-load.ts";
import { emptyLedger } from "../crash/ledger.ts";
import { storeFaults } from "../crash/store-faults.ts";
import { uniqueWords } from "../crash/words.ts";

/*
 * A disk that is really full: a small file system in memory, mounted on the home. Where mounting is not permitted
 * the suite is left out and its name says so.
 */

const diskKib = 8_192;
/** What is left free of the disk when a trial begins; the write-ahead log needs most of it to start with. */
const freeKib = 700;
const mostWrites = 3_000;

function canMount(): boolean {
  const sandbox = openSandbox();
  try {
    mount(sandbox);
    unmount(sandbox);
    return true;
  } catch {
    return false;
  } finally {
    sandbox.remove();
  }
}

function mount(sandbox: Sandbox): void {
  mkdirSync(homeOf(sandbox), { recursive: true, mode: 0o700 });
  const options = `size=${diskKib}k,mode=0700`;
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", homeOf(sandbox)], { stdio: "ignore" });
}

function unmount(sandbox: Sandbox): void {
  execFileSync("umount", ["-l", homeOf(sandbox)], { stdio: "ignore" });
}

beforeAll(buildOnce);

describe.skipIf(!canMount())("on a full disk (skipped where none can be mounted)", () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = openSandbox();
    mount(sandbox);
  });
  afterEach(() => {
    unmount(sandbox);
    sandbox.remove();
  });

  function filler(): string {
    return join(homeOf(sandbox), "filler");
  }

  /** Leaves so much of the disk free. */
  function fill(leftKib: number): void {
    const { bavail, bsize } = statfsSync(homeOf(sandbox));
    try {
      appendFileSync(filler(), Buffer.alloc(Math.max(0, bavail * bsize - leftKib * 1_024)));
    } catch (error) {
      // The daemon, which runs its own upkeep meanwhile, took the last of the space first.
      if (errorCode(error) !== "ENOSPC") throw error;
    }
  }

  test("the daemon refuses writes with a clear error, loses nothing, and recovers with space", async () => {
    const ledger = emptyLedger();
    const nextWord = uniqueWords("qfull");
    const daemon = await serveWell(sandbox);
    const remember = async () => {
      const word = nextWord();
      const response = await fetch(`${daemon.url}/remember`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ content: `${memoryWith(word)} ${"x".repeat(4_000)}`, project: word }),
      });
      const answer = (await response.json()) as Record<string, unknown>;
      if (response.status === 201) ledger.memories.push({ id: String(answer.memoryId), word });
      return { status: response.status, error: answer.error };
    };
    /** The first refusal. The daemon's upkeep of the journal may make room at any time, so not each write is refused. */
    const refusal = async (leftKib: number) => {
      fill(leftKib);
      let answer = await remember();
      for (let write = 1; write < mostWrites && answer.status === 201; write += 1) answer = await remember();
      return answer;
    };
    expect((await remember()).status).toBe(201);
    const refused = { status: 500, error: expect.stringMatching(/no space left/u) };
    expect(await refusal(freeKib)).toMatchObject(refused);
    // Now not even the log has room for a line.
    expect(await refusal(0)).toMatchObject(refused);
    const command = await sandbox.run(["remember", `no room ${"y".repeat(4_000)}`]);
    expect(command.exit).toBe(1);
    expect(command.stderr).toMatch(
      /^memsvc: no space left .*; nothing was written\nhint: free some disk space .*\n$/u,
    );
    expect((await fetch(`${daemon.url}/livez`)).status).toBe(200);
    expect(await missingOverHttp(daemon.url, ledger)).toEqual([]);
    const saved = join(sandbox.home, "saved.json");
    expect(await sandbox.run(["export", saved])).toMatchObject({ exit: 0 });
    const { memories } = JSON.parse(readFileSync(saved, "utf8")) as { memories: { id: string }[] };
    expect(memories.map(({ id }) => id).sort()).toEqual(ledger.memories.map(({ id }) => id).sort());

    rmSync(filler());
    expect((await remember()).status).toBe(201);
    expect(await missingOverHttp(daemon.url, ledger)).toEqual([]);
    expect(await daemon.end("SIGTERM")).toMatchObject({ exit: 0 });
    expect(storeFaults(storeOf(sandbox), ledger)).toEqual([]);
  });

  test("writing commands exit with 1 and a hint, reads work, and writes do once there is space", async () => {
    const before = await sandbox.run(["remember", "before the disk was full", "--offline"]);
    expect(before.exit).toBe(0);
    fill(0);
    const run = await sandbox.run(["remember", "no room for this", "--offline"]);
    expect({ exit: run.exit, stdout: run.stdout }).toEqual({ exit: 1, stdout: "" });
    expect(run.stderr).toMatch(/^memsvc: no space left .*\nhint: .*\n$/u);
    const observed = await sandbox.run(["observe", "--offline", "--strict"], {
      stdin: JSON.stringify({
        hookType: "stop",
        sessionId: "s",
        project: "p",
        cwd: "/srv",
        timestamp: "2026-03-01T00:00:00Z",
      }),
    });
    expect(observed.exit).toBe(1);
    expect(observed.stderr).toMatch(/no space left/u);
    // What is there can still be found, and saved elsewhere.
    const saved = join(sandbox.home, "saved.json");
    for (const reading of [
      ["search", "before", "--offline"],
      ["export", saved, "--offline"],
    ]) {
      expect((await sandbox.run(reading)).exit, reading[0]).toBe(0);
    }
    expect(readFileSync(saved, "utf8")).toContain("before the disk was full");
    const { stdout: found } = await sandbox.run(["doctor", "--offline"]);
    expect(found).toMatch(/read-only: no space left .*; .*free some space on its disk/u);
    rmSync(filler());
    expect((await sandbox.run(["remember", "room again", "--offline"])).exit).toBe(0);
    const { stdout } = await sandbox.run(["memory", "list", "--offline", "--json"]);
    expect((JSON.parse(stdout) as { total: number }).total).toBe(2);
  });

  test("a snapshot or restore that does not fit exits with 1 and leaves no file", async () => {
    const snapshotsFolder = join(homeOf(sandbox), "snapshots");
    await sandbox.run(["remember", "something to lose", "--offline"]);
    const made = await sandbox.run(["snapshot", "create", "--offline", "--json"]);
    const { snapshot } = JSON.parse(made.stdout) as { snapshot: { id: string; sizeBytes: number } };
    const before = readdirSync(snapshotsFolder).sort();
    const sizeKib = snapshot.sizeBytes / 1_024;
    for (const leftKib of [sizeKib / 2, sizeKib * 1.5, sizeKib * 2.5]) {
      fill(leftKib);
      const run = await sandbox.run(["--offline", "--yes", "snapshot", "restore", snapshot.id]);
      expect([run.exit, run.stderr]).toEqual([
        1,
        expect.stringMatching(/^memsvc: no space left .*\nhint: /u),
      ]);
      expect(readdirSync(snapshotsFolder).sort()).toEqual(before);
      rmSync(filler());
    }
    fill(sizeKib / 2);
    expect((await sandbox.run(["snapshot", "create", "--offline"])).exit).toBe(1);
    expect(readdirSync(snapshotsFolder).sort()).toEqual(before);
    rmSync(filler());
    const { stdout } = await sandbox.run(["memory", "list", "--offline", "--json"]);
    expect((JSON.parse(stdout) as { total: number }).total).toBe(1);
  });

  test("a daemon fails to start with exit 1 and a hint, and leaves no lock", async () => {
    fill(0);
    const run = await sandbox.run(["serve", "--port", "0"]);
    expect({ exit: run.exit, stdout: run.stdout }).toEqual({ exit: 1, stdout: "" });
    expect(run.stderr).toMatch(/^memsvc: no space left .*\nhint: .*\n$/u);
    expect(readdirSync(homeOf(sandbox)).filter((name) => name.startsWith("memsvc.lock"))).toEqual([]);
    rmSync(filler());
    const daemon = await serveWell(sandbox);
    expect((await daemon.end("SIGTERM")).exit).toBe(0);
  });

  test("config set exits with 1, and succeeds once there is space", async () => {
    fill(0);
    const setting = ["config", "set", "MEMSVC_LOG_LEVEL", "debug"];
    expect((await sandbox.run(setting)).exit).toBe(1);
    rmSync(filler());
    expect(await sandbox.run(setting)).toMatchObject({ exit: 0 });
  });
});
