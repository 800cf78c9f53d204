import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

const sandbox = forAllTests(openSandbox);
let memory: string;

beforeAll(async () => {
  buildOnce();
  const bin = join(sandbox.folder, "bin");
  mkdirSync(bin);
  symlinkSync(fileURLToPath(new URL("../../dist/main.cjs", import.meta.url)), join(bin, "memsvc"));
  const { stdout } = await sandbox.runHere(["remember", "A memory to name", "--project", "web shop"]);
  memory = stdout.trim();
  await sandbox.runHere(["session", "start", "morning", "--project", "parcels"]);
  writeFileSync(join(sandbox.folder, "memsvc.bash"), (await sandbox.run(["completions", "bash"])).stdout);
});

function has(shell: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, shell)));
}

/** What any shell is given to offer at the end of a line. */
async function completed(...words: readonly string[]): Promise<string[]> {
  const { stdout } = await sandbox.runHere(["complete", "--", ...words]);
  return stdout.split("\n").filter((line) => line !== "");
}

/** What bash offers there, through the script that a user sources. `|` is before what bash replaces. */
function offered(marked: string): string[] {
  const line = marked.replace("|", "");
  const replaced = marked.slice(marked.indexOf("|") + 1);
  const script = join(sandbox.folder, "complete.bash");
  writeFileSync(
    script,
    [
      `source ${join(sandbox.folder, "memsvc.bash")}`,
      `COMP_LINE="memsvc $1" COMP_POINT=$((\${#1} + 7))`,
      '_memsvc memsvc "$2"',
      `printf "%s\\n" "\${COMPREPLY[@]}"`,
    ].join("\n"),
  );
  const output = execFileSync("bash", ["--norc", script, line, replaced], {
    cwd: sandbox.home,
    encoding: "utf8",
    env: { PATH: `${join(sandbox.folder, "bin")}:${process.env.PATH ?? ""}`, HOME: sandbox.home },
  });
  return output.split("\n").filter((line) => line !== "");
}

describe.skipIf(!has("bash"))("bash completion", () => {
  test("offers commands and the subcommands of a group", () => {
    const commands = offered("|");
    expect(commands).toEqual(expect.arrayContaining(["remember", "search", "session", "config"]));
    expect(commands).not.toContain("complete");
    expect(offered("session |st")).toEqual(["start"]);
  });

  test("offers the flags of a command and the choices of a flag, with a space or with =", () => {
    expect(offered("remember back home |--ti")).toEqual(["--title"]);
    expect(offered("remember x --type |p")).toEqual(["pattern", "preference"]);
    expect(offered("remember x --type=|b")).toEqual(["bug"]);
    expect(offered("remember x --type=|")).toHaveLength(6);
    expect(offered("config set MEMSVC_PORT |")).toEqual([]);
  });

  test("offers projects, sessions and memories of the store, quoted where needed", () => {
    expect(offered("search x --project |")).toEqual(["parcels", "web\\ shop"]);
    expect(offered("search x --project |web\\ s")).toEqual(["web\\ shop"]);
    for (const quote of ['"', "'"])
      expect(offered(`search x --project ${quote}|web s`)).toEqual(["web shop"]);
    expect(offered("session show |")).toEqual(["morning"]);
    expect(offered("show |mem_")).toEqual([memory]);
  });

  test("offers the rest of a word with colons, at each of which bash begins another word", async () => {
    for (const value of ["paint", "parts"]) await sandbox.runHere(["facet", "tag", memory, "room", value]);
    expect(offered("facet query --match-any room:|")).toEqual(["paint", "parts"]);
    expect(offered("facet query --match-any room:|par")).toEqual(["parts"]);
    await sandbox.runHere(["facet", "remove", memory, "room"]);
    expect(offered("--url http://127.0.0.1:1 session |st")).toEqual(["start"]);
  });

  test("offers the records of the store that the line names", async () => {
    const other = join(sandbox.folder, "other home");
    const { stdout } = await sandbox.runHere(["remember", "Kept elsewhere", "--home", other]);
    for (const home of [`--home "${other}"`, `--home='${other}'`, `--home ${other.replace(" ", "\\ ")}`])
      expect({ home, offers: offered(`show ${home} |mem_`) }).toEqual({ home, offers: [stdout.trim()] });
    expect(offered(`--home ${join(sandbox.folder, "nowhere")} show |mem_`)).toEqual([]);
  });
});

