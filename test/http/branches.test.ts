import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { branchSessions, detectBranch, listWorktrees } from "../../src/capture/branches/operations.ts";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { processorTimer } from "../support/processor-time.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const sha = "3f2a91c0d4e5b6a7988776655443322110ffeedd";
const other = "1111111111111111111111111111111111111111";
const hasGit = spawnSync("git", ["--version"]).status === 0;

const http = forEachTest(openTestHttp);
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Makes files below the test's folder; a path that ends in `/` is a folder. */
function make(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(path.endsWith("/") ? target : join(target, ".."), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(target, text);
  }
}

const repository = (at: string, head = "ref: refs/heads/main\n") => ({
  [`${at}/HEAD`]: head,
  [`${at}/objects/`]: "",
  [`${at}/refs/heads/`]: "",
});

const detect = (path: string) => http.ok(detectBranch, { cwd: join(folder, path) });
const worktrees = async (path: string) =>
  (await http.ok(listWorktrees, { cwd: join(folder, path) })).worktrees;

describe("a repository on disk", () => {
  test("is found from any folder below it", async () => {
    make({ ...repository("shop/.git", "ref: refs/heads/feature/cart\n"), "shop/src/deep/": "" });
    expect(await detect("shop/src/deep")).toMatchObject({
      isWorktree: false,
      branch: "feature/cart",
      topLevel: join(folder, "shop"),
      mainRepoRoot: join(folder, "shop"),
      gitDir: join(folder, "shop/.git"),
      commonDir: join(folder, "shop/.git"),
    });
  });

  test("outside a repository all fields are null, and a missing folder is a 404", async () => {
    make({ "plain/": "", "plain/.git": "not a git folder", "plain/file.txt": "" });
    expect(await detect("plain")).toEqual({
      isWorktree: false,
      branch: null,
      topLevel: null,
      mainRepoRoot: null,
      gitDir: null,
      commonDir: null,
    });
    expect(await worktrees("plain")).toEqual([]);
    for (const path of ["nowhere", "plain/file.txt"]) {
      expect((await http.reply(detectBranch, { cwd: join(folder, path) })).status).toBe(404);
    }
    expect((await http.reply(detectBranch, { cwd: " " })).status).toBe(400);
  });

  test.each([
    ["a commit", `${sha}\n`, null, sha],
    ["a branch with a file of its own", "ref: refs/heads/loose\n", "loose", sha],
    ["a packed branch", "ref: refs/heads/packed\n", "packed", other],
    ["a branch without commits", "ref: refs/heads/unborn\n", "unborn", null],
    ["a branch that stands for another", "ref: refs/heads/alias\n", "alias", sha],
    ["a branch that stands for itself", "ref: refs/heads/loop\n", "loop", null],
    ["a name that leads out", "ref: refs/heads/../../../../secret\n", "../../../../secret", null],
    ["a table of references", "ref: refs/heads/.invalid\n", null, null],
    ["nothing that git writes", "who knows\n", null, null],
  ])("whose HEAD is %s reports its branch and commit", async (_name, head, branch, commit) => {
    make({
      ...repository("shop/.git", head),
      "shop/.git/refs/heads/loose": `${sha}\n`,
      "shop/.git/refs/heads/alias": "ref: refs/heads/loose\n",
      "shop/.git/refs/heads/loop": "ref: refs/heads/loop\n",
      "shop/.git/packed-refs": `# pack-refs with: peeled fully-peeled sorted\n${sha} refs/heads/not-packed\n${other} refs/heads/packed\n^${sha}\n`,
      secret: sha,
    });
    expect(await worktrees("shop")).toEqual([
      { path: join(folder, "shop"), head: commit, branch, bare: false },
    ]);
    expect((await detect("shop")).branch).toBe(branch);
  });

  test("with ten times as many packed references takes no more than about ten times as long to read", async () => {
    make(repository("shop/.git", "ref: refs/heads/größe\n"));
    const reading = async (count: number) => {
      const lines = `${sha} refs/heads/x\n`.repeat(count);
      make({ "shop/.git/packed-refs": `${lines}${other} refs/heads/größe` });
      const times: number[] = [];
      // The least of some: now and then garbage of earlier tests is collected meanwhile.
      while (times.length < 5) {
        const spent = processorTimer();
        expect(await worktrees("shop")).toMatchObject([{ branch: "größe", head: other }]);
        times.push(spent());
      }
      return Math.min(...times);
    };
    const [some, many] = [await reading(100_000), await reading(1_000_000)];
    // Chance may double it; quadratic reading would take a hundred times as long.
    expect(many / some).toBeLessThan(30);
  });

  test("is found through symbolic links, and may have a symbolic link as HEAD", async () => {
    make({ ...repository("shop/kept"), "shop/src/": "" });
    rmSync(join(folder, "shop/kept/HEAD"));
    writeFileSync(join(folder, "shop/kept/refs/heads/old"), sha);
    symlinkSync("refs/heads/old", join(folder, "shop/kept/HEAD"));
    symlinkSync("kept", join(folder, "shop/.git"));
    symlinkSync("shop", join(folder, "way"));
    expect(await detect("way/src")).toMatchObject({
      branch: "old",
      topLevel: join(folder, "shop"),
      gitDir: join(folder, "shop/kept"),
    });
  });

  test("whose HEAD is a named pipe counts as no repository and blocks nothing", async () => {
    make({ ...repository("shop/.git") });
    rmSync(join(folder, "shop/.git/HEAD"));
    execFileSync("mkfifo", [join(folder, "shop/.git/HEAD")]);
    expect((await detect("shop")).gitDir).toBeNull();
  });
});

