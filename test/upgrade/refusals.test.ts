import {
  chmodSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { schemaVersion } from "../../src/store/migrate.ts";
import { buildOnce, openSandbox, type ProgramRun } from "../cli/program-process.ts";
import { homeOf, serve, serveWell, storeOf } from "../crash/daemon.ts";
import { changeStore, storedRows } from "../crash/stored-rows.ts";
import { forAllTests, forEachTest } from "../support/for-each-test.ts";

const damaged = 5;
const usage = 2;
const pageBytes = 4_096;

const sandbox = forEachTest(openSandbox);
/** A store with something in it that a process made and closed; tests take copies. */
const filled = forAllTests(openSandbox);
beforeAll(async () => {
  buildOnce();
  const { exit } = await filled.run(["remember", "Releases are tagged by hand", "--offline"]);
  expect(exit).toBe(0);
});

let path: string;
beforeEach(() => {
  path = storeOf(sandbox);
});

function fillStore(): void {
  cpSync(homeOf(filled), homeOf(sandbox), { recursive: true });
}

const commands: readonly (readonly string[])[] = [
  ["serve", "--port", "0"],
  ["remember", "something new", "--offline"],
  ["search", "releases", "--offline"],
  ["remember", "something new"],
];

/** A daemon needs a process of its own; a command has one in one test, and the others would not differ from it. */
function runOf(command: readonly string[]): Promise<Pick<ProgramRun, "exit" | "stdout" | "stderr">> {
  return command[0] === "serve" ? sandbox.run(command) : sandbox.runHere(command);
}

/** One sentence on standard error and a hint, nothing on standard output, no stack. */
function expectOneClearLine({ stdout, stderr }: Pick<ProgramRun, "stdout" | "stderr">, said: RegExp): void {
  expect(stdout).toBe("");
  const lines = stderr.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^memsvc: /u);
  expect(lines[0]).toMatch(said);
  expect(lines.slice(1).filter((line) => !line.startsWith("hint: "))).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual(2);
}

/** Every command that opens the store refuses it and leaves the file and its folder as they were. */
async function expectRefused(exit: number, said: RegExp): Promise<void> {
  const before = readFileSync(path);
  for (const command of commands) {
    const run = await runOf(command);
    expect({ command, exit: run.exit }).toEqual({ command, exit });
    expectOneClearLine(run, said);
    expect(readFileSync(path).equals(before)).toBe(true);
  }
  expect(readdirSync(homeOf(sandbox)).filter((name) => /-wal|-shm|lock/u.test(name))).toEqual([]);
}

function overwrite(at: number, bytes: Uint8Array): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.byteLength, at);
}

describe("a file that is no valid store is refused by every command and left unchanged", () => {
  test("when a newer memsvc wrote it", async () => {
    fillStore();
    changeStore(path, `PRAGMA user_version = ${schemaVersion + 1}`);
    await expectRefused(damaged, /newer memsvc .*left untouched/u);
    const run = await sandbox.run(["remember", "something new"]);
    expect(run.exit).toBe(damaged);
    expectOneClearLine(run, /newer memsvc .*left untouched/u);
    const copy = join(homeOf(sandbox), "snapshots", `pre-migration-${schemaVersion}.db`);
    const search = async () => (await sandbox.runHere(["search", "releases", "--offline"])).stderr;
    expect(await search()).not.toContain(copy);
    mkdirSync(dirname(copy));
    cpSync(storeOf(filled), copy);
    expect(await search()).toMatch(
      /^hint: update memsvc: .*, or lose what was stored since the update: delete .*-wal if it exists, and copy/mu,
    );
    rmSync(`${path}-wal`, { force: true });
    cpSync(copy, path);
    expect((await sandbox.runHere(["search", "releases", "--offline"])).exit).toBe(0);
  });

  test("when its first bytes are garbage", async () => {
    fillStore();
    overwrite(0, Buffer.alloc(64, 0xa5));
    await expectRefused(damaged, /is damaged or is not a memsvc database/u);
  });

  test("when it is truncated", async () => {
    fillStore();
    writeFileSync(path, readFileSync(path).subarray(0, 5 * pageBytes));
    await expectRefused(damaged, /is cut short/u);
  });

  test("when it is a text file", async () => {
    mkdirSync(homeOf(sandbox), { recursive: true });
    writeFileSync(path, "dear diary, today I learned about databases\n".repeat(200));
    await expectRefused(damaged, /is damaged or is not a memsvc database/u);
  });

  test.each([
    ["that says so", "PRAGMA application_id = 1234"],
    ["that does not say", "PRAGMA application_id = 0"],
  ])("when it is the database of another program %s", async (_how, statement) => {
    mkdirSync(homeOf(sandbox), { recursive: true });
    changeStore(path, `CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup'); ${statement}`);
    await expectRefused(damaged, /a database of another program/u);
  });
});

test("a folder in the database's place is refused by every command", async () => {
  mkdirSync(path, { recursive: true });
  for (const command of commands) {
    const run = await runOf(command);
    expect(run.exit).toBe(damaged);
    expectOneClearLine(run, /is a folder, not a file/u);
  }
  expect(statSync(path).isDirectory()).toBe(true);
});

test("a home whose path is too long for a database is refused with a hint", async () => {
  const home = `/${"d".repeat(100)}`.repeat(6);
  const run = await sandbox.run(["remember", "x"], { env: { MEMSVC_HOME: join(sandbox.folder, home) } });
  expect(run.exit).toBe(usage);
  expectOneClearLine(run, /is longer than SQLite allows: /u);
  expect(run.stderr).toContain("--home");
});

