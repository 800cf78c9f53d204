import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { listSessions } from "../../src/capture/sessions/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

const shas = new Map([..."abcdef0123456789"].map((digit) => [digit, digit.repeat(40)]));

/** A repository whose log of HEAD has these lines; each is at another second before noon. */
function repository(name: string, lines: readonly (readonly [before: string, sha: string, told: string])[]) {
  const folder = join(http.home, name);
  for (const part of ["objects", "refs/heads", "logs"])
    mkdirSync(join(folder, ".git", part), { recursive: true });
  writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
  const begin = Date.parse("2026-03-01T11:59:00Z") / 1_000;
  writeFileSync(
    join(folder, ".git", "logs", "HEAD"),
    lines
      .map(([before, sha, told], index) => [shas.get(before), shas.get(sha), begin + index, told] as const)
      .map(([before, sha, at, told]) => `${before} ${sha} Ann <ann@example.com> ${at} +0100\t${told}\n`)
      .join(""),
  );
  return folder;
}

/** The first digits of the commits that a session is linked to after it ran a command. */
async function commitsOf(sessionId: string, cwd: string, command: string, stdout = ""): Promise<string> {
  await http.ok(observe, {
    ...{ project: "shop", cwd, sessionId, hookType: "post_tool_use", timestamp: "2026-03-01T12:00:00Z" },
    data: { tool_name: "Bash", tool_input: { command }, tool_response: { stdout } },
  });
  const { sessions } = await http.ok(listSessions, {});
  const linked = sessions.find(({ id }) => id === sessionId)?.commitShas ?? [];
  return linked.map((sha) => sha.charAt(0)).join("");
}

test("patches that are applied, rebased commits and merges of a pull are linked to the session", async () => {
  const rebased = repository("rebased", [
    ["0", "a", "commit (initial): feat: cart"],
    ["a", "b", "rebase (start): checkout main"],
    ["b", "c", "rebase (pick): feat: cart"],
    ["c", "d", "rebase (squash): # This is a combination of 2 commits."],
    ["d", "e", "rebase (fixup): feat: cart"],
    ["e", "f", "rebase (pick): feat: prices"],
    ["f", "f", "rebase (finish): returning to refs/heads/cart"],
  ]);
  expect(await commitsOf("rebases", rebased, "git fetch -q && git rebase main 2>&1 | tail -1")).toBe("ef");
  expect(await commitsOf("gives-up", rebased, "git rebase --abort")).toBe("");
  expect(await commitsOf("commits", rebased, "git commit -qm 'feat: prices'")).toBe("");
  const printed = `[detached HEAD ${"e".repeat(7)}] feat: cart\nRebasing (2/2)\n`;
  expect(await commitsOf("goes-on", rebased, "git rebase --continue", printed)).toBe("ef");

  const patched = repository("patched", [
    ["0", "a", "am: feat: cart"],
    ["a", "b", "am: feat: prices"],
  ]);
  expect(
    await commitsOf("applies", patched, "git am --3way ../patches/*.patch", "Applying: feat: cart"),
  ).toBe("ab");
  expect(await commitsOf("shows", patched, "git am --show-current-patch")).toBe("");

  const pulled = repository("pulled", [
    ["0", "a", "pull --no-rebase --no-edit origin main: Merge made by the 'ort' strategy."],
    ["a", "b", "pull: Fast-forward"],
    ["b", "c", "pull --rebase https://example.com/shop.git main (start): checkout 1234567"],
    ["c", "d", "pull --rebase https://example.com/shop.git main (pick): feat: cart"],
    ["d", "e", "pull: Merge made by the 'ort' strategy."],
  ]);
  expect(await commitsOf("pulls", pulled, "git pull --no-rebase --no-edit origin main 2>&1 | tail -3")).toBe(
    "a",
  );
  const elsewhere = "git -C pulled pull --rebase https://example.com/shop.git main";
  expect(await commitsOf("pulls-there", http.home, elsewhere)).toBe("d");
  expect(await commitsOf("pulls-all", pulled, "git pull && npm test")).toBe("e");
  expect(await commitsOf("pulls-other", pulled, "git pull origin dev")).toBe("");
});

test("a quiet commit is linked by the file with its message, and in a folder that the command names", async () => {
  const shop = repository("shop", [
    ["0", "a", "commit: feat: cart"],
    ["a", "b", "commit: feat: prices"],
  ]);
  writeFileSync(join(shop, "message.txt"), "\nfeat: prices\n\nThey have no tax.\n");
  expect(await commitsOf("file", shop, "git commit -q -F message.txt")).toBe("b");
  expect(await commitsOf("short", shop, "git add -A && git commit -qF 'message.txt' && npm test")).toBe("b");
  expect(await commitsOf("long", http.home, "cd shop; git commit --quiet --file=message.txt")).toBe("b");
  execFileSync("mkfifo", [join(shop, "pipe")]);
  expect(await commitsOf("pipe", shop, "git commit -q -F pipe; git commit -q -F /proc/kmsg")).toBe("");
  expect(await commitsOf("none", shop, "git commit -q -F other.txt")).toBe("");

  expect(await commitsOf("set", http.home, `SHOP=${shop}; cd "$SHOP" && git commit -qm 'feat: cart'`)).toBe(
    "a",
  );
  const exported = `export ROOT=${http.home}\nP=$ROOT/shop\ngit -C "\${P}" commit -qm 'feat: cart'`;
  expect(await commitsOf("exported", http.home, exported)).toBe("a");
  expect(await commitsOf("quoted", http.home, `P=${shop}; cd '$P' && git commit -qm 'feat: cart'`)).toBe("");
});
