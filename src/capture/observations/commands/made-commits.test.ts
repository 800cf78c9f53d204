import { describe, expect, test } from "vitest";
import { madeCommits } from "./made-commits.ts";

const printed = `[main 3f2a91c] feat: cart keeps its coupons
 2 files changed, 31 insertions(+), 4 deletions(-)
 create mode 100644 src/coupons.ts
`;

describe("commits that a command made", () => {
  test("are read from git's output, wherever git stands in the command", () => {
    const made = [{ sha: "3f2a91c", branch: "main", message: "feat: cart keeps its coupons" }];
    expect(madeCommits("git commit -am 'feat: cart keeps its coupons'", printed)).toEqual(made);
    expect(madeCommits("cd shop && git add -A && git commit -F msg && git push", `ok\n${printed}`)).toEqual(
      made,
    );
    expect(madeCommits("git -C /srv/shop commit --amend --no-edit", printed.replace(/\n/g, "\r\n"))).toEqual(
      made,
    );
  });

  test.each([
    'git -c user.name="Ann O" -c user.email=a@example.org commit -m x',
    "GIT_COMMITTER_DATE='2026-03-01 12:00' git commit -m x",
    "if ! git diff --cached --quiet; then git commit -m x; fi",
    "(git commit -m x)",
    "timeout 60 git commit -m x",
    "git add a && \\\n  git commit -m x",
    'bash -lc "cd shop && git commit -m \\"x\\""',
    "cat > NOTES.md <<'EOF'\nIt's a note\nEOF\ngit add NOTES.md && git commit -m x",
    `cat > long.md <<EOF\n${"a line\n".repeat(400)}EOF\ngit commit -m x`,
    'git add a && git commit -m "$(cat <<\'EOF\'\nIt\'s the "cart; git"\nEOF\n)" && git push',
    "bash -e <<EOF\ngit commit -m x\nEOF",
    "git merge --continue",
    "GIT_EDITOR=true git rebase --continue",
  ])("are read from the output, however the command calls git (%#)", (command) => {
    expect(madeCommits(command, printed)).toMatchObject([{ sha: "3f2a91c" }]);
  });

  test("include root commits, detached heads, branches with slashes and other languages", () => {
    const lines = [
      "[main (root-commit) 0a1b2c3] first",
      "[detached HEAD 1a1b2c3] try it",
      "[feature/cart-2 (Root-Commit) 2a1b2c3d4e5] [wip] brackets",
      "[losgelöster HEAD 3a1b2c3] noch einmal",
      "[main（根提交） 4a1b2c3] 一",
      "[分离头指针 5a1b2c3] 二",
    ];
    expect(madeCommits("git commit -m x; git cherry-pick a b; git revert c", lines.join("\n"))).toEqual([
      { sha: "0a1b2c3", branch: "main", message: "first" },
      { sha: "1a1b2c3", message: "try it" },
      { sha: "2a1b2c3d4e5", branch: "feature/cart-2", message: "[wip] brackets" },
      { sha: "3a1b2c3", message: "noch einmal" },
      { sha: "4a1b2c3", branch: "main", message: "一" },
      { sha: "5a1b2c3", message: "二" },
    ]);
  });

  test("are none if another command prints such lines or git commits nothing", () => {
    expect(madeCommits("cat notes.txt", printed)).toEqual([]);
    expect(madeCommits("git log -1", printed)).toEqual([]);
    expect(madeCommits("cat > x.sh <<EOF\ngit commit -m x\nEOF\ncat notes.txt", printed)).toEqual([]);
    expect(madeCommits(undefined, printed)).toEqual([]);
    expect(madeCommits("git commit -m x", "On branch main\nnothing to commit, working tree clean")).toEqual(
      [],
    );
    expect(madeCommits("git commit -m x", "  [main 3f2a91c] quoted\n[INFO] 1234567] no")).toEqual([]);
  });

  test("are found quickly after a long line of brackets", () => {
    expect(madeCommits("git commit -m x", `${"[a (".repeat(50_000)}\n${printed}`)).toHaveLength(1);
  });
});
