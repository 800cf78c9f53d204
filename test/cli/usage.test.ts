import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { synonyms } from "../../src/cli/names/command-synonyms.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

const sandbox = forAllTests(openSandbox);

beforeAll(buildOnce);

interface Remembered {
  readonly memory: { readonly content: string; readonly concepts: readonly string[] };
}

async function remember(
  args: readonly string[],
  stdin = "",
  how: "run" | "runHere" = "run",
): Promise<Remembered["memory"]> {
  const { exit, stdout, stderr } = await sandbox[how](["remember", ...args], { stdin });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  const got = await sandbox.runHere(["memory", "get", stdout.trim(), "--json"]);
  return (JSON.parse(got.stdout) as Remembered).memory;
}

describe("memsvc remember", () => {
  test("takes the text from the arguments, and from a pipe with or without a dash", async () => {
    expect((await remember(["three", "plain", "words"])).content).toBe("three plain words");
    expect((await remember(["-"], "from a dash\n")).content).toBe("from a dash");
    expect((await remember([], "first line\nsecond line\n")).content).toBe("first line\nsecond line");
    expect((await remember([], "of Windows\r\n", "runHere")).content).toBe("of Windows");
  });

  test.each([
    ["before the text", ["--offline", "salt", "the", "stairs"], "salt the stairs"],
    ["after the text", ["wax", "both", "skis", "--no-input", "--offline"], "wax both skis"],
    ["with a value within the text", ["tune", "--type", "bug", "every", "harp"], "tune every harp"],
    ["with a list within the text", ["varnish", "--concept", "a", "b", "--offline"], "varnish"],
    ["in the text after --", ["brew", "--", "it", "--offline", "slowly"], "brew it --offline slowly"],
    ["in a quoted text", ["never use --offline in CI", "--no-input"], "never use --offline in CI"],
  ])("takes flags %s", async (_where, args, text) => {
    expect((await remember(args, "", "runHere")).content).toBe(text);
  });

  test.each([
    ["repeated flags", ["--concept", "a", "--concept", "b"]],
    ["one flag with several words", ["--concept", "a", "b"]],
    ["a comma list", ["--concept", "a, b"]],
    ["an equals sign", ["--concept=a,b"]],
  ])("takes a list given as %s", async (name, flags) => {
    expect((await remember([`listed as ${name}`, ...flags], "", "runHere")).concepts).toEqual(["a", "b"]);
  });

  test("exits with 2 and says how to give the text if there is none", async () => {
    for (const args of [[], ["-"], ["--concept", "a", "the text that became a tag"]]) {
      const { exit, stderr } = await sandbox.runHere(["remember", ...args], { stdin: " \n" });
      expect(exit).toBe(2);
      expect(stderr).toMatch(/^memsvc: nothing to remember\nhint: put the text before the flags: /u);
    }
  });
});

test.skipIf(!existsSync("/proc/self/cmdline"))(
  "an argument that is not UTF-8 is refused, but a replacement character is accepted",
  async () => {
    const remembering = `exec "$0" "$1" remember "$(printf 'The caf\\351')"`;
    const given = ["-c", remembering, process.execPath, join(import.meta.dirname, "../../dist/main.cjs")];
    const env = { PATH: process.env.PATH ?? "", HOME: sandbox.home };
    const { status, stdout, stderr } = spawnSync("sh", given, { env, encoding: "utf8" });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^memsvc: an argument is not UTF-8 text, so it was not used\nhint: convert it first, /u,
    );
    expect((await remember(["a mark \uFFFD of its own"])).content).toBe("a mark \uFFFD of its own");
  },
);

