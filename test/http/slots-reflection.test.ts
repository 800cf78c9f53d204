import { describe, expect, test } from "vitest";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { endSession, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import {
  appendToSlot,
  deleteSlot,
  reflectIntoSlots,
  replaceSlot,
} from "../../src/knowledge/slots/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { type Fields, on, slotSteps } from "../support/slot-steps.ts";
import { happenNow } from "../support/workdays.ts";

const http = forEachTest(() => openTestHttp({ env: on }));

const { content, status } = slotSteps(http);

describe("reflecting on a session", () => {
  let at = 0;
  const event = (data: Fields, hookType = "post_tool_use", sessionId = "s1", from = http) => {
    at += 1_000;
    const timestamp = new Date(Date.parse("2026-03-01T10:00:00Z") + at).toISOString();
    return from.ok(observe, { sessionId, project: "shop", cwd: "/w/shop", hookType, timestamp, data });
  };
  const ran = (command: string) =>
    event({ tool_name: "Bash", tool_input: { command }, tool_output: { exitCode: 0, stdout: "" } });

  test("notes open items, errors, commands and touched files, once", async () => {
    await event(
      { prompt: "Fix the cart\nTODO: write the release notes\nnext step: deploy" },
      "prompt_submit",
    );
    await event({
      tool_name: "Edit",
      tool_input: { file_path: "src/cart.ts", old_string: "a", new_string: "b" },
    });
    await event({ tool_name: "Bash", tool_input: { command: "npm test" } }, "pre_tool_use");
    await ran("npm test");
    await event({ tool_name: "Read", tool_input: { file_path: "/tmp/agent/b1.output" }, tool_output: "x" });
    await ran("cd a && npm test -- --watch");
    await event(
      { tool_name: "Bash", tool_input: { command: "make" }, error: "no rule" },
      "post_tool_failure",
    );
    const list = { command: "tasks list", description: "Check for remaining tasks" };
    await event({ tool_name: "Bash", tool_input: list, tool_output: { exitCode: 1, stdout: "a TODO\n" } });
    expect(await http.ok(reflectIntoSlots, { sessionId: "s1" })).toMatchObject({
      applied: 3,
      observationsReviewed: 8,
    });
    const of = (label: string) => content(label, { project: "shop" });
    expect(await of("pending_items")).toBe("TODO: write the release notes\nnext step: deploy");
    expect(await of("project_context")).toBe("src/cart.ts");
    expect(await of("session_patterns")).toMatch(
      /^errors: 1\n- Bash failed.*\ncommands: 3\n- npm test \(2×\)\n- tasks list \(1×\)$/u,
    );
    expect(await http.ok(reflectIntoSlots, { sessionId: "s1" })).toMatchObject({ applied: 0 });
    const { entries } = await http.ok(listAudit, { operation: "slot_reflect" });
    expect(entries).toHaveLength(1);
    expect(entries[0]?.targetIds).toEqual(["s1", "pending_items", "session_patterns", "project_context"]);
  });

  test("is undone by forgetting what it took lines from, as far as nothing else told them", async () => {
    const edited = (file: string, sessionId: string) =>
      event(
        { tool_name: "Edit", tool_input: { file_path: file, old_string: "a", new_string: "b" } },
        undefined,
        sessionId,
      );
    const failure = { tool_name: "Bash", tool_input: { command: "make" }, error: "no rule for leave" };
    await event({ prompt: "TODO: ask Ann about her leave\nTODO: stay" }, "prompt_submit", "s2");
    await edited("src/leave.ts", "s2");
    await edited("src/cart.ts", "s2");
    await edited("src/cart.ts", "s1");
    const kept = await event({ prompt: "TODO: stay" }, "prompt_submit", "s2");
    await event(failure, "post_tool_failure", "s2");
    await http.ok(reflectIntoSlots, { sessionId: "s2" });
    const of = (label: string) => content(label, { project: "shop" });
    await http.ok(appendToSlot, { label: "pending_items", project: "shop", text: "TODO: my own" });
    expect(await of("pending_items")).toBe("TODO: ask Ann about her leave\nTODO: stay\nTODO: my own");
    expect(await of("session_patterns")).toContain("leave");
    expect(await of("project_context")).toBe("src/leave.ts\nsrc/cart.ts");
    const { observations } = await http.ok(listObservations, { sessionId: "s2" });
    const observationIds = observations.map(({ id }) => id).filter((id) => id !== kept.observationId);
    await http.ok(forget, { sessionId: "s2", observationIds });
    expect(await of("pending_items")).toBe("TODO: stay\nTODO: my own");
    expect(await of("session_patterns")).not.toContain("leave");
    expect(await of("project_context")).toBe("src/cart.ts");
    await http.ok(forget, { sessionId: "s2", includeSession: true });
    expect(await of("pending_items")).toBe("TODO: my own");
  });

  test("stays as it is where another session told the same, when the first is forgotten", async () => {
    const failure = { tool_name: "Bash", tool_input: { command: "make" }, error: "no rule for stay" };
    for (const sessionId of ["first", "second"]) {
      await event({ prompt: "TODO: stay\nNext steps:\n- deploy it\n- tell Ann" }, "prompt_submit", sessionId);
      await event({ prompt: `TODO: only the ${sessionId}` }, "prompt_submit", sessionId);
      await event(failure, "post_tool_failure", sessionId);
      await http.ok(reflectIntoSlots, { sessionId });
    }
    const of = (label: string) => content(label, { project: "shop" });
    const patterns = await of("session_patterns");
    expect(patterns).toContain("no rule for stay");
    await http.ok(forget, { sessionId: "first" });
    expect(await of("pending_items")).toBe(
      "TODO: stay\nNext steps: deploy it; tell Ann\nTODO: only the second",
    );
    expect(await of("session_patterns")).toBe(patterns);
    await http.ok(forget, { sessionId: "second" });
    expect(await of("pending_items")).toBe("");
    expect(await of("session_patterns")).not.toContain("stay");
  });

  test("leaves read-only slots as they are", async () => {
    const own = { label: "pending_items", project: "shop" };
    await http.ok(replaceSlot, { ...own, content: "TODO: only this" });
    await http.writeSql("UPDATE memory_slots SET read_only = 1");
    await event({ prompt: "todo: and that" }, "prompt_submit");
    await http.ok(reflectIntoSlots, { sessionId: "s1" });
    expect(await content("pending_items", { project: "shop" })).toBe("TODO: only this");
  });

  test("drops the oldest items when the slot is full", async () => {
    await http.ok(deleteSlot, { label: "pending_items", project: "shop" });
    for (let item = 0; item < 12; item += 1)
      await event({ prompt: `todo number ${item} ${"x".repeat(185)}` }, "prompt_submit");
    await http.ok(reflectIntoSlots, { sessionId: "s1" });
    const pending = (await content("pending_items", { project: "shop" })).split("\n");
    expect(pending[0]).toMatch(/^todo number [1-9]/u);
    expect(pending.at(-1)).toMatch(/^todo number 11 /u);
    expect(pending.join("\n").length).toBeLessThanOrEqual(2_000);
  });

  test("notes a list of open items with the line that introduces it, and no ticked ones", async () => {
    const lines = ["Ship it", "Next steps:", "- write the docs", "- [x] ask Ada", "", "- [x] the TODO page"];
    await event({ prompt: lines.join("\n") }, "prompt_submit");
    await http.ok(reflectIntoSlots, { sessionId: "s1" });
    expect(await content("pending_items", { project: "shop" })).toBe("Next steps: write the docs");
  });

  test("drops items that were evidently carried out since, and only those", async () => {
    const evident = [
      "TODO: write the release notes",
      "TODO: expire links in the cart",
      "Next steps: coupons for guests; gift cards",
      "- TODO: round prices to cents",
      "follow-up: index of orders",
      "todo: retry failed payments",
    ];
    const unclear = [
      "TODO: rate limit of the login",
      "TODO: remove the old basket",
      "TODO: translate the shop page",
      "TODO: docs",
      "TODO: cache of product images",
      "TODO: sort the order list",
    ];
    const prompt = ["Make the shop", ...evident, ...unclear].join("\n");
    await event({ prompt }, "prompt_submit", "first");
    await http.ok(reflectIntoSlots, { sessionId: "first" });
    const pending = () => content("pending_items", { project: "shop" });
    expect(await pending()).toBe([...evident, ...unclear].join("\n"));
    await http.ok(appendToSlot, { label: "pending_items", text: "write the release notes", project: "shop" });
    for (const [sha, message] of [
      ["3f2a91c", "docs: write the release notes"],
      ["4f2a91c", "Expire links in the cart (#12)"],
      ["5f2a91c", "Add the rate limit"],
      ["6f2a91c", 'Revert "Sort the order list"'],
      ["7f2a91c", "Fix a typo in the docs"],
      ["8f2a91c", "Move the old basket"],
    ])
      await event({
        tool_name: "Bash",
        tool_input: { command: `git commit -m '${message}'` },
        tool_output: { exitCode: 0, stdout: `[main ${sha}] ${message}\n 1 file changed` },
      });
    const todos = [
      { content: "Coupons for guests", status: "completed" },
      { content: "Translate the shop page", status: "in_progress" },
    ];
    await event({ tool_name: "TodoWrite", tool_input: { todos } });
    const checked = { old_string: "- [ ] round prices to cents", new_string: "- [x] round prices to cents" };
    await event({ tool_name: "Edit", tool_input: { file_path: "TODO.md", ...checked } });
    await event({ taskSubject: "Retry failed payments" }, "task_completed");
    const answer = "Done: index of orders.\nThe cache of product images is not done.";
    await event({ lastAssistantMessage: answer }, "stop");
    await http.ok(reflectIntoSlots, { sessionId: "s1" });
    const left = ["Next steps: gift cards", ...unclear, "write the release notes"];
    expect(await pending()).toBe(left.join("\n"));
    await http.ok(reflectIntoSlots, { sessionId: "first" });
    expect(await pending()).toBe(left.join("\n"));
    await event({ prompt: "TODO: expire links in the cart" }, "prompt_submit");
    await http.ok(reflectIntoSlots, { sessionId: "s1" });
    expect(await pending()).toBe([...left, "TODO: expire links in the cart"].join("\n"));
  });

  test("keeps two checkouts with the same name apart", async () => {
    for (const cwd of ["/w/shop", "/x/shop"]) {
      const sessionId = `in ${cwd}`;
      await happenNow(http, sessionId, "prompt_submit", { prompt: `todo: tidy up ${cwd}` }, { cwd });
    }
    for (const cwd of ["/w/shop", "/x/shop"]) {
      await http.ok(reflectIntoSlots, { sessionId: `in ${cwd}` });
      expect(await content("pending_items", { project: cwd })).toBe(`todo: tidy up ${cwd}`);
    }
    expect(await content("pending_items", {})).toBe("");
  });

  test("looks at no more observations than maxObservations", async () => {
    for (const item of ["one", "two", "three"]) await event({ prompt: `todo ${item}` }, "prompt_submit");
    const answer = await http.ok(reflectIntoSlots, { sessionId: "s1", maxObservations: 2 });
    expect(answer.observationsReviewed).toBe(2);
    expect(await content("pending_items", { project: "shop" })).toBe("todo two\ntodo three");
  });

  test("counts only commands among the reviewed observations, and rejected calls not as errors", async () => {
    for (const command of ["cargo build", "npm ci", "npm test"]) await ran(command);
    const refused = "The user doesn't want to proceed with this tool use. The tool use was rejected";
    await event(
      { tool_name: "Bash", tool_input: { command: "git push" }, error: refused },
      "post_tool_failure",
    );
    await event({ message: "waiting" }, "notification");
    const patterns = async (maxObservations: number) => {
      await http.ok(reflectIntoSlots, { sessionId: "s1", maxObservations });
      return content("session_patterns", { project: "shop" });
    };
    expect(await patterns(3)).toBe("errors: 0\ncommands: 1\n- npm test (1×)");
    expect(await patterns(50)).toMatch(/^errors: 0\ncommands: 3\n/u);
  });

  test("notes changed files before read ones, and no searched paths", async () => {
    await event({ tool_name: "Read", tool_input: { file_path: "src/read.ts" }, tool_output: "x" });
    await event({
      tool_name: "Grep",
      tool_input: { pattern: "cart", path: "src/searched" },
      tool_output: "x",
    });
    const edit = { file_path: "src/edited.ts", old_string: "a", new_string: "b" };
    await event({ tool_name: "Edit", tool_input: edit });
    await event({ tool_name: "Write", tool_input: { file_path: "src/written.ts", content: "x" } });
    await http.ok(reflectIntoSlots, { sessionId: "s1" });
    expect(await content("project_context", { project: "shop" })).toBe(
      "src/edited.ts\nsrc/written.ts\nsrc/read.ts",
    );
  });

  test("no longer notes files that were moved away or deleted", async () => {
    const read = (files: string[], sessionId: string) =>
      event({ tool_name: "Edit", tool_input: { files } }, "post_tool_use", sessionId);
    await read(["src/auth.ts", "src/old/a.ts", "src/old/b.ts", "src/older.ts"], "s1");
    await http.ok(reflectIntoSlots, { sessionId: "s1" });
    await read(["src/auth.ts"], "s2");
    for (const command of ["mkdir src/auth && git mv src/auth.ts src/auth/session.ts", "rm -r src/old"])
      await event({ tool_name: "Bash", tool_input: { command } }, "post_tool_use", "s2");
    await read(["src/auth/session.ts"], "s2");
    await http.ok(reflectIntoSlots, { sessionId: "s2" });
    expect(await content("project_context", { project: "shop" })).toBe("src/older.ts\nsrc/auth/session.ts");
  });

  test("never fills a slot with files beyond its limit", async () => {
    const files = Array.from({ length: 20 }, (_, at) => `src/${at}-${"x".repeat(180)}.ts`);
    await event({ tool_name: "Edit", tool_input: { files } });
    await http.ok(reflectIntoSlots, { sessionId: "s1" });
    const noted = await content("project_context", { project: "shop" });
    expect(noted.split("\n")).toEqual(files.slice(0, 15));
  });

  test("reviews the newest fifty observations by default", async () => {
    for (let at = 0; at < 51; at += 1) await event({ message: `number ${at}` }, "notification");
    const reviewed = async (maxObservations?: number) =>
      (await http.ok(reflectIntoSlots, { sessionId: "s1", maxObservations })).observationsReviewed;
    expect([await reviewed(), await reviewed(200)]).toEqual([50, 51]);
  });

  test("notes at most twenty new files", async () => {
    const files = (from: number) => Array.from({ length: 11 }, (_, at) => `f${from + at}.ts`);
    for (const from of [10, 30]) await event({ tool_name: "Edit", tool_input: { files: files(from) } });
    await http.ok(reflectIntoSlots, { sessionId: "s1" });
    expect((await content("project_context", { project: "shop" })).match(/f\d\d\.ts/gu)).toHaveLength(20);
  });

  test("runs automatically after the session has ended", async () => {
    await event({ prompt: "todo: tidy up" }, "prompt_submit");
    await http.ok(endSession, { sessionId: "s1" });
    expect(await content("pending_items", { project: "shop" })).toBe("");
    await http.runDueJobs();
    expect(await content("pending_items", { project: "shop" })).toBe("todo: tidy up");
  });

  test("does not run automatically without MEMSVC_REFLECT", async () => {
    const off = await openTestHttp({ env: { MEMSVC_SLOTS: "true" } });
    await event({ prompt: "todo: tidy up" }, "prompt_submit", "s1", off);
    await off.ok(endSession, { sessionId: "s1" });
    await off.runDueJobs();
    expect(await content("pending_items", { project: "shop" }, off)).toBe("");
    await off.close();
  });

  test("is a 404 for an unknown session, and gives a reason for an empty one", async () => {
    expect(await status(reflectIntoSlots, { sessionId: "nobody" })).toBe(404);
    await http.ok(startSession, { sessionId: "empty", project: "shop", cwd: "/w/shop" });
    const { body } = await http.reply(reflectIntoSlots, { sessionId: "empty" });
    expect(body).toEqual({
      success: true,
      applied: 0,
      observationsReviewed: 0,
      reason: "no_observations",
    });
  });
});