test("complete offers commands, their own and global flags, and the choices of a flag", async () => {
  expect(await completed("sea")).toEqual(["search"]);
  expect(await completed("remember", "--ti")).toEqual(["--title"]);
  expect(await completed("search", "x", "--to")).toEqual(["--token-budget"]);
  expect(await completed("search", "x", "--sec")).toEqual(["--secret-file"]);
  expect(await completed("search", "x", "--format", "")).toEqual(["full", "compact", "narrative"]);
  const agents = ["claude-code", "codex", "cursor", "copilot-cli", "cline"];
  expect(await completed("observe", "--hook", "c")).toEqual(agents);
});

test("complete offers the values of a setting, known models, and the words that help takes", async () => {
  expect(await completed("config", "set", "memsvc_agent_scope", "")).toEqual(["shared", "isolated"]);
  expect(await completed("config", "set", "MEMSVC_SLOTS", "t")).toEqual(["true"]);
  expect(await completed("models", "pull", "all")).toEqual(["all-MiniLM-L6-v2"]);
  expect(await completed("help", "session", "st")).toEqual(["start"]);
});

test("complete offers settings, shells and choices, and nothing for free text", async () => {
  expect(await completed("config", "set", "MEMSVC_VIEWER_")).toEqual(["MEMSVC_VIEWER_PORT"]);
  expect(await completed("completions", "")).toEqual(["bash", "zsh", "fish"]);
  expect(await completed("consolidate", "se")).toEqual(["semantic"]);
  expect(await completed("checkpoint", "resolve", "chk_1", "")).toEqual(["passed", "failed"]);
  expect(await completed("checkpoint", "resolve", "chk_1", "passed", "")).toEqual([]);
  expect(await completed("checkpoint", "resolve", "")).toEqual([]);
  expect(await completed("connect", "cl")).toEqual(["claude-code", "cline", "claude-desktop"]);
  expect(await completed("search", "x", "--since", "")).toEqual([]);
  expect(await completed("status", "--home", "")).toEqual([]);
});

test("complete offers the stored records that an argument or a flag may name", async () => {
  const made = async (line: string) => (await sandbox.runHere(line.split(" "))).stdout.trim();
  const action = await made("action create Ship --tag urgent --assigned-to magda");
  const lesson = await made("lesson save Retry --agent-id scribe");
  const checkpoint = await made("checkpoint create Approved");
  const sentinel = await made("sentinel create Announced");
  const sketch = await made("sketch create Plan");
  const routine = await made('routine save Release --steps [{"title":"Build"}] --tag weekly');
  const [snapshot] = (await made("snapshot create")).split(" ");
  await made("session start evening --project parcels --agent-id builder");
  await made("session commit 4c2f1aa --branch main --repo shop");
  await made(`facet tag ${action} team payments`);
  const depot = join(sandbox.folder, "depot");
  await made(`session start night --project ${depot}`);
  for (const [line, names] of [
    ["forget", [memory]],
    ["evolve", [memory]],
    ["governance delete", [memory]],
    ["graph cascade-update", [memory]],
    ["lease acquire", [action]],
    ["action show", [action]],
    ["crystal create", [action]],
    ["action list --parent-id", [action]],
    ["checkpoint create x --linked-action-id", [action]],
    [`action edge ${action} gated_by`, [action, checkpoint, sentinel]],
    ["action list --tag", ["urgent"]],
    ["action list --assigned-to", ["magda"]],
    ["lesson delete", [lesson]],
    ["checkpoint resolve", [checkpoint]],
    ["sentinel trigger", [sentinel]],
    ["sketch add", [sketch]],
    ["routine run", [routine]],
    ["routine list --tag", ["weekly"]],
    ["snapshot restore", [snapshot]],
    ["snapshot verify", [snapshot]],
    ["lease acquire x --agent-id", ["builder"]],
    ["signal send x --to", ["builder"]],
    ["signal read", ["builder"]],
    ["session by-commit", ["4c2f1aa"]],
    ["session commits --branch", ["main"]],
    ["facet list", [action, memory]],
    ["facet tag x", ["team"]],
    ["facet query --match-any", ["team:payments"]],
    ["relation create", [memory]],
    // Names stand for no folder.
    ["project move", [depot]],
    ["audit --operation", expect.arrayContaining(["lesson_save"])],
    ["lesson list --tag", []],
    ["slot create", []],
  ] as const)
    expect({ line, offered: await completed(...line.split(" "), "") }).toEqual({ line, offered: names });
});