describe("piped text", () => {
  test("is accepted as UTF-8 or UTF-16 with a byte order mark, and refused as Latin-1", async () => {
    for (const encoding of ["utf16le", "utf8"] as const) {
      const stdin = Buffer.from("\uFEFFThe café opens at eight", encoding);
      const { exit, stdout } = await sandbox.run(["remember", "-"], { stdin });
      expect(exit).toBe(0);
      expect((await sandbox.runHere(["show", stdout.trim()])).stdout).toContain("The café opens at eight");
    }
    const before = (await sandbox.runHere(["memory", "list"])).stdout;
    const latin = await sandbox.run(["remember", "-"], {
      stdin: Buffer.from("Das Café öffnet um neun", "latin1"),
    });
    expect([latin.exit, latin.stderr]).toEqual([
      2,
      "memsvc: the piped input is not UTF-8 text, so it was not used\nhint: convert it first, as in: … | iconv -f latin1 -t utf-8 | memsvc …\n",
    ]);
    expect((await sandbox.runHere(["memory", "list"])).stdout).toBe(before);
  });
});

/** A wrong command line, what is said about it, and the way out that is named. */
const mistakes: readonly (readonly [string, string, string])[] = [
  ["serch jitter", "unknown command 'serch'", "did you mean search?"],
  ["sesion list", "unknown command 'sesion'", "did you mean session?"],
  ["session lst", "unknown command 'lst'", "did you mean list?"],
  [
    "reflect --project shop",
    "unknown command 'reflect'",
    "did you mean one of slot reflect, insight reflect?",
  ],
  ["lesson heal", "unknown command 'heal'", "did you mean diagnostics heal?"],
  ["list", "unknown command 'list'", "did you mean one of memory list, session list?"],
  ["add x", "unknown command 'add'", "did you mean one of remember, sketch add, mesh add?"],
  ["rm mem_1", "unknown command 'rm'", "did you mean forget?"],
  ["slot rm notes", "unknown command 'rm'", "did you mean slot delete?"],
  ["slot add notes x", "unknown command 'add'", "did you mean one of slot create, slot append?"],
  ["lesson new x", "unknown command 'new'", "did you mean lesson save?"],
  ["memory add x", "unknown command 'add'", "did you mean remember?"],
  ["lesson show lsn_1", "unknown command 'show'", "see memsvc lesson --help"],
  ["models rm small", "unknown command 'rm'", "did you mean models remove?"],
  ["vault rm", "unknown command 'rm'", "see memsvc vault --help"],
  ["version", "unknown command 'version'", "did you mean --version?"],
  ["transcript import x.jsonl", "unknown command 'transcript'", "did you mean replay import?"],
  ["todo", "unknown command 'todo'", "did you mean one of action list, next?"],
  ["setup", "unknown command 'setup'", "did you mean one of init, connect?"],
  ["frobnicate", "unknown command 'frobnicate'", "see memsvc --help"],
  ["show \t", "<id> must not be blank", "see memsvc show --help"],
  ["recall \t", "<query> must not be blank", "see memsvc recall --help"],
  // An empty variable of a script is not the same as nothing given.
  ["facet remove act_1 team ", "<value> must not be blank", "see memsvc facet remove --help"],
  ["mesh sync ", "<peerId> must not be blank", "see memsvc mesh sync --help"],
  ["replay import ", "<path> must not be blank", "see memsvc replay import --help"],
  ["project separate ", "<folder> must not be blank", "see memsvc project separate --help"],
  ["profile ", "<project> must not be blank", "see memsvc profile --help"],
  ["branch detect --cwd ", "--cwd must not be blank", "see memsvc branch detect --help"],
  ["session commits --sesion y", "unknown option '--sesion'", "did you mean --session?"],
  [
    "sentinel create x --type timer --config {bad",
    '--config must be a JSON object, not "{bad"',
    "see memsvc sentinel create --help",
  ],
  ["search x --projct y", "unknown option '--projct'", "did you mean --project?"],
  [
    "remember never use --no-verify",
    "unknown option '--no-verify'",
    "see memsvc remember --help, or for a text: memsvc remember -- --no-verify",
  ],
  ...["remember never use --offline in CI", "slot append notes never use --offline in CI"].map(
    (line) =>
      [
        line,
        "--offline is in the middle of the text, where it counts as a flag",
        "put the text in quotes, or the flag before or after it",
      ] as const,
  ),
  [
    "checkpoint resolve chk_1 --status passed",
    "unknown option '--status'",
    "status is not a flag: memsvc checkpoint resolve <checkpointId> <status>",
  ],
  [
    "lease acquire --action-id act_1 --agent-id ann",
    "unknown option '--action-id'",
    "actionId is not a flag: memsvc lease acquire <actionId>",
  ],
  ["remember x --ttl 3", "unknown option '--ttl'", "did you mean --ttl-days?"],
  [
    "search x --since 2026-05-01 --until 2026-01-01",
    "--until must not lie before since",
    "see memsvc search --help",
  ],
  ["show mem_1 --nope", "unknown option '--nope'", "see memsvc show --help"],
  ["config list --nope", "unknown option '--nope'", "see memsvc config list --help"],
  ["search", "<query> or --expand required", "see memsvc search --help"],
  ["search --format full", "<query> is required", "see memsvc search --help"],
  ["search x --format wrong", "--format must be full, compact or narrative", "see memsvc search --help"],
  ["search --in x.json", "<query> is required", "see memsvc search --help"],
  ["help serch", "unknown command 'serch'", "did you mean search?"],
  ["help session lst", "unknown command 'lst'", "did you mean list?"],
  ["--home", "option '--home <dir>' argument missing", "see memsvc --help"],
  ["session end", "missing required argument 'sessionId'", "see memsvc session end --help"],
  ["remember x --concept", "option '--concept <value...>' argument missing", "see memsvc remember --help"],
  [
    "remember x --type wrong",
    '--type must be pattern, preference, architecture, bug, workflow or fact, not "wrong"',
    "see memsvc remember --help",
  ],
  ["remember x --ttl-days soon", '--ttl-days must be a number, not "soon"', "see memsvc remember --help"],
  ["remember x --ttl-days -3", "--ttl-days must be more than 0", "see memsvc remember --help"],
  ["search x --limit many", '--limit must be a number, not "many"', "see memsvc search --help"],
  ["recall x --limit many", '--limit must be a number, not "many"', "see memsvc recall --help"],
  [
    "search x --kind memory,wrong",
    '--kind must be observation, memory or lesson, not "wrong"',
    "see memsvc search --help",
  ],
  ["search x --token-budget few", '--token-budget must be a number, not "few"', "see memsvc search --help"],
  ["search x --limit 0", "--limit must be at least 1", "see memsvc search --help"],
  ["search x --token-budget 0", "--token-budget must be at least 1", "see memsvc search --help"],
  ["recall x --limit 0.5", "--limit must be a whole number", "see memsvc recall --help"],
  ["export x.json --max-sessions 0", "--max-sessions must be at least 1", "see memsvc export --help"],
  [
    `remember x --concept a --concept ${"b".repeat(201)}`,
    "each --concept must be at most 200 characters",
    "see memsvc remember --help",
  ],
  [
    "relation create a b --type wrong",
    '--type must be supersedes, extends, derives, contradicts or related, not "wrong"',
    "see memsvc relation create --help",
  ],
  [
    "relation create a b",
    "--type is required: supersedes, extends, derives, contradicts or related",
    "see memsvc relation create --help",
  ],
  [
    "vault export v --type wrong",
    '--type must be memories, lessons, crystals or sessions, not "wrong"',
    "see memsvc vault export --help",
  ],
  [
    "checkpoint resolve c done",
    '<status> must be passed or failed, not "done"',
    "see memsvc checkpoint resolve --help",
  ],
  ["lease acquire act_1", "--agent-id is required", "see memsvc lease acquire --help"],
  ["routine save x --steps [{}]", "--steps: 0.title is required", "see memsvc routine save --help"],
  [
    "sentinel create x --type threshold --config {}",
    "--config: metric is required",
    "see memsvc sentinel create --help",
  ],
  [
    "checkpoint create x --type timer",
    "a timer needs --expires-in-ms: the milliseconds after which it passes",
    "see memsvc checkpoint create --help",
  ],
  ["snapshot restore --yes", "<snapshotId> or --commit-hash required", "see memsvc snapshot restore --help"],
  [
    "governance bulk-delete --yes",
    "a filter is needed (--type, --date-from, --date-to, --quality-below, --project or --agent-id), or --dry-run",
    "see memsvc governance bulk-delete --help",
  ],
  ["completions tcsh", "there are no completions for tcsh", "bash, zsh or fish"],
  [
    "status --url nowhere",
    "nowhere is not an address such as http://127.0.0.1:3111",
    "see memsvc status --help",
  ],
  [
    "health --url ftp://host",
    "ftp://host is not an address such as http://127.0.0.1:3111",
    "see memsvc health --help",
  ],
];

