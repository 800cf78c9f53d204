import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ownCommands } from "../../src/cli/commands/table.ts";
import type { OperationEntry } from "../../src/cli/operations/operation-entry.ts";
import { operationTable } from "../../src/cli/operations/operations.generated.ts";
import { catalogue } from "../../src/operation/catalogue.ts";
import { wordsOf } from "../../src/operation/command-syntax.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

/* --dry-run shows what a command would delete, or write into other programs' files; test/http/dry-run.test.ts does the same for operations. */

const sandbox = forAllTests(openSandbox);
let memoryId: string;
let snapshotId: string;
let lessonId: string;
const env = () => ({
  MEMSVC_ALLOWED_ROOTS: sandbox.folder,
  MEMSVC_SLOTS: "true",
  SHELL: "/usr/bin/fish",
  PATH: `${join(sandbox.folder, "bin")}:${process.env.PATH}`,
});

async function printed(...args: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await sandbox.runHere(args, { env: env() });
  expect({ args, exit, stderr }).toEqual({ args, exit: 0, stderr: expect.any(String) });
  return stdout.trimEnd();
}

beforeAll(async () => {
  buildOnce();
  mkdirSync(join(sandbox.folder, "bin"));
  writeFileSync(join(sandbox.folder, "bin", "systemctl"), "#!/bin/sh\n", { mode: 0o755 });
  memoryId = await printed("remember", "Orders are kept in src/orders.ts", "--project", "shop");
  lessonId = await printed("lesson", "save", "Run the linter first");
  await printed("export", "backup.json");
  snapshotId = (JSON.parse(await printed("snapshot", "create", "--json")) as { snapshot: { id: string } })
    .snapshot.id;
  await printed("remember", "Retries wait two seconds", "--project", "shop");
  writeFileSync(join(sandbox.home, "notes.md"), `# Notes\n\n${"ends in blanks   \n\n\n".repeat(9)}`);
  for (const folder of [".claude", ".codex"]) mkdirSync(join(sandbox.home, folder));
  writeFileSync(join(sandbox.home, ".codex", "config.toml"), 'model = "\n');
});

/** Every file of the user by its path, but for the database. */
function files(): string[] {
  return readdirSync(sandbox.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("memsvc.db"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`)
    .sort();
}

async function everything() {
  const { exportedAt: _now, audit, ...rows } = JSON.parse(await printed("export", "-"));
  // An export leaves an entry of its own.
  const changes = audit.filter((entry: { operation: string }) => entry.operation !== "export");
  return { rows, changes, files: files() };
}

test("every command that deletes has --dry-run, and examples of own commands show it", () => {
  const entries: readonly OperationEntry[] = Object.values(operationTable);
  const flagsOf = new Map<string, readonly string[]>([
    ...entries.flatMap(({ id, command }) =>
      command === undefined ? [] : [[id, command.flags.map(({ name }) => name)] as const],
    ),
    ...ownCommands.map(
      ({ command, flags }) => [wordsOf(command), flags.map(({ form }) => form.replace(/^--/u, ""))] as const,
    ),
  ]);
  const own = ownCommands
    .filter(({ summary }) => /delete|remove|stop the service|agent's.*settings|set up memsvc/iu.test(summary))
    .map(({ command }) => wordsOf(command));
  expect(own).toEqual(["service uninstall", "models remove", "init", "connect", "disconnect"]);
  const deleting = catalogue.flatMap(({ id, deletes, cli }) =>
    deletes === true && cli !== undefined ? [id] : [],
  );
  for (const one of [...deleting, ...own, "import", "service install", "doctor", "config set"])
    expect(flagsOf.get(one), one).toContain("dry-run");
  for (const { command, flags, examples } of ownCommands)
    if (flags.some(({ form }) => form === "--dry-run"))
      expect(examples.join(), command).toContain("--dry-run");
});

test("a dry run says what it would do and leaves the store and all files unchanged", async () => {
  const before = await everything();
  const lines: readonly (readonly [args: readonly string[], said: RegExp, also?: string])[] = [
    [["forget", memoryId, memoryId], /^would delete 1 memory\n$/u],
    [["governance", "bulk-delete", "--project", "shop"], /^would delete 2 memories\n {2}mem_/u],
    [["lesson", "delete", lessonId], /^would delete lsn_\w+: Run the linter first\n$/u],
    [
      ["consolidate", "decay"],
      /^decay {7}0 weak facts, 0 weak procedures; would drop 0 lessons, 0 insights\n$/u,
    ],
    [["graph", "reset"], /^would delete \d+ nodes?, \d+ edges? and \d+ links?\n$/u],
    [["slot", "replace", "persona", "A careful reviewer"], /^persona would hold 18 of /u],
    [
      ["snapshot", "restore", snapshotId],
      /^would restore snp_\w+: 1 memory, .*\nwould first take a snapshot of what is there now: 2 memories, .*\n$/u,
    ],
    [
      ["import", "backup.json", "--strategy", "replace"],
      /^would take a snapshot, and delete (?=.*\bgraph nodes \(\d+\)).*\bmemories \(2\).*\nwould import 0 sessions, 0 observations, 1 memory, /u,
    ],
    [
      ["vault", "export", "./vault"],
      /^would write 3 notes to .*\/vault\/memsvc\n {2}2 memories, .*; 0 to be removed\n$/u,
    ],
    [
      ["compress-file", "notes.md"],
      /^--- \S+notes\.md\n\+\+\+ \S+notes\.md\n.*\n-ends in blanks {3}\n.*\nthe original would be kept as \S+notes\.original\.md\n$/su,
    ],
    [["doctor", "--fix"], /database/u],
    [
      ["init"],
      /^store {8}.*^agent {8}Claude Code: would be connected\n--- \/dev\/null\n\+\+\+ \S+settings\.json\n.*^agent {8}Codex: could not be connected: \S+config\.toml: .*\ncompletions {2}would be written: \S+memsvc\.fish\n$/msu,
    ],
    [["connect", "claude-code"], /^\+.*observe --hook claude-code/mu],
    [["config", "set", "MEMSVC_PORT", "3200"], /^would set MEMSVC_PORT in \S+\.env\n$/u],
    [["service", "install"], /^--- \/dev\/null\n\+\+\+ \S+\n.*^\+.*serve/msu],
  ];
  for (const [args, said] of lines) {
    const { exit, stdout, stderr } = await sandbox.runHere([...args, "--dry-run"], { env: env() });
    expect({ args, exit, stdout }).toEqual({ args, exit: 0, stdout: expect.stringMatching(said) });
    if (args[0] !== "doctor")
      expect(stderr.trimEnd().split("\n").at(-1), args.join(" ")).toBe("nothing was changed");
  }
  const json = await printed("forget", memoryId, "--dry-run", "--json");
  expect(JSON.parse(json)).toMatchObject({ success: true, deleted: 1, deletedMemories: 1, dryRun: true });
  const none = await sandbox.runHere(["forget", "mem_none", "--dry-run"], { env: env() });
  expect([none.exit, none.stdout]).toEqual([3, ""]);
  expect(await everything()).toEqual(before);
});