/*
 * The lines as a user types them, up to the tab. Of bash and zsh the line as it stands after the tab, in a terminal of
 * its own, which zsh can make; of fish what it offers.
 */
const typedLines = [
  ["memsvc reme", "memsvc remember", "remember"],
  ["memsvc session st", "memsvc session start", "start"],
  ["memsvc remember --ti", "memsvc remember --title", "--title"],
  ["memsvc remember x --type=b", "memsvc remember x --type=bug", "--type=bug"],
  ["memsvc search x --project w", "memsvc search x --project web\\ shop", "web shop"],
  ["memsvc search x --project web\\ s", "memsvc search x --project web\\ shop", "web shop"],
  ['memsvc search x --project "web s', 'memsvc search x --project "web shop"', "web shop"],
  ["memsvc search x --project 'web s", "memsvc search x --project 'web shop'", "web shop"],
  [
    'memsvc search "two words" --project=p',
    'memsvc search "two words" --project=parcels',
    "--project=parcels",
  ],
  ["memsvc search x --project it\\'s", "memsvc search x --project it\\'s:a\\[b\\]\\ \\$x", "it's:a[b] $x"],
  ["memsvc search x --project \"it'", 'memsvc search x --project "it\'s:a[b] \\$x"', "it's:a[b] $x"],
  ["memsvc search x --project 'C:\\w", "memsvc search x --project 'C:\\work'", "C:\\work"],
  ['memsvc "session" show mo', 'memsvc "session" show morning', "morning"],
  ["memsvc status --secret-file ke", "memsvc status --secret-file kept.txt", "kept.txt"],
  ["memsvc status --secret-file=ke", "memsvc status --secret-file=kept.txt", "--secret-file=kept.txt"],
  ["memsvc search x --agent-id ada@t", "memsvc search x --agent-id ada@tower", "ada@tower"],
] as const;

function shellEnv(): Record<string, string> {
  return {
    PATH: `${join(sandbox.folder, "bin")}:${process.env.PATH ?? ""}`,
    HOME: sandbox.home,
    LANG: "C.UTF-8",
  };
}

