import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { createAction, getAction, updateAction } from "../../src/coordination/actions/operations.ts";
import { runRoutine, saveRoutine } from "../../src/coordination/routines/operations.ts";
import { addToSketch, createSketch } from "../../src/coordination/sketches/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose, heal } from "../../src/governance/diagnostics/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { autoCrystallize, createCrystal, listCrystals } from "../../src/knowledge/crystals/operations.ts";
import { compressFlow } from "../../src/knowledge/flow/operations.ts";
import { listLessons } from "../../src/knowledge/lessons/operations.ts";
import { getMemory } from "../../src/knowledge/memories/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { openModelServer } from "../support/model-server.ts";

const any: unknown = expect.any(String);

let http: TestHttp;
beforeEach(async () => {
  http = await openTestHttp();
});
afterEach(() => http.close());

/** Creates an action and finishes it a second later. */
async function finished(
  title: string,
  fields: Record<string, unknown> = {},
  end: object = {},
): Promise<string> {
  const { action } = await http.ok(createAction, { title, ...fields });
  http.advance(1_000);
  await http.ok(updateAction, { actionId: action.id, status: "done", ...end });
  return action.id;
}

async function crystallizeEntries() {
  const { entries } = await http.ok(listAudit, { operation: "crystallize" });
  return entries.map(({ functionId, details }) => [functionId, details.actions]);
}

async function touched(file: string, agentId?: string): Promise<string> {
  const { observationId } = await http.ok(observe, {
    sessionId: `of ${agentId}`,
    project: "shop",
    cwd: "/w/shop",
    hookType: "post_tool_use",
    timestamp: "2026-03-01T10:00:00Z",
    data: { tool_name: "Edit", tool_input: { file_path: `/w/shop/${file}` } },
    ...(agentId === undefined ? {} : { agentId }),
  });
  return observationId;
}

