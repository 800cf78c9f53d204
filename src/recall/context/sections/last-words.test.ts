import { expect, test } from "vitest";
import { openTestCore } from "../../../../test/support/core.ts";
import { forEachTest } from "../../../../test/support/for-each-test.ts";
import { endSession, startSession } from "../../../capture/sessions/operations.ts";
import { summarizeSession } from "../../../knowledge/summaries/operations.ts";
import { dayMs, hourMs } from "../../../time/durations.ts";
import { asking, eventIn } from "../context-fixture.ts";
import { buildContext } from "../operations.ts";

const memsvc = forEachTest(openTestCore);

const event = (sessionId: string, hookType: string, data: unknown) =>
  eventIn(memsvc, sessionId, hookType, data);

test("shows once what a session both ended with and decided", async () => {
  await event("earlier", "prompt_submit", { prompt: "Images are slow. Never resize them" });
  await event("earlier", "stop", { lastAssistantMessage: "Images go through the CDN instead of the app." });
  await memsvc.call(summarizeSession, { sessionId: "earlier" });
  const { context } = await memsvc.call(buildContext, asking);
  expect(context.split("Images go through the CDN")).toHaveLength(2);
  expect(context.split("Never resize them")).toHaveLength(2);
});

test("leaves out what only announces the next step, and rows of tables", async () => {
  const told = async (prompt: string, lastAssistantMessage: string) => {
    await event("earlier", "prompt_submit", { prompt });
    await event("earlier", "stop", { lastAssistantMessage });
  };
  await told("Plan the move of the shop", "Good. Now let me draft the tickets for the move.");
  await told("Go on with the tickets", "The tickets are in the tracker. They depend on the epic shop-17.");
  await told(
    "List the tickets",
    "I created both tickets.\n\n| Id | Task |\n|---|---|\n| a1 | Copy rows |\n\nThe first one blocks the other.",
  );
  await memsvc.call(summarizeSession, { sessionId: "earlier" });
  const { context } = await memsvc.call(buildContext, asking);
  expect(context).toContain("The tickets are in the tracker");
  expect(context).toContain("In detail: The first one blocks the other.");
  expect(context).not.toMatch(/let me|Copy rows/);
});

test("shows what the sessions left to do, from their last meaningful message", async () => {
  for (const [at, left] of ["tidy up", "the docs", "the rate limit", "compaction"].entries()) {
    await event(`s${at}`, "prompt_submit", { prompt: `Make part ${at} of the shop` });
    await event(`s${at}`, "stop", {
      lastAssistantMessage: `Part ${at} works. It took long.\n\nStill to do: ${left}.`,
    });
    await event(`s${at}`, "stop", { lastAssistantMessage: "You are welcome." });
    if (at !== 2) await memsvc.call(summarizeSession, { sessionId: `s${at}` });
  }
  const { context } = await memsvc.call(buildContext, asking);
  expect(context.match(/(?<=^ {2}- )Left to do.*$/gmu)).toEqual([
    "Left to do: compaction.",
    "Left to do then: the rate limit.",
    "Left to do then: the docs.",
    "Left to do then: tidy up.",
  ]);
});

test("shows a session first in which something was done last, with its days, and whenever it ended", async () => {
  const worked = async (sessionId: string, left: string) => {
    await event(sessionId, "prompt_submit", { prompt: `Work on the ${sessionId} of the shop` });
    await event(sessionId, "stop", { lastAssistantMessage: `It works. Still to do: ${left}.` });
    if (sessionId !== "till") await memsvc.call(endSession, { sessionId });
    memsvc.advance(dayMs);
  };
  for (const sessionId of ["basket", "till", "login", "invoice"]) await worked(sessionId, `the ${sessionId}`);
  await worked("basket", "coupons");
  await event("till", "session_end", {});
  await memsvc.call(endSession, { sessionId: "till" });
  const { context } = await memsvc.call(buildContext, asking);
  expect(context.match(/(?<=^- )2026.*$/gmu)).toEqual([
    "2026-03-01 to 2026-03-05 Work on the basket of the shop",
    "2026-03-04 Work on the invoice of the shop",
    "2026-03-03 Work on the login of the shop",
    "2026-03-02 Work on the till of the shop",
  ]);
  expect(context).toContain("  - Left to do: coupons.\n");
});

