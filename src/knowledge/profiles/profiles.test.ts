import { describe, expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { observe } from "../../capture/observations/operations.ts";
import { endSession, startSession } from "../../capture/sessions/operations.ts";
import { evolve, forget, remember } from "../memories/operations.ts";
import { summarizeSession } from "../summaries/operations.ts";
import { invalidateProfiles } from "./cache.ts";
import { getProfile } from "./operations.ts";

const project = "/home/dev/shop";
const memsvc = forEachTest(openTestCore);

function event(sessionId: string, hookType: string, data: unknown, agentId?: string) {
  memsvc.advance(1_000);
  const timestamp = new Date(memsvc.now()).toISOString();
  return memsvc.call(observe, { sessionId, project, cwd: project, hookType, timestamp, data, agentId });
}

const edit = (sessionId: string, file: string, agentId?: string) =>
  event(
    sessionId,
    "post_tool_use",
    { toolName: "Edit", toolInput: { file_path: `${project}/${file}`, new_string: String(memsvc.now()) } },
    agentId,
  );
const failure = (sessionId: string, error: string) =>
  event(sessionId, "post_tool_failure", { toolName: "Bash", toolInput: { command: "x" }, error });

describe("a project profile", () => {
  test("of a project without sessions is empty and gives the reason", async () => {
    await memsvc.call(remember, { content: "Use tabs", type: "preference", project });
    const profile = await memsvc.call(getProfile, { project });
    expect(profile).toMatchObject({ sessionCount: 0, totalObservations: 0, conventions: [], cached: false });
    expect(profile.reason).toBe("no_sessions");
  });

  test("names neither the project itself nor what all projects have among its concepts", async () => {
    await event("one", "prompt_submit", { prompt: "The shop needs tests of its coupons, one test for each" });
    await event("one", "post_tool_use", {
      toolName: "Bash",
      toolInput: { command: 'git commit -m "coupons"' },
      toolOutput: {
        stdout: "[main 1a2b3c4] coupons\n 2 files changed, 4 insertions(+), 1 deletion(-)",
        exit_code: 0,
      },
    });
    const { topConcepts, summary } = await memsvc.call(getProfile, { project });
    const named = topConcepts.map(({ concept }) => concept);
    expect(named).toContain("coupons");
    const ofOthers = ["shop", "test", "tests", "commit", "main", "insertions", "deletion"];
    expect(named.filter((concept) => ofOthers.includes(concept))).toEqual([]);
    expect(summary).not.toContain("shop");
  });

  test("names one form of each word among its concepts", async () => {
    await event("one", "prompt_submit", { prompt: "Round each invoice" });
    await event("one", "prompt_submit", { prompt: "Print the invoices; no invoice is cut" });
    await event("two", "prompt_submit", { prompt: "Send the invoices" });
    await event("two", "prompt_submit", { prompt: "Archive the invoices" });
    const { topConcepts } = await memsvc.call(getProfile, { project });
    expect(topConcepts[0]).toEqual({ concept: "invoices", frequency: 4 });
    expect(topConcepts.map(({ concept }) => concept)).not.toContain("invoice");
  });

  test("counts files and errors of the whole project, most frequent first", async () => {
    await edit("one", "src/a.ts");
    await edit("two", "src/b.ts");
    await edit("two", "src/b.ts");
    await event("one", "post_tool_use", {
      toolName: "Read",
      toolInput: { file_path: "/tmp/agent/b1.output" },
    });
    await failure("one", "Error: first");
    await failure("two", "Error: second");
    await failure("two", "The user doesn't want to proceed with this tool use. The tool use was rejected");
    await failure("two", "Exit code 1");
    await failure("two", "Exit code null");
    const profile = await memsvc.call(getProfile, { project });
    expect(profile.topFiles).toEqual([
      { file: "src/b.ts", frequency: 2 },
      { file: "src/a.ts", frequency: 1 },
    ]);
    expect(profile.commonErrors).toEqual(["Bash failed: Error: second", "Bash failed: Error: first"]);
    expect(profile).toMatchObject({ project, sessionCount: 2, totalObservations: 9 });
    expect(profile.profile.topFiles).toEqual(profile.topFiles);
  });

  test("counts a tool call once, whether it was recorded before and after it ran or only before", async () => {
    const read = (sessionId: string, hookType: string, file: string) =>
      event(sessionId, hookType, { toolName: "Read", toolInput: { file_path: `${project}/${file}` } });
    await read("one", "pre_tool_use", "src/invoice.ts");
    await read("one", "post_tool_use", "src/invoice.ts");
    await read("two", "pre_tool_use", "src/rounding.ts");
    const { topFiles, topConcepts } = await memsvc.call(getProfile, { project });
    expect(topFiles).toEqual([
      { file: "src/rounding.ts", frequency: 1 },
      { file: "src/invoice.ts", frequency: 1 },
    ]);
    expect(topConcepts).toContainEqual({ concept: "invoice", frequency: 1 });
  });

  test("counts renamed files under their new name, and omits deleted ones", async () => {
    const run = (command: string, fields: object = {}) =>
      event("one", "post_tool_use", { toolName: "Bash", toolInput: { command }, ...fields });
    for (const file of ["src/store.js", "src/store.js", "src/lru.js", "lib/a.js", "lib/sub/b.js", "kept.js"])
      await edit("one", file);
    await run("git mv src/store.js src/link-log.js && git commit -m rename");
    await run("rm src/lru.js");
    await run("rm kept.js", { toolOutput: { exitCode: 1 } });
    await run("git mv lib src");
    await run("mv src/lib/a.js . 2>/dev/null");
    await event("one", "pre_tool_use", { toolName: "Bash", toolInput: { command: "git rm kept.js" } });
    await edit("two", "src/link-log.js");
    const { topFiles } = await memsvc.call(getProfile, { project });
    expect(topFiles).toEqual([
      { file: "src/link-log.js", frequency: 3 },
      { file: "a.js", frequency: 1 },
      { file: "src/lib/sub/b.js", frequency: 1 },
      { file: "kept.js", frequency: 1 },
    ]);
  });

  test("is about the work, not about events of the agent's program", async () => {
    for (const sessionId of ["one", "two", "three"]) {
      await event(sessionId, "session_start", { source: "startup" });
      await event(sessionId, "prompt_submit", { prompt: "Round the invoices" });
      await event(sessionId, "notification", { message: "Claude is waiting for your input" });
      await event(sessionId, "pre_compact", { trigger: "auto-summary" });
      await event(sessionId, "stop", {});
      await event(sessionId, "session_end", { reason: "prompt_input_exit" });
    }
    await event("three", "stop", { lastAssistantMessage: "Rounded by bankers." });
    const { topConcepts } = await memsvc.call(getProfile, { project });
    const named = topConcepts.map(({ concept }) => concept).sort();
    expect(named).toEqual(["bankers", "invoices", "round"]);
  });

  test("names each recent session by its title, or by the most important event in it", async () => {
    await memsvc.call(startSession, { sessionId: "titled", project, cwd: project, title: "fix the login" });
    memsvc.advance(1_000);
    await event("plain", "notification", { message: "waiting" });
    await failure("plain", "Error: lost");
    await event("plain", "notification", { message: "waiting again" });
    const { recentActivity } = await memsvc.call(getProfile, { project });
    expect(recentActivity).toEqual(["[2026-03-01] Bash failed: Error: lost", "[2026-03-01] fix the login"]);
    await event("plain", "prompt_submit", { prompt: "Why was it lost?\nLook" });
    await memsvc.call(summarizeSession, { sessionId: "plain" });
    const { recentActivity: summarised } = await memsvc.call(getProfile, { project, refresh: true });
    expect(summarised[0]).toBe("[2026-03-01] Why was it lost? Look");
  });

  test("of a first session without observations is not cached", async () => {
    await memsvc.call(startSession, { sessionId: "first", project, cwd: project });
    expect(await memsvc.call(getProfile, { project })).toMatchObject({
      sessionCount: 1,
      totalObservations: 0,
    });
    await edit("first", "src/a.ts");
    expect(await memsvc.call(getProfile, { project })).toMatchObject({ totalObservations: 1 });
  });

  test("is cached for an hour, and rebuilt on request", async () => {
    await edit("one", "src/a.ts");
    expect((await memsvc.call(getProfile, { project })).cached).toBe(false);
    await edit("one", "src/b.ts");
    const kept = await memsvc.call(getProfile, { project });
    expect(kept).toMatchObject({ cached: true, totalObservations: 1 });
    expect(await memsvc.call(getProfile, { project, refresh: true })).toMatchObject({
      cached: false,
      totalObservations: 2,
    });
    memsvc.advance(3_600_001);
    expect((await memsvc.call(getProfile, { project })).cached).toBe(false);
  });

  test("is built anew once a session of the project has ended", async () => {
    await edit("one", "src/a.ts");
    await memsvc.call(getProfile, { project });
    await edit("one", "src/b.ts");
    await memsvc.call(endSession, { sessionId: "one" });
    expect(await memsvc.call(getProfile, { project })).toMatchObject({ cached: false, totalObservations: 2 });
  });

  test("is invalidated under every name of the project", async () => {
    await edit("one", "src/a.ts");
    await memsvc.call(getProfile, { project });
    await memsvc.call(getProfile, { project: "shop" });
    expect((await memsvc.call(getProfile, { project: "shop" })).cached).toBe(true);
    for (const name of ["shop", project]) {
      await memsvc.core.ground.store.write((tx) => invalidateProfiles(tx.sql, project));
      expect((await memsvc.call(getProfile, { project: name })).cached).toBe(false);
    }
  });

  test.each([
    ["a name", "shop", "/a", "/b"],
    ["a name that begins with a dot", ".dotfiles", "/a", "/b"],
    ["a name, on Windows", "api", "c:/a", "c:/b"],
  ])("of several folders with %s is cached beside those of each folder", async (_, name, ...places) => {
    const wanted = [name, ...places.map((place) => `${place}/${name}`)];
    for (const cwd of wanted.slice(1)) {
      const data = { toolName: "Edit", toolInput: { file_path: `${cwd}/a.ts` } };
      const timestamp = new Date(memsvc.now()).toISOString();
      await memsvc.call(observe, {
        sessionId: cwd,
        project: cwd,
        cwd,
        hookType: "post_tool_use",
        timestamp,
        data,
      });
    }
    for (const isCached of [false, true]) {
      for (const asked of wanted)
        expect([asked, (await memsvc.call(getProfile, { project: asked })).cached]).toEqual([
          asked,
          isCached,
        ]);
    }
  });

  test("keeps what was done in the project after the session moved to another one", async () => {
    const [alpha, beta] = ["/w/alpha", "/w/beta"];
    const work = async (place: string, text: string) => {
      await memsvc.call(startSession, { sessionId: "moving", project: place, cwd: place });
      memsvc.advance(1_000);
      await memsvc.call(observe, {
        sessionId: "moving",
        project: place,
        cwd: place,
        hookType: "prompt_submit",
        timestamp: new Date(memsvc.now()).toISOString(),
        data: { prompt: text },
      });
    };
    await work(alpha, "feed the walrus in alpha");
    await memsvc.call(getProfile, { project: alpha });
    await work(beta, "wash the walrus in beta");
    await memsvc.call(summarizeSession, { sessionId: "moving" });
    for (const [place, activity] of [
      [alpha, "feed the walrus in alpha"],
      [beta, "wash the walrus in beta"],
    ] as const) {
      expect(await memsvc.call(getProfile, { project: place })).toMatchObject({
        cached: false,
        sessionCount: 1,
        totalObservations: 1,
        recentActivity: [`[2026-03-01] ${activity}`],
      });
    }
    await memsvc.call(forget, { sessionId: "moving" });
    expect((await memsvc.call(getProfile, { project: alpha })).reason).toBe("no_sessions");
  });

  test("does not count a forgotten session without observations", async () => {
    await edit("one", "src/a.ts");
    await memsvc.call(startSession, { sessionId: "two", project, cwd: project });
    expect((await memsvc.call(getProfile, { project })).sessionCount).toBe(2);
    await memsvc.call(forget, { sessionId: "two", includeSession: true });
    expect((await memsvc.call(getProfile, { project })).sessionCount).toBe(1);
  });

  test("names frequent commands themselves, even where a model has reworded their titles", async () => {
    for (const exitCode of [0, 0, 0, 1])
      await event("one", "post_tool_use", {
        toolName: "Bash",
        toolInput: { command: "npm test\nexit", at: memsvc.now() },
        toolOutput: { exitCode },
      });
    await memsvc.core.ground.store.write(({ sql }) =>
      sql.run("UPDATE observations SET compression = 'llm', title = 'Ran the tests'"),
    );
    const { conventions } = await memsvc.call(getProfile, { project, refresh: true });
    expect(conventions).toEqual(["`npm test` is run often (3×)"]);
  });

  test("shows preferences, but no forgotten ones, even when it is cached", async () => {
    await edit("one", "src/a.ts");
    const { memoryId } = await memsvc.call(remember, { content: "Use tabs", type: "preference", project });
    expect((await memsvc.call(getProfile, { project })).conventions).toEqual(["Use tabs"]);
    await memsvc.call(forget, { memoryId });
    expect(await memsvc.call(getProfile, { project })).toMatchObject({ cached: true, conventions: [] });
  });

  test("shows the current text of a preference, not its former one", async () => {
    await edit("one", "src/a.ts");
    const { memoryId } = await memsvc.call(remember, { content: "Use tabs", type: "preference", project });
    await memsvc.call(evolve, { memoryId, newContent: "Use spaces" });
    expect((await memsvc.call(getProfile, { project })).conventions).toEqual(["Use spaces"]);
  });

  test("of one agent has only that agent's work and does not replace the common one", async () => {
    await edit("one", "src/a.ts", "builder");
    await edit("two", "src/b.ts", "tester");
    const own = await memsvc.call(getProfile, { project, agentId: "builder" });
    expect(own).toMatchObject({ agentId: "builder", sessionCount: 1, cached: false });
    expect(own.topFiles.map(({ file }) => file)).toEqual(["src/a.ts"]);
    expect(await memsvc.call(getProfile, { project })).toMatchObject({ sessionCount: 2, cached: false });
  });
});

test("isolated agents must be named, and only their own sessions and observations are counted", async () => {
  const isolated = await openTestCore({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  try {
    for (const [sessionId, agentId] of [
      ["of ann", "ann"],
      ["of bob", "bob"],
      ["also of bob", "bob"],
    ] as const)
      await isolated.call(observe, {
        ...{ sessionId, agentId, project, cwd: project, hookType: "prompt_submit" },
        ...{ timestamp: "2026-03-01T12:00:00Z", data: { prompt: "Round the prices" } },
      });
    const counted = async (agentId: string) => {
      const { sessionCount, totalObservations } = await isolated.call(getProfile, { project, agentId });
      return [sessionCount, totalObservations];
    };
    expect([await counted("ann"), await counted("bob"), await counted("*")]).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    await expect(isolated.call(getProfile, { project })).rejects.toMatchObject({ code: "invalid_input" });
    expect((await isolated.call(getProfile, { project: "other", agentId: "*" })).sessionCount).toBe(0);
  } finally {
    await isolated.close();
  }
});
