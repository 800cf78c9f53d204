import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findByCommit, linkCommit, listCommits } from "../../src/capture/commits/operations.ts";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession, listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import { openTestCore } from "../support/core.ts";
import { exported } from "../support/exported-store.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const sha = "3f2a91c0d4e5b6a7988776655443322110ffeedd";
const place = { project: "shop", cwd: "/home/dev/shop" };

const http = forEachTest(openTestHttp);

const begin = (sessionId: string) => http.ok(startSession, { ...place, sessionId });

async function commitShas(sessionId: string): Promise<readonly string[]> {
  const { sessions } = await http.ok(listSessions, {});
  return sessions.find(({ id }) => id === sessionId)?.commitShas ?? [];
}

async function auditEntries() {
  return (await http.ok(listAudit, { operation: "commit_link" })).entries;
}

describe("linking a commit", () => {
  test("returns the link, with empty texts for the fields that were not given", async () => {
    const { commit } = await http.ok(linkCommit, { sha });
    expect(commit).toEqual({
      sha,
      shortSha: "3f2a91c",
      branch: "",
      message: "",
      sessionIds: [],
      linkedAt: "2026-03-01T12:00:00.000Z",
      files: [],
      updatedAt: "2026-03-01T12:00:00.000Z",
    });
  });

  test("adds sessions and files, replaces other fields and keeps the time of the first link", async () => {
    await http.ok(linkCommit, {
      sha,
      sessionId: "one",
      branch: "main",
      message: "first",
      files: ["a.ts", "b.ts"],
    });
    http.advance(1_000);
    const { commit } = await http.ok(linkCommit, {
      sha,
      sessionId: "two",
      message: "feat: cart",
      author: "Ann",
      repo: "shop",
      authoredAt: "2026-02-28T10:00:00+01:00",
      files: ["b.ts", "c.ts"],
    });
    expect(commit).toMatchObject({
      sessionIds: ["one", "two"],
      files: ["a.ts", "b.ts", "c.ts"],
      branch: "main",
      message: "feat: cart",
      author: "Ann",
      repo: "shop",
      authoredAt: "2026-02-28T09:00:00.000Z",
      linkedAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T12:00:01.000Z",
    });
  });

  test.each([
    ["branch", "next"],
    ["message", "feat: cart"],
    ["repo", "shop"],
    ["author", "Ann"],
    ["authoredAt", "2026-02-28T09:00:00.000Z"],
    ["files", ["a.ts", "b.ts"]],
  ])("changes it if only its %s is another, and not if it is the same", async (field, value) => {
    await http.ok(linkCommit, { sha, branch: "main", files: ["a.ts"] });
    for (const at of [1, 1]) {
      http.advance(1_000);
      const { commit } = await http.ok(linkCommit, { sha, [field]: value });
      expect(commit).toMatchObject({ [field]: value, updatedAt: `2026-03-01T12:00:0${at}.000Z` });
    }
    expect(await auditEntries()).toHaveLength(2);
  });

  test("adds the sha to the session once and counts as activity, without reopening the session", async () => {
    await begin("one");
    await http.ok(endSession, { sessionId: "one" });
    http.advance(5_000);
    await http.ok(linkCommit, { sha, sessionId: "one" });
    await http.ok(linkCommit, { sha, sessionId: "one" });
    const [session] = (await http.ok(listSessions, {})).sessions;
    expect(session).toMatchObject({
      commitShas: [sha],
      status: "completed",
      updatedAt: "2026-03-01T12:00:05.000Z",
    });
  });

  test("links to a session that is started or first observed later", async () => {
    await http.ok(linkCommit, { sha, sessionId: "started" });
    await http.ok(linkCommit, { sha, sessionId: "observed" });
    await begin("started");
    await http.ok(observe, {
      ...place,
      sessionId: "observed",
      hookType: "prompt_submit",
      timestamp: "2026-03-01T12:00:00Z",
      data: { prompt: "hello" },
    });
    expect([await commitShas("started"), await commitShas("observed")]).toEqual([[sha], [sha]]);
    const { sessions } = await http.ok(findByCommit, { sha });
    expect(sessions.map(({ id }) => id).sort()).toEqual(["observed", "started"]);
  });

  test("lower-cases a hexadecimal sha and keeps other revision names as they are", async () => {
    expect((await http.ok(linkCommit, { sha: sha.toUpperCase() })).commit.sha).toBe(sha);
    expect((await http.ok(linkCommit, { sha: "r1234:MAIN" })).commit.sha).toBe("r1234:MAIN");
  });

  test("drops files that are not text", async () => {
    const reply = await http.reply(linkCommit, { sha, files: ["a.ts", 1, null, {}] });
    expect([reply.status, (reply.body.commit as { files: unknown }).files]).toEqual([200, ["a.ts"]]);
  });

  test("redacts secrets in the message and the repository address", async () => {
    const token = `ghp_${"aB3dE5gH7j".repeat(4)}`;
    const { commit } = await http.ok(linkCommit, {
      sha,
      message: `rotate ${token}`,
      repo: "https://ann:hunter2secret@git.example.org/shop.git",
    });
    expect(commit.message).toBe("rotate [REDACTED_SECRET]");
    expect(commit.repo).not.toContain("hunter2secret");
  });

  test.each([
    ["no sha", {}],
    ["a blank in the sha", { sha: "3f2a 91c" }],
    ["a sha of 129 characters", { sha: "a".repeat(129) }],
    ["a long message", { sha, message: "x".repeat(20_001) }],
    ["too many files", { sha, files: Array.from({ length: 1_001 }, (_, at) => `f${at}`) }],
    ["a time that is none", { sha, authoredAt: "yesterday" }],
  ])("refuses %s with 400", async (_name, input) => {
    const { status, body } = await http.reply(linkCommit, input);
    expect([status, body.error]).toEqual([400, expect.any(String)]);
    expect((await http.ok(listCommits, {})).total).toBe(0);
  });

  test("writes one audit entry per change and none when nothing changes", async () => {
    await http.ok(linkCommit, { sha, sessionId: "one", agentId: "bob", branch: "main" });
    await http.ok(linkCommit, { sha, sessionId: "one", agentId: "bob", branch: "main" });
    expect(await auditEntries()).toEqual([
      expect.objectContaining({
        functionId: "session.commit",
        targetIds: [sha, "one"],
        details: { sha },
        agentId: "bob",
      }),
    ]);
    await http.ok(linkCommit, { sha, branch: "release" });
    await http.ok(linkCommit, { sha, sessionId: "two" });
    expect(await auditEntries()).toHaveLength(3);
  });

  test("keeps a thousand files, of which the first are those that were linked first", async () => {
    const files = (from: number) => Array.from({ length: 600 }, (_, at) => `f${from + at}`);
    await http.ok(linkCommit, { sha, files: files(0) });
    const { commit } = await http.ok(linkCommit, { sha, files: files(600) });
    expect([commit.files.length, commit.files[0], commit.files.at(-1)]).toEqual([1_000, "f0", "f999"]);
  });

  test("changes when one of its sessions is forgotten", async () => {
    for (const sessionId of ["one", "two"]) {
      await begin(sessionId);
      await http.ok(linkCommit, { sha, sessionId });
    }
    await http.ok(linkCommit, { sha: "aaaabbbb" });
    http.advance(1_000);
    await http.ok(forget, { sessionId: "one", includeSession: true });
    expect((await http.ok(listCommits, {})).commits).toMatchObject([
      { sha: "aaaabbbb", updatedAt: "2026-03-01T12:00:00.000Z" },
      { sha, sessionIds: ["two"], updatedAt: "2026-03-01T12:00:01.000Z" },
    ]);
  });
});

