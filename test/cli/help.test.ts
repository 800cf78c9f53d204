import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ownCommands } from "../../src/cli/commands/table.ts";
import { helpPlace } from "../../src/cli/help/help-groups.ts";
import type { OperationEntry } from "../../src/cli/operations/operation-entry.ts";
import { operationTable } from "../../src/cli/operations/operations.generated.ts";
import { searchFlags } from "../../src/cli/search/search-variants.ts";
import { wordsOf } from "../../src/operation/command-syntax.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

interface Documented {
  readonly words: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly flags: readonly { readonly name: string; readonly description: string }[];
}

function formName(form: string): string {
  return form.replace(/^--/u, "").replace(/ .*$/u, "");
}

const entries: readonly OperationEntry[] = Object.values(operationTable);
const commands: readonly Documented[] = [
  ...ownCommands.map(({ command, summary, examples, flags }) => ({
    words: wordsOf(command),
    summary,
    examples,
    flags: flags.map(({ form, description }) => ({ name: formName(form), description })),
  })),
  ...entries.flatMap(({ id, command }) => {
    if (command === undefined) return [];
    const extra = id === "search.smart" ? searchFlags : [];
    const flags = extra.map(({ form, description }) => ({ name: formName(form), description }));
    return [{ ...command, words: wordsOf(command.usage), flags: [...command.flags, ...flags] }];
  }),
];

const sandbox = forAllTests(openSandbox);

beforeAll(buildOnce);

test("help lists the values of an argument with a fixed set", async () => {
  const { stdout } = await sandbox.run(["help", "checkpoint", "resolve"]);
  expect(stdout).toMatch(
    /Arguments:\n {2}checkpointId +checkpoint to decide\n {2}status +.*\(passed, failed\)\n/u,
  );
  expect((await sandbox.runHere(["help", "consolidate"])).stdout).toContain("semantic, reflect");
});

test("help describes each argument and names the default of a flag", async () => {
  const vault = (await sandbox.runHere(["vault", "export", "--help"])).stdout.replace(/\s+/gu, " ");
  expect(vault).toContain("relative paths start from vault/ in the memsvc home");
  const shown = async (...words: string[]) => (await sandbox.runHere([...words, "--help"])).stdout;
  expect(await shown("search")).toContain("maximum number of hits (default 10)");
  expect(await shown("memory", "list")).toContain("(default 100 on a terminal, else 5000)");
  expect(await shown("mesh", "sync")).toContain("(push, pull, both; default both)");
  expect(await shown("serve")).toContain("(default 3111)");
  expect(await shown("session", "list")).toMatch(/--offset <value> +sessions to skip\n/u);
});

test.each([
  ["--version", "-q"],
  ["--json", "-V"],
  ["search", "--version"],
])("%s %s prints the version and nothing else", async (...line) => {
  const { version } = (await import("../../package.json", { with: { type: "json" } })).default;
  expect(await sandbox.run(line)).toMatchObject({ exit: 0, stdout: `${version}\n`, stderr: "" });
});

test("help <command> prints the same as <command> --help", async () => {
  const asked = await sandbox.runHere(["help", "session", "start"]);
  const flagged = await sandbox.run(["session", "start", "--help"]);
  expect(asked).toMatchObject({ exit: 0, stdout: flagged.stdout, stderr: "" });
  expect(asked.stdout).toMatch(/^Usage: memsvc session start /u);
});

test("help runs no command, whatever flags stand between its arguments", async () => {
  const words = ["remember", "Nobody asked for this"];
  const home = join(sandbox.folder, "store");
  const behind = await sandbox.run(["help", "--", ...words]);
  expect(behind).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^Usage: memsvc remember /u) });
  const hidden = await sandbox.runHere(["help", "--home", home, ...words]);
  expect(hidden).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining("unknown command") });
  expect(existsSync(home)).toBe(false);
});

/** Lines that a terminal of the usual width would break anywhere. */
function tooLong(help: string): string[] {
  return help.split("\n").filter((line) => line.length > 80);
}

describe("every command", () => {
  test("has a summary, two to four examples, and a description for each flag", () => {
    for (const { words, summary, examples, flags } of commands) {
      expect(summary, words).toMatch(/^[A-Z].{9,}[^.]$/u);
      expect(examples.length, words).toBeGreaterThanOrEqual(2);
      expect(examples.length, words).toBeLessThanOrEqual(4);
      for (const example of examples) expect(example, words).toContain(`memsvc ${words}`);
      for (const { name, description } of flags) expect(description, `${words} --${name}`).not.toBe("");
    }
  });

  test("names in its examples only flags that it has", () => {
    const everywhere = ["json", "yes", "quiet", "offline", "home", "url"];
    for (const { words, examples, flags } of commands) {
      const known = new Set([...everywhere, ...flags.map(({ name }) => name)]);
      const used = examples
        .filter((example) => !example.startsWith("git "))
        .flatMap((example) => [...example.matchAll(/ --([a-z][a-z-]*)/gu)].map(([, name = ""]) => name));
      for (const name of used) expect([...known], `${words} --${name}`).toContain(name);
    }
  });

  test("shows its summary, examples and flags with --help", async () => {
    for (const { words, summary, examples, flags } of commands) {
      const { exit, stdout, stderr } = await sandbox.runHere([...words.split(" "), "--help"]);
      expect({ exit, stderr }, words).toEqual({ exit: 0, stderr: "" });
      const text = stdout.replace(/\s+/gu, " ");
      expect(tooLong(stdout.split("\nExamples:")[0] ?? ""), words).toEqual([]);
      expect(text, words).toContain(`Usage: memsvc ${words}`);
      for (const part of [summary, ...examples]) expect(text, words).toContain(part);
      for (const { name, description } of flags) {
        expect(stdout, words).toContain(`  --${name}`);
        expect(text, words).toContain(description);
      }
    }
  });
});

describe("memsvc --help", () => {
  test("is the same as memsvc without arguments, and lists every command once", async () => {
    const { exit, stdout } = await sandbox.run(["--help"]);
    expect({ exit, tooLong: tooLong(stdout) }).toEqual({ exit: 0, tooLong: [] });
    expect((await sandbox.run([])).stdout).toBe(stdout);
    expect((await sandbox.runHere(["--offline"])).stdout).toBe(stdout);
    const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) .*\S$/gmu)].map(([, name = ""]) => name);
    const named = commands
      .map(({ words }) => words.split(" ")[0] ?? "")
      .filter((word) => word !== "complete");
    expect(new Set(listed)).toEqual(new Set([...named, "help"]));
    expect(listed).toHaveLength(new Set(listed).size);
    for (const word of new Set(named))
      expect(helpPlace(word)?.heading, `${word}: src/cli/help/help-groups.ts`).toMatch(/:$/u);
  });

  test("ends with the meaning of exit codes, unlike a command's help", async () => {
    const ending = /\n\nExit codes: 0 done, 1 failure, [^:]* 130 interrupted\.\n$/u;
    expect((await sandbox.runHere(["--help"])).stdout).toMatch(ending);
    expect((await sandbox.runHere(["search", "--help"])).stdout).not.toContain("Exit codes");
  });

  test("lists the subcommands of a group", async () => {
    expect((await sandbox.runHere(["--help"])).stdout).toMatch(
      /^ {2}config {2,}list, get, set, unset, path$/mu,
    );
    const group = await sandbox.runHere(["config"]);
    expect(group.exit).toBe(2);
    expect(group.stderr).toContain("Usage: memsvc config ");
  });
});
