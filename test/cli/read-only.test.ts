import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { homeOf, serveWell, storeOf } from "../crash/daemon.ts";
import { forAllTests, forEachTest } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

/*
 * A store that can be read and not written to: in an agent's sandbox, on a disk that was mounted so, for another user.
 */

const program = fileURLToPath(new URL("../../dist/main.cjs", import.meta.url));
const cannotWrite = /^memsvc: the database \S+ cannot be opened for writing\nhint: /u;

const sandbox = forEachTest(openSandbox);
/** A store that processes made, so that nothing has it open any more; each test has a copy. */
const made = forAllTests(openSandbox);

beforeAll(async () => {
  buildOnce();
  const shop = ["--project", "shop"];
  await made.run(["remember", "Releases are tagged by hand", ...shop]);
  await made.run(["session", "start", "first", ...shop]);
});
beforeEach(() => cpSync(homeOf(made), homeOf(sandbox), { recursive: true }));
afterEach(() => chmodSync(homeOf(sandbox), 0o700));

function writeProtect(): void {
  for (const folder of [sandbox.folder, sandbox.home]) chmodSync(folder, 0o755);
  for (const name of readdirSync(homeOf(sandbox)).filter((one) => one.startsWith("memsvc.db")))
    chmodSync(join(homeOf(sandbox), name), 0o444);
  chmodSync(homeOf(sandbox), 0o555);
}

/** Runs a command as somebody who may not write there: the superuser may everywhere, so another user does. */
async function run(...args: readonly string[]) {
  const asked = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], {
      cwd: "/",
      env: { PATH: process.env.PATH ?? "", HOME: sandbox.home },
      ...asked,
    });
    return { exit: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { exit: code, stdout, stderr };
  }
}

test("a store that may not even be read says so, and a folder in its place that it is one", async () => {
  for (const folder of [sandbox.folder, sandbox.home]) chmodSync(folder, 0o755);
  const unreadable = /^memsvc: the database \S+ may not be read by this user\nhint: check its owner/u;
  chmodSync(homeOf(sandbox), 0o000);
  expect(await run("search", "releases")).toMatchObject({
    exit: 5,
    stderr: expect.stringMatching(unreadable),
  });
  chmodSync(homeOf(sandbox), 0o755);
  chmodSync(storeOf(sandbox), 0o000);
  expect(await run("search", "releases")).toMatchObject({
    exit: 5,
    stderr: expect.stringMatching(unreadable),
  });
  rmSync(storeOf(sandbox));
  mkdirSync(storeOf(sandbox));
  const folder = /^memsvc: the database \S+ is a folder, not a file\nhint: move it away/u;
  expect(await sandbox.run(["search", "releases"])).toMatchObject({
    exit: 5,
    stderr: expect.stringMatching(folder),
  });
});

test("a home that cannot be created exits with 5 and a hint", async () => {
  const place = join(sandbox.folder, "protected");
  mkdirSync(place, { mode: 0o555 });
  chmodSync(sandbox.folder, 0o755);
  const home = join(place, "home");
  for (const args of [
    ["remember", "x"],
    ["search", "x"],
    ["serve", "--port", "0"],
  ]) {
    const { exit, stderr } = await run("--home", home, ...args);
    expect({ exit, stderr }).toEqual({
      exit: 5,
      stderr: `memsvc: the home folder ${home} cannot be made\nhint: name another with --home or MEMSVC_HOME, or let this user write to the folder above it\n`,
    });
  }
});

describe("a read-only store", () => {
  test("can be searched, shown and exported, and stays unchanged", async () => {
    writeProtect();
    const before = readFileSync(storeOf(sandbox));
    const found = await run("search", "how are releases tagged", "--json", "--session-id", "asking");
    expect(found).toMatchObject({ exit: 0, stderr: "" });
    const { results } = JSON.parse(found.stdout) as { results: readonly { obsId: string }[] };
    const id = results[0]?.obsId ?? "";
    for (const command of [
      ["show", id],
      ["recall", "releases"],
      ["memory", "list"],
      ["memory", "get", id],
      ["context", "--project", "shop"],
      ["export", "-"],
    ]) {
      const read = await run(...command);
      expect(read, command.join(" ")).toMatchObject({ exit: 0, stderr: "" });
      expect(read.stdout, command.join(" ")).toContain("Releases are tagged by hand");
    }
    expect((await run("session", "list")).stdout).toMatch(/^first {2}shop/u);
    expect(readFileSync(storeOf(sandbox)).equals(before)).toBe(true);
    expect(readdirSync(homeOf(sandbox))).toEqual(["memsvc.db"]);
  });

  test("shows actions past the end of their lease, and signals without marking them read", async () => {
    const { stdout: actionId } = await sandbox.run(["action", "create", "Cut the release"]);
    const lease = ["lease", "acquire", actionId.trim(), "--agent-id", "builder", "--ttl-ms", "1000"];
    expect((await sandbox.run(lease)).exit).toBe(0);
    await sandbox.run(["signal", "send", "The schema is ready", "--from", "ann", "--to", "bob"]);
    await sleep(1_100);
    writeProtect();
    for (const [line, told] of [
      ["action list", "Cut the release"],
      // The lease has ended, but no write can release it.
      ["frontier", "nothing can be worked on now"],
      ["export -", "Cut the release"],
      ["signal read bob", "The schema is ready"],
    ] as const) {
      const read = await run(...line.split(" "));
      expect(read, line).toMatchObject({ exit: 0, stderr: "" });
      expect(read.stdout, line).toContain(told);
    }
  });

  test("refuses every write, and status and doctor report why", async () => {
    writeProtect();
    for (const command of [
      ["remember", "Something new"],
      ["lesson", "save", "Tag them by a script"],
      ["session", "start", "second"],
    ]) {
      const written = await run(...command);
      expect(written, command.join(" ")).toMatchObject({ exit: 5, stdout: "" });
      expect(written.stderr).toMatch(cannotWrite);
    }
    expect((await run("status")).stdout).toMatch(/^alert +the database \S+ cannot be opened for writing$/mu);
    // A script learns it from the exit code, whether it reads the text or the JSON.
    for (const command of ["status", "health"])
      for (const flags of [[], ["--json"]])
        expect((await run(command, ...flags)).exit, [command, ...flags].join(" ")).toBe(1);
    expect(await run("doctor")).toMatchObject({
      exit: 1,
      stdout: expect.stringMatching(/^fail +database +read-only: .*cannot be opened for writing/mu),
    });
  });

  test("is read with the contents of its WAL after the daemon was killed", async () => {
    const daemon = await serveWell(sandbox);
    await sandbox.run(["remember", "Hotfixes skip the queue", "--project", "shop"]);
    await daemon.end("SIGKILL");
    expect(statSync(`${storeOf(sandbox)}-wal`).size).toBeGreaterThan(0);
    writeProtect();
    const found = await run("search", "hotfixes");
    expect(found).toMatchObject({ exit: 0, stderr: "" });
    expect(found.stdout).toContain("Hotfixes skip the queue");
  });
});