describe("a word in quotes, with blanks, colons and brackets, or the name of a file", () => {
  beforeAll(async () => {
    writeFileSync(join(sandbox.home, "kept.txt"), "");
    for (const project of ["it's:a[b] $x", "C:\\work"])
      await sandbox.runHere(["session", "start", "--project", project, "--agent-id", "ada@tower"]);
  });

  test.skipIf(!has("zsh") || !has("bash"))("is completed by bash", () => {
    const at = (name: string) => join(sandbox.folder, name);
    writeFileSync(
      at("asked.bash"),
      `source <(memsvc completions bash)
note() { printf '%s\\n' "$READLINE_LINE" >> ${at("completed.bash")}; }
bind 'set enable-bracketed-paste off'
bind -x '"\\C-o": note'
PROMPT_COMMAND=': > ${at("ready")}'
`,
    );
    writeFileSync(at("lines"), typedLines.map(([typed]) => `${typed}\n`).join(""));
    writeFileSync(at("completed.bash"), "");
    // Only once bash has prompted, it and not the terminal gets the control characters.
    writeFileSync(
      at("asking.bash.zsh"),
      `zmodload zsh/zpty
zpty shell bash --noprofile --rcfile ${at("asked.bash")} -i
until [[ -e ${at("ready")} ]]; do zpty -rt shell > /dev/null; sleep 0.05; done
while IFS= read -r line; do zpty -w -n shell "$line"$'\\t\\x0f\\x15'; done < ${at("lines")}
until [[ $(wc -l < ${at("completed.bash")}) -eq ${typedLines.length} ]]; do
  zpty -rt shell > /dev/null; sleep 0.05
done
zpty -d shell
`,
    );
    execFileSync("zsh", ["-f", at("asking.bash.zsh")], {
      cwd: sandbox.home,
      env: shellEnv(),
      timeout: 250_000,
    });
    const completed = readFileSync(at("completed.bash"), "utf8").trimEnd().split("\n");
    expect(completed.map((line) => line.trimEnd())).toEqual(typedLines.map(([, line]) => line));
  });

  test.skipIf(!has("zsh"))("is completed by zsh", () => {
    const at = (name: string) => join(sandbox.folder, name);
    writeFileSync(at("lines"), typedLines.map(([typed]) => `${typed}\n`).join(""));
    writeFileSync(
      at("asked.zsh"),
      `autoload -Uz compinit && compinit -D -u
source <(memsvc completions zsh)
zle-line-init() {
  while IFS= read -r BUFFER; do
    CURSOR=$#BUFFER
    zle complete-word
    print -r -- $BUFFER
  done < ${at("lines")} > ${at("completed")}
  : > ${at("done")}
}
zle -N zle-line-init
`,
    );
    writeFileSync(
      at("asking.zsh"),
      `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "source ${at("asked.zsh")}"
while [[ ! -e ${at("done")} ]]; do zpty -rt shell > /dev/null; sleep 0.05; done
zpty -d shell
`,
    );
    execFileSync("zsh", ["-f", at("asking.zsh")], { cwd: sandbox.home, env: shellEnv(), timeout: 250_000 });
    const completed = readFileSync(at("completed"), "utf8").trimEnd().split("\n");
    expect(completed.map((line) => line.trimEnd())).toEqual(typedLines.map(([, line]) => line));
  });

  test.skipIf(!has("zsh"))("is completed by a zsh that has not loaded its completion system", () => {
    const script = 'eval "$(memsvc completions zsh)"; print -r -- $_comps[memsvc]';
    const asked = execFileSync("zsh", ["-f", "-c", script], {
      cwd: sandbox.home,
      encoding: "utf8",
      env: shellEnv(),
    });
    expect(asked).toBe("_memsvc\n");
  });

  test.skipIf(!has("fish"))("is completed by fish", () => {
    const script = "memsvc completions fish | source; for line in $argv; complete -C $line; end";
    const offers = execFileSync("fish", ["-c", script, ...typedLines.map(([typed]) => typed)], {
      cwd: sandbox.home,
      encoding: "utf8",
      env: shellEnv(),
    });
    expect(offers.trimEnd().split("\n")).toEqual(typedLines.map(([, , offer]) => offer));
  });
});

test("complete creates no store where there is none", async () => {
  const own = openSandbox();
  const { exit, stdout } = await own.run(["complete", "--", "show", ""]);
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: "" });
  expect(existsSync(join(own.home, ".memsvc"))).toBe(false);
  own.remove();
});

test.each(["bash", "zsh", "fish"])("the completion script for %s has valid syntax", async (shell) => {
  const { exit, stdout } = await sandbox.run(["completions", shell]);
  expect(exit).toBe(0);
  expect(stdout).toMatch(/memsvc complete (?:--bash )?-- /u);
  // Where nothing is known, as for the file of an import, each of them offers files.
  expect(stdout).toMatch(/-o default|_files|__fish_complete_path/u);
  if (!has(shell)) return;
  const file = join(sandbox.folder, `script.${shell}`);
  writeFileSync(file, stdout);
  expect(() => execFileSync(shell, ["-n", file])).not.toThrow();
});
