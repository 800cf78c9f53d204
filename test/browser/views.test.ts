import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { linkCommit } from "../../src/capture/commits/operations.ts";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession, startSession } from "../../src/capture/sessions/operations.ts";
import { ownCommands } from "../../src/cli/commands/table.ts";
import { createAction, updateAction } from "../../src/coordination/actions/operations.ts";
import { createCheckpoint } from "../../src/coordination/checkpoints/operations.ts";
import { tagFacet } from "../../src/coordination/facets/operations.ts";
import { acquireLease } from "../../src/coordination/leases/operations.ts";
import { runRoutine, saveRoutine } from "../../src/coordination/routines/operations.ts";
import { createSentinel } from "../../src/coordination/sentinels/operations.ts";
import { readSignals, sendSignal } from "../../src/coordination/signals/operations.ts";
import { addToSketch, createSketch } from "../../src/coordination/sketches/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { createCrystal } from "../../src/knowledge/crystals/operations.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { evolve, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { createSlot } from "../../src/knowledge/slots/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { catalogue } from "../../src/operation/catalogue.ts";
import { wordsOf } from "../../src/operation/command-syntax.ts";
import { chromium, freshPages, lists, secret } from "./fresh-pages.ts";

describe.skipIf(chromium === undefined)("a view", () => {
  const { serve, look } = freshPages();

  test("names, for an empty store, the next command or how to switch the feature on", async () => {
    const { url } = await serve();
    const watched = await look(url);
    expect(await watched.view("")).toContain('memsvc remember "');
    let checks = 0;
    watched.page.on("request", (request) => {
      if (request.url().endsWith("/diagnostics")) checks += 1;
    });
    await watched.page.getByRole("button", { name: "Look for faults" }).dblclick();
    await watched.page.getByText("without a finding").waitFor();
    expect(checks).toBe(1);
    const entries = await watched.page.evaluate<string[]>(
      '[...document.querySelectorAll("nav.views a")].map((link) => link.getAttribute("href").slice(2))',
    );
    expect(entries.sort()).toEqual(["", ...lists].sort());
    for (const list of lists) {
      const text = await watched.view(list);
      const way =
        {
          slots: "MEMSVC_SLOTS=true",
          team: "MEMSVC_TEAM_ID=<team>",
          mesh: "the same MEMSVC_SECRET",
          audit: "Every change leaves an entry here",
        }[list] ?? "memsvc ";
      expect(text, list).toContain(way);
    }
    expect(await watched.faults()).toEqual([]);
  });

  test("shows stored records without changing any memory", async () => {
    const { url, store } = await serve();
    const { observationId } = await store.call(observe, {
      hookType: "post_tool_use",
      sessionId: "s1",
      project: "shop",
      cwd: "/w/shop",
      timestamp: "2026-03-01T10:00:00Z",
      data: { toolName: "Bash", toolInput: { command: "npm run migrate" } },
    });
    await store.call(endSession, { sessionId: "s1" });
    await store.call(summarizeSession, { sessionId: "s1" });
    const { memoryId } = await store.call(remember, {
      content: "Queues are drained on shutdown",
      project: "shop",
      sourceObservationIds: [observationId],
    });
    const { memory } = await store.call(evolve, { memoryId, newContent: "Queues are flushed on shutdown" });
    await store.call(saveLesson, { content: "Flush before you stop" });
    await store.call(startSession, { sessionId: "s2", project: "bare", cwd: "/w/bare" });
    const before = await store.call(listMemories, {});
    const watched = await look(url);

    expect(await watched.view("memories")).toMatch(
      /Queues are flushed on shutdown.*strength 1\.00.*version 2.*shop/su,
    );
    expect(await watched.view(`memory/${memory.id}`)).toMatch(
      /1\.00.*Sources.*npm run migrate.*Versions.*drained/su,
    );
    await watched.page.locator("code.id").click();
    expect(await watched.page.evaluate("String(getSelection())")).toBe(memory.id);
    expect(await watched.view("sessions")).toMatch(/completed.*shop.*1 observation/su);
    expect(await watched.view("projects")).toMatch(/2 projects.*shop.*\/w\/shop1 session1 memory/su);
    expect(await watched.view("project/shop")).toMatch(
      /1 session1 memory.*1 observation.*told at its start.*tokens.*<memsvc-context.*Queues are flushed/su,
    );
    expect(await watched.view("project/nowhere")).toMatch(/nothing is stored under this name.*No session/su);
    expect(await watched.view("sessions?project=bare")).toMatch(/1 session.*Session s2active/su);
    expect(await watched.view("session/s1")).toMatch(
      /Summary.*Ran: npm run migrate.*Written by rules, quality \d+ of 100.*Timeline.*command run/su,
    );
    expect(await watched.view(`observation/${observationId}`)).toMatch(/Remembered from itQueues/u);
    expect(await watched.view("search?q=queues%20shutdown")).toMatch(
      /2 hits.*flushed.*Why: words #1.*score/su,
    );
    expect(await watched.view("lessons")).toMatch(
      /Flush before you stop.*confidence 0\.50.*every project.*lsn_/su,
    );
    await watched.view("search?q=flush%20stop&kind=lesson");
    await watched.page.getByRole("link", { name: "Flush before you stop" }).click();
    await watched.page.getByRole("heading", { name: "Lesson", exact: true }).waitFor();
    expect(await watched.page.locator("main").textContent()).toMatch(
      /Flush before you stop.*not confirmed yet/su,
    );
    expect(await watched.view("audit?operation=evolve")).toMatch(/1 entry.*memory\.evolve/su);
    expect(await watched.view("memories?project=nowhere")).toContain("Remove the filters");
    expect(await watched.view("memory/mem_unknown")).toMatch(/Not here.*mem_unknown/su);
    await store.core.search.notes.settled();
    expect(await store.call(listMemories, {})).toEqual(before);
    expect(await watched.faults()).toEqual([]);
  });

  test("finds a commit by the beginning of its sha, and leads to its session and to what came of actions", async () => {
    const { url, store } = await serve();
    await store.call(startSession, { sessionId: "s1", project: "shop", cwd: "/w/shop", title: "Sell once" });
    for (const [sha, branch] of [
      ["3f2a91c0d6b1f0a2e4c5d6e7f8091a2b3c4d5e6f", "main"],
      ["77aa00c0d6b1f0a2e4c5d6e7f8091a2b3c4d5e6f", "next"],
    ] as const)
      await store.call(linkCommit, { sha, sessionId: "s1", branch, message: `Lock the row on ${branch}` });
    const { action } = await store.call(createAction, { title: "Lock it", project: "shop" });
    await store.call(updateAction, { actionId: action.id, status: "done", result: "No double sales" });
    await store.call(createCrystal, { actionIds: [action.id] });
    const { view, faults } = await look(url);
    expect(await view("commits")).toMatch(/2 commits.*Made inSell once/su);
    expect(await view("commits?branch=next")).toMatch(/1 commit,.*on next77aa00c/su);
    expect(await view("commits?sha=3f2a")).toMatch(
      /1 commit,.*Lock the row on main3f2a91c.*Made inSell once/su,
    );
    expect(await view("commits?sha=0000")).toContain("There are no commits that fit these filters.");
    expect(await view("crystals")).toMatch(/1 crystal.*Lock it.*No double sales.*shop.*by rules/su);
    expect(await view(`action/${action.id}`)).toMatch(/Crystalcry_/u);
    expect(await faults()).toEqual([]);
  });

  test("knows a project although a thousand others were active later", async () => {
    const { url, store } = await serve();
    const memories = Array.from({ length: 1_001 }, (_, at) => ({
      id: `mem_${at}`,
      content: `Cards are charged once in ${at}`,
      project: `project-${at}`,
      createdAt: Date.parse("2026-03-01T10:00:00Z") + at,
    }));
    await store.call(importStore, { exportData: { memories } });
    const { view } = await look(url);
    expect(await view("project/project-0")).toMatch(/1 memory/u);
  });

  test("shows the labels of a record, and leads to the others that bear one, by their titles", async () => {
    const { url, store } = await serve();
    const { memoryId } = await store.call(remember, { content: "Cards are charged once" });
    const { action } = await store.call(createAction, { title: "Charge refunds once" });
    const { observationId } = await store.call(observe, {
      hookType: "prompt_submit",
      sessionId: "s1",
      project: "shop",
      cwd: "/w/shop",
      timestamp: "2026-03-01T10:00:00Z",
      data: { prompt: "Who is charged twice?" },
    });
    for (const targetId of [memoryId, action.id, observationId])
      await store.call(tagFacet, { targetId, dimension: "team", value: "payments" });
    const { page, view, faults } = await look(url);
    for (const place of [`memory/${memoryId}`, `observation/${observationId}`, `action/${action.id}`])
      expect(await view(place)).toMatch(/Labelsteam:payments/u);
    await page.getByRole("link", { name: "team:payments" }).click();
    await page.getByRole("heading", { name: "With team:payments" }).waitFor();
    // In line with the name beside it.
    const margin = "getComputedStyle(document.querySelector('dd > ul')).marginTop";
    expect(await page.evaluate(margin)).toBe("0px");
    const text = await page.locator("main").textContent();
    expect(text).toMatch(/teampayments \(3\).*3 records, last labelled first/su);
    for (const title of ["Who is charged twice?", "Charge refunds once", "Cards are charged once"])
      expect(text).toContain(title);
    expect(await view("facets?label=team:other")).toContain("There are no records that fit these filters.");
    expect(await faults()).toEqual([]);
  });

  test("shows the slots of one project, and says whose are shown without one", async () => {
    const { url, store } = await serve({ MEMSVC_SLOTS: "true" });
    await store.call(createSlot, { label: "deploys", content: "Tuesdays", project: "shop" });
    const { page, view } = await look(url);
    expect(await view("slots")).toMatch(/slots, those of all projects and of the default one; pinned/u);
    expect(await page.getByLabel("Project").getAttribute("placeholder")).toBe("default");
    const text = await view("slots?project=shop");
    expect(text).toMatch(/slots; pinned.*deploysTuesdays/su);
  });

  test("shows a tool call with a start and an end once, at its end", async () => {
    const { url, store } = await serve();
    const told = (hookType: string, command: string, second: number) =>
      store.call(observe, {
        hookType,
        sessionId: "calls",
        project: "shop",
        cwd: "/w/shop",
        timestamp: `2026-03-01T10:00:0${second}Z`,
        data: { toolName: "Bash", toolInput: { command } },
      });
    await told("pre_tool_use", "make lint", 1);
    await told("post_tool_use", "make lint", 2);
    // This one still runs.
    await told("pre_tool_use", "make all", 3);
    const watched = await look(url);
    for (const order of ["", "?order=desc"]) {
      const text = await watched.view(`session/calls${order}`);
      const calls = text.match(/Bash(?: starts)?(?=\s*importance)/gu);
      expect(calls).toEqual(order === "" ? ["Bash", "Bash starts"] : ["Bash starts", "Bash"]);
      expect(text).toContain("3 observations, 1 of them shown with another");
      expect(text).not.toContain("Next");
    }
    expect(await watched.faults()).toEqual([]);
  });

  test("shows the frontier, leases, gates, routines and signals, and marks no signal as read", async () => {
    const { url, store } = await serve({ MEMSVC_SECRET: secret });
    const act = async (title: string, more: object = {}) =>
      (await store.call(createAction, { title, project: "shop", ...more })).action.id;
    const schema = await act("Move the schema");
    const release = await act("Release it", { priority: 9, requires: [schema], metadata: { ticket: "T-7" } });
    await act("Write the notes", {
      parentId: release,
      edges: [{ type: "unlocks", targetActionId: release }],
    });
    await store.call(acquireLease, { actionId: schema, agentId: "builder" });
    await store.call(createCheckpoint, { name: "CI is green", type: "ci", linkedActionIds: [release] });
    await store.call(createSentinel, {
      name: "Legal has signed",
      type: "approval",
      linkedActionIds: [release],
    });
    await store.call(createSentinel, {
      name: "Tea is ready",
      type: "timer",
      config: { durationMs: 300_000 },
    });
    await store.call(sendSignal, {
      from: "planner",
      to: "builder",
      content: "Take the schema",
      type: "handoff",
    });
    await store.call(sendSignal, { from: "ops", content: "Deploys are frozen", type: "alert" });
    const { routine } = await store.call(saveRoutine, {
      name: "Release",
      steps: [{ title: "Bump" }, { title: "Publish", dependsOn: [1] }],
    });
    const { run, actions } = await store.call(runRoutine, { routineId: routine.id, initiatedBy: "planner" });
    await store.call(updateAction, { actionId: actions[0]?.id ?? "", status: "done", result: "2.4.0" });
    const { sketch } = await store.call(createSketch, { title: "Replace the queue" });
    await store.call(addToSketch, { sketchId: sketch.id, title: "Measure it" });
    const before = await store.call(readSignals, { agentId: "builder", peek: true });
    const { page, view, faults } = await look(url, { ownPage: true });
    await page.clock.setFixedTime(store.now());
    await page.getByLabel("Secret").fill(secret);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Overview" }).waitFor();

    expect(await view("")).toMatch(/4open actions2 can be started/u);
    expect(await view("frontier")).toMatch(
      /2 of 4 open actions can be worked on now.*Write the notes.*score/su,
    );
    expect(await view("frontier?agent=builder")).toMatch(/3 of 4.*Move the schema.*held already/su);
    expect(await view("actions?status=blocked")).toMatch(/1 action,.*Release itblocked/su);
    expect(await view(`action/${release}`)).toMatch(
      /Waits for.*Move the schemaactive.*CI is greenpending.*Legal has signedwatching.*Edges.*requires.*unlocks \(from it\).*Write the notes.*Parts.*Write the notes/su,
    );
    expect(await view(`action/${release}`)).toMatch(/ticketT-7/u);
    expect(await view(`action/${schema}`)).toMatch(/Held bybuilder, since .*ends in 10 min/u);
    expect(await view("leases?project=shop")).toMatch(
      /1 action in work.*Move the schema.*builder.*ends in 10 min/su,
    );
    expect(await view("checkpoints?status=pending")).toMatch(/CI is greenpendingci.*GatesRelease it/su);
    expect(await view("sentinels")).toMatch(/Legal has signed.*watchingapproval.*GatesRelease it/su);
    expect(await view("sentinels?type=timer")).toMatch(/Tea is ready.*triggers in 5 min/su);
    expect(await view("signals")).toMatch(/1 signal.*opsto everybody.*frozen/su);
    expect(await view("signals?agent=builder&read=unread")).toMatch(
      /2 not read by builder yet.*plannerto builder.*Take the schema/su,
    );
    expect(await view("routines")).toMatch(/Releasefrozen.*Publish after 1.*Runsjust now/su);
    expect(await view(`run/${run.id}`)).toMatch(
      /Run of Release.*running1 of 2 actions done1 pending.*by planner.*Bumpdone.*Publishpending/su,
    );
    expect(await view("sketches")).toMatch(/Replace the queueactive1 action/u);
    expect(await view(`actions?sketch=${sketch.id}`)).toMatch(/1 action.*Measure it/su);
    expect(await view("actions")).not.toContain("Measure it");
    expect(await view("mesh")).toContain("memsvc mesh add");
    expect(await view("actions?offset=50")).toMatch(
      /ends before here: it has 5 actions.*Go to its beginning/su,
    );
    expect(await store.call(readSignals, { agentId: "builder", peek: true })).toEqual(before);
    expect(await faults()).toEqual([]);
  });

  test("of the graph says that it is switched off, and still counts the nodes", async () => {
    const { url, store } = await serve();
    await store.call(remember, {
      content: "Retry with jitter",
      concepts: ["retry"],
      files: ["src/queue.ts"],
    });
    const watched = await look(url);
    expect(await watched.view("graph")).toMatch(/2 nodes.*switched off.*GRAPH_EXTRACTION_ENABLED/su);
  });

  test("marks a healthy, a degraded and a critical daemon with a colour each, and says what to do about failed jobs", async () => {
    const { url } = await serve();
    const { page, view } = await look(url);
    const colours = new Set<string>();
    for (const status of ["healthy", "degraded", "critical"]) {
      await page.route("**/memsvc/health*", async (route) => {
        const response = await route.fetch();
        const answer = await response.json();
        const health = { ...answer.health, jobs: { ...answer.health.jobs, failed: 2 } };
        await route.fulfill({ response, json: { ...answer, status, health } });
      });
      await view("sessions");
      expect(await view("")).toMatch(new RegExp(`${status}.*2 failed: look for faults below`, "su"));
      colours.add(
        await page.evaluate<string>(
          "getComputedStyle(document.querySelector('.condition .status'), '::before').backgroundColor",
        ),
      );
    }
    expect(colours.size).toBe(3);
  });

  test("shows the memories of all isolated agents, or of one with the agent filter", async () => {
    const { url, store } = await serve({ MEMSVC_AGENT_SCOPE: "isolated" });
    for (const agentId of ["builder", "tester"])
      await store.call(remember, { content: `what the ${agentId} knows`, agentId });
    const { page, view, faults } = await look(url);
    expect(await view("memories")).toMatch(/2 memories.*agent tester.*agent builder/su);
    expect(await view("memories?agent=tester")).toMatch(/1 memory.*what the tester knows/su);
    for (const place of ["", ...lists, "search?q=knows"]) expect(await view(place)).not.toContain("agentId");
    expect(await view("search?q=knows")).toMatch(/2 hits/u);
    expect(await view("search?q=knows&agent=tester")).toMatch(/1 hit,.*what the tester knows/su);
    expect(await view("search?q=heron&agent=tester")).toContain("Nothing matches");
    await page.getByRole("link", { name: "Search without the filters" }).click();
    await expect.poll(() => page.evaluate("location.hash")).toBe("#/search?q=heron");
    await view("");
    await page.getByRole("button", { name: "Look for faults" }).click();
    const finding = page.locator(".row", { hasText: "belong to no project" });
    await finding.getByRole("link", { name: /^mem_/u }).first().waitFor();
    expect(await faults()).toEqual([]);
  });
});

test("every command that the viewer names exists", () => {
  const known = new Set(
    [...ownCommands.map(({ command }) => command), ...catalogue.flatMap(({ cli }) => cli?.command ?? [])].map(
      wordsOf,
    ),
  );
  const folder = fileURLToPath(new URL("../../src/viewer", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(?:ts|html)$/u.test(file),
  );
  const named = files.flatMap((file) =>
    [
      ...readFileSync(join(folder, file), "utf8").matchAll(
        /memsvc ((?:[a-z]+(?:-[a-z]+)*)(?: [a-z]+)?)(?=[ "'`,.<]|$)/gmu,
      ),
    ].map(([, words = ""]) => words),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((words) => !known.has(words) && !known.has(words.split(" ")[0] ?? ""))).toEqual([]);
});