describe.skipIf(!hasGit)("a repository made by git", () => {
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: "/nowhere",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ann",
    GIT_AUTHOR_EMAIL: "ann@example.org",
    GIT_COMMITTER_NAME: "Ann",
    GIT_COMMITTER_EMAIL: "ann@example.org",
  };
  const git = (at: string, ...args: readonly string[]) =>
    execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
      cwd: join(folder, at),
      env: environment,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();

  function commitIn(path: string): void {
    git(".", "init", "-q", "-b", "main", path);
    git(path, "commit", "-q", "--allow-empty", "-m", "first");
  }

  /** The paths that git itself reports for a folder. */
  function gitSays(path: string) {
    const flags = ["--path-format=absolute", "--git-dir", "--git-common-dir", "--show-toplevel"];
    const [gitDir, commonDir, topLevel] = git(path, "rev-parse", ...flags).split("\n");
    return { gitDir, commonDir, topLevel };
  }

  test("with linked worktrees gives the same answers as git, packed or not", async () => {
    commitIn("shop");
    git("shop", "worktree", "add", "-q", "-b", "next", "../next");
    git("shop", "worktree", "add", "-q", "--detach", "inside/detached");
    for (const packed of [false, true]) {
      if (packed) git("shop", "pack-refs", "--all");
      const head = git("shop", "rev-parse", "HEAD");
      expect(await worktrees("next")).toEqual([
        { path: join(folder, "shop"), head, branch: "main", bare: false },
        { path: join(folder, "next"), head, branch: "next", bare: false },
        { path: join(folder, "shop/inside/detached"), head, branch: null, bare: false },
      ]);
    }
    expect(await detect("next")).toMatchObject({
      isWorktree: true,
      branch: "next",
      mainRepoRoot: join(folder, "shop"),
      ...gitSays("next"),
    });
    expect(await detect("shop/inside/detached")).toMatchObject({ isWorktree: true, branch: null });
    expect(await detect("shop")).toMatchObject({ isWorktree: false, ...gitSays("shop") });
  });

  test("that is bare has no top level and is listed first among its worktrees", async () => {
    commitIn("shop");
    git(".", "clone", "-q", "--bare", "shop", "bare.git");
    git("bare.git", "worktree", "add", "-q", "../linked", "main");
    const bare = join(folder, "bare.git");
    expect(await detect("bare.git")).toMatchObject({ topLevel: null, gitDir: bare, mainRepoRoot: bare });
    expect(await detect("linked")).toMatchObject({
      isWorktree: true,
      mainRepoRoot: bare,
      topLevel: join(folder, "linked"),
    });
    expect(await worktrees("linked")).toMatchObject([
      { path: bare, bare: true },
      { path: join(folder, "linked"), branch: "main", bare: false },
    ]);
  });

  test("with a submodule reports the submodule as its own repository with its own worktrees", async () => {
    commitIn("part");
    commitIn("shop");
    git("shop", "submodule", "add", "-q", join(folder, "part"), "lib/part");
    git("shop/lib/part", "worktree", "add", "-q", "-b", "side", join(folder, "side"));
    const top = join(folder, "shop/lib/part");
    expect(await detect("shop/lib/part")).toMatchObject({
      isWorktree: false,
      branch: "main",
      mainRepoRoot: top,
      ...gitSays("shop/lib/part"),
    });
    expect(await detect("side")).toMatchObject({ isWorktree: true, branch: "side", mainRepoRoot: top });
    expect((await worktrees("side")).map(({ path }) => path)).toEqual([top, join(folder, "side")]);
  });

  test("with a separate git directory is found through its .git file", async () => {
    git(".", "init", "-q", "-b", "main", "--separate-git-dir", "kept", "shop");
    expect(readFileSync(join(folder, "shop/.git"), "utf8")).toContain("gitdir:");
    expect(await detect("shop")).toMatchObject({
      branch: "main",
      mainRepoRoot: join(folder, "shop"),
      ...gitSays("shop"),
    });
  });
});

