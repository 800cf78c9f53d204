import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { packageFolder } from "../store/migrations.ts";
import {
  hasLock,
  lockPath,
  readLock,
  releaseLock,
  runningServer,
  takeLock,
  updateLock,
} from "./lock-file.ts";

const mine = { pid: process.pid, port: 0, host: "127.0.0.1" };
/** Above the largest process id that Linux and macOS give. */
const deadPid = 2 ** 22 + 1;

let home: string;
beforeEach(() => {
  home = temporaryFolder();
});

function runningNode(...args: string[]): ChildProcess {
  const script = "setTimeout(() => {}, 20000); console.log('up')";
  return spawn(process.execPath, ["-e", script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

function exit(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once("exit", resolve));
}

describe("taking the lock", () => {
  test("of a free home succeeds, readable by the owner alone, and leaves no other file", () => {
    expect(takeLock(home, mine)).toEqual({ kind: "taken" });
    expect(readLock(home)).toEqual(mine);
    expect((statSync(lockPath(home)).mode & 0o777).toString(8)).toBe("600");
    expect(readdirSync(home)).toEqual(["memsvc.lock"]);
  });

  test("of a home fails while its server runs, and succeeds afterwards", async () => {
    const server = runningNode("memsvc", "serve");
    await new Promise((resolve) => server.stdout?.once("data", resolve));
    const other = { pid: server.pid ?? 0, port: 3111, host: "127.0.0.1" };
    updateLock(home, other);
    expect(takeLock(home, mine)).toEqual({ kind: "held", by: other });
    expect(runningServer(home)).toEqual(other);
    server.kill("SIGKILL");
    await exit(server);
    expect(runningServer(home)).toBeUndefined();
    expect(takeLock(home, mine)).toEqual({ kind: "taken" });
  });

  test.each([
    ["of a process that is gone", `${deadPid} 3111 127.0.0.1\n`],
    ["of a process that had our own id, as in a container", `${process.pid} 3111 127.0.0.1\n`],
    ["cut off", "12"],
    ["empty", ""],
    ["of something else", "hello\nworld\n"],
  ])("replaces a leftover lock, %s", (_name, text) => {
    writeFileSync(lockPath(home), text);
    expect(runningServer(home)).toBeUndefined();
    expect(takeLock(home, mine)).toEqual({ kind: "taken" });
    expect(readLock(home)).toEqual(mine);
    expect(readdirSync(home)).toEqual(["memsvc.lock"]);
  });

  test.skipIf(process.platform !== "linux").each([
    ["another program", ["something-else"]],
    ["a program of ours that is no server", ["memsvc", "mcp"]],
    ["another program that mentions ours", ["/src/memsvc/main.cjs"]],
    ["a shell that runs ours", ["memsvc serve --home /somewhere"]],
  ])("succeeds if %s has the holder's process id by now", async (_name, words) => {
    const stranger = runningNode(...words);
    await new Promise((resolve) => stranger.stdout?.once("data", resolve));
    updateLock(home, { pid: stranger.pid ?? 0, port: 3111, host: "127.0.0.1" });
    expect(takeLock(home, mine)).toEqual({ kind: "taken" });
    stranger.kill("SIGKILL");
    await exit(stranger);
  });

  test("ignores a lock copied from another home and a lock older than its server", async () => {
    const server = runningNode("memsvc", "serve");
    await new Promise((resolve) => server.stdout?.once("data", resolve));
    const other = join(home, "other");
    mkdirSync(other);
    updateLock(other, { pid: server.pid ?? 0, port: 3111, host: "127.0.0.1" });
    copyFileSync(lockPath(other), lockPath(home));
    expect(runningServer(other)).toBeDefined();
    expect(runningServer(home)).toBeUndefined();
    expect(takeLock(home, mine)).toEqual({ kind: "taken" });
    if (process.platform === "linux") {
      const text = readFileSync(lockPath(other), "utf8");
      writeFileSync(lockPath(other), text.replace(/\d+ (\d+\n)$/u, "1 $1"));
      expect(runningServer(other)).toBeUndefined();
    }
    server.kill("SIGKILL");
    await exit(server);
  });

  test.runIf(process.platform === "linux")(
    "ignores a lock of a dead server whose process id a later server has",
    async () => {
      const servers: ChildProcess[] = [];
      for (let count = 0; count < 2; count += 1) {
        const server = runningNode("memsvc", "serve");
        await new Promise((resolve) => server.stdout?.once("data", resolve));
        servers.push(server);
      }
      const [earlier, later] = servers;
      updateLock(home, { pid: earlier?.pid ?? 0, port: 3111, host: "127.0.0.1" });
      expect(runningServer(home)?.pid).toBe(earlier?.pid);
      writeFileSync(lockPath(home), readFileSync(lockPath(home), "utf8").replace(/^\d+/u, `${later?.pid}`));
      expect(runningServer(home)).toBeUndefined();
      for (const server of servers) {
        server.kill("SIGKILL");
        await exit(server);
      }
    },
  );

  test("replaces a dangling link or a pipe", () => {
    symlinkSync(join(home, "nowhere"), lockPath(home));
    expect(takeLock(home, mine)).toEqual({ kind: "taken" });
    releaseLock(home, process.pid);
    execFileSync("mkfifo", [lockPath(home)]);
    expect(runningServer(home)).toBeUndefined();
    expect(takeLock(home, mine)).toEqual({ kind: "taken" });
    expect(readLock(home)).toEqual(mine);
    expect(readdirSync(home)).toEqual(["memsvc.lock"]);
  });

  test.each(["memsvc.lock", "memsvc.lock.takeover"])(
    "is refused if a folder is in the place of %s, which is named and kept",
    (name) => {
      writeFileSync(lockPath(home), `${deadPid} 3111 127.0.0.1\n`);
      rmSync(join(home, name), { force: true });
      mkdirSync(join(home, name));
      const refused = { code: "home_locked", message: `the lock ${join(home, name)} is a folder` };
      expect(() => takeLock(home, mine)).toThrow(expect.objectContaining(refused));
      expect(runningServer(home)).toBeUndefined();
      expect(statSync(join(home, name)).isDirectory()).toBe(true);
    },
  );

  // Only root can switch to another user for a while.
  test.skipIf(process.getuid?.() !== 0)("is refused if the existing lock cannot be read", () => {
    const other = 65_534;
    const text = `${process.pid} 3111 127.0.0.1\n`;
    writeFileSync(lockPath(home), text, { mode: 0o600 });
    chownSync(home, other, other);
    process.seteuid?.(other);
    try {
      const refused = { code: "home_locked", message: `the lock ${lockPath(home)} cannot be read (EACCES)` };
      expect(() => takeLock(home, mine)).toThrow(expect.objectContaining(refused));
      expect(readdirSync(home)).toEqual(["memsvc.lock"]);
    } finally {
      process.seteuid?.(0);
    }
    expect(readFileSync(lockPath(home), "utf8")).toBe(text);
  });

  test("of a home that does not exist fails", () => {
    expect(() => takeLock(join(home, "nowhere"), mine)).toThrow("ENOENT");
  });
});

describe("exactly one of several starting processes gets the lock", () => {
  const rounds = 300;
  const betweenMs = 4;
  /** Waking up takes longer at times; who is awake starts at the same moment. */
  const awakeMs = 1;

  test.each([
    ["if the home is free", undefined],
    ["if the lock of a dead process is left over", `${deadPid} 3111 127.0.0.1\n`],
  ])("%s", async (_name, leftOver) => {
    const homes = Array.from({ length: rounds }, (_, at) => join(home, String(at)));
    for (const one of homes) {
      mkdirSync(one);
      if (leftOver !== undefined) writeFileSync(lockPath(one), leftOver);
    }
    const module = pathToFileURL(join(packageFolder(), "src", "config", "lock-file.ts")).href;
    // Late enough for all to have loaded; if loading takes longer, they start one after another, which is valid too.
    const startAt = Date.now() + 2_000;
    const script = `import(${JSON.stringify(module)}).then(({ takeLock }) => {
      const now = () => performance.timeOrigin + performance.now();
      const cell = new Int32Array(new SharedArrayBuffer(4));
      const kinds = ${JSON.stringify(homes)}.map((home, at) => {
        const start = ${startAt} + at * ${betweenMs};
        Atomics.wait(cell, 0, 0, start - now() - ${awakeMs});
        while (now() < start) ;
        return takeLock(home, { pid: process.pid, port: 0, host: "memsvc" }).kind;
      });
      console.log(JSON.stringify(kinds));
      process.stdin.resume();
    })`;
    const children = [1, 2, 3, 4].map(() =>
      spawn(
        process.execPath,
        ["--import", "./test/native-sources/register.mjs", "-e", script, "memsvc", "serve"],
        {
          cwd: packageFolder(),
          stdio: ["pipe", "pipe", "inherit"],
        },
      ),
    );
    const outcomes = await Promise.all(
      children.map(
        (child) =>
          new Promise<string[]>((resolve) =>
            child.stdout.once("data", (chunk) => resolve(JSON.parse(String(chunk)))),
          ),
      ),
    );
    const exits = children.map(exit);
    for (const child of children) child.stdin.end();
    await Promise.all(exits);
    const kinds = homes.map((_, at) => outcomes.map((outcome) => outcome[at]).sort());
    expect(new Set(kinds.map(String))).toEqual(new Set(["held,held,held,taken"]));
  });
});

describe("holding the lock", () => {
  test("keeps it from others in the same process too", () => {
    takeLock(home, mine);
    expect(takeLock(home, mine)).toEqual({ kind: "held", by: mine });
  });

  test("is visible from taking it to releasing it", () => {
    expect(hasLock(home)).toBe(false);
    takeLock(home, mine);
    expect(hasLock(home)).toBe(true);
    releaseLock(home, process.pid);
    expect(hasLock(home)).toBe(false);
  });

  test("allows the port to be written later", () => {
    takeLock(home, mine);
    updateLock(home, { ...mine, port: 4567 });
    expect(runningServer(home)).toEqual({ ...mine, port: 4567 });
    expect(readdirSync(home)).toEqual(["memsvc.lock"]);
  });

  test("ends with its release", () => {
    takeLock(home, mine);
    releaseLock(home, process.pid);
    expect(existsSync(lockPath(home))).toBe(false);
  });

  test("is not ended by a release with another process id", () => {
    takeLock(home, mine);
    releaseLock(home, process.pid + 1);
    expect(readLock(home)).toEqual(mine);
  });
});