test("a file in the home's place is refused by every command", async () => {
  writeFileSync(homeOf(sandbox), "a file");
  for (const command of commands) {
    const run = await runOf(command);
    expect(run.exit).toBe(usage);
    expectOneClearLine(run, /is a file, and should be a folder/u);
  }
});

describe.skipIf(process.getuid?.() === 0)("as a user who is not root", () => {
  test("a database that may not be read is refused by every command", async () => {
    fillStore();
    chmodSync(path, 0o000);
    for (const command of commands) {
      const run = await runOf(command);
      expect(run.exit).toBe(damaged);
      expectOneClearLine(run, /may not be read by this user/u);
    }
    chmodSync(path, 0o600);
  });

  test("a home that may not be written to is refused with one line", async () => {
    mkdirSync(homeOf(sandbox), { recursive: true, mode: 0o500 });
    for (const command of commands) {
      const run = await runOf(command);
      expect(run.exit).not.toBe(0);
      expectOneClearLine(run, /cannot be opened|may not|permission/iu);
    }
  });
});

test("damage that only reading rows finds is reported in one line", async () => {
  fillStore();
  const roots = storedRows(
    path,
    "SELECT rootpage FROM sqlite_master WHERE name IN ('memories', 'documents', 'documents_fts_data')",
  );
  for (const { rootpage } of roots)
    overwrite((Number(rootpage) - 1) * pageBytes, Buffer.alloc(pageBytes, 0xa5));
  for (const command of [
    ["memory", "list"],
    ["search", "releases"],
    ["remember", "something new"],
  ]) {
    const run = await sandbox.runHere([...command, "--offline"]);
    expect({ command, exit: run.exit }).toEqual({ command, exit: damaged });
    expectOneClearLine(run, /memsvc\.db is damaged/u);
  }
});

describe("a daemon whose last run was killed", () => {
  /** Leaves a log beside the file, and overwrites pages in the middle, where tables and indexes lie. */
  async function killAndDamage(): Promise<void> {
    fillStore();
    const daemon = await serveWell(sandbox);
    await daemon.end("SIGKILL");
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    const middle = Math.floor(statSync(path).size / pageBytes / 2) * pageBytes;
    overwrite(middle - 8 * pageBytes, Buffer.alloc(16 * pageBytes, 0xa5));
  }

  function written(): Buffer {
    return Buffer.concat([readFileSync(path), readFileSync(`${path}-wal`)]);
  }

  test("refuses a store with a damaged page, names the newest snapshot and writes nothing", async () => {
    await killAndDamage();
    const before = written();
    const snapshots = join(homeOf(sandbox), "snapshots");
    mkdirSync(snapshots, { recursive: true });
    writeFileSync(join(snapshots, "snp_1.db"), "a copy");
    const run = await sandbox.run(["serve", "--port", "0"]);
    expect(run.exit).toBe(damaged);
    expectOneClearLine(run, /memsvc\.db is damaged/u);
    expect(run.stderr).toContain(join(snapshots, "snp_1.db"));
    expect(written().equals(before)).toBe(true);
  });

  test("refuses a damaged store at every start, and says that there is no snapshot", async () => {
    await killAndDamage();
    for (let start = 1; start <= 2; start += 1) {
      const run = await sandbox.run(["serve", "--port", "0"]);
      expect(run.exit).toBe(damaged);
      expect(run.stderr).toContain(`there is no snapshot in ${join(homeOf(sandbox), "snapshots")}`);
    }
  });

  test("starts if the store is sound, and removes its lock when it ends", async () => {
    fillStore();
    await (await serveWell(sandbox)).end("SIGKILL");
    expect((await (await serveWell(sandbox)).end("SIGTERM")).exit).toBe(0);
    expect(readdirSync(homeOf(sandbox))).not.toContain("memsvc.lock");
  });
});

describe("serve", () => {
  test("exits with 3 if its port is taken, and the next daemon can start", async () => {
    // serve connects to the port to find out who listens, and close() waits for that connection.
    const taken = createServer((connection) => connection.destroy());
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const run = await sandbox.run(["serve", "--port", port]);
    expect(run.exit).toBe(3);
    expectOneClearLine(run, new RegExp(`port ${port} on 127.0.0.1 is taken`, "u"));
    await new Promise((resolve) => taken.close(resolve));
    const daemon = await serve(sandbox, ["--port", port]);
    expect(daemon).toMatchObject({ port: Number(port) });
    if ("url" in daemon) await daemon.end("SIGTERM");
  });

  test("exits with 2 if a setting is invalid, and names it", async () => {
    const run = await sandbox.run(["serve", "--port", "0"], { env: { MEMSVC_SWEEP_INTERVAL_MS: "often" } });
    expect(run.exit).toBe(2);
    expectOneClearLine(run, /MEMSVC_SWEEP_INTERVAL_MS/u);
  });

  test("exits with 2 if the config file has an invalid value, and names the setting and the file", async () => {
    mkdirSync(homeOf(sandbox), { recursive: true, mode: 0o700 });
    writeFileSync(join(homeOf(sandbox), ".env"), "MEMSVC_PORT=many\n", { mode: 0o600 });
    const run = await sandbox.run(["serve"]);
    expect(run.exit).toBe(2);
    expectOneClearLine(run, /MEMSVC_PORT.*\.env/u);
  });

  test("exits with 2 if it would listen on the network without a secret", async () => {
    const run = await sandbox.run(["serve", "--port", "0", "--host", "0.0.0.0"]);
    expect(run.exit).toBe(2);
    expectOneClearLine(run, /without a secret/u);
    rmSync(homeOf(sandbox), { recursive: true, force: true });
  });
});
