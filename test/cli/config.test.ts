import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox, startDaemon } from "./program-process.ts";

const sandbox = forAllTests(openSandbox);
let file: string;

beforeAll(() => {
  buildOnce();
  file = join(sandbox.home, ".memsvc", ".env");
});

const secret = "correct-horse-battery-staple";

describe("memsvc config", () => {
  test("path prints the config file of the home, also with --home", async () => {
    expect((await sandbox.run(["config", "path"])).stdout).toBe(`${file}\n`);
    const elsewhere = await sandbox.runHere(["config", "path", "--home", "other"]);
    expect(elsewhere.stdout).toBe(`${join(sandbox.home, "other", ".env")}\n`);
  });

  test.each(["", "here"])("path ignores HOME=%j and uses the user's home folder", async (HOME) => {
    const { stdout } = await sandbox.run(["config", "path"], { env: { HOME } });
    expect(stdout).toBe(`${join(userInfo().homedir, ".memsvc", ".env")}\n`);
  });

  test("and observe name HOME as the way out for a user without a home folder, as in containers", async () => {
    const hook = join(sandbox.folder, "nameless.cjs");
    writeFileSync(
      hook,
      'require("node:os").homedir = () => { throw new Error("uv_os_homedir returned ENOENT"); };',
    );
    const { exit, stderr } = await sandbox.run(["config", "path"], {
      env: { NODE_OPTIONS: `--require ${hook}` },
    });
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr:
        "memsvc: this user has no home folder\nhint: set HOME to a folder that this user may write to\n",
    });
    const env = { NODE_OPTIONS: `--require ${hook}` };
    const stdin = JSON.stringify({ hookType: "prompt_submit", sessionId: "one", data: { prompt: "any" } });
    expect((await sandbox.run(["observe"], { env, stdin })).stderr).toBe(
      "memsvc observe: this user has no home folder; nothing was captured\nhint: set HOME to a folder that this user may write to\n",
    );
  });

  test("set writes a value that get and list show, into a file that only its owner can read", async () => {
    const { exit, stdout, stderr } = await sandbox.run(["config", "set", "memsvc_port", "3200"]);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: "" });
    expect(stderr).toContain(`MEMSVC_PORT is set in ${file}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(sandbox.home, ".memsvc")).mode & 0o777).toBe(0o700);
    expect((await sandbox.runHere(["config", "get", "MEMSVC_PORT"])).stdout).toBe("3200\n");
    const changed = (await sandbox.runHere(["config", "list", "--changed"])).stdout.split("\n");
    // The sandbox keeps the program from fetching models.
    expect(changed).toEqual(["MEMSVC_PORT=3200  (file)", "MEMSVC_MODEL_DOWNLOAD=never  (environment)", ""]);
    const json = await sandbox.runHere(["config", "get", "MEMSVC_PORT", "--json"]);
    expect(json.stdout).toBe('{"key":"MEMSVC_PORT","value":"3200"}\n');
  });

  test("list --changed says that every setting is at its default", async () => {
    const untouched = ["config", "list", "--changed", "--home", "untouched"];
    const unset = { env: { MEMSVC_MODEL_DOWNLOAD: "" } };
    expect(await sandbox.runHere(untouched, unset)).toMatchObject({
      exit: 0,
      stdout: "",
      stderr: "every setting is at its default\n",
    });
    expect((await sandbox.runHere([...untouched, "--json"], unset)).stdout).toBe('{"settings":[]}\n');
  });

  test("set keeps the values that other processes set at the same time", async () => {
    const settings = {
      MEMSVC_PORT: "3200",
      MEMSVC_TOKEN_BUDGET: "1500",
      MEMSVC_TEAM_ID: "t",
      AGENT_ID: "ann",
    };
    const set = ([key, value]: [string, string]) =>
      sandbox.run(["config", "set", key, value, "--home", "crowded"]);
    const runs = await Promise.all(Object.entries(settings).map(set));
    expect(runs.map(({ exit }) => exit)).toEqual([0, 0, 0, 0]);
    const written = readFileSync(join(sandbox.home, "crowded", ".env"), "utf8")
      .split("\n")
      .filter(Boolean);
    expect(written.toSorted()).toEqual(
      Object.entries(settings)
        .map((pair) => pair.join("="))
        .toSorted(),
    );
    const path = join(sandbox.home, "crowded", ".env");
    expect((await sandbox.runHere(["config", "path", "--home", "crowded", "--json"])).stdout).toBe(
      `${JSON.stringify({ path })}\n`,
    );
  });

  test("set says which processes use the new value, and when", async () => {
    const told = async (name: string, value: string) =>
      (await sandbox.runHere(["config", "set", name, value, "--home", "told"])).stderr.split("\n")[1];
    const daemon = "a running daemon uses it after a restart: memsvc --home told daemon restart";
    expect(await told("MEMSVC_TOKEN_BUDGET", "900")).toBe(daemon);
    expect(await told("MEMSVC_REQUIRE_HTTPS", "true")).toBe(daemon);
    expect(await told("MEMSVC_PROJECT_NAME", "shop")).toBe(
      "commands and hooks use it at once, a running memsvc mcp after its next start",
    );
  });

  test("set with an empty list unsets the setting", async () => {
    const { stderr } = await sandbox.runHere([
      "config",
      "set",
      "MEMSVC_ALLOWED_HOSTS",
      " , ",
      "--home",
      "told",
    ]);
    expect(stderr).toMatch(/^MEMSVC_ALLOWED_HOSTS is not set in .*; nothing was changed\n$/u);
  });

  test("get and list hide the password in an address", async () => {
    const env = { MEMSVC_URL: "http://ann:letmein@127.0.0.1:9/memsvc" };
    const shown = "http://ann:***@127.0.0.1:9/memsvc";
    expect((await sandbox.runHere(["config", "get", "MEMSVC_URL"], { env })).stdout).toBe(`${shown}\n`);
    expect((await sandbox.runHere(["config", "list", "--changed"], { env })).stdout).toContain(`=${shown}  `);
  });

  test("set --dry-run says what would be set, and changes nothing", async () => {
    const trial = ["config", "set", "MEMSVC_TOKEN_BUDGET", "950", "--dry-run"];
    expect(await sandbox.runHere(trial)).toMatchObject({
      exit: 0,
      stdout: `would set MEMSVC_TOKEN_BUDGET in ${file}\n`,
      stderr: "nothing was changed\n",
    });
    const { stdout } = await sandbox.runHere([...trial, "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      key: "MEMSVC_TOKEN_BUDGET",
      file,
      reset: false,
      changed: true,
      dryRun: true,
    });
    expect((await sandbox.runHere(["config", "get", "MEMSVC_TOKEN_BUDGET"])).stdout).not.toBe("950\n");
  });

  test("set with an empty value restores the default, and without a value changes nothing", async () => {
    await sandbox.runHere(["config", "set", "MEMSVC_TOKEN_BUDGET", "900"]);
    const missing = await sandbox.runHere(["config", "set", "MEMSVC_TOKEN_BUDGET"]);
    expect(missing.exit).toBe(2);
    expect(missing.stderr).toMatch(/^memsvc: no value for MEMSVC_TOKEN_BUDGET\nhint: /u);
    expect((await sandbox.runHere(["config", "get", "MEMSVC_TOKEN_BUDGET"])).stdout).toBe("900\n");
    const reset = await sandbox.runHere(["config", "set", "MEMSVC_TOKEN_BUDGET", "", "--json"]);
    expect(JSON.parse(reset.stdout)).toEqual({
      key: "MEMSVC_TOKEN_BUDGET",
      file,
      reset: true,
      changed: true,
    });
    const again = await sandbox.runHere(["config", "unset", "MEMSVC_TOKEN_BUDGET", "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ reset: true, changed: false });
    expect((await sandbox.runHere(["config", "get", "MEMSVC_TOKEN_BUDGET"])).stdout).toBe("2000\n");
  });

  test("unset restores the default, and says when there is nothing to unset", async () => {
    await sandbox.runHere(["config", "set", "MEMSVC_TOKEN_BUDGET", "900"]);
    const trial = await sandbox.runHere(["config", "unset", "MEMSVC_TOKEN_BUDGET", "--dry-run"]);
    expect(trial.stdout).toContain("would put MEMSVC_TOKEN_BUDGET back to its default");
    expect((await sandbox.runHere(["config", "get", "MEMSVC_TOKEN_BUDGET"])).stdout).toBe("900\n");
    const unset = await sandbox.runHere(["config", "unset", "memsvc_token_budget"]);
    expect(unset.stderr).toMatch(/^MEMSVC_TOKEN_BUDGET is at its default again\n/u);
    expect(readFileSync(file, "utf8")).not.toContain("MEMSVC_TOKEN_BUDGET");
    expect((await sandbox.runHere(["config", "get", "MEMSVC_TOKEN_BUDGET"])).stdout).toBe("2000\n");
    expect(await sandbox.runHere(["config", "unset", "MEMSVC_TOKEN_BUDGET"])).toMatchObject({
      exit: 0,
      stderr: `MEMSVC_TOKEN_BUDGET is not set in ${file}; nothing was changed\n`,
    });
    expect(await sandbox.runHere(["config", "unset", "MEMSVC_TOKEN_BUDGET", "--dry-run"])).toMatchObject({
      stdout: "",
      stderr: `MEMSVC_TOKEN_BUDGET is not set in ${file}; nothing was changed\n`,
    });
    const nowhere = join(sandbox.folder, "nowhere");
    await sandbox.runHere(["config", "unset", "MEMSVC_TOKEN_BUDGET", "--home", nowhere]);
    expect(existsSync(nowhere)).toBe(false);
    expect(await sandbox.runHere(["config", "unset", "MEMSVC_TOKN_BUDGET"])).toMatchObject({
      exit: 3,
      stderr: "memsvc: there is no setting MEMSVC_TOKN_BUDGET\nhint: did you mean MEMSVC_TOKEN_BUDGET?\n",
    });
    expect((await sandbox.runHere(["config", "get", "budget"])).stderr).toContain(
      "did you mean one of MEMSVC_TOKEN_BUDGET, MEMSVC_BRIDGE_LINE_BUDGET?",
    );
  });

  test("set and unset say when the environment overrides the file", async () => {
    const env = { MEMSVC_TOKEN_BUDGET: "700" };
    const set = await sandbox.runHere(["config", "set", "MEMSVC_TOKEN_BUDGET", "900"], { env });
    expect(set.stderr).toContain("the environment here also sets it, and takes precedence over the file\n");
    const unset = await sandbox.runHere(["config", "unset", "MEMSVC_TOKEN_BUDGET"], { env });
    expect(unset.stderr).toContain(`MEMSVC_TOKEN_BUDGET is no longer set in ${file}\n`);
    expect(unset.stderr).not.toContain("at its default");
  });

  test("set takes a secret only from stdin, and no command shows it", async () => {
    // Not even beside a secret that is piped in.
    const refused = await sandbox.runHere(["config", "set", "MEMSVC_SECRET", secret], { stdin: "piped" });
    expect(refused.exit).toBe(2);
    expect(refused.stderr).toMatch(/^memsvc: a secret is never an argument/u);
    expect(refused.stderr).not.toContain(secret);
    const set = await sandbox.run(["config", "set", "MEMSVC_SECRET"], { stdin: `${secret}\n` });
    expect(set.exit).toBe(0);
    expect(set.stderr).not.toContain(secret);
    expect(readFileSync(file, "utf8")).toContain(`MEMSVC_SECRET=${secret}\n`);
    for (const show of [["list"], ["list", "--json"], ["get", "MEMSVC_SECRET"]]) {
      const { stdout } = await sandbox.runHere(["config", ...show]);
      expect(stdout).toContain("********");
      expect(stdout).not.toContain(secret);
    }
    // The program that should have printed the secret failed: the stored one stays.
    expect(await sandbox.runHere(["config", "set", "MEMSVC_SECRET"], { stdin: "\n" })).toMatchObject({
      exit: 2,
      stderr:
        "memsvc: no value for MEMSVC_SECRET; nothing was changed\nhint: to remove it: memsvc config unset MEMSVC_SECRET\n",
    });
    expect((await sandbox.runHere(["config", "get", "MEMSVC_SECRET"])).stdout).toBe("********\n");
    expect((await sandbox.runHere(["config", "set", "MEMSVC_SECRET", ""])).exit).toBe(0);
    expect((await sandbox.runHere(["config", "get", "MEMSVC_SECRET"])).stdout).toBe("\n");
  });

  test.each([
    ["another eight bits", Buffer.from("MEMSVC_USER_ID=J\u00fcrg\n", "latin1")],
    ["UTF-16", Buffer.from("\ufeffMEMSVC_PORT=3400\n", "utf16le")],
  ])("get and set refuse a config file in %s and leave it unchanged", async (_name, bytes) => {
    const home = join(sandbox.folder, "elsewhere-written");
    mkdirSync(home, { recursive: true });
    const written = join(home, ".env");
    writeFileSync(written, bytes);
    for (const asked of [
      ["get", "MEMSVC_PORT"],
      ["set", "MEMSVC_PORT", "3500"],
    ])
      expect(await sandbox.runHere(["config", ...asked, "--home", home])).toMatchObject({
        exit: 2,
        stderr: `memsvc: the config file ${written} is not UTF-8 text\nhint: save it as UTF-8\n`,
      });
    expect(readFileSync(written).equals(bytes)).toBe(true);
  });

  test("set writes through a symbolic link, as into a dotfiles folder", async () => {
    const kept = join(sandbox.home, "dotfile");
    renameSync(file, kept);
    symlinkSync(kept, file);
    expect((await sandbox.runHere(["config", "set", "MEMSVC_PORT", "3300"])).exit).toBe(0);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(kept, "utf8")).toContain("MEMSVC_PORT=3300\n");
    rmSync(file);
    renameSync(kept, file);
  });

  test.each([
    ["MEMSVC_PORT", "abc", 'MEMSVC_PORT must be a whole number from 0 to 65535, not "abc"'],
    ["MEMSVC_LOG_LEVEL", "loud", "MEMSVC_LOG_LEVEL must be "],
    ["MEMSVC_SLOTS", "yes", "MEMSVC_SLOTS is neither true nor false\n"],
  ])("set refuses %s=%s and leaves the file unchanged", async (key, value, problem) => {
    const before = readFileSync(file, "utf8");
    const { exit, stderr } = await sandbox.runHere(["config", "set", key, value]);
    expect(exit).toBe(2);
    expect(stderr).toContain(`memsvc: ${problem}`);
    expect(stderr).toMatch(/\nhint: [^\n]+\n$/u);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("takes the settings from a pipe, as of a secret manager, and never writes to it", async () => {
    const home = join(sandbox.folder, "piped");
    mkdirSync(home);
    const pipe = join(home, ".env");
    execFileSync("mkfifo", [pipe]);
    const logLevel = (...verb: readonly string[]) => ["config", ...verb, "--home", home];
    const writer = spawn("sh", ["-c", 'echo MEMSVC_LOG_LEVEL=debug > "$1"', "sh", pipe], { stdio: "ignore" });
    const got = await sandbox.run(logLevel("get", "MEMSVC_LOG_LEVEL"));
    writer.kill();
    expect(got).toMatchObject({ exit: 0, stdout: "debug\n", stderr: "" });
    expect(await sandbox.run(logLevel("get", "MEMSVC_LOG_LEVEL"))).toMatchObject({
      exit: 2,
      stdout: "",
      stderr: `memsvc: the config file ${pipe} is a pipe, and nothing came through it\nhint: start the program that writes to it, such as a secret manager, or put a file in its place\n`,
    });
    for (const dry of [["--dry-run"], []])
      expect(await sandbox.runHere(logLevel("set", "MEMSVC_LOG_LEVEL", "warn", ...dry))).toEqual({
        exit: 2,
        stdout: "",
        stderr: `memsvc: the config file ${pipe} is a pipe, and cannot be written to\nhint: change the setting where the text of the pipe comes from, such as in a secret manager\n`,
      });
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  test("get of an unknown setting points to config list", async () => {
    const { exit, stderr } = await sandbox.runHere(["config", "get", "MEMSVC_NOTHING"]);
    expect({ exit, stderr }).toEqual({
      exit: 3,
      stderr: "memsvc: there is no setting MEMSVC_NOTHING\nhint: see them all: memsvc config list\n",
    });
  });

  test("set can correct a value in the file with which status fails", async () => {
    const own = openSandbox();
    await own.runHere(["config", "set", "MEMSVC_PORT", "3200"]);
    writeFileSync(join(own.home, ".memsvc", ".env"), "MEMSVC_PORT=abc\n");
    const stopped = await own.run(["status"]);
    expect(stopped.exit).toBe(2);
    expect(stopped.stderr).toMatch(/^memsvc: MEMSVC_PORT must be [^\n]+\nhint: [^\n]+\n$/u);
    expect((await own.runHere(["config", "path"])).exit).toBe(0);
    expect((await own.runHere(["config", "set", "MEMSVC_PORT", "3200"])).exit).toBe(0);
    expect((await own.runHere(["status"])).exit).toBe(0);
    own.remove();
  });

  test("doctor does not recommend --fix for what --fix cannot repair", async () => {
    const own = openSandbox();
    await own.runHere(["remember", "something of no project"]);
    const { stdout } = await own.runHere(["doctor"]);
    expect(stdout).toContain("1 belongs to no project");
    expect(stdout).not.toContain("--fix");
    own.remove();
  });

  test("doctor names the command that repairs an active action without a lease", async () => {
    const own = openSandbox();
    const { stdout: made } = await own.runHere(["action", "create", "Move the sessions", "--json"]);
    const { action } = JSON.parse(made) as { action: { id: string } };
    await own.runHere(["action", "update", action.id, "--status", "active"]);
    expect((await own.runHere(["doctor"])).stdout).toContain(
      `active-no-lease: 1 active that nobody holds (${action.id}); reset one that nobody works on: memsvc action update <id> --status pending\n`,
    );
    own.remove();
  });

  test("doctor and lists of a moved project name the command for moves", async () => {
    const own = openSandbox();
    const [from, to] = [join(own.home, "old", "shop"), join(own.home, "new", "shop")];
    const listed = ["session", "list", "--project", to];
    await own.runHere(["session", "start", "one", "--project", from, "--cwd", from]);
    expect((await own.runHere(listed)).stderr).not.toContain("project move");
    mkdirSync(to, { recursive: true });
    const hint = `the folder ${from} is gone; if it was moved to ${to}: memsvc project move ${from} ${to}\n`;
    expect((await own.runHere(listed)).stderr).toContain(hint);
    await own.runHere(["session", "start", "two", "--project", to, "--cwd", to]);
    expect((await own.runHere(["doctor"])).stdout).toContain(hint.replace("; ", "\n"));
    await own.runHere(["project", "move", from, to]);
    expect((await own.runHere(["doctor"])).stdout).not.toContain("is gone");
    expect((await own.runHere(listed)).stdout).toContain("two");
    own.remove();
  });

  test("doctor shows no control characters of stored names, neither found nor repaired", async () => {
    const own = openSandbox();
    const [id, startedAt] = ["sly\u001b]0;owned\u0007", "2026-01-01T00:00:00.000Z"];
    const session = { id, project: "p", cwd: "/p", status: "active", startedAt, updatedAt: startedAt };
    const stdin = JSON.stringify({ version: "0.1.0", sessions: [session] });
    expect(await own.runHere(["import", "-"], { stdin })).toMatchObject({ exit: 0 });
    const [found, repaired] = [await own.runHere(["doctor"]), await own.runHere(["doctor", "--fix"])];
    expect(found.stdout).toContain("(sly]0;owned)");
    expect(repaired.stdout).toContain("session sly]0;owned counts as abandoned");
    own.remove();
  });

  test("doctor reports the lines of the config file that have no effect", async () => {
    const own = openSandbox();
    await own.runHere(["remember", "something"]);
    writeFileSync(join(own.home, ".memsvc", ".env"), "MEMSVC_PROT=3200\nport 3200\n", { mode: 0o600 });
    const { exit, stdout } = await own.runHere(["doctor"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^settings {4}line 2 of \S+\.env is not KEY=VALUE and has no effect$/mu);
    expect(stdout).toMatch(/^settings {4}unknown settings have no effect: MEMSVC_PROT$/mu);
    const { settings } = JSON.parse((await own.runHere(["doctor", "--json"])).stdout) as {
      settings: string[];
    };
    expect(settings).toHaveLength(2);
    own.remove();
  });

  test("doctor reports settings that stop the daemon; doctor and status those that disable vectors", async () => {
    const own = openSandbox();
    await own.runHere(["remember", "something"]);
    const env = { MEMSVC_HOST: "0.0.0.0", MEMSVC_EMBEDDING_PROVIDER: "voyage" };
    const { exit, stdout } = await own.run(["doctor"], { env });
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^daemon {6}none starts: listening on 0\.0\.0\.0 .*\nhint: set MEMSVC_SECRET /mu);
    expect(stdout).toMatch(/^note {8}MEMSVC_EMBEDDING_PROVIDER is voyage, but neither VOYAGE_API_KEY /mu);
    const status = (await own.runHere(["status"], { env })).stdout;
    expect(status).toMatch(/^note {7}MEMSVC_EMBEDDING_PROVIDER is voyage, but neither VOYAGE_API_KEY /mu);
    expect(status).not.toContain("memsvc models");
    const { settings } = JSON.parse((await own.runHere(["doctor", "--json"], { env })).stdout) as {
      settings: string[];
    };
    expect(settings).toEqual([expect.stringContaining("listening on 0.0.0.0")]);
    own.remove();
  });

  test("commands name a config file that cannot be read and a home that cannot be created", async () => {
    const own = openSandbox();
    const folder = join(own.home, ".memsvc", ".env");
    mkdirSync(folder, { recursive: true });
    const unreadable = `memsvc: the config file ${folder} cannot be read (EISDIR)\nhint: it must be a file that this user can read\n`;
    for (const line of [["status"], ["config", "set", "MEMSVC_PORT", "1"]])
      expect(await own.run(line), line.join(" ")).toMatchObject({ exit: 2, stderr: unreadable });
    const started = await own.runHere(["daemon", "start"]);
    expect(started).toMatchObject({
      exit: 2,
      stderr: unreadable.replace("memsvc: ", "memsvc: the daemon did not start: "),
    });
    writeFileSync(join(own.home, "a-file"), "");
    const early = await own.runHere(["doctor", "--home", "not-yet"], { env: { MEMSVC_SLOTS: "yes" } });
    expect(early.stdout).toMatch(
      /^nothing stored yet .*\nsettings {4}MEMSVC_SLOTS is neither true nor false/u,
    );
    expect(await own.runHere(["config", "set", "MEMSVC_HOME", "/x"])).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("\nhint: set it in the environment, or give --home\n"),
    });
    for (const line of [["status"], ["remember", "x"], ["daemon", "start"]]) {
      const { exit, stderr } = await own.run([...line, "--home", join(own.home, "a-file")]);
      expect(exit, line.join(" ")).toBe(2);
      expect(stderr).toMatch(/the home \S+a-file is a file, and should be a folder\nhint: name another /u);
    }
    const unable = join(own.home, "a-file", "home");
    for (const line of [
      ["init", "--yes"],
      ["connect", "cursor"],
      ["config", "set", "MEMSVC_PORT", "1"],
    ]) {
      const { exit, stderr } = await own.runHere([...line, "--home", unable]);
      expect(exit, line.join(" ")).toBe(1);
      expect(stderr).toMatch(
        /^memsvc: a folder on the way to \S+a-file\/home\S* is a file\nhint: check the path\n$/u,
      );
    }
    own.remove();
  });
});

test("a daemon warns once about a secret that is too short", async () => {
  const own = openSandbox();
  await own.runHere(["config", "set", "MEMSVC_SECRET"], { stdin: "short" });
  await (await startDaemon(own)).stop();
  const log = readFileSync(join(own.home, ".memsvc", "logs", "memsvc.log"), "utf8");
  expect(log.match(/MEMSVC_SECRET is shorter/gu)).toHaveLength(1);
  own.remove();
});