describe("a wrong command line", () => {
  test.each(mistakes)("%s: exit 2, one line and a hint", async (line, problem, wayOut) => {
    const { exit, stdout, stderr } = await sandbox.runHere(line.split(" "));
    expect({ exit, stdout, stderr }).toEqual({
      exit: 2,
      stdout: "",
      stderr: `memsvc: ${problem}\nhint: ${wayOut}\n`,
    });
  });

  test.each([
    [["remember", "-don't panic"], `memsvc remember -- "-don't panic"`],
    [["facet", "remove", "the $1 action", "team"], 'memsvc facet list "the \\$1 action"'],
    [["vault", "export", "~/Ann's notes/vault"], /mkdir -p "\S+\/Ann's notes"\n$/u],
  ])("is followed by a command that a shell takes as it is printed: %j", async (line, command) => {
    const { stderr } = await sandbox.runHere(line);
    expect(stderr).toMatch(command);
  });

  test("prints a stack trace only with --debug", async () => {
    const line = ["remember", "x", "--type", "wrong"];
    const alone = await sandbox.run(line);
    expect(alone).toMatchObject({ exit: 2, stdout: "", stderr: expect.not.stringContaining("    at ") });
    expect((await sandbox.run([...line, "--debug"])).stderr).toContain("    at ");
  });
});

