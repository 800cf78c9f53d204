import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import {
  buildOnce,
  type DaemonProcess,
  openSandbox,
  type ProgramRun,
  startDaemon,
} from "./program-process.ts";

/* Commits, branches, transcripts and files on the command line, in this process and through a daemon. */

beforeAll(buildOnce);

const sha = "3f2a91c0d4e5b6a7988776655443322110ffeedd";

describe.each(["in process", "through the daemon"])("capture %s:", (way) => {
  const sandbox = forAllTests(openSandbox);
  let daemon: DaemonProcess | undefined;
  let shop: string;

  beforeAll(async () => {
    shop = join(realpathSync(sandbox.home), "shop");
    for (const folder of [".git/objects", ".git/refs/heads", "src"]) {
      mkdirSync(join(shop, folder), { recursive: true });
    }
    writeFileSync(join(shop, ".git", "HEAD"), "ref: refs/heads/cart\n");
    if (way === "through the daemon") daemon = await startDaemon(sandbox);
  });
  afterAll(() => daemon?.stop());

  async function inShop(...args: readonly string[]): Promise<string> {
    return printed(await sandbox.run(args, { cwd: join(shop, "src") }));
  }

  async function askedInShop(...args: readonly string[]): Promise<string> {
    return printed(await sandbox.runHere(args, { cwd: join(shop, "src") }));
  }

  function printed({ exit, stdout, stderr }: Pick<ProgramRun, "exit" | "stdout" | "stderr">): string {
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    return stdout;
  }

  test("a commit is linked to a session, listed, and leads back to it", async () => {
    await askedInShop("session", "start", "one", "--title", "the cart");
    const linked = await inShop(
      "session",
      "commit",
      sha,
      "--session-id",
      "one",
      "--message",
      "feat: cart\n\nmore",
    );
    expect(linked).toMatch(/^3f2a91c.*1 session, linked 20.*feat: cart\n$/u);
    expect(await askedInShop("session", "commits")).toBe(linked);
    // A session is `--session` everywhere, and where the API's name of the field is given, that is understood.
    for (const flag of ["--session", "--session-id"]) {
      expect(await askedInShop("session", "commits", flag, "one"), flag).toBe(linked);
      const notes = await sandbox.runHere(["enrich", "cart.ts", flag, "one"], { cwd: join(shop, "src") });
      expect(notes, flag).toMatchObject({ exit: 0, stderr: "nothing is known about these files\n" });
    }
    expect(await askedInShop("session", "by-commit", "3f2a")).toMatch(
      /feat: cart\none {2}shop .*the cart\n$/su,
    );
    for (const command of [["list"], ["show", "one"]])
      expect(await askedInShop("session", ...command), command[0]).toMatch(/0 observations, 1 commit, /u);
    const none = await sandbox.runHere(["session", "by-commit", "ffff"]);
    expect([none.exit, none.stdout]).toEqual([3, ""]);
  });

  test("a filter that matches nothing is not reported as an empty store", async () => {
    const { exit, stdout } = await sandbox.runHere(["session", "list", "--project", "nowhere"]);
    expect([exit, stdout]).toEqual([0, "no sessions found\n"]);
    expect(await askedInShop("session", "commits", "--branch", "nowhere")).toBe("no linked commits found\n");
  });

  test("branch commands work on the repository of the current folder", async () => {
    const shown = await inShop("branch", "detect");
    expect(shown).toContain("branch: cart\n");
    expect(shown).toContain(`working tree: ${shop}\n`);
    expect(await askedInShop("branch", "worktrees")).toBe(`${shop}  cart  no commits yet\n`);
    expect(await askedInShop("branch", "sessions")).toMatch(/ {2}cart\none /u);
    expect((await sandbox.runHere(["branch", "detect"])).stdout).toBe("no repository here\n");
  });

  test("the transcripts of all agents are imported from their usual places at once", async () => {
    const own = openSandbox();
    const kept = (folder: string, lines: readonly object[]) => {
      mkdirSync(join(own.home, folder), { recursive: true });
      writeFileSync(join(own.home, folder, "t.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
    };
    const timestamp = "2026-02-01T09:00:00Z";
    const prompt = { type: "user", message: { content: "Move the retries" }, timestamp, sessionId: "claude" };
    kept(".claude/projects/shop", [prompt]);
    const head = { type: "session_meta", timestamp, payload: { id: "codex", cwd: shop } };
    const asked = { type: "user_message", message: "Test the cart" };
    kept(".codex/sessions/2026", [head, { type: "event_msg", timestamp, payload: asked }]);
    const { stdout } = await own.runHere(["replay", "import", "--all-agents"]);
    expect(stdout).toBe("imported 2 of 2 transcripts: 2 new observations in 2 sessions\n");
    expect((await own.runHere(["replay", "sessions"])).stdout).toMatch(/^codex .*^claude /msu);
    own.remove();
  });

  test("a transcript with a relative path is imported, listed and replayed", async () => {
    const lines = [
      { type: "user", message: { content: "Move the retries" }, timestamp: "2026-02-01T09:00:00Z" },
      {
        type: "assistant",
        message: { content: [{ type: "text", text: "They are moved now." }] },
        timestamp: "2026-02-01T09:01:05Z",
      },
    ].map((line, at) => JSON.stringify({ ...line, uuid: `l${at}`, sessionId: "told", cwd: shop }));
    writeFileSync(join(shop, "src", "told.jsonl"), lines.join("\n"));
    expect(await inShop("replay", "import", "told.jsonl")).toBe(
      "imported 1 of 1 transcript: 2 new observations in 1 session\n",
    );
    expect(await askedInShop("replay", "import", "told.jsonl")).toContain(
      "2 events had been imported before\n",
    );
    mkdirSync(join(shop, "empty"));
    expect(await askedInShop("replay", "import", join(shop, "empty"))).toBe(
      "no transcripts there: memsvc replay import --help says whose are read\n",
    );
    writeFileSync(join(shop, "empty", "title.jsonl"), '{"type":"summary","summary":"Retries"}');
    expect(await askedInShop("replay", "import", join(shop, "empty"))).toBe(
      "imported 0 of 1 transcript: 0 new observations in 0 sessions\nno events of a session were found there\n",
    );
    expect(await askedInShop("replay", "sessions")).toMatch(
      /^told {2}shop {2}claude-code, completed, 2 observations, /u,
    );
    expect(await askedInShop("replay", "load", "told")).toMatch(
      /^told {2}shop {2}2 events in 1 min.*\n +\+0 s {2}prompt +Move the retries\n +\+1 min {2}response +They are moved now\.\n$/u,
    );
    expect(await askedInShop("session", "summarize", "told")).toContain("Asked: Move the retries.");
    expect(await askedInShop("session", "list", "--status", "completed")).toMatch(
      /^told {2}.* {2}Move the retries$/mu,
    );
    // Those of the account that Claude Code is told to use, as connect does.
    const other = join(sandbox.home, ".claude-work");
    mkdirSync(join(other, "projects"), { recursive: true });
    const copy = lines.join("\n").replaceAll("told", "other");
    const ofOther = join(other, "projects", "other.jsonl");
    writeFileSync(ofOther, copy);
    const env = { CLAUDE_CONFIG_DIR: other };
    expect((await sandbox.runHere(["replay", "import"], { env })).stdout).toBe(
      "imported 0 of 1 transcript: 0 new observations in 0 sessions\n2 events had been imported before\n",
    );
    writeFileSync(ofOther, copy.replaceAll("T09", "T10"));
    expect((await sandbox.runHere(["replay", "import"], { env })).stdout).toContain("2 new observations");
    expect(await askedInShop("replay", "sessions")).toContain("other  shop  ");
    const missing = await sandbox.runHere(["replay", "import", "nowhere.jsonl"], { cwd: shop });
    expect([missing.exit, missing.stderr]).toEqual([3, expect.stringContaining("does not exist")]);
  });

  test("session start without an id prints the new id on stderr, beside the context block", async () => {
    const { stdout, stderr } = await sandbox.run(["session", "start", "--title", "the bill"], { cwd: shop });
    const id = /^session (ses_\w{26})\n$/u.exec(stderr)?.[1] ?? "";
    expect(stdout).not.toContain(id);
    expect(await askedInShop("session", "end", id)).toBe("session completed\n");
    const quiet = await sandbox.runHere(["session", "start", "--quiet"], { cwd: shop });
    expect(quiet.stderr).toBe("");
  });

  test("observe cuts an AGENT_ID that is too long, as other commands do", async () => {
    const env = { AGENT_ID: "a".repeat(300) };
    const stdin = JSON.stringify({ hook_event_name: "Stop", session_id: "of-a-long-name", cwd: shop });
    expect(await sandbox.runHere(["observe", "--strict"], { stdin, env })).toMatchObject({
      exit: 0,
      stderr: "",
    });
    const found = await askedInShop("session", "list", "--agent-id", "a".repeat(128), "--json");
    expect(JSON.parse(found)).toMatchObject({ sessions: [{ id: "of-a-long-name" }] });
  });

  test("compress-file shortens a Markdown file with a relative path", async () => {
    writeFileSync(join(shop, "src", "notes.md"), `one${"\n".repeat(40)}two\n`);
    const shown = await askedInShop("compress-file", "notes.md");
    expect(shown).toBe(
      `9 characters of 47, 81 % less, by rules\nthe original is ${join(shop, "src", "notes.original.md")}\n`,
    );
    expect(readFileSync(join(shop, "src", "notes.md"), "utf8")).toBe("one\n\ntwo\n");
    expect(await askedInShop("compress-file", "notes.md")).toMatch(/^left as it is, nothing to gain: /u);
  });

  test("the working trees of a bare repository share one project", async () => {
    const bare = join(realpathSync(sandbox.home), "cellar.git");
    const trees = ["red", "white"].map((name) => {
      const tree = join(bare, "..", "cellar", name);
      mkdirSync(join(bare, "worktrees", name), { recursive: true });
      mkdirSync(tree, { recursive: true });
      writeFileSync(join(tree, ".git"), `gitdir: ${join(bare, "worktrees", name)}\n`);
      return tree;
    });
    writeFileSync(join(bare, "config"), "[core]\n\tbare = true\n");
    const [red = "", white = ""] = trees;
    await sandbox.runHere(["remember", "Corks are checked in March", "--project", "."], { cwd: red });
    expect((await sandbox.runHere(["context"], { cwd: white })).stdout).toContain(
      "Corks are checked in March",
    );
    expect((await askedInShop("context")).includes("Corks")).toBe(false);
  });

  test("work in a linked working tree belongs to the project of the main working tree", async () => {
    const tree = join(realpathSync(sandbox.home), "trees", "cart-fix");
    mkdirSync(tree, { recursive: true });
    writeFileSync(join(tree, ".git"), `gitdir: ${join(shop, ".git", "worktrees", "cart-fix")}\n`);
    const prompt = {
      hook_event_name: "UserPromptSubmit",
      session_id: "two",
      cwd: tree,
      prompt: "Mend the cart",
    };
    const seen = await sandbox.runHere(["observe"], { cwd: tree, stdin: JSON.stringify(prompt) });
    expect(seen.exit).toBe(0);
    await sandbox.runHere(["remember", "Carts expire after a day", "--project", shop]);
    const block = await sandbox.runHere(["context"], { cwd: tree });
    expect(block.stdout).toContain("Carts expire after a day");
    expect(await askedInShop("session", "list", "--project", shop)).toMatch(
      new RegExp(`^two {2}${shop} {2}`, "mu"),
    );
    // So does what is asked and kept for the folder there, or for one below.
    for (const cwd of [tree, join(shop, "src")]) {
      expect((await sandbox.runHere(["session", "list", "--project", "."], { cwd })).stdout).toContain(
        "two ",
      );
      await sandbox.runHere(["remember", `Said in ${cwd}: canaries`, "--project", "."], { cwd });
    }
    const { memories } = JSON.parse(await askedInShop("memory", "list", "--json")) as {
      memories: { content: string; project: string }[];
    };
    const said = memories.filter(({ content }) => content.includes("canaries"));
    expect(new Set(said.map(({ project }) => project))).toEqual(new Set([shop]));
    expect(await askedInShop("context")).toContain("canaries");
  });

  test("a folder with the same name inside a project belongs to that project", async () => {
    const inner = join(shop, "shop");
    mkdirSync(inner, { recursive: true });
    const prompt = { hook_event_name: "UserPromptSubmit", session_id: "inner", cwd: inner, prompt: "Look" };
    await sandbox.runHere(["observe", "--hook", "claude-code"], {
      cwd: inner,
      stdin: JSON.stringify(prompt),
    });
    await sandbox.runHere(["remember", "Narwhals are never harpooned", "--project", "shop"], { cwd: shop });
    expect(await askedInShop("search", "narwhals", "--project", shop)).toContain("never harpooned");
    expect(await askedInShop("session", "list", "--project", shop)).toContain("inner ");
  });

  test("a timeline names the project wherever it changes", async () => {
    const place = (name: string) => join(sandbox.home, "timeline", name);
    for (const [at, name] of ["first", "first", "second"].entries()) {
      const cwd = place(name);
      mkdirSync(cwd, { recursive: true });
      const timestamp = `2026-01-01T00:00:0${at}.000Z`;
      const data = { prompt: `Plant tree ${at}` };
      const event = { sessionId: name, project: cwd, cwd, hookType: "prompt_submit", timestamp, data };
      await sandbox.runHere(["observe"], { stdin: JSON.stringify(event) });
    }
    const around = async (...args: string[]) =>
      (await askedInShop("timeline", "2026-01-01T00:00:01Z", "--before", "1", "--after", "1", ...args)).match(
        /^in .*|tree \d/gmu,
      );
    expect(await around()).toEqual([
      `in ${place("first")}`,
      "tree 0",
      "tree 1",
      `in ${place("second")}`,
      "tree 2",
    ]);
    expect(await around("--project", place("first"))).toEqual(["tree 0", "tree 1"]);
  });

  test("a tool call with a start and an end is shown once, at its end", async () => {
    const call = (hook: string, id: string, command: string) => ({
      hook_event_name: hook,
      session_id: "calls",
      cwd: shop,
      tool_name: "Bash",
      tool_use_id: id,
      tool_input: { command },
      ...(hook === "PreToolUse" ? {} : { tool_response: { stdout: "fine", stderr: "" } }),
    });
    const events = [
      call("PreToolUse", "a", "make lint"),
      call("PostToolUse", "a", "make lint"),
      call("PreToolUse", "b", "make lint"),
      call("PostToolUse", "b", "make lint"),
      call("PreToolUse", "c", "make all"),
    ];
    for (const event of events) await sandbox.runHere(["observe"], { stdin: JSON.stringify(event) });
    const shown = await askedInShop("session", "show", "calls");
    const rowsOf = (text: string, title: string) => text.split("\n").filter((row) => row.includes(title));
    expect(rowsOf(shown, "make lint")).toHaveLength(2);
    // This one still runs.
    expect(rowsOf(shown, "make all")).toHaveLength(1);
    expect(shown).toContain("the starts of 2 tool calls are left out");
    const listed = JSON.parse(await askedInShop("session", "show", "calls", "--json")) as {
      observations: readonly { id: string; hookType: string; title: string }[];
    };
    expect(listed.observations).toHaveLength(5);
    const around = await askedInShop("timeline", listed.observations[3]?.id ?? "");
    expect(rowsOf(around, "make lint")).toHaveLength(2);
    // What was asked for is shown, whatever it is.
    const [first] = listed.observations;
    expect(await askedInShop("timeline", first?.id ?? "")).toMatch(new RegExp(`^> .*${first?.id}`, "mu"));
  });
});
