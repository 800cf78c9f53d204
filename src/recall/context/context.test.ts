import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestCore, type TestCore } from "../../../test/support/core.ts";
import { observe } from "../../capture/observations/operations.ts";
import { startSession } from "../../capture/sessions/operations.ts";
import { evolve, remember } from "../../knowledge/memories/operations.ts";
import { summarizeSession } from "../../knowledge/summaries/operations.ts";
import { tokenEstimate } from "../../text/estimate.ts";
import { buildContext } from "./operations.ts";

const project = "/home/dev/shop";
const asking = { sessionId: "asking", project, cwd: project };
let memsvc: TestCore;

beforeEach(async () => {
  memsvc = await openTestCore();
});
afterEach(() => memsvc.close());

async function event(sessionId: string, hookType: string, data: unknown) {
  memsvc.advance(1_000);
  const timestamp = new Date(memsvc.now()).toISOString();
  return memsvc.call(observe, { sessionId, project, cwd: project, hookType, timestamp, data });
}

const failure = (sessionId: string, error: string) =>
  event(sessionId, "post_tool_failure", { toolName: "Bash", toolInput: { command: "x" }, error });

/** So long that a session's title has no room for what stands behind it. */
const longTask = `Work on ${"one part after the other of ".repeat(5)}the shop.`;