test("commands that are named for other words exist", async () => {
  const named = new Set(Object.values(synonyms).flat());
  named.delete("--version");
  for (const command of named) {
    const { exit, stdout } = await sandbox.runHere([...command.split(" "), "--help"]);
    expect([exit, stdout.split("\n")[0]], command).toEqual([0, expect.stringContaining(`memsvc ${command}`)]);
  }
});

test("--version prints the version also after other flags", async () => {
  const { stdout } = await sandbox.run(["--version"]);
  for (const flag of ["--json", "-q"])
    expect(await sandbox.run([flag, "--version"])).toMatchObject({ exit: 0, stdout, stderr: "" });
});

test("--ndjson prints one line per record of a list, and one for any other answer", async () => {
  const own = openSandbox();
  for (const text of ["Retries use full jitter", "Deploys go through staging"])
    await own.runHere(["remember", text]);
  const contents = async (line: readonly string[], how: "run" | "runHere" = "runHere") => {
    const { exit, stdout } = await own[how]([...line, "--ndjson"]);
    return [
      exit,
      ...stdout.split("\n").map((record) => record && Object.keys(JSON.parse(record) as object)[0]),
    ];
  };
  expect(await contents(["memory", "list"])).toEqual([0, "id", "id", ""]);
  expect(await contents(["search", "retries"], "run")).toEqual([0, "obsId", ""]);
  expect(await contents(["recall", "retries"])).toEqual([0, "obsId", ""]);
  expect(await contents(["search", "retries", "--format", "compact"])).toEqual([0, "obsId", ""]);
  expect(await contents(["show", "mem_none"])).toEqual([3, ""]);
  await own.runHere(["lesson", "save", "Run the migration twice"]);
  expect(await contents(["lesson", "search", "migration"])).toEqual([0, "id", ""]);
  expect(await contents(["lesson", "search", "giraffes"])).toEqual([3, ""]);
  await own.runHere(["action", "create", "Move the sessions"]);
  expect(await contents(["frontier"])).toEqual([0, "action", ""]);
  const many = Array.from({ length: 21 }, (_, at) => `mem_${at}`);
  expect((await own.runHere(["show", ...many])).stderr).toContain("<id> must have at most 20 items");
  await own.runHere(["config", "set", "MEMSVC_PORT", "3222"]);
  expect(await contents(["config", "list", "--changed"])).toEqual([0, ...Array(2).fill("key"), ""]);
  const models = await contents(["models", "list"]);
  expect(models).toEqual([0, ...Array(models.length - 2).fill("name"), ""]);
  expect(models.length).toBeGreaterThan(3);
  expect(await contents(["session", "list"])).toEqual([0, ""]);
  expect(await contents(["flags"])).toEqual([0, "version", ""]);
  own.remove();
});