describe("short and long forms of a sha", () => {
  test("are one commit under the longer form, whichever comes first, also in the session", async () => {
    await begin("one");
    await http.ok(linkCommit, { sha: "3f2a91c", sessionId: "one", message: "first", files: ["a.ts"] });
    expect((await http.ok(linkCommit, { sha, sessionId: "two", files: ["b.ts"] })).commit).toMatchObject({
      sha,
      sessionIds: ["one", "two"],
      message: "first",
      files: ["a.ts", "b.ts"],
    });
    expect((await http.ok(linkCommit, { sha: "3f2a91c0d4", sessionId: "three" })).commit).toMatchObject({
      sha,
      sessionIds: ["one", "two", "three"],
    });
    expect((await http.ok(listCommits, {})).total).toBe(1);
    expect(await commitShas("one")).toEqual([sha]);
  });

  test("change when only the form is another, and an explicit link is not taken for one that was captured", async () => {
    await http.ok(linkCommit, { sha: "3f2a91c" });
    http.advance(1_000);
    expect((await http.ok(linkCommit, { sha: "3f2a91c0d4" })).commit.updatedAt).toBe(
      "2026-03-01T12:00:01.000Z",
    );
    expect(await auditEntries()).toHaveLength(2);
    const noted = { tool_name: "Bash", tool_input: { command: "git commit -m x" } };
    await http.ok(observe, {
      ...{ ...place, sessionId: "one", hookType: "post_tool_use", timestamp: "2026-03-01T12:00:00Z" },
      data: { ...noted, tool_response: { stdout: "[main 3f2a91c0d4e5] x\n 1 file changed" } },
    });
    const { commits } = await http.ok(listCommits, {});
    expect(commits).toMatchObject([{ sha: "3f2a91c0d4e5", sessionIds: ["one"] }]);
    expect(commits[0]).not.toHaveProperty("capturedFrom");
  });

  test("stay separate commits when shorter than seven digits or not hexadecimal", async () => {
    for (const one of [sha, "3f2a91", "r12345678", "r1234567"]) await http.ok(linkCommit, { sha: one });
    expect((await http.ok(listCommits, {})).total).toBe(4);
  });

  test("stay separate commits when the short form matches several, then and later", async () => {
    const twin = `3f2a91c${"1".repeat(33)}`;
    await http.ok(linkCommit, { sha });
    await http.ok(linkCommit, { sha: twin });
    expect((await http.ok(linkCommit, { sha: "3f2a91c", sessionId: "one" })).commit.sha).toBe("3f2a91c");
    expect((await http.ok(linkCommit, { sha: `3f2a91c${"2".repeat(33)}` })).commit.sessionIds).toEqual([]);
    expect((await http.ok(listCommits, {})).total).toBe(4);
  });
});

