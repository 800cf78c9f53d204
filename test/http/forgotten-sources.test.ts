import { beforeEach, describe, expect, test } from "vitest";
import { listSessions } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { bulkDelete, deleteMemories } from "../../src/governance/deletion/operations.ts";
import { evict } from "../../src/governance/retention/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { consolidatePipeline, reflect } from "../../src/knowledge/consolidation/operations.ts";
import { listFacts } from "../../src/knowledge/facts/operations.ts";
import { listInsights, searchInsights } from "../../src/knowledge/insights/operations.ts";
import { deleteLesson, saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { forget, getMemory, remember } from "../../src/knowledge/memories/operations.ts";
import { listProcedures } from "../../src/knowledge/procedures/operations.ts";
import { buildContext } from "../../src/recall/context/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";
import { happen, workday, workdays } from "../support/workdays.ts";

const http = forEachTest(openTestHttp);

const libsql = "We decided to keep sessions in libSQL.";

async function facts() {
  return (await http.ok(listFacts, {})).semantic;
}

async function fact(words: string) {
  return (await facts()).find((one) => one.fact === words);
}

/** Stores the sentences as memories and derives an insight from them. */
async function insightFrom(sentences: readonly string[]): Promise<{ id: string; memoryIds: string[] }> {
  const memoryIds: string[] = [];
  for (const content of sentences) {
    const { memoryId } = await http.ok(remember, { content, project: "shop", concepts: ["backoff", "mail"] });
    memoryIds.push(memoryId);
  }
  await http.ok(reflect, { project: "shop" });
  const [insight] = (await http.ok(listInsights, {})).insights;
  return { id: insight?.id ?? "", memoryIds };
}

const mails = [
  "Mail retries use exponential backoff after a timeout",
  "The mail worker waits with backoff until Zanzibar answers",
  "Backoff of mail jobs starts at two seconds",
  "Mail jobs that fail five times go to the dead letter queue after their backoff",
];

describe("when sessions are forgotten", () => {
  beforeEach(async () => {
    await workdays(http);
    await http.ok(consolidatePipeline, {});
  });

  test("a fact keeps its remaining source sessions, and is deleted with the last one", async () => {
    expect((await fact(libsql))?.sourceSessionIds.toSorted()).toEqual(["1", "2"]);
    const first = await http.ok(forget, { sessionId: "1", includeSession: true });
    expect(first).not.toHaveProperty("derived");
    const kept = await fact(libsql);
    expect(kept?.sourceSessionIds).toEqual(["2"]);
    expect(await http.ok(forget, { sessionId: "2", includeSession: true })).toMatchObject({
      derived: expect.arrayContaining([kept?.id]),
    });
    expect((await facts()).map((one) => one.fact).join("\n")).not.toContain("libSQL");
    expect((await http.ok(smartSearch, { query: "libSQL" })).results).toEqual([]);
  });

  test("a procedure keeps its remaining source sessions, and is deleted with the last one", async () => {
    const [procedure] = (await http.ok(listProcedures, {})).procedural;
    expect(procedure?.sourceSessionIds).toHaveLength(3);
    for (const sessionId of ["1", "2"]) await http.ok(forget, { sessionId, includeSession: true });
    const [kept] = (await http.ok(listProcedures, {})).procedural;
    expect(kept?.sourceSessionIds).toEqual(["3"]);
    expect(kept?.sourceObservationIds.length).toBeLessThan(procedure?.sourceObservationIds.length ?? 0);
    await http.ok(forget, { sessionId: "3", includeSession: true });
    expect((await http.ok(listProcedures, {})).procedural).toEqual([]);
  });

  test("a procedure is deleted with its last source observations, though the sessions stay", async () => {
    for (const sessionId of ["1", "2"]) await http.ok(forget, { sessionId });
    const [kept] = (await http.ok(listProcedures, {})).procedural;
    expect(kept?.sourceSessionIds).toEqual(["3"]);
    expect(await http.ok(forget, { sessionId: "3" })).toMatchObject({
      derived: expect.arrayContaining([kept?.id]),
    });
    expect((await http.ok(listProcedures, {})).procedural).toEqual([]);
    expect((await http.ok(listSessions, {})).total).toBe(3);
  });

  test("deleted facts and procedures leave tombstones for other stores", async () => {
    const gone = [...(await facts()), ...(await http.ok(listProcedures, {})).procedural].map(({ id }) => id);
    for (const sessionId of ["1", "2", "3"]) await http.ok(forget, { sessionId, includeSession: true });
    const { sql } = http.core.ground.store.read;
    const buried = await sql.values("SELECT id FROM tombstones WHERE kind IN ('semantic', 'procedural')");
    expect(buried.flat().toSorted()).toEqual(gone.toSorted());
  });
});

test("memories and lessons made from forgotten observations stay, and are named in the answer", async () => {
  const said = await happen(http, "4", "prompt_submit", { prompt: "Zanzibar is asked first." });
  const { memoryId } = await http.ok(remember, {
    content: "Zanzibar comes first",
    project: "shop",
    sourceObservationIds: [said],
  });
  const createdAt = new Date(http.now()).toISOString();
  const lesson = {
    id: "lsn_1",
    content: "Ask Zanzibar",
    source: "consolidation",
    sourceIds: [said],
    createdAt,
  };
  await http.ok(importStore, { exportData: { version: "1.0.0", lessons: [lesson] } });
  const other = await happen(http, "4", "prompt_submit", { prompt: "Deploy on Mondays." });
  const left = await http.ok(forget, { sessionId: "4", observationIds: [other] });
  expect(left).not.toHaveProperty("remaining");
  expect(await http.ok(forget, { sessionId: "4" })).toMatchObject({
    deletedObservations: 1,
    remaining: [memoryId, lesson.id],
  });
  expect((await http.reply(getMemory, { id: memoryId })).status).toBe(200);
});

test("a summary no longer tells what a forgotten observation said", async () => {
  const said = await happen(http, "4", "prompt_submit", { prompt: "We decided to ask Zanzibar first." });
  await workday(http, "4", "deploy on Mondays");
  await http.ok(consolidatePipeline, {});
  const told = async () => {
    const { sessions } = await http.ok(listSessions, {});
    const { context } = await http.ok(buildContext, { sessionId: "next", project: "shop" });
    return JSON.stringify([sessions, context]);
  };
  expect(await told()).toContain("Zanzibar");
  await http.ok(forget, { sessionId: "4", observationIds: [said] });
  expect(await told()).not.toContain("Zanzibar");
  expect(await told()).toContain("deploy on Mondays");
});

test("a fact is deleted with its only source observation, and is not derived again", async () => {
  const said = await happen(http, "4", "prompt_submit", { prompt: "We decided to ask Zanzibar first." });
  await workday(http, "4", "deploy on Mondays");
  await http.ok(consolidatePipeline, {});
  const told = await fact("We decided to ask Zanzibar first.");
  expect(told?.sourceSessionIds).toEqual(["4"]);
  const createdAt = new Date(http.now()).toISOString();
  const insight = { id: "ins_1", title: "Zanzibar", content: "Ask Zanzibar", createdAt };
  const insights = [{ ...insight, sourceMemoryIds: [told?.id] }];
  await http.ok(importStore, { exportData: { version: "1.0.0", insights } });
  expect(await http.ok(forget, { sessionId: "4", observationIds: [said] })).toMatchObject({
    deletedObservations: 1,
    derived: [told?.id, insight.id],
  });
  expect((await facts()).map((one) => one.fact)).toEqual(["We decided to deploy on Mondays."]);
  await http.ok(consolidatePipeline, {});
  expect((await facts()).map((one) => one.fact)).toEqual(["We decided to deploy on Mondays."]);
});

test("a fact stays while another observation of its session says the same", async () => {
  const decision = "We decided to ask Zanzibar first.";
  const said = await happen(http, "4", "prompt_submit", { prompt: decision });
  await happen(http, "4", "prompt_submit", { prompt: `As I said. ${decision}` });
  await workday(http, "4", "deploy on Mondays");
  await http.ok(consolidatePipeline, {});
  const told = await fact(decision);
  expect(await http.ok(forget, { sessionId: "4", observationIds: [said] })).not.toHaveProperty("derived");
  expect(await fact(decision)).toEqual(told);
});

describe("the insight derived from a memory", () => {
  test("is deleted when the memory is forgotten, and derived again from the others", async () => {
    const { id, memoryIds } = await insightFrom(mails);
    const [drawn] = (await http.ok(listInsights, {})).insights;
    const at = mails.findIndex((sentence) => drawn?.content.includes(sentence));
    const words = { query: mails[at] ?? "" };
    expect((await http.ok(searchInsights, words)).insights).toMatchObject([{ id }]);
    const memoryId = memoryIds[at] ?? "";
    expect(await http.ok(forget, { memoryId })).toMatchObject({ deleted: 1, derived: [id] });
    expect((await http.ok(searchInsights, words)).insights).toEqual([]);
    expect(await dumpStore(http)).not.toContain(words.query);
    await http.ok(reflect, { project: "shop" });
    const [anew] = (await http.ok(listInsights, {})).insights;
    expect(anew?.sourceMemoryIds.toSorted()).toEqual(memoryIds.filter((one) => one !== memoryId).toSorted());
    expect(anew?.content).not.toContain(words.query);
  });

  test("is deleted when the memory is deleted by governance, but not on a dry run", async () => {
    const { id, memoryIds } = await insightFrom(mails);
    const before = await dumpStore(http);
    const asked = { memoryIds: memoryIds.slice(0, 1), reason: "asked for" };
    expect(await http.ok(deleteMemories, { ...asked, dryRun: true })).toMatchObject({ derived: [id] });
    expect(await dumpStore(http)).toEqual(before);
    expect(await http.ok(deleteMemories, asked)).toMatchObject({ deleted: 1, derived: [id] });
    const { entries } = await http.ok(listAudit, { operation: "delete" });
    expect(entries).toMatchObject([{ targetIds: [...asked.memoryIds, id], details: { derived: 1 } }]);
    expect((await http.ok(listInsights, {})).insights).toEqual([]);
  });

  test("is deleted with the memories that governance deletes by their project", async () => {
    const { id, memoryIds } = await insightFrom(mails);
    const answer = await http.ok(bulkDelete, { project: "shop" });
    expect(answer).toMatchObject({ deleted: memoryIds.length, derived: [id] });
    const { entries } = await http.ok(listAudit, { operation: "delete" });
    expect(entries[0]?.targetIds.toSorted()).toEqual([...memoryIds, id].toSorted());
  });

  test("is deleted in the same way when it came from a deleted lesson", async () => {
    const ids: string[] = [];
    for (const content of mails) {
      const { lesson } = await http.ok(saveLesson, { content, project: "shop", tags: ["backoff", "mail"] });
      ids.push(lesson.id);
    }
    await http.ok(reflect, { project: "shop" });
    expect((await http.ok(listInsights, {})).total).toBe(1);
    await http.ok(deleteLesson, { lessonId: ids[0] ?? "" });
    expect((await http.ok(listInsights, {})).total).toBe(0);
    await http.ok(reflect, { project: "shop" });
    const drawn = (await http.ok(listInsights, {})).insights;
    expect(drawn.flatMap(({ sourceLessonIds }) => sourceLessonIds).toSorted()).toEqual(
      ids.slice(1).toSorted(),
    );
  });

  test("stays when the memory is evicted after fading", async () => {
    const { id } = await insightFrom(mails);
    http.advance(3_000 * dayMs);
    expect((await http.ok(evict, {})).decayedMemories).toHaveLength(4);
    const { sql } = http.core.ground.store.read;
    expect((await sql.values("SELECT id FROM insights")).flat()).toEqual([id]);
  });
});