test("-q prints only results and errors", async () => {
  const result = await sandbox.runHere(["config", "get", "MEMSVC_PORT", "-q"]);
  expect(result).toMatchObject({ stdout: "3111\n", stderr: "" });
  const quiet = await sandbox.run(["config", "set", "MEMSVC_PORT", "3222", "-q"]);
  expect(quiet).toMatchObject({ exit: 0, stdout: "", stderr: "" });
  expect((await sandbox.runHere(["show", "none", "-q"])).stderr).toContain("memsvc: ");
});

test("a Node that is too old is refused, and a hook under it still exits with 0", async () => {
  const asNode18 =
    'data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } })';
  const env = { NODE_OPTIONS: `--import="${asNode18.replaceAll('"', "%22").replaceAll(" ", "%20")}"` };
  const stderr = expect.stringMatching(
    /^memsvc: Node 18\.20\.8 is not supported; use Node 20\.19, .* or newer\n$/u,
  );
  expect(await sandbox.run(["status"], { env })).toMatchObject({ exit: 1, stderr });
  expect(await sandbox.run(["observe"], { env, stdin: "{}" })).toMatchObject({ exit: 0, stderr });
  expect((await sandbox.run(["--version"], { env })).exit).toBe(0);
});

test.each(["--home", "--url", "--secret-file"])("a blank %s never means another store", async (flag) => {
  const unused = join(sandbox.folder, `unused${flag}`);
  const env = { MEMSVC_HOME: unused, MEMSVC_MODEL_DOWNLOAD: "never" };
  const problem = `memsvc: ${flag} must not be blank\nhint: see memsvc`;
  const commands = ["status", "remember x", "serve", "mcp", "config path", "export -", "project forget x"];
  for (const command of commands)
    for (const value of ["", " "])
      expect(await sandbox.runHere([...command.split(" "), flag, value], { env }), command).toMatchObject({
        exit: 2,
        stdout: "",
        stderr: expect.stringContaining(problem),
      });
  const stdin = JSON.stringify({ hook_event_name: "UserPromptSubmit", session_id: "s", prompt: "Paint it" });
  const hook = ["observe", "--hook", "claude-code", flag, ""];
  const stderr = expect.stringContaining(problem);
  expect(await sandbox.run(hook, { env, stdin })).toMatchObject({ exit: 0, stderr });
  expect(await sandbox.run([...hook, "--strict"], { env, stdin })).toMatchObject({ exit: 2, stderr });
  expect(existsSync(unused)).toBe(false);
});

test("commands in hints name the home that --home named", async () => {
  const home = join(sandbox.folder, "another home");
  const named = `memsvc --home "${home}"`;
  const run = (...args: string[]) => sandbox.runHere([...args, "--home", home]);
  expect((await run("config", "set", "MEMSVC_LOG_LEVEL", "warn")).stderr).toContain(
    `: ${named} daemon restart`,
  );
  expect((await run("status")).stdout).toContain(`: ${named} daemon start`);
  expect((await run("daemon", "status")).stdout).toContain(`: ${named} daemon start`);
  expect((await run("doctor")).stdout).toContain(`${named} models pull`);
  expect((await run("snapshot", "list")).stdout).toContain(`: ${named} snapshot create`);
  expect((await run("evolve", "mem_0", "x")).stderr).toContain(`: ${named} search`);
  expect((await run("viewer")).stderr).toContain(`: ${named} daemon start`);
});