describe("imported commits", () => {
  const linkedAt = "2026-02-28T12:00:00Z";
  const short = "3f2a91c";
  const session = (id: string, ...commitShas: string[]) => ({
    ...place,
    id,
    commitShas,
    startedAt: linkedAt,
    status: "completed",
  });
  const row = (form: string, ...sessionIds: string[]) => ({ sha: form, sessionIds, linkedAt });
  const take = (exportData: Record<string, unknown>, strategy: "merge" | "replace" | "skip" = "merge") =>
    http.ok(importStore, { exportData, strategy });

  async function kept() {
    const { commits } = await http.ok(listCommits, {});
    return commits.map(({ sha: form, sessionIds }) => [form, ...sessionIds]).sort();
  }

  test.each([
    [short, sha],
    [sha, short],
  ])("match stored ones in their other form: %s is stored, %s is imported", async (stored, comes) => {
    await begin("one");
    await http.ok(linkCommit, { sha: stored, sessionId: "one" });
    const file = {
      sessions: [session("one", comes), session("two", comes)],
      commits: [row(comes.toUpperCase(), "one", "two")],
    };
    await take(file);
    expect(await kept()).toEqual([[sha, "one", "two"]]);
    expect([await commitShas("one"), await commitShas("two")]).toEqual([[sha], [sha]]);
    const { counts } = await take(file);
    expect(counts).toMatchObject({ commits: { written: 0 }, sessions: { written: 0 } });
  });

  test.each(["merge", "replace", "skip"] as const)(
    "in short and long form become one commit under %s",
    async (strategy) => {
      await take(
        {
          sessions: [session("one", short), session("two", short, sha)],
          commits: [row(short, "one", "two"), row("3f2a91c0d4", "three"), row(sha, "two")],
        },
        strategy,
      );
      expect(await kept()).toEqual([[sha, "one", "two", "three"]]);
      expect([await commitShas("one"), await commitShas("two")]).toEqual([[sha], [sha]]);
    },
  );

  test("leave a stored short form as it is when it begins several of them", async () => {
    const twin = `${short}${"1".repeat(33)}`;
    await http.ok(linkCommit, { sha: short, sessionId: "one" });
    await take({ commits: [row(twin, "two"), row(sha, "three")] });
    expect(await kept()).toEqual(
      [
        [twin, "two"],
        [short, "one"],
        [sha, "three"],
      ].sort(),
    );
  });

  test("are one commit in three forms, of which the middle one is stored", async () => {
    await http.ok(linkCommit, { sha: "3f2a91c0d4", sessionId: "one" });
    await take({ commits: [row(short, "two"), row(sha, "three")] });
    expect(await kept()).toEqual([[sha, "one", "two", "three"]]);
  });

  test("stay separate when they begin alike, but are shorter than seven digits or not hexadecimal", async () => {
    const forms = [sha, "3f2a91", "r12345678", "r1234567"];
    await take({ commits: forms.map((form) => row(form)) });
    expect(await kept()).toEqual(forms.map((form) => [form]).sort());
  });

  test("add their sessions after the ones that were linked before", async () => {
    await http.ok(linkCommit, { sha, sessionId: "zero" });
    await take({ commits: [row(sha, "one", "two")] });
    expect(await kept()).toEqual([[sha, "zero", "one", "two"]]);
  });

  test("stay separate when the short form matches several of them", async () => {
    const twin = `${short}${"1".repeat(33)}`;
    await take({ commits: [row(short), row(twin), row(sha)] });
    expect(await kept()).toEqual([[short], [sha], [twin]]);
  });

  test("that are stored in a shorter form are left unchanged under skip", async () => {
    await http.ok(linkCommit, { sha: short });
    expect((await take({ commits: [row(sha, "one")] }, "skip")).counts.commits).toEqual({
      written: 0,
      skipped: 1,
    });
    expect(await kept()).toEqual([[short]]);
  });

  test("are listed in their sessions, whichever came first, and count once for several changes", async () => {
    await http.ok(linkCommit, { sha: "aaaabbbb" });
    await http.ok(linkCommit, { sha: "eeeeffff", sessionId: "one" });
    const changed = { ...row("aaaabbbb", "one"), message: "feat: cart", updatedAt: "2026-04-01T12:00:00Z" };
    const file = { sessions: [session("one")], commits: [changed, row("eeeeffff")] };
    expect((await take(file)).counts.commits).toEqual({ written: 1, skipped: 1 });
    expect(await commitShas("one")).toEqual(["eeeeffff", "aaaabbbb"]);
    const again = { ...changed, message: "feat: carts", updatedAt: "2026-04-02T12:00:00Z" };
    for (const one of [again, row("aaaabbbb", "two")])
      expect((await take({ commits: [one] })).counts.commits).toEqual({ written: 1, skipped: 0 });
  });

  test("that replace the stored ones remove those from their sessions", async () => {
    await begin("one");
    await http.ok(linkCommit, { sha: "aaaabbbb", sessionId: "one" });
    await take({ sessions: [session("one", "ccccdddd")] });
    await take({ commits: [row("eeeeffff", "one")] }, "replace");
    expect(await commitShas("one")).toEqual(["ccccdddd", "eeeeffff"]);
    await take({ commits: [] }, "replace");
    expect(await commitShas("one")).toEqual(["ccccdddd"]);
    await take({ commits: [row("eeeeffff", "two")] });
    expect(await kept()).toEqual([["eeeeffff", "two"]]);
  });
});