test("leaves out what was done last, however much happened since the first of the sessions", async () => {
  await event("old", "prompt_submit", { prompt: "Build the drawer of the shop" });
  await event("old", "stop", { lastAssistantMessage: "It works. Still to do: oil the rails." });
  const at = memsvc.now();
  await memsvc.writeSql(
    `INSERT INTO observations (id, session_id, project_key, timestamp, received_at, hook_type, type, title, facts,
       narrative, concepts, files, importance, confidence, compression, channel, content_hash)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
     SELECT 'obs_' || i, 'busy', project_key, ${at}, ${at}, 'notification', 'notification', '', '[]', '', '[]', '[]',
       2, 0.5, 'synthetic', 'tool', i FROM n, (SELECT project_key FROM observations LIMIT 1)`,
  );
  await memsvc.writeSql(
    `INSERT INTO commits (sha, message, linked_at, updated_at) SELECT id, 'chore', ${at}, ${at} FROM observations
     WHERE session_id = 'busy' LIMIT 500`,
  );
  await memsvc.writeSql(
    "INSERT INTO commit_sessions (sha, session_id, position) SELECT sha, 'old', 0 FROM commits",
  );
  memsvc.advance(hourMs);
  await event("new", "prompt_submit", { prompt: "Build the shelves of the shop" });
  await event("new", "stop", {
    lastAssistantMessage: "They hold. Still to do: label the shelves; sand the tops.",
  });
  memsvc.advance(hourMs);
  await event("newest", "prompt_submit", { prompt: "Go on with the shelves of the shop" });
  await event("newest", "post_tool_use", {
    toolName: "Bash",
    toolInput: { command: "git commit -am 'feat: sand the tops'" },
    toolOutput: "[main 1f2e3d4] feat: sand the tops",
  });
  await event("newest", "stop", { lastAssistantMessage: "Done: label the shelves" });
  const { context } = await memsvc.call(buildContext, asking);
  expect(context).toContain("Left to do then: oil the rails.");
  expect(context).not.toMatch(/Left to do then: .*(?:shelves|tops)/u);
});

test("shows what was left to do even if the same message ended or decided the session", async () => {
  const decided = "Node 20 has no SQLite of its own, so orders are kept in a JSON file instead of a table.";
  for (const [sessionId, lastAssistantMessage] of [
    ["list", `${decided} The cart has a store, too. Next steps:\n- GET /orders/:id\n- coupons`],
    [
      "end",
      "Die Übersicht zeigt alle Preise mit Komma und zwei Stellen dahinter. Noch offen: ein Druck-Stylesheet.",
    ],
    ["short", "Negative counts are refused. Still to do: the rate limit."],
  ] as const) {
    await event(sessionId, "prompt_submit", { prompt: `Make the ${sessionId} of the shop` });
    await event(sessionId, "stop", { lastAssistantMessage });
    await memsvc.call(summarizeSession, { sessionId });
  }
  const { context } = await memsvc.call(buildContext, asking);
  expect(context.match(/(?<=^ {2}- )Left to do.*$/gmu)).toEqual([
    "Left to do: the rate limit.",
    "Left to do then: ein Druck-Stylesheet.",
    "Left to do then: GET /orders/:id; coupons",
  ]);
});

test("shows what an answer left to do if only questions were answered since", async () => {
  const left = { lastAssistantMessage: "Links expire now.\n\nStill to do: the docs and the retry test." };
  const later: Record<string, readonly [hookType: string, data: Record<string, unknown>][]> = {
    asked: [
      ["post_tool_use", { toolName: "Read", toolInput: { path: "src/server.ts" } }],
      ["post_tool_use", { toolName: "Bash", toolInput: { command: "grep -n port src/server.ts" } }],
      ["post_tool_use", { toolName: "Bash", toolInput: { command: "git status && git diff | head -50" } }],
      ["post_tool_use", { toolName: "Bash", toolInput: { command: "git push -u origin links" } }],
      ["stop", { lastAssistantMessage: "Yes, it listens on port 3111." }],
    ],
    worked: [
      ["post_tool_use", { toolName: "Edit", toolInput: { path: "README.md", newText: "Links expire." } }],
      ["stop", { lastAssistantMessage: "The README tells of it, and the test is there." }],
    ],
    done: [["stop", { lastAssistantMessage: "Both were there before, so everything is done." }]],
  };
  for (const [sessionId, events] of Object.entries(later)) {
    await event(sessionId, "prompt_submit", { prompt: `Expire links, ${sessionId}` });
    await event(sessionId, "stop", left);
    for (const [hookType, data] of events) await event(sessionId, hookType, data);
  }
  const { context } = await memsvc.call(buildContext, asking);
  expect(context.match(/Left to do.*$/gmu)).toEqual(["Left to do then: the docs and the retry test."]);
  expect(context).toMatch(/Expire links, asked\n(?: {2}- .*\n)* {2}- Left to do then: the docs/u);
});