describe("a crystal made by rules", () => {
  test("tells the actions in order with their outcomes, files, lessons and tags", async () => {
    const observationId = await touched("src/worker.ts");
    const second = await http.ok(createAction, {
      title: "Move the jobs",
      description: "those in src/queue.ts",
      project: "shop",
      tags: ["queue"],
      sourceObservationIds: [observationId],
    });
    const first = await finished(
      "Write the worker",
      { project: "/w/shop", tags: ["db"] },
      { result: "Wrote it. Lesson: start the worker last. See docs/worker.md." },
    );
    http.advance(1_000);
    await http.ok(updateAction, {
      actionId: second.action.id,
      status: "cancelled",
      result: "Gave up after 2 days; we learned that jobs cannot move.",
    });
    const actionIds = [second.action.id, first];
    const { crystal } = (await http.reply(createCrystal, { actionIds, sessionId: "s1" })).body;
    expect(crystal).toEqual({
      id: expect.stringMatching(/^cry_[0-9a-z]{26}$/u),
      narrative:
        "Write the worker: Wrote it. Lesson: start the worker last. See docs/worker.md.\nMove the jobs (cancelled): Gave up after 2 days; we learned that jobs cannot move.",
      keyOutcomes: ["Wrote it. Lesson: start the worker last. See docs/worker.md."],
      filesAffected: ["docs/worker.md", "src/queue.ts", "src/worker.ts"],
      lessons: ["Lesson: start the worker last.", "we learned that jobs cannot move."],
      tags: ["queue", "db"],
      sourceActionIds: actionIds,
      sessionId: "s1",
      project: "shop",
      provider: "extractive",
      createdAt: "2026-03-01T12:00:02.000Z",
    });
    const { id } = crystal as { id: string };
    expect((await http.ok(getAction, { actionId: first })).action.crystallizedInto).toBe(id);
    expect((await http.ok(listLessons, { source: "crystal" })).lessons).toMatchObject([
      { content: "we learned that jobs cannot move.", sourceIds: [id] },
      { content: "Lesson: start the worker last.", confidence: 0.6, sourceIds: [id], project: "shop" },
    ]);
    expect(await crystallizeEntries()).toEqual([["crystal.create", 2]]);
    const again = await http.reply(createCrystal, { actionIds: [first] });
    expect([again.status, again.body.crystallized]).toEqual([409, [first]]);
  });

  test("takes each item of a list below a line about lessons as a lesson, not that line", async () => {
    const result = [
      ...["We learned a lot.", "", "**Lessons learned:**", "- keep the lock short", "- Log the owner", ""],
      ...["All tests pass.", "## Next time", "1. start with the schema", "", "Lesson: none of this was new"],
    ];
    const actionIds = [await finished("Lock it", {}, { result: result.join("\n") })];
    const lessons = ["We learned a lot.", "keep the lock short", "Log the owner", "start with the schema"];
    expect(await http.ok(createCrystal, { actionIds })).toMatchObject({
      crystal: { lessons: [...lessons, "Lesson: none of this was new"] },
    });
  });

  test("names each of many actions, the results as far as there is room", async () => {
    const ids: string[] = [];
    for (let at = 0; at < 60; at += 1)
      ids.push(
        await finished(`Part ${at} of it`, {}, { result: `Part ${at} went ${"very ".repeat(400)}well` }),
      );
    const made = await http.ok(createCrystal, { actionIds: ids });
    const lines = "crystal" in made ? made.crystal.narrative.split("\n") : [];
    expect(lines.map((line) => line.slice(0, line.indexOf(" very")))).toEqual(
      ids.map((_, at) => `Part ${at} of it: Part ${at} went`),
    );
  });

  test("needs known actions that are finished", async () => {
    const done = await finished("done");
    const { action } = await http.ok(createAction, { title: "open" });
    const unfinished = await http.reply(createCrystal, { actionIds: [done, action.id] });
    expect([unfinished.status, unfinished.body.unfinished]).toEqual([409, [action.id]]);
    const unknown = await http.reply(createCrystal, { actionIds: [done, "act_x"] });
    expect([unknown.status, unknown.body.notFound]).toEqual([404, ["act_x"]]);
    const tooMany = Array.from({ length: 201 }, (_, at) => `act_${at}`);
    for (const actionIds of [[], tooMany])
      expect((await http.reply(createCrystal, { actionIds })).status).toBe(400);
    expect(await crystallizeEntries()).toEqual([]);
  });

  test("of actions of several projects belongs to none of them", async () => {
    const projects = ["shop", "bank"];
    const actionIds = await Promise.all(projects.map((project) => finished(`Sort ${project}`, { project })));
    const { body } = await http.reply(createCrystal, { actionIds });
    expect(body.crystal).toMatchObject({ sourceActionIds: actionIds });
    expect(body.crystal).not.toHaveProperty("project");
  });

  test("is listed newest first, filtered by project, session and agent", async () => {
    for (const [at, fields] of [{ project: "/w/shop" }, { sessionId: "s2" }, { agentId: "ann" }].entries())
      await http.ok(createCrystal, { actionIds: [await finished(`a${at}`)], ...fields });
    const list = async (fields: Readonly<Record<string, unknown>>) =>
      (await http.ok(listCrystals, fields)).crystals.map(({ narrative }) => narrative);
    expect(await list({})).toEqual(["a2", "a1", "a0"]);
    expect(await list({ project: "shop" })).toEqual(["a0"]);
    expect(await list({ sessionId: "s2" })).toEqual(["a1"]);
    expect(await list({ agentId: "ann" })).toEqual(["a2"]);
    expect(await list({ agentId: "ann", includeOrphans: true, limit: 1, offset: 2 })).toEqual(["a0"]);
  });

  test("in isolated scope names no file from another agent's observation", async () => {
    await http.close();
    http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
    const sourceObservationIds = [await touched("src/ann.ts", "ann"), await touched("src/bob.ts", "bob")];
    const actionIds = [await finished("both", { sourceObservationIds })];
    const { body } = await http.reply(createCrystal, { actionIds, agentId: "bob" });
    expect(body.crystal).toMatchObject({ filesAffected: ["src/bob.ts"], agentId: "bob" });
    expect((await http.ok(listCrystals, { agentId: "ann" })).total).toBe(0);
    expect((await http.reply(listCrystals, {})).status).toBe(400);
  });
});