test("an import that replaces the sessions drops commit links to the sessions that are gone", async () => {
  const startedAt = "2026-02-28T12:00:00Z";
  await begin("gone");
  await begin("back");
  for (const sessionId of ["gone", "back", "never seen"])
    await http.ok(linkCommit, { sha: "aaaabbbb", sessionId });
  const exportData = {
    version: "0.1.0",
    sessions: [{ ...place, id: "back", startedAt, status: "completed" }],
  };
  const { warnings } = await http.ok(importStore, { exportData, strategy: "replace" });
  expect(warnings).toContain("commits: links to sessions that are gone were dropped");
  expect((await http.ok(listCommits, {})).commits).toMatchObject([{ sessionIds: ["back", "never seen"] }]);
  expect(await commitShas("back")).toEqual(["aaaabbbb"]);
  const again = await http.ok(importStore, { exportData, strategy: "replace" });
  expect(again.warnings).toEqual([]);
});

describe("finding the sessions of a commit", () => {
  test("works by the sha, by its first four digits and by a longer form than the stored one", async () => {
    await begin("one");
    await http.ok(linkCommit, { sha: "3f2a91c", sessionId: "one" });
    for (const asked of ["3f2a91c", "3F2A", sha]) {
      const { commit, sessions } = await http.ok(findByCommit, { sha: asked });
      expect([commit.sha, sessions.map(({ id }) => id)]).toEqual(["3f2a91c", ["one"]]);
    }
  });

  test("is a 404 for an unlinked commit, for one without sessions, for three digits and for a link to unknown sessions only", async () => {
    await http.ok(linkCommit, { sha, sessionId: "unknown yet" });
    await begin("one");
    await http.ok(linkCommit, { sha: "aaaabbbbcccc", sessionId: "one" });
    await http.ok(linkCommit, { sha: "dddd0000" });
    for (const [asked, error] of [
      ["dddd0000", "no session is linked to commit dddd0000"],
      ["ffff", "no session is linked to commit ffff"],
      ["3f2b", "no session is linked to commit 3f2b"],
      ["aaa", "no session is linked to commit aaa"],
      [sha, `commit ${sha} is linked, but no session that it is linked to is known here`],
    ] as const) {
      const { status, body } = await http.reply(findByCommit, { sha: asked });
      expect([status, body], asked).toEqual([404, { error: expect.stringContaining(error) }]);
    }
  });

  test("is a 409 with the candidates when the digits match several commits", async () => {
    await begin("one");
    const twin = `3f2a91c${"1".repeat(33)}`;
    await http.ok(linkCommit, { sha, sessionId: "one" });
    await http.ok(linkCommit, { sha: twin, sessionId: "one" });
    const { status, body } = await http.reply(findByCommit, { sha: "3f2a" });
    expect([status, body.candidates]).toEqual([409, [sha, twin].sort()]);
    await http.ok(linkCommit, { sha: "3f2a91c", sessionId: "one" });
    for (const exact of [sha, "3f2a91c"])
      expect((await http.ok(findByCommit, { sha: exact })).commit.sha).toBe(exact);
  });

  test("shows isolated agents only their own sessions", async () => {
    const apart = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
    for (const agentId of ["ann", "bob"]) {
      await apart.ok(startSession, { ...place, sessionId: `of ${agentId}`, agentId });
      await apart.ok(linkCommit, { sha, sessionId: `of ${agentId}` });
    }
    const { sessions } = await apart.ok(findByCommit, { sha, agentId: "ann" });
    expect(sessions.map(({ id }) => id)).toEqual(["of ann"]);
    expect((await apart.reply(findByCommit, { sha, agentId: "eve" })).status).toBe(404);
    expect((await apart.reply(findByCommit, { sha })).status).toBe(400);
    await apart.close();
  });
});