test("does not show as left to do what a later session evidently did", async () => {
  const plan = (sessionId: string, status: string) =>
    event(sessionId, "post_tool_use", {
      toolName: "TodoWrite",
      toolInput: { todos: [{ content: "Translate the shop", status }] },
    });
  await event("earlier", "prompt_submit", { prompt: "Sell things" });
  await plan("earlier", "pending");
  const left = "Things are sold now. Still to do: coupons for guests; gift cards";
  await event("earlier", "stop", { lastAssistantMessage: left });
  const shown = async () =>
    (await memsvc.call(buildContext, asking)).context.match(/(?<=^ {2}- )(?:Left to do|Last plan).*$/gmu);
  expect(await shown()).toEqual([
    "Left to do: coupons for guests; gift cards",
    "Last plan: open: Translate the shop",
  ]);
  await event("later", "prompt_submit", { prompt: "Go on" });
  await event("later", "post_tool_use", {
    toolName: "Bash",
    toolInput: { command: "git commit -am 'feat: coupons for guests'" },
    toolOutput: "[main 3f2a91c] feat: coupons for guests",
  });
  expect(await shown()).toEqual(["Left to do then: gift cards", "Last plan: open: Translate the shop"]);
  await plan("later", "completed");
  expect(await shown()).toEqual(["Left to do then: gift cards"]);
  await event("later", "stop", { lastAssistantMessage: "Sold as well.\n**Completed:** gift cards" });
  expect(await shown()).toBeNull();
});

test("does not take an agent's open work for done because another agent did such work", async () => {
  for (const agentId of ["ann", "bob"]) {
    await memsvc.call(startSession, { ...asking, sessionId: agentId, agentId });
    await event(agentId, "prompt_submit", { prompt: "Sell things" });
  }
  const left = "Things are sold now. Still to do: coupons for guests; gift cards";
  await event("ann", "stop", { lastAssistantMessage: left });
  await event("bob", "post_tool_use", {
    toolName: "Bash",
    toolInput: { command: "git commit -am 'feat: coupons for guests'" },
    toolOutput: "[main 3f2a91c] feat: coupons for guests",
  });
  await event("bob", "stop", { lastAssistantMessage: "It works.\n- Done: gift cards" });
  const shown = async (agentId: string) =>
    (await memsvc.call(buildContext, { ...asking, agentId })).context.match(/(?<=^ {2}- )Left to do.*$/gmu);
  expect(await shown("*")).toBeNull();
  expect(await shown("ann")).toEqual(["Left to do: coupons for guests; gift cards"]);
});

test("shows as left to do what commits only tested, refactored, described, prepared, measured or reverted", async () => {
  const left = [
    "guest coupons",
    "gift cards",
    "price tables",
    "dark mode",
    "image uploads",
    "email checks at signup",
    "tests of carts",
    "invoices as PDF",
  ];
  await event("earlier", "prompt_submit", { prompt: "Sell things" });
  const lastAssistantMessage = `Things are sold.\n\nStill to do:\n- ${left.join("\n- ")}`;
  await event("earlier", "stop", { lastAssistantMessage });
  await event("later", "prompt_submit", { prompt: "Go on" });
  const messages = [
    ...["test: guest coupons", "refactor: gift cards", "Document price tables", "Add a flag for dark mode"],
    ...["feat: image uploads", 'Revert "feat: image uploads"', "test: carts"],
    ...["Warn when email checks fail at signup", "[ui] Make invoices as PDF"],
  ];
  for (const [at, message] of messages.entries())
    await event("later", "post_tool_use", {
      toolName: "Bash",
      toolInput: { command: `git commit -m '${message}'` },
      toolOutput: `[main 3f2a91${at}] ${message}`,
    });
  expect((await memsvc.call(buildContext, asking)).context.match(/Left to do.*$/gmu)).toEqual([
    `Left to do then: ${left.slice(0, -2).join("; ")}`,
  ]);
});