describe("automatic crystals", () => {
  test("group finished actions older than a week by parent action or project, once", async () => {
    const parentId = await finished("the whole", { project: "shop" });
    const [a, b] = [await finished("a", { parentId }), await finished("b", { parentId })];
    const c = await finished("c", { project: "shop" });
    await finished("cancelled", {}, { status: "cancelled" });
    const none = await finished("of no project");
    expect(await http.ok(autoCrystallize, {})).toMatchObject({ groupCount: 0, crystalIds: [] });
    http.advance(7 * dayMs - 60_000);
    expect(await http.ok(autoCrystallize, {})).toMatchObject({ groupCount: 0 });
    http.advance(60_000);
    const late = await finished("late");
    const { sketch } = await http.ok(createSketch, { title: "only a plan" });
    const { action: sketched } = await http.ok(addToSketch, { sketchId: sketch.id, title: "sketched" });
    await http.ok(updateAction, { actionId: sketched.id, status: "done" });
    const groups = [
      { key: "shop", actionIds: [parentId, c] },
      { key: parentId, actionIds: [a, b] },
      { key: "", actionIds: [none] },
    ];
    const planned = { success: true, groupCount: 3, crystalIds: [], groups, dryRun: true };
    expect((await http.reply(autoCrystallize, { dryRun: true })).body).toEqual(planned);
    expect((await http.ok(listCrystals, {})).total).toBe(0);
    const made = (await http.reply(autoCrystallize, {})).body;
    expect(made).toEqual({ success: true, groupCount: 3, crystalIds: expect.any(Array), dryRun: false });
    const { crystals } = await http.ok(listCrystals, {});
    expect(crystals.map(({ sourceActionIds }) => sourceActionIds).reverse()).toEqual(
      groups.map(({ actionIds }) => actionIds),
    );
    expect(await crystallizeEntries()).toHaveLength(3);
    expect((await http.reply(autoCrystallize, {})).body.groupCount).toBe(0);
    const now = await http.reply(autoCrystallize, { olderThanDays: 0, dryRun: true });
    expect(now.body.groups).toEqual([{ key: "", actionIds: [late] }]);
    expect((await http.reply(autoCrystallize, { olderThanDays: 0, project: "shop" })).body.groupCount).toBe(
      0,
    );
  });

  test("are reported only by the one of several concurrent calls that made them", async () => {
    await finished("a", { project: "shop" });
    const replies = await Promise.all(
      [1, 2, 3].map(() => http.reply(autoCrystallize, { olderThanDays: 0, project: "shop" })),
    );
    const counts = replies.map(({ body }) => [body.groupCount, (body.crystalIds as string[]).length]);
    expect(counts.sort()).toEqual([
      [0, 0],
      [0, 0],
      [1, 1],
    ]);
    expect((await http.ok(listCrystals, {})).total).toBe(1);
  });

  test("are made from up to 50 groups per call, with a minimum age in days", async () => {
    for (let at = 0; at < 51; at += 1) await finished(`a${at}`, { project: `p${at}` });
    const reply = await http.reply(autoCrystallize, { olderThanDays: 0, dryRun: true });
    expect(reply.body.groupCount).toBe(50);
    for (const olderThanDays of [-1, 3_651])
      expect((await http.reply(autoCrystallize, { olderThanDays })).status).toBe(400);
  });
});

