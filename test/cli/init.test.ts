import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { forEachTest } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

const sandbox = forEachTest(openSandbox);
beforeAll(buildOnce);

test("init without a terminal needs --yes, and does nothing without it", async () => {
  const { exit, stdout, stderr } = await sandbox.run(["init"]);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr).toMatch(/^memsvc: setup asks questions, .*\nhint: take the defaults: memsvc init --yes; /u);
  expect(existsSync(join(sandbox.home, ".memsvc"))).toBe(false);
});

test("init --yes creates a private home, connects agents and installs completions, each once", async () => {
  mkdirSync(join(sandbox.home, ".claude", "projects"), { recursive: true });
  mkdirSync(join(sandbox.home, ".codex"));
  writeFileSync(join(sandbox.home, ".codex", "config.toml"), 'model = "\n');
  const env = { SHELL: "/usr/bin/fish" };
  const { exit, stdout, stderr } = await sandbox.run(["init", "--yes"], { env });
  expect(exit).toBe(0);
  expect(stderr).toMatch(/^earlier sessions .*: memsvc replay import$/mu);
  const home = join(sandbox.home, ".memsvc");
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect(statSync(join(home, ".env")).mode & 0o777).toBe(0o600);
  expect(stdout).toMatch(
    /^search {7}MEMSVC_MODEL_DOWNLOAD=never: no embedding model is downloaded; later: /mu,
  );
  expect(stdout).toMatch(/^agent {8}Claude Code: connected$/mu);
  expect(stdout).toMatch(/^sessions {5}distilled when you run memsvc consolidate$/mu);
  expect(stdout).toMatch(/^agent {8}Codex: not connected: \S+config\.toml: it is not valid TOML: /mu);
  expect(readFileSync(join(sandbox.home, ".claude", "settings.json"), "utf8")).toContain(
    "observe --hook claude-code",
  );
  expect(existsSync(join(sandbox.home, ".config", "fish", "completions", "memsvc.fish"))).toBe(true);

  writeFileSync(join(home, ".env"), "MEMSVC_PORT=3200\n");
  chmodSync(join(home, ".env"), 0o644);
  const again = await sandbox.run(["init", "--yes", "--json"], { env });
  const answer = JSON.parse(again.stdout) as { agents: { name: string }[]; completions?: string };
  expect(answer.agents.map(({ name }) => name)).toEqual(["codex"]);
  expect(answer.completions).toBeUndefined();
  expect(readFileSync(join(home, ".env"), "utf8")).toBe("MEMSVC_PORT=3200\n");
  expect(statSync(join(home, ".env")).mode & 0o777).toBe(0o600);
});

test("init --yes replaces completions of an older version, and no other file", async () => {
  const file = join(sandbox.home, ".local", "share", "bash-completion", "completions", "memsvc");
  const init = () => sandbox.runHere(["init", "--yes"], { env: { SHELL: "/bin/bash" } });
  await init();
  const script = readFileSync(file, "utf8");
  writeFileSync(file, "# bash completion of memsvc\ncomplete -o default -F _memsvc memsvc\n");
  expect((await init()).stdout).toContain(file);
  expect(readFileSync(file, "utf8")).toBe(script);
  expect((await init()).stdout).not.toContain(file);
  writeFileSync(file, "# mine\n");
  expect((await init()).stdout).not.toContain(file);
  expect(readFileSync(file, "utf8")).toBe("# mine\n");
});

test("init --yes succeeds without a network, and says that there is none", async () => {
  const env = { MEMSVC_MODEL_DOWNLOAD: "auto", MEMSVC_MODEL_HOST: "http://127.0.0.1:9" };
  const { exit, stdout } = await sandbox.run(["init", "--yes"], { env });
  expect(exit).toBe(0);
  expect(stdout).toMatch(
    /^search {7}there is no network: 127\.0\.0\.1:9 cannot be reached; later: memsvc models pull, .*until then search works by words and relations$/mu,
  );
});