test.each([
  ["Edit", { path: "README.md", newText: "Links expire." }],
  ["Bash", { command: "git commit -am 'docs: links expire'" }],
])("does not show work as left to do after %s did it, even after many reads", async (toolName, toolInput) => {
  await event("one", "prompt_submit", { prompt: "Expire links" });
  await event("one", "stop", { lastAssistantMessage: "Links expire now.\n\nStill to do: the docs." });
  for (let at = 0; at < 25; at += 1)
    await event("one", "post_tool_use", {
      toolName: "Bash",
      toolInput: { command: `grep -n link${at} docs` },
    });
  await event("one", "post_tool_use", { toolName, toolInput });
  await event("one", "stop", { lastAssistantMessage: "The README says by now when links expire." });
  expect((await memsvc.call(buildContext, asking)).context).not.toContain("Left to do");
});

test("shows what a session's last plan leaves to do", async () => {
  const plan = (sessionId: string, ...statuses: string[]) => {
    const todos = statuses.map((status, at) => ({ content: `part ${at} of ${sessionId}`, status }));
    return event(sessionId, "post_tool_use", { toolName: "TodoWrite", toolInput: { todos } });
  };
  await event("cut", "prompt_submit", { prompt: "Make the shop" });
  await plan("cut", "in_progress", "pending", "pending");
  await plan("cut", "completed", "in_progress", "pending");
  await event("codex", "prompt_submit", { prompt: "Rent the shop" });
  await event("codex", "post_tool_use", {
    toolName: "update_plan",
    toolInput: { plan: [{ step: "part 0 of codex", status: "pending" }] },
    toolOutput: "Plan updated",
  });
  await event("whole", "prompt_submit", { prompt: "Paint the shop" });
  await plan("whole", "pending");
  await plan("whole", "completed");
  const { context } = await memsvc.call(buildContext, asking);
  expect(context.match(/^ {2}- Last plan: .*$/gmu)).toEqual([
    "  - Last plan: open: part 0 of codex",
    "  - Last plan: open: part 2 of cut · in progress: part 1 of cut",
  ]);
  expect(context).not.toContain("TodoWrite");
});

test("shows what a plan that is told step by step leaves to do", async () => {
  const taskCreate = (sessionId: string, id: string, subject: string) =>
    event(sessionId, "post_tool_use", {
      toolName: "TaskCreate",
      toolInput: { subject, description: `It is about ${subject}`, activeForm: "Working" },
      toolOutput: { task: { id, subject } },
    });
  const taskUpdate = (sessionId: string, taskId: string, status: string) =>
    event(sessionId, "post_tool_use", {
      toolName: "TaskUpdate",
      toolInput: { taskId, status },
      toolOutput: { success: true, taskId, updatedFields: ["status"] },
    });
  const planned = async () =>
    (await memsvc.call(buildContext, asking)).context.match(/(?<=^ {2}- )Last plan: .*$/gmu);
  await event("cut", "prompt_submit", { prompt: "Make the shop" });
  const pages = ["cart", "login", "search", "stock", "price", "coupon", "invoice", "gift"];
  for (const [at, page] of pages.entries()) await taskCreate("cut", `${at + 1}`, `Write the ${page} page`);
  for (let id = 1; id <= 5; id += 1) await taskUpdate("cut", `${id}`, "in_progress");
  for (let id = 1; id <= 4; id += 1) await taskUpdate("cut", `${id}`, "completed");
  await taskUpdate("cut", "8", "deleted");
  expect(await planned()).toEqual([
    "Last plan: open: Write the coupon page; Write the invoice page · in progress: Write the price page",
  ]);
  const { context } = await memsvc.call(buildContext, asking);
  expect(context).not.toMatch(/TaskCreate|TaskUpdate/u);

  await event("later", "prompt_submit", { prompt: "Go on" });
  await event("later", "task_completed", { task_id: "1", task_subject: "Write the coupon page" });
  expect(await planned()).toEqual([
    "Last plan: open: Write the invoice page · in progress: Write the price page",
  ]);
  for (const id of ["5", "6", "7"]) await taskUpdate("cut", id, "completed");
  expect(await planned()).toBeNull();
});