test("a commit is looked up on behalf of the caller's agent", async () => {
  const ann = await openTestCore({
    env: { MEMSVC_AGENT_SCOPE: "isolated" },
    caller: { face: "mcp", agentId: "ann" },
  });
  await ann.call(startSession, { ...place, sessionId: "hers" });
  await ann.call(linkCommit, { sha, sessionId: "hers" });
  expect((await ann.call(findByCommit, { sha })).sessions.map(({ id }) => id)).toEqual(["hers"]);
  await ann.close();
});

test("commits are listed newest first, filtered by branch, repository and session, and paged", async () => {
  for (const [at, branch] of ["main", "main", "next"].entries()) {
    http.advance(1_000);
    await http.ok(linkCommit, { sha: `aaaa000${at}`, branch, repo: `r${at}`, sessionId: `s${at}` });
  }
  const shas = async (query: Record<string, string>) =>
    ((await http.reply(listCommits, query)).body.commits as { sha: string }[]).map(({ sha }) => sha);
  expect(await shas({})).toEqual(["aaaa0002", "aaaa0001", "aaaa0000"]);
  expect(await shas({ branch: "main" })).toEqual(["aaaa0001", "aaaa0000"]);
  expect(await shas({ repo: "r2" })).toEqual(["aaaa0002"]);
  expect(await shas({ sessionId: "s0" })).toEqual(["aaaa0000"]);
  expect(await shas({ branch: "none" })).toEqual([]);
  const page = await http.ok(listCommits, { limit: 1, offset: 1 });
  expect(page).toMatchObject({ total: 3, limit: 1, offset: 1, commits: [{ sha: "aaaa0001" }] });
});