describe("compressing a flow", () => {
  test("stores its goal, outcome, steps, discoveries and lesson as a workflow memory", async () => {
    const { action: whole } = await http.ok(createAction, { title: "Split the queue", project: "shop" });
    const parts = { parentId: whole.id, project: "shop", tags: ["queue"] };
    const actionIds = [
      await finished("Write the worker", parts, {
        result: "Found that the lock is held too long in src/queue.ts.",
      }),
      await finished("Move the jobs", parts, { result: "All moved. Next time stop the old worker first." }),
      whole.id,
    ];
    const { body } = await http.reply(compressFlow, { actionIds });
    const summary = {
      goal: "Split the queue",
      outcome: "All moved. Next time stop the old worker first.",
      steps: ["Write the worker", "Move the jobs"],
      discoveries: ["Found that the lock is held too long in src/queue.ts."],
      lesson: "Next time stop the old worker first.",
    };
    expect(body).toMatchObject({ compressed: 2, summary, provider: "extractive" });
    const { memory } = await http.ok(getMemory, { id: String(body.memoryId) });
    expect(memory).toMatchObject({
      type: "workflow",
      title: "Split the queue",
      project: "shop",
      concepts: ["queue"],
      files: ["src/queue.ts"],
      origin: { channel: "consolidation" },
    });
    expect(memory.content).toContain("2. Move the jobs");
    expect(await crystallizeEntries()).toEqual([["flow.compress", 2]]);
    actionIds.push(await finished("Drop the table", parts, { status: "cancelled" }));
    const outcome = expect.stringMatching(/^2 of 3 done: All /u);
    expect((await http.reply(compressFlow, { actionIds })).body).toMatchObject({ summary: { outcome } });
  });

  test("names the first twenty discoveries, each once", async () => {
    const found = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => `Found cause number ${from + at}.`);
    const results = [[...found(0, 12), ...found(0, 3)], found(12, 25)].map((all) => all.join(" "));
    const actionIds = [
      await finished("one", {}, { result: results[0] }),
      await finished("two", {}, { result: results[1] }),
    ];
    const { body } = await http.reply(compressFlow, { actionIds });
    expect(body.summary).toMatchObject({ discoveries: found(0, 20) });
  });

  test("in isolated scope names another agent's observations neither as sources nor by their files", async () => {
    await http.close();
    http = await openTestHttp({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
    const own = await touched("src/ann.ts", "ann");
    const sourceObservationIds = [await touched("src/bob.ts", "bob"), own, "obs_gone"];
    const actionIds = [await finished("both", { sourceObservationIds })];
    const { body } = await http.reply(compressFlow, { actionIds, agentId: "ann" });
    const { memory } = await http.ok(getMemory, { id: String(body.memoryId), agentId: "ann" });
    expect(memory).toMatchObject({ files: ["src/ann.ts"], sourceObservationIds: [own, "obs_gone"] });
  });

  test("takes a run, a project or actions, and stores nothing while no action is finished", async () => {
    const steps = [{ title: "step" }];
    const { routine } = await http.ok(saveRoutine, { name: "routine", steps });
    const { run, actions } = await http.ok(runRoutine, { routineId: routine.id, project: "shop" });
    const [actionId = ""] = actions.map(({ id }) => id);
    // An action whose metadata only claims to belong to the run.
    await finished("other", { metadata: { runId: run.id } });
    const compress = async (input: Readonly<Record<string, unknown>>) => http.reply(compressFlow, input);
    for (const input of [{ runId: run.id }, { actionIds: [actionId] }, { project: "shop" }])
      expect((await compress(input)).body).toMatchObject({ compressed: 0, message: expect.any(String) });
    await http.ok(updateAction, { actionId, status: "done", metadata: { runId: "mine" } });
    for (const input of [{ runId: run.id }, { project: "/w/shop" }])
      expect((await compress(input)).body).toMatchObject({ compressed: 1, summary: { steps: ["step"] } });
    expect((await compress({})).status).toBe(400);
    expect((await compress({ runId: "run_x" })).body.notFound).toEqual(["run_x"]);
    expect((await compress({ actionIds: ["act_x"] })).body.notFound).toEqual(["act_x"]);
  });
});

describe("with a model", () => {
  const server = forEachTest(openModelServer);
  beforeEach(async () => {
    await http.close();
    http = await openTestHttp({ env: server.env("anthropic") });
  });

  test("a crystal uses the model's answer, but only files that the actions name", async () => {
    const actionIds = [await finished("Fix src/a.ts", { description: "src/a.ts" }, { result: "fixed" })];
    server.answer({
      kind: "json",
      value: {
        narrative: " The bug was fixed. ",
        keyOutcomes: ["fixed", "", "fixed"],
        filesAffected: ["src/a.ts", "src/made-up.ts"],
        lessons: ["Write the test first"],
      },
    });
    const { body } = await http.reply(createCrystal, { actionIds });
    expect(body.crystal).toMatchObject({
      narrative: "The bug was fixed.",
      keyOutcomes: ["fixed"],
      filesAffected: ["src/a.ts"],
      lessons: ["Write the test first"],
      provider: "anthropic",
    });
    const { entries } = await http.ok(listAudit, { operation: "crystallize" });
    expect(entries[0]?.details).toMatchObject({
      provider: "anthropic",
      jobId: expect.stringMatching(/^job_/u),
    });
    expect((await http.reply(createCrystal, { actionIds })).status).toBe(409);
  });

  test("a crystal of much work shows the model something of each action", async () => {
    const ids: string[] = [];
    for (let at = 0; at < 60; at += 1)
      ids.push(
        await finished(`Part ${at} of it`, {}, { result: `Part ${at} went ${"very ".repeat(400)}well` }),
      );
    server.answer({
      kind: "json",
      value: { narrative: "All went well.", keyOutcomes: [], filesAffected: [], lessons: [] },
    });
    await http.ok(createCrystal, { actionIds: ids });
    const prompt = server.seen[0]?.prompt ?? "";
    for (let at = 0; at < 60; at += 1) expect(prompt).toContain(`"result":"Part ${at} went very `);
    expect(prompt.length).toBeLessThanOrEqual(60_000);
  });

  test("rules take over with a warning when the model fails", async () => {
    server.answer({ kind: "status", status: 500 });
    const actionIds = [await finished("Fix it")];
    const { body } = await http.reply(createCrystal, { actionIds });
    expect(body).toMatchObject({
      crystal: { provider: "extractive", narrative: "Fix it" },
      warning: expect.stringContaining("made by rules"),
    });
    expect((await http.reply(compressFlow, { actionIds })).body).toMatchObject({
      provider: "extractive",
      warning: expect.any(String),
    });
  });

  test("automatic crystals of several projects are each told by the model, as one job", async () => {
    for (const project of ["shop", "farm"]) await finished(`Fix the ${project}`, { project });
    http.advance(8 * dayMs);
    server.answer(({ prompt }) => ({
      kind: "json",
      value: {
        narrative: prompt.includes("Fix the farm") ? "The farm grows." : "The shop sells.",
        keyOutcomes: [],
        filesAffected: [],
        lessons: [],
      },
    }));
    expect(await http.ok(autoCrystallize, {})).toMatchObject({ groupCount: 2, crystalIds: [any, any] });
    const { crystals } = await http.ok(listCrystals, {});
    expect(crystals.map(({ project, narrative, provider }) => [project, narrative, provider]).sort()).toEqual(
      [
        ["farm", "The farm grows.", "anthropic"],
        ["shop", "The shop sells.", "anthropic"],
      ],
    );
    const { entries } = await http.ok(listAudit, { operation: "crystallize" });
    expect(new Set(entries.map(({ details }) => details.jobId)).size).toBe(1);
  });

  test("a flow is summarized by the model and stored as a memory", async () => {
    server.answer({
      kind: "json",
      value: { goal: "Ship it", outcome: "Shipped", steps: ["build", "ship"], discoveries: [], lesson: "" },
    });
    const { body } = await http.reply(compressFlow, { actionIds: [await finished("Release")] });
    expect(body).toMatchObject({ compressed: 1, provider: "anthropic", summary: { goal: "Ship it" } });
    const { memory } = await http.ok(getMemory, { id: String(body.memoryId) });
    expect(memory.content).toBe("Goal: Ship it\nOutcome: Shipped\nSteps:\n1. build\n2. ship");
  });
});

test("crystals survive an export and import, and diagnostics find faulty ones", async () => {
  await http.ok(createCrystal, { actionIds: [await finished("a", { project: "shop", tags: ["x"] })] });
  const exportData = (await http.send("/export")).body;
  const other = await openTestHttp();
  expect((await other.ok(importStore, { exportData })).warnings).toEqual([]);
  expect((await other.send("/export")).body.crystals).toEqual(exportData.crystals);
  await other.close();
  const findings = async () => {
    const { checks } = await http.ok(diagnose, { categories: ["crystals", "index"] });
    return checks.filter(({ status }) => status !== "pass").map(({ name, status }) => [name, status]);
  };
  expect(await findings()).toEqual([]);
  await http.writeSql("DELETE FROM documents WHERE kind = 'crystal'");
  expect(await findings()).toEqual([["missing-index-entry", "fail"]]);
  await http.ok(heal, {});
  await http.writeSql("UPDATE crystals SET narrative = ' ', source_action_ids = '[\"act_gone\"]'");
  expect(await findings()).toEqual([
    ["crystals-empty-content", "warn"],
    ["crystals-missing-source", "warn"],
  ]);
});
