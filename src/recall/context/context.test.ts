import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { observe } from "../../capture/observations/operations.ts";
import { startSession } from "../../capture/sessions/operations.ts";
import { evolve, remember } from "../../knowledge/memories/operations.ts";
import { summarizeSession } from "../../knowledge/summaries/operations.ts";
import { tokenEstimate } from "../../text/token-estimate.ts";
import { dayMs } from "../../time/durations.ts";
import { asking, eventIn, failureIn, longTask, project } from "./context-fixture.ts";
import { buildContext } from "./operations.ts";

const memsvc = forEachTest(openTestCore);

const event = (sessionId: string, hookType: string, data: unknown) =>
  eventIn(memsvc, sessionId, hookType, data);
const failure = (sessionId: string, error: string) => failureIn(memsvc, sessionId, error);

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

  test("shows memories of the project and of no project, not those of another project", async () => {
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

  test("shows decisions without those that a later decision or version replaces", async () => {
    const remembered = (content: string) => memsvc.call(remember, { content, type: "architecture", project });
    const decided = async (sessionId: string, prompt: string) => {
      await event(sessionId, "prompt_submit", { prompt: `${longTask} ${prompt}` });
      await event(sessionId, "stop", { lastAssistantMessage: "It is made and tested." });
      await memsvc.call(summarizeSession, { sessionId });
    };
    await decided("login", "We decided to keep sessions in Redis.");
    await decided("basket", "We will keep baskets in cookies. We will sign coupons with HMAC keys.");
    await decided(
      "invoice",
      "We will sign coupons with HMAC keys and invoices with certificates of the shop.",
    );
    await decided("shop", "Keep images on disk, always.");
    const { memory } = await remembered("We will sign coupons with HMAC keys");
    await remembered("Dates are formatted by Moment.js");
    memsvc.advance(1_000);
    await memsvc.call(evolve, { memoryId: memory.id, newContent: "Coupons have an Ed25519 signature" });
    await remembered("Dates are formatted by date-fns instead of Moment.js");
    await decided("logout", "Sessions are kept in Postgres instead of Redis.");
    const { context } = await memsvc.call(buildContext, asking);
    expect(context.match(/(?<=^ {2}- Decided: ).*$/gmu)).toEqual([
      "Sessions are kept in Postgres instead of Redis.",
      "Keep images on disk, always.",
      "We will sign coupons with HMAC keys and invoices with certificates of the shop.",
      "We will keep baskets in cookies.",
    ]);
    expect(context.match(/(?<=^- \[architecture\] ).*$/gmu)?.toSorted()).toEqual([
      "Coupons have an Ed25519 signature",
      "Dates are formatted by date-fns instead of Moment.js",
    ]);
  });

  test("shows a decision again when the memory that replaced it has expired", async () => {
    await event("sessions", "prompt_submit", {
      prompt: `${longTask} We decided to keep sessions in Redis.`,
    });
    await event("sessions", "stop", { lastAssistantMessage: "It works." });
    await memsvc.call(summarizeSession, { sessionId: "sessions" });
    memsvc.advance(1_000);
    const content = "Sessions are kept in Postgres instead of Redis.";
    await memsvc.call(remember, { content, project, ttlDays: 1 });
    memsvc.advance(86_399_000);
    const decided = "We decided to keep sessions in Redis";
    expect((await memsvc.call(buildContext, asking)).context).not.toContain(decided);
    memsvc.advance(1_000);
    expect((await memsvc.call(buildContext, asking)).context).toContain(decided);
  });

  test("shows an agent its decision although a memory of another agent replaces it", async () => {
    await memsvc.call(startSession, { ...asking, sessionId: "sessions", agentId: "ann" });
    await event("sessions", "prompt_submit", {
      prompt: `${longTask} We decided to keep sessions in Redis.`,
    });
    await event("sessions", "stop", { lastAssistantMessage: "It works." });
    await memsvc.call(summarizeSession, { sessionId: "sessions" });
    memsvc.advance(1_000);
    const content = "Sessions are kept in Postgres instead of Redis.";
    await memsvc.call(remember, { content, project, agentId: "bob" });
    const shown = async (agentId: string) =>
      (await memsvc.call(buildContext, { ...asking, agentId })).context;
    const decided = "We decided to keep sessions in Redis";
    expect(await shown("*")).not.toContain(decided);
    expect(await shown("ann")).toContain(decided);
  });

  test("shows a concept of the project in only one of its forms", async () => {
    for (const prompt of ["round prices", "round prices again", "the price of a cart"])
      await event("earlier", "prompt_submit", { prompt });
    const { context } = await memsvc.call(buildContext, asking);
    const [, concepts] = /- Concepts: (.*)/.exec(context) ?? [];
    expect(concepts?.split(", ").filter((concept) => concept.startsWith("price"))).toEqual(["prices"]);
  });

  test("shows what several agents remember in the same words once, and has room for the rest", async () => {
    await memsvc.call(remember, { content: "Use the staging mail server", project });
    for (let at = 0; at < 22; at += 1)
      await memsvc.call(remember, { content: "Retries use full jitter", project, agentId: `agent${at}` });
    const { context } = await memsvc.call(buildContext, asking);
    expect(context.match(/^- .*$/gmu)).toEqual([
      "- [fact] Retries use full jitter",
      "- [fact] Use the staging mail server",
    ]);
  });

  test("leaves out expired memories", async () => {
    await memsvc.call(remember, { content: "Freeze until Monday", project, ttlDays: 1 });
    memsvc.advance(2 * 86_400_000);
    expect((await memsvc.call(buildContext, asking)).context).toBe("");
  });

  test("shows other sessions with their most important events, and marks what tools said", async () => {
    await memsvc.call(startSession, { sessionId: "earlier", project, cwd: project, title: "fix the login" });
    await failure("earlier", "Error: no such user");
    await event("earlier", "notification", { message: "waiting for input" });
    const { context } = await memsvc.call(buildContext, asking);
    expect(context).toContain(
      "## Recent sessions\n- 2026-03-01 fix the login\n  - [error, from tool] Bash failed: Error: no such user\n",
    );
    expect(context).not.toContain("waiting for input");
  });

  test("lists the files of a summarised session once", async () => {
    const edited = { toolName: "Edit", toolInput: { file_path: `${project}/src/login.ts` } };
    await event("earlier", "post_tool_use", edited);
    await memsvc.call(summarizeSession, { sessionId: "earlier" });
    const { context } = await memsvc.call(buildContext, asking);
    expect(context.slice(context.indexOf("## Recent sessions"))).toBe(
      "## Recent sessions\n- 2026-03-01 1 change in src\n  - Changed: src/login.ts\n</memsvc-context>",
    );
  });

  test("shows how a long session ended, without repetition", async () => {
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
    for (const message of [
      "feat: rules compose",
      `fix: ${"rounding ".repeat(8)}`,
      "y".repeat(99),
      "z".repeat(99),
    ])
      await event("earlier", "post_tool_use", {
        toolName: "Bash",
        toolInput: { command: `git add -A && git commit -m '${message}'` },
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
    const [title, narrative = "", committed, decided, changed] = context
      .slice(context.indexOf("## Recent sessions"))
      .split("\n")
      .slice(1);
    expect(title).toBe("- 2026-03-01 Make the discount rules of the checkout composable.");
    expect(narrative.length).toBeLessThanOrEqual(400);
    expect(narrative).toMatch(
      /^> Ran: npx vitest run packages\/.* Ended with: Done\. Rules compose; vouchers are still open\.$/u,
    );
    expect(committed).toMatch(/^ {2}- Committed: feat: rules compose; fix: (?:rounding ){8}; y+…; …$/u);
    expect(decided).toBe("  - Decided: We will keep percent rules before fixed amounts.");
    expect(changed).toBe(`  - Changed: ${[0, 1, 2, 3, 4].map(file).join(", ")} and 4 more`);
  });

  test("shows older sessions that tell much before small tasks between them, the newest first", async () => {
    const work = async (sessionId: string, prompt: string, answer: string) => {
      await event(sessionId, "prompt_submit", { prompt });
      await event(sessionId, "stop", { last_assistant_message: answer });
      await memsvc.call(summarizeSession, { sessionId });
      memsvc.advance(dayMs);
    };
    const cause =
      "The error path of withTransaction never released its client, so each failure cost a connection.";
    await work("cause", "Why does the pool run dry under load?", `I've fixed the issue. ${cause}`);
    for (let at = 0; at < 12; at += 1)
      await work(
        `small ${at}`,
        `rename variable ${at}`,
        "I renamed it in README.md and src/cart.ts, and all 214 tests pass.",
      );
    const { context } = await memsvc.call(buildContext, asking);
    expect(context).toContain(`  - In detail: ${cause}\n`);
    const titles = [...context.matchAll(/^- 2026-\S+ (.*)$/gmu)].map(([, title]) => title);
    const small = Array.from({ length: 9 }, (_, at) => `rename variable ${11 - at}`);
    expect(titles).toEqual([...small, "Why does the pool run dry under load?"]);
  });

  test("shows a preference in full and once, as a memory or else as a convention", async () => {
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

  test("does not show the former text of an evolved memory", async () => {
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

  test("keeps the title that a memory was given when its text is renewed", async () => {
    const given = { content: "Install with npm", title: "Packages", project };
    const { memoryId } = await memsvc.call(remember, given);
    await memsvc.call(evolve, { memoryId, newContent: "Install with pnpm" });
    expect((await memsvc.call(buildContext, asking)).context).toContain(
      "- [fact] Packages: Install with pnpm\n",
    );
  });

  test("leaves out the project's name, words of test runs, searched folders and agents' own notes", async () => {
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

  test("counts its memories as recalled, except for the viewer", async () => {
    const { memoryId } = await memsvc.call(remember, { content: "Retries use full jitter", project });
    const recalls = async () => (await memsvc.core.memories.byIds([memoryId]))[0]?.recallCount;
    await memsvc.call(buildContext, { ...asking, source: "viewer" });
    await memsvc.core.ground.store.write(async () => undefined);
    expect(await recalls()).toBe(0);
    await memsvc.call(buildContext, asking);
    await memsvc.core.ground.store.write(async () => undefined);
    expect(await recalls()).toBe(1);
  });

  test("accepts budgets as text and of any size, and rejects invalid ones", async () => {
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
  test("returns the project's memories and their token count", async () => {
    await memsvc.call(remember, { content: "Retries use full jitter", project });
    const started = await memsvc.call(startSession, asking);
    expect(started.context).toContain("Retries use full jitter");
    expect(started.tokenCount).toBe(tokenEstimate(started.context));
  });

  test("in the shared scope shows what other agents did, with their names", async () => {
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

  test("with isolated agents shows only the agent's own memories, and none without an agent", async () => {
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