test("shows a question once that an answer ended with and that tells what is left", async () => {
  await event("asked", "prompt_submit", { prompt: "Refund orders" });
  const lastAssistantMessage = "Refunds are only stubbed for now. Shall they go through Stripe or by hand?";
  await event("asked", "stop", { lastAssistantMessage });
  const { context } = await memsvc.call(buildContext, asking);
  expect(context.split("Shall they go through Stripe")).toHaveLength(2);
});

test("shows the question that a session's last answer ended with, unless work followed", async () => {
  const asked = "Links can expire by date or by clicks. Shall I count clicks in the store?";
  const edit = { toolName: "Edit", toolInput: { path: "README.md", newText: "Links expire." } };
  for (const [sessionId, lastAssistantMessage] of [
    ["asked", asked],
    ["worked", "There are two ways. Which one?"],
    ["polite", "It is done and tested. Is there anything else I can help with?"],
  ] as const) {
    await event(sessionId, "prompt_submit", { prompt: `Expire links, ${sessionId}` });
    await event(sessionId, "stop", { lastAssistantMessage });
    if (sessionId === "worked") await event(sessionId, "post_tool_use", edit);
    await memsvc.call(summarizeSession, { sessionId });
  }
  const { context } = await memsvc.call(buildContext, asking);
  expect(context.match(/^ {2}- Asked at the end: .*$/gmu)).toEqual([
    "  - Asked at the end: Shall I count clicks in the store?",
  ]);
});

test("shows which sessions broke off before their last prompt was answered, unless they may still go on", async () => {
  const broken = async () =>
    (await memsvc.call(buildContext, asking)).context.match(/^ {2}- Broke off: .*$/gmu);
  await event("first", "prompt_submit", { prompt: "Rename the cart" });
  await event("first", "post_tool_use", { toolName: "Bash", toolInput: { command: "git mv a.ts b.ts" } });
  await event("second", "prompt_submit", { prompt: "Make coupons" });
  await event("second", "stop", { lastAssistantMessage: "Coupons work, and are tested." });
  await event("second", "prompt_submit", { prompt: "Limit them to one per order" });
  expect(await broken()).toBeNull();
  memsvc.advance(2 * hourMs);
  expect(await broken()).toEqual([
    "  - Broke off: without an answer to: Limit them to one per order",
    "  - Broke off: without an answer",
  ]);
  await event("second", "stop", { lastAssistantMessage: "One per order now." });
  for (const prompt of ["Perfect, thank you.", "ok, looks good!", "👍"]) {
    await event("second", "prompt_submit", { prompt });
    memsvc.advance(2 * hourMs);
    expect(await broken()).toEqual(["  - Broke off: without an answer"]);
  }
});

test("shows the outcome of each of a session's last prompts", async () => {
  for (const [prompt, lastAssistantMessage] of [
    ["Rename the store", "The store is the link log now. All tests pass."],
    ["Drop createdAt?", "It is read nowhere, but kept for later."],
    ["ok", "Good, kept."],
  ] as const) {
    await event("earlier", "prompt_submit", { prompt });
    await event("earlier", "stop", { lastAssistantMessage });
  }
  await memsvc.call(summarizeSession, { sessionId: "earlier" });
  const { context } = await memsvc.call(buildContext, asking);
  expect(context).toContain("Ended with: Good, kept (before that: It is read nowhere, but kept for later).");
  expect(context.match(/(?<=^ {2}- Before that: ).*$/gmu)).toEqual(["The store is the link log now."]);
  await event("earlier", "stop", { lastAssistantMessage: "The README tells of it now." });
  const later = await memsvc.call(buildContext, asking);
  expect(later.context).toContain("  - Since then: The README tells of it now.\n");
});