describe("the sessions of a repository", () => {
  const begin = (sessionId: string, cwd: string, agentId?: string) => {
    http.advance(1_000);
    return http.ok(startSession, { sessionId, project: "shop", cwd, agentId });
  };

  beforeEach(() =>
    make({
      ...repository("shop/.git"),
      "shop/.git/worktrees/next/HEAD": "ref: refs/heads/next\n",
      "shop/.git/worktrees/next/commondir": "../..\n",
      "shop/.git/worktrees/next/gitdir": `${join(folder, "next/.git")}\n`,
      "shop/src/": "",
      "next/.git": `gitdir: ${join(folder, "shop/.git/worktrees/next")}\n`,
      "shop-two/": "",
    }),
  );

  test("are those in it, below it and in its worktrees, newest first and paged", async () => {
    await begin("top", join(folder, "shop"));
    await begin("below", join(folder, "shop/src"));
    await begin("beside", join(folder, "shop-two"));
    await begin("linked", join(folder, "next"));
    const answer = await http.ok(branchSessions, { cwd: join(folder, "next") });
    expect(answer.sessions.map(({ id }) => id)).toEqual(["linked", "below", "top"]);
    expect(answer).toMatchObject({
      projectRoot: join(folder, "shop"),
      branch: "next",
      isWorktree: true,
      total: 3,
      offset: 0,
      limit: 100,
    });
    const page = await http.ok(branchSessions, { cwd: join(folder, "shop"), limit: 1, offset: 1 });
    expect(page).toMatchObject({ total: 3, sessions: [{ id: "below" }], isWorktree: false });
  });

  test("include those started through a symbolic link when asked through the same link", async () => {
    symlinkSync("shop", join(folder, "way"));
    await begin("linked way", join(folder, "way/src"));
    const answer = await http.ok(branchSessions, { cwd: join(folder, "way/src") });
    expect(answer.sessions.map(({ id }) => id)).toEqual(["linked way"]);
  });

  test("include those started through any symbolic link, when asked through none or another one", async () => {
    for (const name of ["way", "another"]) symlinkSync("shop", join(folder, name));
    symlinkSync("shop-two", join(folder, "way-two"));
    await begin("beside", join(folder, "way-two"));
    await begin("gone", join(folder, "gone"));
    await begin("linked way", join(folder, "way/src"));
    await begin("real", join(folder, "shop/src"));
    for (const cwd of ["shop", "shop/src", "next", "another/src", "way"]) {
      const answer = await http.ok(branchSessions, { cwd: join(folder, cwd) });
      expect(answer.sessions.map(({ id }) => id)).toEqual(["real", "linked way"]);
    }
  });

  test("are empty outside a repository, and limited to an agent when one is named", async () => {
    await begin("of ann", join(folder, "shop"), "ann");
    await begin("of bob", join(folder, "shop"), "bob");
    await begin("elsewhere", join(folder, "shop-two"));
    const { sessions } = await http.ok(branchSessions, { cwd: join(folder, "shop"), agentId: "ann" });
    expect(sessions.map(({ id }) => id)).toEqual(["of ann"]);
    expect(await http.ok(branchSessions, { cwd: join(folder, "shop-two") })).toMatchObject({
      sessions: [],
      projectRoot: null,
      branch: null,
      total: 0,
    });
  });
});