describe("a commit captured from a git command", () => {
  const makes = (sessionId: string, output: string, command = "git commit -m 'feat: cart'") =>
    http.ok(observe, {
      ...place,
      sessionId,
      hookType: "post_tool_use",
      timestamp: "2026-03-01T12:00:00Z",
      data: { tool_name: "Bash", tool_input: { command }, tool_response: { stdout: output } },
    });
  const printed = "[main 3f2a91c] feat: cart\n 1 file changed, 3 insertions(+)";

  test("is linked to the session with branch, subject line and its own time, without an audit entry", async () => {
    http.advance(60_000);
    await makes("one", printed);
    expect(await http.ok(findByCommit, { sha: "3f2a91c" })).toMatchObject({
      commit: {
        ...{ sha: "3f2a91c", branch: "main", message: "feat: cart", sessionIds: ["one"], files: [] },
        authoredAt: "2026-03-01T12:00:00.000Z",
        linkedAt: "2026-03-01T12:01:00.000Z",
      },
      sessions: [{ id: "one", commitShas: ["3f2a91c"] }],
    });
    expect(await auditEntries()).toEqual([]);
  });

  test("is linked when a later step of its command failed, too", async () => {
    const error = `Exit code 1\n${printed}\n ! [rejected]        main -> main (fetch first)`;
    for (const sessionId of ["one", "copy of one"])
      await http.ok(observe, {
        ...{ ...place, sessionId, hookType: "post_tool_failure", timestamp: "2026-03-01T12:00:00Z" },
        data: { tool_name: "Bash", tool_input: { command: "git commit -am x && git push" }, error },
      });
    await http.ok(forget, { sessionId: "one" });
    expect((await http.ok(listCommits, {})).commits).toMatchObject([
      { sha: "3f2a91c", branch: "main", message: "feat: cart", sessionIds: ["copy of one"] },
    ]);
  });

  test("is linked once per session, however often the event is delivered", async () => {
    await makes("one", printed);
    await makes("one", printed);
    await makes("two", printed, "git cherry-pick main~2");
    const { commits } = await http.ok(listCommits, {});
    expect(commits).toMatchObject([{ sha: "3f2a91c", sessionIds: ["one", "two"] }]);
    expect(await commitShas("one")).toEqual(["3f2a91c"]);
  });

  test("keeps the fields of an explicit link, earlier or later, and the longer form of its sha", async () => {
    const authoredAt = "2026-03-01T11:00:00.000Z";
    await http.ok(linkCommit, {
      ...{ sha, branch: "feat/cart", message: "feat: cart\n\nWith coupons.", files: ["cart.ts"], authoredAt },
    });
    await makes("one", printed);
    expect((await http.ok(findByCommit, { sha: "3f2a91c" })).commit).toMatchObject({
      ...{
        sha,
        branch: "feat/cart",
        message: "feat: cart\n\nWith coupons.",
        files: ["cart.ts"],
        sessionIds: ["one"],
        authoredAt,
      },
    });
    await makes("two", "[main abcdef1] fix: prices");
    const longer = `abcdef1${"0".repeat(33)}`;
    await http.ok(linkCommit, { sha: longer, message: "fix: prices of coupons" });
    expect(await commitShas("two")).toEqual([longer]);
    expect((await http.ok(findByCommit, { sha: "abcdef1" })).commit).toMatchObject({
      ...{ sha: longer, branch: "main", message: "fix: prices of coupons", sessionIds: ["two"] },
    });
  });

  test("is deleted when its event is forgotten, unless it was linked explicitly too", async () => {
    const { observationId } = await makes("one", printed);
    await makes("two", "[main abcdef1] fix: prices", "git commit -m x");
    await http.ok(linkCommit, { sha: "abcdef1" });
    await makes("two", "[main abcdef1] fix: prices", "git commit -m y");
    expect((await http.ok(findByCommit, { sha: "3f2a91c" })).commit.capturedFrom).toBe(observationId);
    await http.ok(forget, { sessionId: "one", observationIds: [observationId] });
    await http.ok(forget, { sessionId: "two" });
    const { commits } = await http.ok(listCommits, {});
    expect(commits).toMatchObject([{ sha: "abcdef1", sessionIds: ["two"] }]);
    expect(commits[0]?.capturedFrom).toBe(undefined);
    expect(await commitShas("one")).toEqual([]);
    expect(await commitShas("two")).toEqual(["abcdef1"]);
    expect((await http.ok(linkCommit, { sha: "3f2a91c", sessionId: "three" })).commit.sessionIds).toEqual([
      "three",
    ]);
  });

  test("stays with a session that shows it too, and is deleted with the last of them", async () => {
    for (const sessionId of ["one", "copy of one"]) await makes(sessionId, printed);
    http.advance(1_000);
    await http.ok(forget, { sessionId: "one" });
    const updatedAt = new Date(http.now()).toISOString();
    expect((await http.ok(listCommits, {})).commits).toMatchObject([
      { sha: "3f2a91c", sessionIds: ["copy of one"], message: "feat: cart", updatedAt },
    ]);
    expect([await commitShas("one"), await commitShas("copy of one")]).toEqual([[], ["3f2a91c"]]);
    await http.ok(forget, { sessionId: "copy of one" });
    expect((await http.ok(listCommits, {})).commits).toEqual([]);
    expect(await commitShas("copy of one")).toEqual([]);
  });

  test("is captured from the first other session when its event is forgotten, and no other commit changes", async () => {
    const [first, second] = [await makes("one", printed), await makes("two", printed)];
    await makes("three", printed);
    await http.ok(linkCommit, { sha: "aaaabbbb", sessionId: "one" });
    await http.ok(forget, { sessionId: "one", observationIds: [first.observationId] });
    const { commits } = await http.ok(listCommits, {});
    expect(
      commits.map(({ sha: form, sessionIds, capturedFrom }) => [form, sessionIds, capturedFrom]),
    ).toEqual([
      ["aaaabbbb", ["one"], undefined],
      ["3f2a91c", ["two", "three"], second.observationId],
    ]);
    expect(await commitShas("one")).toEqual(["aaaabbbb"]);
  });

  test("is deleted when its event is forgotten, although sessions stay that no longer show it, or only print its sha", async () => {
    await makes("one", printed);
    const { observationId } = await makes("two", printed);
    await makes("two", "ok", "npm test");
    await makes("three", "3f2a91c feat: cart", "git log --oneline");
    await http.ok(forget, { sessionId: "two", observationIds: [observationId] });
    await http.ok(forget, { sessionId: "one" });
    expect((await http.ok(listCommits, {})).commits).toEqual([]);
  });

  test("is deleted with its event in a store that imported it, too", async () => {
    const { observationId } = await makes("one", printed);
    const other = await openTestHttp();
    await other.ok(importStore, { exportData: await exported(http) });
    expect((await other.ok(listCommits, {})).commits).toMatchObject([
      { sha: "3f2a91c", capturedFrom: observationId },
    ]);
    await other.ok(forget, { sessionId: "one", includeSession: true });
    expect((await other.ok(listCommits, {})).commits).toEqual([]);
    await other.close();
  });

  test("without a word, as with --quiet, is found where git has noted it", async () => {
    const [before, mine, another, picked, undone, amended, merged, forwarded, others] = [..."abcdef123"].map(
      (digit) => digit.repeat(40),
    );
    const noted = (sha: string | undefined, at: string, action: string, on = "0".repeat(40)) =>
      `${on} ${sha} Ann O. <ann@example.com> ${Date.parse(at) / 1_000} +0100\t${action}\n`;
    const cwd = join(http.home, "shop");
    for (const folder of ["objects", "refs/heads", "logs"])
      mkdirSync(join(cwd, ".git", folder), { recursive: true });
    writeFileSync(join(cwd, ".git", "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(cwd, ".git", "refs/heads/main"), `${mine}\n`);
    writeFileSync(
      join(cwd, ".git", "logs", "HEAD"),
      [
        noted(before, "2026-03-01T11:40:00Z", "commit (initial): feat: cart"),
        noted(others, "2026-03-01T11:59:56Z", "commit: feat"),
        noted(another, "2026-03-01T11:59:57Z", "commit: feat: prices"),
        noted(mine, "2026-03-01T11:59:58Z", "commit: feat: cart"),
        noted(picked, "2026-03-01T11:59:59Z", "cherry-pick: feat: prices"),
        noted(undone, "2026-03-01T12:00:00Z", 'revert: Revert "feat: cart"', mine),
        noted(amended, "2026-03-01T12:00:01Z", "commit (amend): feat: prices", picked),
        noted(merged, "2026-03-01T12:00:02Z", "merge feat/pay: Merge made by the 'ort' strategy.", amended),
        noted(forwarded, "2026-03-01T12:00:03Z", "merge feat/ship: Fast-forward", merged),
      ].join(""),
    );
    const quietly = { ...place, cwd, timestamp: "2026-03-01T12:00:00Z" };
    const command = "git commit --quiet -m 'feat: cart'";
    for (const [sessionId, hookType, ran] of [
      ["one", "post_tool_use", command],
      ["two", "post_tool_use", `echo "${command}"`],
      ["two", "pre_tool_use", command],
      ["three", "post_tool_failure", `${command} && git push`],
    ] as const)
      await http.ok(observe, {
        ...quietly,
        sessionId,
        hookType,
        data: { tool_name: "Bash", tool_input: { command: ran }, tool_response: { stdout: "" } },
      });
    expect((await http.ok(listCommits, {})).commits).toMatchObject([
      {
        ...{ sha: mine, branch: "main", message: "feat: cart", sessionIds: ["one", "three"] },
        authoredAt: "2026-03-01T11:59:58.000Z",
      },
    ]);
    for (const [sessionId, ran, shas, from = http.home] of [
      ["in-folder", "git -C shop commit -qm 'feat: cart'", [mine]],
      ["changed", "cd 'shop' && npm test; git commit -qm 'feat: prices'", [another]],
      ["there", "cd shop && git commit -qm 'feat: prices'", [another], cwd],
      ["shorter", "git -C shop commit -q -m feat && git -C shop commit -q -m 'feat: cart'", [others, mine]],
      ["unknown", 'cd "$SHOP" && git commit -qm "feat: prices"', []],
      ["picks", `git -C shop cherry-pick ${another?.slice(0, 9)} > /dev/null`, [picked]],
      ["picks-other", "git -C shop cherry-pick 1234567 > /dev/null", []],
      ["reverts", `git -C shop revert --no-edit ${mine?.slice(0, 7)} | tail -1`, [undone]],
      ["reverts-head", "git -C shop revert --no-edit HEAD | tail -1", [undone]],
      ["reverts-earlier", "git -C shop revert --no-edit HEAD~1 | tail -1", []],
      ["amends", "git -C shop commit -q --amend --no-edit", [amended]],
      ["amends-and-edits", "git -C shop commit -q --amend -F message.txt", []],
      ["merges", "cd shop && git merge --no-edit feat/pay", [merged]],
      ["merges-other", "cd shop && git merge --no-edit feat/pay-2", []],
      ["forwards", "cd shop && git merge feat/ship", []],
    ] as const) {
      const data = { tool_name: "Bash", tool_input: { command: ran }, tool_response: { stdout: "" } };
      await http.ok(observe, { ...quietly, cwd: from, sessionId, hookType: "post_tool_use", data });
      expect([sessionId, await commitShas(sessionId)]).toEqual([sessionId, shas]);
    }
    rmSync(join(cwd, ".git", "logs", "HEAD"));
    execFileSync("mkfifo", [join(cwd, ".git", "logs", "HEAD")]);
    await http.ok(observe, {
      ...quietly,
      sessionId: "four",
      hookType: "post_tool_use",
      data: { tool_name: "Bash", tool_input: { command } },
    });
    expect(await commitShas("four")).toEqual([]);
  });

  test("is stored with secrets in its message redacted", async () => {
    await makes("one", "[main 3f2a91c] use ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5");
    const { commits } = await http.ok(listCommits, {});
    expect(commits[0]?.message).toMatch(/^use \[REDACTED/);
  });
});
