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

  test("include root commits, detached heads, branches with slashes and other languages", () => {
    const lines = [
      "[main (root-commit) 0a1b2c3] first",
      "[detached HEAD 1a1b2c3] try it",
      "[feature/cart-2 (Root-Commit) 2a1b2c3d4e5] [wip] brackets",
      "[losgelöster HEAD 3a1b2c3] noch einmal",
    ];
    expect(madeCommits("git commit -m x; git cherry-pick a b; git revert c", lines.join("\n"))).toEqual([
      { sha: "0a1b2c3", branch: "main", message: "first" },
      { sha: "1a1b2c3", message: "try it" },
      { sha: "2a1b2c3d4e5", branch: "feature/cart-2", message: "[wip] brackets" },
      { sha: "3a1b2c3", message: "noch einmal" },
    ]);
  });

  test("are none if another command prints such lines or git commits nothing", () => {
    expect(madeCommits("cat notes.txt", printed)).toEqual([]);
    expect(madeCommits("git log -1", printed)).toEqual([]);
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