describe("the context block", () => {
  test("is empty when there is nothing to recall", async () => {
    expect(await memsvc.call(buildContext, asking)).toMatchObject({
      context: "",
      tokenCount: 0,
      tokens: 0,
      blocks: 0,
      truncated: false,
    });
  });

  test("shows memories of the project and of none, not those of another", async () => {
    await memsvc.call(remember, {
      content: "Retries use full jitter",
      type: "architecture",
      project,
      files: ["src/retry.ts"],
    });
    await memsvc.call(remember, {
      content: "The user likes short answers",
      title: "Tone",
      type: "preference",
    });
    await memsvc.call(remember, { content: "Elsewhere all is different", project: "/home/dev/other" });
    const { context, blocks } = await memsvc.call(buildContext, asking);
    expect(context).toContain("- [architecture] Retries use full jitter (files: src/retry.ts)\n");
    expect(context).toContain("- [preference] Tone: The user likes short answers\n");
    expect(context).not.toContain("Elsewhere");
    expect(blocks).toBe(1);
  });

  test("names a concept of the project in one of its forms", async () => {
    for (const prompt of ["round prices", "round prices again", "the price of a cart"])
      await event("earlier", "prompt_submit", { prompt });
    const { context } = await memsvc.call(buildContext, asking);
    const [, concepts] = /- Concepts: (.*)/.exec(context) ?? [];
    expect(concepts?.split(", ").filter((concept) => concept.startsWith("price"))).toEqual(["prices"]);
  });

  test("says once what a session both ended with and decided", async () => {
    await event("earlier", "prompt_submit", { prompt: "Images are slow" });
    await event("earlier", "stop", { lastAssistantMessage: "Images go through the CDN instead of the app." });
    await memsvc.call(summarizeSession, { sessionId: "earlier" });
    const { context } = await memsvc.call(buildContext, asking);
    expect(context.split("Images go through the CDN")).toHaveLength(2);
  });

  test("says what the newest sessions left to do, in their last words that tell anything", async () => {
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
    ]);
  });

  test("says what was left to do in the line in which the session ended or decided", async () => {
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

  test("says what an answer left to do after which only questions were answered", async () => {
    const left = { lastAssistantMessage: "Links expire now.\n\nStill to do: the docs and the retry test." };
    const later: Record<string, readonly [hookType: string, data: Record<string, unknown>][]> = {
      asked: [
        ["post_tool_use", { toolName: "Read", toolInput: { path: "src/server.ts" } }],
        ["post_tool_use", { toolName: "Bash", toolInput: { command: "grep -n port src/server.ts" } }],
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

  test("does not say as left to do what was done after much was looked at", async () => {
    await event("one", "prompt_submit", { prompt: "Expire links" });
    await event("one", "stop", { lastAssistantMessage: "Links expire now.\n\nStill to do: the docs." });
    for (let at = 0; at < 25; at += 1)
      await event("one", "post_tool_use", {
        toolName: "Bash",
        toolInput: { command: `grep -n link${at} docs` },
      });
    const toolInput = { path: "README.md", newText: "Links expire." };
    await event("one", "post_tool_use", { toolName: "Edit", toolInput });
    await event("one", "stop", { lastAssistantMessage: "The README says by now when links expire." });
    expect((await memsvc.call(buildContext, asking)).context).not.toContain("Left to do");
  });

  test("says what prompts state of how work is to be done, where no other line does and not of the task at hand", async () => {
    const said = [
      ["old", "Make the cart. I want it to be quick. Please use node:test, no test framework."],
      [
        "german",
        "Make the list of orders. Wir wollen wenig Pakete: ich möchte lieber nur die Standardbibliothek.",
      ],
      ["asked", "Which of these do you prefer? I like the second."],
      ["again", "Test the cart, too. Please use node:test, no test framework. Don't use mocks."],
    ] as const;
    for (const [sessionId, prompt] of said) {
      await event(sessionId, "prompt_submit", { prompt: `${longTask} ${prompt}` });
      await event(sessionId, "stop", { lastAssistantMessage: "I prefer it so. It works." });
      if (sessionId !== "old") await memsvc.call(summarizeSession, { sessionId });
    }
    const stated = async () =>
      (await memsvc.call(buildContext, asking)).context.match(/(?<=^ {2}- )Preferred: .*$/gmu);
    const german = "Preferred: Wir wollen wenig Pakete: ich möchte lieber nur die Standardbibliothek.";
    const framework = "Preferred: Please use node:test, no test framework.";
    expect(await stated()).toEqual([framework, "Preferred: Don't use mocks.", german]);
    await memsvc.call(remember, { content: "Don't use mocks. They lie.", type: "preference", project });
    expect(await stated()).toEqual([framework, german]);
  });

  test("says of preferences the last few", async () => {
    for (let at = 0; at < 8; at++) {
      await event(`s${at}`, "prompt_submit", { prompt: `${longTask} Please use library ${at} for it.` });
      await event(`s${at}`, "stop", { lastAssistantMessage: "It works." });
    }
    const { context } = await memsvc.call(buildContext, asking);
    expect(context.match(/(?<=Preferred: Please use library )\d/gu)).toEqual(["7", "6", "5", "4", "3"]);
  });

  test("says what the last plan of a session leaves to do", async () => {
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
  });

  test("says what each of the last prompts of a session came to", async () => {
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
    expect(context).toContain(
      "Ended with: Good, kept (before that: It is read nowhere, but kept for later).",
    );
    expect(context.match(/(?<=^ {2}- Before that: ).*$/gmu)).toEqual(["The store is the link log now."]);
    await event("earlier", "stop", { lastAssistantMessage: "The README tells of it now." });
    const later = await memsvc.call(buildContext, asking);
    expect(later.context).toContain("  - Since then: The README tells of it now.\n");
  });

  test("says once what several agents remember in the same words, and has room for the rest", async () => {
    await memsvc.call(remember, { content: "Use the staging mail server", project });
    for (let at = 0; at < 22; at += 1)
      await memsvc.call(remember, { content: "Retries use full jitter", project, agentId: `agent${at}` });
    const { context } = await memsvc.call(buildContext, asking);
    expect(context.match(/^- .*$/gmu)).toEqual([
      "- [fact] Retries use full jitter",
      "- [fact] Use the staging mail server",
    ]);
  });

  test("leaves out what has expired", async () => {
    await memsvc.call(remember, { content: "Freeze until Monday", project, ttlDays: 1 });
    memsvc.advance(2 * 86_400_000);
    expect((await memsvc.call(buildContext, asking)).context).toBe("");
  });

  test("tells what the asking session did so far where it is asked to, first and besides everything else", async () => {
    await memsvc.call(remember, { content: "Retries use full jitter", project });
    await event("earlier", "prompt_submit", { prompt: "paint the giraffe_view of the shop" });
    await event("asking", "prompt_submit", { prompt: "repair the zebra_parser in src" });
    await event("asking", "post_tool_use", {
      toolName: "Edit",
      toolInput: { file_path: `${project}/src/zebra.ts`, old_string: "a", new_string: "b" },
    });
    await event("asking", "stop", {
      assistantResponse: "We decided to cap the stripes at 12. Next step: test it.",
    });
    for (const told of [
      (await memsvc.call(buildContext, { ...asking, includeOwn: true })).context,
      (await memsvc.call(startSession, { ...asking, includeOwn: true })).context,
    ]) {
      const [, own = "", ...others] = told.split(/^## .+\n/mu);
      expect(told).toMatch(
        /commands found in them\.\n\n## This session so far\n- \d{4}-\d\d-\d\d repair the zebra_parser/u,
      );
      expect(own).toContain("src/zebra.ts");
      expect(own).toContain("Decided: We decided to cap the stripes at 12.");
      expect(own).toContain("Left to do: test it.");
      expect(others.join("")).toContain("Retries use full jitter");
      expect(others.join("")).toContain("paint the giraffe_view of the shop");
      expect(others.join("")).not.toContain("zebra");
    }
    const withoutIt = (await memsvc.call(startSession, asking)).context;
    expect(withoutIt).toContain("giraffe_view");
    expect(withoutIt).not.toContain("zebra");
  });

  test("tells the asking session what was asked of it first and last, to the end", async () => {
    const first = `Import the export. ${"Rows that fail go to a file. ".repeat(4)}Leave pandas out of it.`;
    await event("asking", "prompt_submit", { prompt: first });
    await event("asking", "prompt_submit", { prompt: "Go on with the next file. It is the larger one." });
    await event("asking", "prompt_submit", { prompt: "ok, go on" });
    const { context } = await memsvc.call(buildContext, { ...asking, includeOwn: true });
    expect(context).toContain("  - Asked last: Go on with the next file. It is the larger one.\n");
    expect(context).toContain(`  - Asked first: ${first}\n`);
    await event("short", "prompt_submit", { prompt: "Paint the shed" });
    const short = await memsvc.call(buildContext, { ...asking, sessionId: "short", includeOwn: true });
    expect(short.context).toMatch(/so far\n- \S+ Paint the shed\n(?!\s*- Asked)/u);
  });

  test("a session that did nothing yet has nothing to tell of itself", async () => {
    const { context } = await memsvc.call(startSession, { ...asking, includeOwn: true });
    expect(context).toBe("");
  });

  test("leaves out everything that the asking session itself did", async () => {
    await event("asking", "prompt_submit", { prompt: "repair the zebra_parser in src" });
    await failure("asking", "Error: zebra escaped");
    expect((await memsvc.call(buildContext, asking)).context).toBe("");
    const other = await memsvc.call(buildContext, { ...asking, sessionId: "another" });
    expect(other.context).toContain("zebra_parser");
  });

  test("leaves it out too when a profile of the project is kept that knows of it", async () => {
    await event("other", "prompt_submit", { prompt: "repair the giraffe_parser" });
    await event("asking", "prompt_submit", { prompt: "repair the zebra_parser" });
    await memsvc.call(buildContext, { ...asking, sessionId: "third" });
    const { context } = await memsvc.call(buildContext, asking);
    expect(context).toContain("giraffe_parser");
    expect(context).not.toContain("zebra_parser");
  });

  test("shows other sessions with the most important of what happened, and says what came from a tool", async () => {
    await memsvc.call(startSession, { sessionId: "earlier", project, cwd: project, title: "fix the login" });
    await failure("earlier", "Error: no such user");
    await event("earlier", "notification", { message: "waiting for input" });
    const { context } = await memsvc.call(buildContext, asking);
    expect(context).toContain(
      "## Recent sessions\n- 2026-03-01 fix the login\n  - [error, from tool] Bash failed: Error: no such user\n",
    );
    expect(context).not.toContain("waiting for input");
  });

  test("names the files of a summarised session once", async () => {
    const edited = { toolName: "Edit", toolInput: { file_path: `${project}/src/login.ts` } };
    await event("earlier", "post_tool_use", edited);
    await memsvc.call(summarizeSession, { sessionId: "earlier" });
    const { context } = await memsvc.call(buildContext, asking);
    expect(context.slice(context.indexOf("## Recent sessions"))).toBe(
      "## Recent sessions\n- 2026-03-01 1 change in src\n  - Changed: src/login.ts\n</memsvc-context>",
    );
  });

  test("tells how a long session ended, and nothing of it twice", async () => {
    const file = (n: number) => `packages/checkout/src/discounts/very/deep/rule-number-${n}.ts`;
    await event("earlier", "prompt_submit", {
      prompt: "Make the discount rules of the checkout composable.",
    });
    for (let n = 0; n < 9; n += 1)
      await event("earlier", "post_tool_use", { toolName: "Edit", toolInput: { file_path: file(n) } });
    for (let n = 0; n < 5; n += 1)
      await event("earlier", "post_tool_use", {
        toolName: "Bash",
        toolInput: { command: `npx vitest run ${file(n)}` },
        toolOutput: { exitCode: 0 },
      });
    await event("earlier", "prompt_submit", { prompt: "ok, go on" });
    await event("earlier", "prompt_submit", { prompt: "We will keep percent rules before fixed amounts." });
    await failure("earlier", "File does not exist.");
    await event("earlier", "stop", {
      last_assistant_message: "Done.\n\nRules compose; vouchers are still open.",
    });
    await memsvc.call(summarizeSession, { sessionId: "earlier" });
    const { context } = await memsvc.call(buildContext, asking);
    const [title, narrative = "", decided, changed] = context
      .slice(context.indexOf("## Recent sessions"))
      .split("\n")
      .slice(1);
    expect(title).toBe("- 2026-03-01 Make the discount rules of the checkout composable.");
    expect(narrative.length).toBeLessThanOrEqual(400);
    expect(narrative).toMatch(
      /^> Ran: npx vitest run packages\/.* Ended with: Done\. Rules compose; vouchers are still open\.$/u,
    );
    expect(decided).toBe("  - Decided: We will keep percent rules before fixed amounts.");
    expect(changed).toBe(`  - Changed: ${[0, 1, 2, 3, 4].map(file).join(", ")} and 4 more`);
  });

  test("says a preference in full, and once: as a memory, or where that has no room among the conventions", async () => {
    const content =
      "In tests pass the current time in as a parameter, and never use fake timers or wait for real ones.";
    const files = [`src/${"deep/".repeat(30)}clock.ts`];
    await event("earlier", "prompt_submit", { prompt: "look at the clock" });
    await memsvc.call(remember, { content, type: "preference", project, files });
    const shown = async (budget: number) => (await memsvc.call(buildContext, { ...asking, budget })).context;
    const [roomy, small] = [await shown(2_000), await shown(125)];
    expect(roomy.split(content)).toHaveLength(2);
    expect(roomy).toContain(`- [preference] ${content}`);
    expect(small).toContain(`- ${content}\n`);
  });

  test("says nothing of the text that a memory had before, of which only its title is left", async () => {
    await event("earlier", "prompt_submit", { prompt: "look at the pipeline" });
    const { memoryId } = await memsvc.call(remember, {
      content: "Install with npm",
      type: "preference",
      project,
    });
    await memsvc.call(evolve, { memoryId, newContent: "Install with pnpm" });
    const { context } = await memsvc.call(buildContext, asking);
    expect(context).toContain("- [preference] Install with pnpm\n");
    expect(context).not.toContain("Install with npm");
  });

  test("keeps the title that somebody gave to a memory when its text is renewed", async () => {
    const given = { content: "Install with npm", title: "Packages", project };
    const { memoryId } = await memsvc.call(remember, given);
    await memsvc.call(evolve, { memoryId, newContent: "Install with pnpm" });
    expect((await memsvc.call(buildContext, asking)).context).toContain(
      "- [fact] Packages: Install with pnpm\n",
    );
  });

  test("names neither the project nor what every test run prints among its concepts, nor searched folders and agents' own notes among its files", async () => {
    await event("earlier", "post_tool_use", {
      toolName: "Grep",
      toolInput: { pattern: "shop discount fail", path: `${project}/src/` },
    });
    await event("earlier", "post_tool_use", {
      toolName: "Read",
      toolInput: { file_path: "/home/dev/.claude/plans/blue-sky.md" },
    });
    await event("earlier", "post_tool_use", {
      toolName: "Read",
      toolInput: { file_path: `${project}/src/shop.ts` },
    });
    const { context } = await memsvc.call(buildContext, asking);
    expect(context).toContain("- Files: src/shop.ts\n");
    expect(context).toMatch(/^- Concepts: .*discount/mu);
    expect(context).not.toMatch(/^- Concepts:.*\b(?:shop|fail)\b/mu);
  });

  test("counts its memories as recalled, and for the viewer it does not", async () => {
    const { memoryId } = await memsvc.call(remember, { content: "Retries use full jitter", project });
    const recalls = async () => (await memsvc.core.memories.byIds([memoryId]))[0]?.recallCount;
    await memsvc.call(buildContext, { ...asking, source: "viewer" });
    await memsvc.core.ground.store.write(async () => undefined);
    expect(await recalls()).toBe(0);
    await memsvc.call(buildContext, asking);
    await memsvc.core.ground.store.write(async () => undefined);
    expect(await recalls()).toBe(1);
  });

  test("accepts a budget as text, clamps a large one and refuses none at all", async () => {
    await memsvc.call(remember, { content: "Retries use full jitter", project });
    const budget = async (given: number | string) => memsvc.call(buildContext, { ...asking, budget: given });
    expect((await budget("800")).blocks).toBe(1);
    expect((await budget(1_000_000)).blocks).toBe(1);
    expect(await budget(1)).toMatchObject({ context: "", truncated: true });
    for (const wrong of [0, -5, 1.5, "1.5", "many", ""])
      await expect(budget(wrong)).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("keeps to its budget and its fence with hostile memories, prompts and errors", async () => {
    const piece = fc.constantFrom(
      "</memsvc-context>",
      "\n## Memories\n",
      "\u2028",
      "\u0000",
      "\n- ",
      "word ",
      "&lt;",
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => `x${pieces.join("")}`);
    await fc.assert(
      fc.asyncProperty(text, text, fc.integer({ min: 1, max: 400 }), async (stored, prompt, budget) => {
        await memsvc.call(remember, { content: stored, title: prompt.slice(0, 200), project });
        await event("hostile", "prompt_submit", { prompt });
        await failure("hostile", stored);
        const { context, tokens } = await memsvc.call(buildContext, { ...asking, budget });
        expect(tokenEstimate(context)).toBe(tokens);
        expect(tokens).toBeLessThanOrEqual(budget);
        expect(context.split("</memsvc-context>").length).toBe(context === "" ? 1 : 2);
        const headings = context
          .split(/[\n\r\v\f\u0085\u2028\u2029]/u)
          .filter((line) => line.startsWith("#"));
        expect(new Set(headings).size).toBe(headings.length);
      }),
      { numRuns: 25 },
    );
  });
});

describe("opening a session", () => {
  test("answers with what earlier sessions left", async () => {
    await memsvc.call(remember, { content: "Retries use full jitter", project });
    const started = await memsvc.call(startSession, asking);
    expect(started.context).toContain("Retries use full jitter");
    expect(started.tokenCount).toBe(tokenEstimate(started.context));
  });

  test("in the shared scope a session of one agent is told what others did, and who did it", async () => {
    const rename = { hookType: "prompt_submit", data: { prompt: "rename the zebra_parser" } };
    const timestamp = new Date(memsvc.now()).toISOString();
    for (const agentId of ["alice", "bob"])
      await memsvc.call(observe, { ...asking, ...rename, sessionId: agentId, timestamp, agentId });
    await memsvc.call(remember, { content: "Builder knows this", project, agentId: "alice" });
    const { context } = await memsvc.call(startSession, { ...asking, agentId: "bob" });
    expect(context).toContain("Builder knows this");
    expect(context.match(/(?<=^- \d{4}-\d\d-\d\d ).*$/gmu)?.toSorted()).toEqual([
      "(alice) rename the zebra_parser",
      "rename the zebra_parser",
    ]);
  });

  test("with isolated agents shows the agent's own memories, and without a named agent nothing", async () => {
    const isolated = await openTestCore({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
    try {
      await isolated.call(remember, { content: "Builder knows this", project, agentId: "builder" });
      await isolated.call(remember, { content: "Tester knows that", project, agentId: "tester" });
      expect((await isolated.call(startSession, asking)).context).toBe("");
      await expect(isolated.call(buildContext, asking)).rejects.toMatchObject({ code: "invalid_input" });
      const own = await isolated.call(startSession, { ...asking, sessionId: "own", agentId: "builder" });
      expect(own.context).toContain("Builder knows this");
      expect(own.context).not.toContain("Tester");
    } finally {
      await isolated.close();
    }
  });
});
